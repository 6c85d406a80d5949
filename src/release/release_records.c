/* SPDX-License-Identifier: MIT */
#include "release/release_records.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/lattice.h"
#include "mechanism/noise_bars.h"
#include "number/scoped.h"
#include "release/points.h"
#include "table/csv_row.h"

enum { POINT_SIZE = PBY_LATTICE_DIMENSION_MAX * 24 };

/* ---- a direction ------------------------------------------------------------------------------- */

pby_status pby_project_parse(pby_project *out, const char *name, const char *text, pby_error *err)
{
    static const char expected[] =
        "up to 62 integers separated by commas, not all of them 0, none above 2^31, such as 3,-2";
    bool some = false;
    const char *at = text;
    *out = (pby_project){.text = text};
    for (; out->dimension < PBY_PROJECT_MAX; at++) {
        char *end;
        const long factor = strtol(at, &end, 10);
        const char *digits = at + (*at == '-');
        if (*digits < '0' || *digits > '9' || end - at > 12 || labs(factor) > (1L << 31))
            break;
        out->factor[out->dimension++] = factor;
        some = some || factor != 0;
        at = end;
        if (*at == '\0' && some)
            return PBY_OK;
        if (*at != ',')
            break;
    }
    return pby_refuse(err, name, text, expected);
}

/* sum = x[0] factor[0] + ...; x is spent. */
static void project(mpq_t sum, mpq_t *x, const pby_project *along)
{
    PBY_MPZ(factor);
    mpq_set_ui(sum, 0, 1);
    for (size_t j = 0; j < along->dimension; j++) {
        mpz_set_si(factor, along->factor[j]);
        mpz_mul(mpq_numref(x[j]), mpq_numref(x[j]), factor);
        mpq_canonicalize(x[j]);
        mpq_add(sum, sum, x[j]);
    }
}

/* ---- what is read ------------------------------------------------------------------------------ */

static pby_status read_records(pby_release *release, mpq_t *x, size_t dimension, const pby_project *along,
                               pby_lines *in, pby_error *err)
{
    char *line;
    pby_status status = PBY_OK;
    PBY_MPQ(sum);
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        if (pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, dimension))
            continue;
        status = pby_point_read(in, x, dimension, line, err);
        if (status == PBY_OK && along != NULL)
            project(sum, x, along);
        if (status == PBY_OK)
            status = pby_release_record(release, along != NULL ? (const mpq_t *)&sum : (const mpq_t *)x, err);
    }
    return status;
}

/* ---- what is written --------------------------------------------------------------------------- */

static pby_status write_header(pby_rows *rows, size_t dimension, pby_error *err)
{
    static const char *const names[] = {"value", "x,y", "x,y,z", "x,y,z,w"};
    const char *name = names[dimension - 1];
    const pby_status status =
        rows->store != NULL ? pby_store_shape(rows->store, pby_columns_none, NULL, true, err) : PBY_OK;
    if (status != PBY_OK || rows->json)
        return status;
    if (rows->store != NULL)
        return pby_store_head(rows->store, dimension == 1 ? name : "point", dimension == 1 ? strlen(name) : 5,
                              err);
    return pby_rows_add(rows, (const uint8_t *)name, strlen(name), pby_columns_none, NULL, err);
}

static pby_status write_point(pby_rows *rows, const int64_t *point, size_t dimension, pby_error *err)
{
    char text[POINT_SIZE];
    size_t size = 0;
    for (size_t j = 0; j < dimension; j++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%" PRId64,
                                 j == 0                ? ""
                                 : rows->store != NULL ? " "
                                                       : ",",
                                 point[j]);
    return pby_rows_add(rows, (const uint8_t *)text, size, pby_columns_none, NULL, err);
}

/* Every use is a draw of its own. */
static pby_status write_points(pby_release *release, pby_rows *rows, pby_error *err)
{
    const size_t dimension = pby_release_coordinates(release), uses = pby_release_uses(release);
    int64_t point[PBY_LATTICE_DIMENSION_MAX];
    rows->tuples = dimension > 1;
    pby_status status = write_header(rows, dimension, err);
    for (size_t u = 0; u < uses && status == PBY_OK; u++) {
        status = pby_release_point(release, point, err);
        if (status == PBY_OK)
            status = write_point(rows, point, dimension, err);
    }
    sodium_memzero(point, sizeof point);
    return status;
}

pby_status pby_release_records(const pby_budget *budget, pby_release *release, pby_lines *in,
                               const pby_project *along, pby_rows *rows, pby_error *err)
{
    const size_t dimension = along != NULL ? along->dimension : pby_release_dimension(release);
    mpq_t *x = malloc(dimension * sizeof *x);
    if (x == NULL)
        return pby_no_memory(err);
    for (size_t j = 0; j < dimension; j++)
        mpq_init(x[j]);
    pby_release_clear_records(release);
    pby_status status = read_records(release, x, dimension, along, in, err);
    if (status == PBY_OK)
        status = pby_release_scored(release, err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = write_points(release, rows, err);
    pby_release_clear_records(release);
    for (size_t j = 0; j < dimension; j++)
        mpq_clear(x[j]);
    free(x);
    return status;
}
