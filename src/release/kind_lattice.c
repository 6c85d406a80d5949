/* SPDX-License-Identifier: MIT */
/* Records in CSV, out of which a point of a public grid is released (probity/release.h).
 *
 * Read as points are (release/points.h). An input without a record is refused only where the number of
 * records is public. Written: x, y, z, w of each point, a line for each use; a number alone is called value.
 * In JSON a row is {"key": "VALUE"} or {"key": ["X", ...]}. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/run/noise_bars.h"
#include "mechanism/shared/lattice.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/experimental/parts.h"
#include "release/input_kind.h"
#include "release/input_lines.h"
#include "release/points.h"

enum { POINT_SIZE = PBY_LATTICE_DIMENSION_MAX * 24 };

/* ---- what is read ------------------------------------------------------------------------------ */

struct input {
    pby_release *release;
    const pby_project *along; /* NULL: points are taken as they are */
    size_t dimension;         /* of what is read */
    mpq_t *x;
};

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

static pby_status take_record(void *what, const pby_lines *lines, char *line, pby_error *err)
{
    const struct input *in = what;
    PBY_MPQ(sum);
    PBY_TRY(pby_point_read(lines, in->x, in->dimension, line, err));
    if (in->along == NULL)
        return pby_release_record(in->release, (const mpq_t *)in->x, err);
    project(sum, in->x, in->along);
    return pby_release_record(in->release, (const mpq_t *)&sum, err);
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

/* ---- the kind ---------------------------------------------------------------------------------- */

static pby_status open_lattice(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    in->release = release;
    in->along = p->along;
    in->dimension = p->along != NULL ? p->along->dimension : pby_release_dimension(release);
    PBY_TRY(pby_numbers_new(&in->x, in->dimension, err));
    pby_release_clear_records(release);
    PBY_TRY(pby_input_lines(p, in->dimension, NULL, take_record, in, err));
    return pby_release_scored(release, err);
}

static pby_status run_lattice(pby_rows *rows, void *in, const pby_pipeline *p, pby_release *release,
                              pby_error *err)
{
    (void)in;
    (void)p;
    return write_points(release, rows, err);
}

static void close_lattice(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    pby_release_clear_records(in->release);
    pby_numbers_free(in->x, in->dimension);
    free(in);
}

const pby_input_kind pby_kind_lattice = {
    .name = "lattice",
    .open = open_lattice,
    .run = run_lattice,
    .close = close_lattice,
};
