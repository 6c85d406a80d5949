#include "release/points.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/exact.h"
#include "probity/rational.h"
#include "table/csv_row.h"
#include "table/decimal.h"
#include "table/field.h"
#include "table/key_kind.h"
#include "table/lines.h"

static pby_status refuse(const pby_lines *in, size_t column, const char *expected, pby_error *err)
{
    return pby_field_refuse(pby_lines_name(in), pby_lines_number(in), (unsigned)column, expected, err);
}

/* The coordinates of a line; `line` is cut into its fields. */
static pby_status read_point(const pby_lines *in, mpq_t *x, size_t dimension, char *line, pby_error *err)
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

static pby_status add_point(const pby_lines *in, pby_bucketing *points, const mpq_t *x, pby_error *err)
{
    pby_error why = {0};
    const pby_status status = pby_bucketing_add(points, x, &why);
    return status == PBY_OK
               ? PBY_OK
               : pby_fail_by(err, status, status == PBY_BAD ? PBY_REASON_INPUT : why.reason,
                             "%s: line %" PRIu64 ", %s", pby_lines_name(in), pby_lines_number(in), why.text);
}

static pby_status read_lines(pby_bucketing *points, mpq_t *x, pby_lines *in, pby_error *err)
{
    const size_t dimension = pby_bucketing_dimension(points);
    char *line;
    pby_status status = PBY_OK;
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        if (pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, dimension))
            continue;
        status = read_point(in, x, dimension, line, err);
        if (status == PBY_OK)
            status = add_point(in, points, (const mpq_t *)x, err);
    }
    return status;
}

static pby_status write_text(pby_spool *spool, const char *text, pby_error *err)
{
    return pby_spool_write(spool, text, strlen(text), err);
}

/* What stands around the coordinates of a centre and the count. */
struct punctuation {
    const char *begin, *between, *count, *end;
};

static const struct punctuation csv = {"", " ", ",", "\n"};
static const struct punctuation json = {"{\"centre\": [\"", "\", \"", "\"], \"count\": ", "}"};

static pby_status write_count(pby_spool *spool, const struct punctuation *by, int64_t count, pby_error *err)
{
    uint8_t digits[PBY_DIGITS];
    const uint8_t *end = pby_put_number(digits, count);
    pby_status status = write_text(spool, by->count, err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, digits, (size_t)(end - digits), err);
    return status == PBY_OK ? write_text(spool, by->end, err) : status;
}

/* The coordinates of bar i. */
static pby_status write_centre(pby_spool *spool, const struct punctuation *by, const pby_bucketing *points,
                               mpq_t *centre, size_t i, pby_error *err)
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

static pby_status write_bucket(pby_rows *rows, const pby_bucketing *points, mpq_t *centre, size_t i,
                               int64_t count, pby_error *err)
{
    const struct punctuation *by = rows->json ? &json : &csv;
    pby_status status = pby_rows_between(rows, err);
    if (status == PBY_OK)
        status = write_centre(rows->spool, by, points, centre, i, err);
    return status == PBY_OK ? write_count(rows->spool, by, count, err) : status;
}

static pby_status write_buckets(pby_rows *rows, const pby_bucketing *points, mpq_t *centre,
                                const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = rows->json ? PBY_OK : write_text(rows->spool, "centre,count\n", err);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        if (noisy[i] > 0)
            status = write_bucket(rows, points, centre, i, noisy[i], err);
    return status;
}

/* The same into a store: the key is the centre as CSV has it. */
static pby_status keep_buckets(pby_store *store, const pby_bucketing *points, mpq_t *centre,
                               const int64_t *noisy, size_t n, pby_error *err)
{
    pby_spool *key;
    size_t size;
    pby_status status = pby_spool_open_memory(&key, err);
    if (status == PBY_OK)
        status = pby_store_shape(store, pby_columns_count, NULL, true, err);
    if (status == PBY_OK)
        status = pby_store_head(store, "centre", 6, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        if (noisy[i] <= 0)
            continue;
        pby_spool_empty(key);
        status = write_centre(key, &csv, points, centre, i, err);
        const uint8_t *bytes = pby_spool_bytes(key, &size);
        if (status == PBY_OK)
            status = pby_store_add(store, bytes, size, &noisy[i], err);
    }
    pby_spool_abort(key);
    return status;
}

static pby_status release_buckets(const pby_budget *budget, pby_release *release, const pby_bucketing *points,
                                  mpq_t *centre, pby_rows *rows, pby_error *err)
{
    size_t n;
    const int64_t *counts = pby_bucketing_counts(points, &n);
    int64_t *noisy = malloc((n + 1) * sizeof *noisy);
    if (noisy == NULL)
        return pby_no_memory(err);
    pby_status status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = pby_release_counts(release, counts, noisy, n, err);
    if (status == PBY_OK)
        status = rows->store != NULL ? keep_buckets(rows->store, points, centre, noisy, n, err)
                                     : write_buckets(rows, points, centre, noisy, n, err);
    sodium_memzero(noisy, n * sizeof *noisy);
    free(noisy);
    return status;
}

static pby_status release_points(const pby_budget *budget, pby_release *release, pby_bucketing *points,
                                 mpq_t *x, pby_lines *in, pby_rows *rows, pby_error *err)
{
    pby_status status = read_lines(points, x, in, err);
    if (status == PBY_OK)
        status = pby_bucketing_close(points, err);
    return status == PBY_OK ? release_buckets(budget, release, points, x, rows, err) : status;
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

pby_status pby_release_points(const pby_budget *budget, pby_release *release, pby_lines *in, pby_rows *rows,
                              pby_error *err)
{
    pby_bucketing *points;
    pby_status status = pby_bucketing_new(&points, budget->spec, err);
    if (status != PBY_OK)
        return status;
    const size_t dimension = pby_bucketing_dimension(points);
    mpq_t *x = malloc(dimension * sizeof *x);
    for (size_t j = 0; x != NULL && j < dimension; j++)
        mpq_init(x[j]);
    if (x == NULL)
        status = pby_no_memory(err);
    else
        status = release_points(budget, release, points, x, in, rows, err);
    for (size_t j = 0; x != NULL && j < dimension; j++)
        mpq_clear(x[j]);
    free(x);
    pby_bucketing_free(points);
    return status;
}
