/* SPDX-License-Identifier: MIT */
#include "release/points.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/exact.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "probity/release.h"
#include "release/input_kind.h"
#include "release/input_lines.h"
#include "release/uses.h"
#include "table/key/key_kind.h"
#include "table/row/decimal.h"
#include "table/row/field.h"

enum { CHUNK = 1 << 18 /* counts of all uses together */ };

_Static_assert(CHUNK / PBY_RELEASE_USES_MAX > 0, "a bucket of any number of uses");

static pby_status refuse(const pby_lines *in, size_t column, const char *expected, pby_error *err)
{
    return pby_field_refuse(pby_lines_name(in), pby_lines_number(in), (unsigned)column, expected, err);
}

pby_status pby_point_read(const pby_lines *in, mpq_t *x, size_t dimension, char *line, pby_error *err)
{
    for (size_t j = 0; j < dimension; j++) {
        char *comma = strchr(line, ',');
        if ((comma != NULL) != (j + 1 < dimension))
            return refuse(in, j + 2, comma != NULL ? "the end of the line" : "a comma and a coordinate", err);
        if (comma != NULL)
            *comma = '\0';
        if (pby_rational_parse(x[j], "coordinate", pby_field_unquote(line), NULL) != PBY_OK)
            return refuse(in, j + 1, "a number such as 2, 0.5 or 1/3, " PBY_NUMBER_LIMITS, err);
        line = comma == NULL ? line : comma + 1;
    }
    return PBY_OK;
}

struct input {
    pby_bucketing *points;
    size_t dimension;
    mpq_t *x;       /* a point, and later a centre */
    pby_uses names; /* the columns of several uses */
    int64_t *noisy; /* CHUNK counts */
};

static pby_status take_point(void *what, const pby_lines *lines, char *line, pby_error *err)
{
    struct input *in = what;
    pby_error why = {0};
    PBY_TRY(pby_point_read(lines, in->x, in->dimension, line, err));
    const pby_status status = pby_bucketing_add(in->points, (const mpq_t *)in->x, &why);
    return status == PBY_OK ? PBY_OK
                            : pby_fail_by(err, status, status == PBY_BAD ? PBY_REASON_INPUT : why.reason,
                                          "%s: line %" PRIu64 ", %s", pby_lines_name(lines),
                                          pby_lines_number(lines), why.text);
}

static pby_status write_text(pby_spool *spool, const char *text, pby_error *err)
{
    return pby_spool_write(spool, text, strlen(text), err);
}

/* The text around the coordinates of a centre, and around each count. */
struct punctuation {
    const char *begin, *between, *centred, *before, *behind, *end;
};

static const struct punctuation csv = {"", " ", "", ",", "", "\n"};
static const struct punctuation json = {"{\"centre\": [\"", "\", \"", "\"]", ", \"", "\": ", "}"};

/* The buckets that are written, of so many uses. */
struct buckets {
    const pby_bucketing *points;
    mpq_t *centre;
    pby_rows *rows;
    size_t uses;
    const char *const *columns;
};

static pby_status write_count(const struct buckets *b, const struct punctuation *by, size_t use,
                              int64_t count, pby_error *err)
{
    uint8_t digits[PBY_DIGITS];
    const uint8_t *end = pby_put_number(digits, count);
    pby_status status = write_text(b->rows->spool, by->before, err);
    if (status == PBY_OK && b->rows->json)
        status = write_text(b->rows->spool, b->columns[use], err);
    if (status == PBY_OK)
        status = write_text(b->rows->spool, by->behind, err);
    return status == PBY_OK ? pby_spool_write(b->rows->spool, digits, (size_t)(end - digits), err) : status;
}

/* The coordinates of bar i, and what stands in front of them and between them. */
static pby_status write_coordinates(pby_spool *spool, const struct punctuation *by,
                                    const pby_bucketing *points, mpq_t *centre, size_t i, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_bucketing_centre(centre, points, i);
    for (size_t j = 0; j < pby_bucketing_dimension(points) && status == PBY_OK; j++) {
        char *text = pby_exact_text(centre[j]);
        status = text == NULL ? pby_no_memory(err) : write_text(spool, j > 0 ? by->between : by->begin, err);
        if (status == PBY_OK)
            status = write_text(spool, text, err);
        free(text);
    }
    return status;
}

static pby_status write_centre(const struct buckets *b, const struct punctuation *by, size_t i,
                               pby_error *err)
{
    pby_rows *rows = b->rows;
    pby_status status = pby_rows_between(rows, err);
    if (status == PBY_OK)
        status = write_coordinates(rows->spool, by, b->points, b->centre, i, err);
    return status == PBY_OK ? write_text(rows->spool, by->centred, err) : status;
}

/* Adds a bucket to a store: its key is the centre as CSV has it. */
static pby_status keep_bucket(const struct buckets *b, size_t i, const int64_t *noisy, size_t step,
                              pby_error *err)
{
    pby_spool *key;
    size_t size;
    int64_t *values = malloc(b->uses * sizeof *values);
    pby_status status = values == NULL ? pby_no_memory(err) : pby_spool_open_memory(&key, err);
    if (status == PBY_OK) {
        for (size_t u = 0; u < b->uses; u++)
            values[u] = noisy[u * step];
        status = write_coordinates(key, &csv, b->points, b->centre, i, err);
        const uint8_t *bytes = pby_spool_bytes(key, &size);
        if (status == PBY_OK)
            status = pby_store_add(b->rows->store, bytes, size, values, err);
        pby_spool_abort(key);
    }
    free(values);
    return status;
}

/* A bucket that some use leaves occupied; noisy[0] is of the first use, noisy[step] of the second, and so on.
 */
static pby_status write_bucket(const struct buckets *b, size_t i, const int64_t *noisy, size_t step,
                               pby_error *err)
{
    const struct punctuation *by = b->rows->json ? &json : &csv;
    bool any = false;
    for (size_t u = 0; u < b->uses; u++)
        any = any || noisy[u * step] > 0;
    if (!any)
        return PBY_OK;
    if (b->rows->store != NULL)
        return keep_bucket(b, i, noisy, step, err);
    pby_status status = write_centre(b, by, i, err);
    for (size_t u = 0; u < b->uses && status == PBY_OK; u++)
        status = write_count(b, by, u, noisy[u * step], err);
    return status == PBY_OK ? write_text(b->rows->spool, by->end, err) : status;
}

/* JSON has none. */
static pby_status write_header(const struct buckets *b, const char *header, pby_error *err)
{
    pby_status status = PBY_OK;
    if (b->rows->store != NULL) {
        status = pby_store_shape(b->rows->store, b->columns, NULL, true, err);
        return status == PBY_OK ? pby_store_head(b->rows->store, "centre", strlen("centre"), err) : status;
    }
    if (b->rows->json)
        return PBY_OK;
    status = write_text(b->rows->spool, "centre", err);
    if (status == PBY_OK)
        status = write_text(b->rows->spool, header, err);
    return status == PBY_OK ? write_text(b->rows->spool, "\n", err) : status;
}

/* Every use of a chunk of buckets is a release of its own. */
static pby_status release_chunks(const struct buckets *b, pby_release *release, int64_t *noisy, size_t room,
                                 pby_error *err)
{
    size_t n;
    const int64_t *counts = pby_bucketing_counts(b->points, &n);
    pby_status status = PBY_OK;
    for (size_t at = 0; at < n && status == PBY_OK; at += room) {
        const size_t many = n - at < room ? n - at : room;
        for (size_t u = 0; u < b->uses && status == PBY_OK; u++)
            status = pby_release_counts(release, counts + at, noisy + u * many, many, err);
        for (size_t i = 0; i < many && status == PBY_OK; i++)
            status = write_bucket(b, at + i, noisy + i, many, err);
    }
    return status;
}

pby_status pby_points_timing_safe(const pby_spec *spec, const char *argument, pby_error *err)
{
    pby_bucketing *points;
    char expected[96];
    if (!pby_bucketing_wanted(spec))
        return PBY_OK;
    pby_status status = pby_bucketing_new(&points, spec, err);
    if (status != PBY_OK)
        return status;
    snprintf(expected, sizeof expected, "at most 16777216 buckets with %s", argument);
    if (!pby_bucketing_whole(points))
        status = pby_refuse(err, "SPEC", pby_spec_text(spec), expected);
    pby_bucketing_free(points);
    return status;
}

/* ---- the kind ---------------------------------------------------------------------------------- */

static pby_status open_points(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    const size_t uses = pby_release_uses(release);
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    PBY_TRY(pby_bucketing_new(&in->points, p->budget->spec, err));
    in->dimension = pby_bucketing_dimension(in->points);
    PBY_TRY(pby_numbers_new(&in->x, in->dimension, err));
    PBY_TRY(pby_input_lines(p, in->dimension, NULL, take_point, in, err));
    PBY_TRY(pby_bucketing_close(in->points, err));
    in->noisy = calloc(CHUNK, sizeof *in->noisy);
    if (in->noisy == NULL)
        return pby_no_memory(err);
    return uses == 1 ? PBY_OK : pby_uses_name(&in->names, pby_columns_count, uses, err);
}

static pby_status run_points(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    (void)p;
    const struct input *in = what;
    const size_t uses = pby_release_uses(release);
    const struct buckets b = {in->points, in->x, rows, uses,
                              uses == 1 ? pby_columns_count : (const char *const *)in->names.columns};
    PBY_TRY(write_header(&b, uses == 1 ? ",count" : in->names.header, err));
    return release_chunks(&b, release, in->noisy, CHUNK / uses, err);
}

static void close_points(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    if (in->noisy != NULL)
        sodium_memzero(in->noisy, CHUNK * sizeof *in->noisy);
    free(in->noisy);
    pby_uses_clear(&in->names);
    pby_numbers_free(in->x, in->dimension);
    pby_bucketing_free(in->points);
    free(in);
}

const pby_input_kind pby_kind_points = {
    .name = "points",
    .truncates = true,
    .open = open_points,
    .run = run_points,
    .close = close_points,
};
