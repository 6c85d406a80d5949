#include "release/points.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/source.h"
#include "number/exact.h"
#include "probity/rational.h"
#include "table/csv_row.h"
#include "table/decimal.h"
#include "table/field.h"
#include "table/key_kind.h"

enum { LINE_MAX_SIZE = 1 << 18 };

/* The input, a window of it at a time. */
struct reader {
    pby_csv_input *in;
    char *window; /* LINE_MAX_SIZE bytes, and one for a NUL */
    size_t at, end;
    bool last;
    uint64_t line; /* of the next line, from 1 */
};

static pby_status refuse(const struct reader *r, size_t column, const char *expected, pby_error *err)
{
    return pby_field_refuse(pby_csv_input_name(r->in), r->line, (unsigned)column, expected, err);
}

/* Reads on behind what is left of the window. */
static pby_status fill(struct reader *r, pby_error *err)
{
    size_t got;
    memmove(r->window, r->window + r->at, r->end - r->at);
    r->end -= r->at;
    r->at = 0;
    const pby_status status = pby_csv_input_read(r->in, r->window + r->end, LINE_MAX_SIZE - r->end, &got, err);
    if (status != PBY_OK)
        return status;
    r->end += got;
    r->last = r->end < LINE_MAX_SIZE;
    return PBY_OK;
}

/* The next line, ended by a NUL in the place of its newline; NULL after the last. */
static pby_status next_line(struct reader *r, char **line, pby_error *err)
{
    char *newline = memchr(r->window + r->at, '\n', r->end - r->at);
    if (newline == NULL && !r->last) {
        const pby_status status = fill(r, err);
        if (status != PBY_OK)
            return status;
        newline = memchr(r->window, '\n', r->end);
        if (newline == NULL && !r->last)
            return refuse(r, 1, "a line of less than 262144 bytes", err);
    }
    *line = r->at < r->end ? r->window + r->at : NULL;
    char *stop = newline != NULL ? newline : r->window + r->end;
    r->at = (size_t)(stop - r->window) + (newline != NULL);
    *stop = '\0';
    if (*line != NULL && strlen(*line) != (size_t)(stop - *line))
        return refuse(r, 1, "no NUL byte", err);
    if (newline != NULL && stop > *line && stop[-1] == '\r')
        stop[-1] = '\0';
    return PBY_OK;
}

/* The coordinates of a line; `line` is cut into its fields. */
static pby_status read_point(const struct reader *r, mpq_t *x, size_t dimension, char *line, pby_error *err)
{
    for (size_t j = 0; j < dimension; j++) {
        char *comma = strchr(line, ',');
        if ((comma != NULL) != (j + 1 < dimension))
            return refuse(r, j + 2, comma != NULL ? "the end of the line" : "a comma and a coordinate", err);
        if (comma != NULL)
            *comma = '\0';
        if (pby_rational_parse(x[j], "coordinate", pby_field_unquote(line), NULL) != PBY_OK)
            return refuse(r, j + 1, "a number such as 2, 0.5 or 1/3, " PBY_NUMBER_LIMITS, err);
        line = comma == NULL ? line : comma + 1;
    }
    return PBY_OK;
}

static pby_status add_point(const struct reader *r, pby_bucketing *points, const mpq_t *x, pby_error *err)
{
    pby_error why = {0};
    const pby_status status = pby_bucketing_add(points, x, &why);
    return status == PBY_OK ? PBY_OK
                            : pby_fail(err, status, "%s: line %" PRIu64 ", %s", pby_csv_input_name(r->in), r->line,
                                       why.text);
}

static pby_status read_points(struct reader *r, pby_bucketing *points, mpq_t *x, pby_error *err)
{
    const size_t dimension = pby_bucketing_dimension(points);
    for (r->line = 1;; r->line++) {
        char *line = NULL;
        pby_status status = next_line(r, &line, err);
        if (status != PBY_OK)
            return status;
        if (line == NULL)
            return PBY_OK;
        if (r->line == 1 && pby_csv_row_names_columns(line, dimension))
            continue;
        status = read_point(r, x, dimension, line, err);
        if (status == PBY_OK)
            status = add_point(r, points, (const mpq_t *)x, err);
        if (status != PBY_OK)
            return status;
    }
}

static pby_status read_file(pby_bucketing *points, mpq_t *x, const char *path, pby_error *err)
{
    struct reader r = {.window = malloc(LINE_MAX_SIZE + 1)};
    if (r.window == NULL)
        return pby_no_memory(err);
    pby_status status = pby_csv_input_open(&r.in, path, err);
    if (status == PBY_OK) {
        pby_csv_input_once(r.in);
        status = fill(&r, err);
    }
    if (status == PBY_OK) {
        r.at = pby_csv_row_mark((const uint8_t *)r.window, (const uint8_t *)r.window + r.end);
        status = read_points(&r, points, x, err);
    }
    pby_csv_input_free(r.in);
    sodium_memzero(r.window, LINE_MAX_SIZE + 1);
    free(r.window);
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

static pby_status write_bucket(pby_rows *rows, const pby_bucketing *points, mpq_t *centre, size_t i, int64_t count,
                               pby_error *err)
{
    const struct punctuation *by = rows->json ? &json : &csv;
    pby_status status = pby_rows_between(rows, err);
    pby_bucketing_centre(centre, points, i);
    for (size_t j = 0; j < pby_bucketing_dimension(points) && status == PBY_OK; j++) {
        char *text = pby_exact_text(centre[j]);
        status = text == NULL ? pby_no_memory(err) : write_text(rows->spool, j > 0 ? by->between : by->begin, err);
        if (status == PBY_OK)
            status = write_text(rows->spool, text, err);
        free(text);
    }
    return status == PBY_OK ? write_count(rows->spool, by, count, err) : status;
}

static pby_status write_buckets(pby_rows *rows, const pby_bucketing *points, mpq_t *centre, const int64_t *noisy,
                                size_t n, pby_error *err)
{
    pby_status status = rows->json ? PBY_OK : write_text(rows->spool, "centre,count\n", err);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        if (noisy[i] > 0)
            status = write_bucket(rows, points, centre, i, noisy[i], err);
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
        status = write_buckets(rows, points, centre, noisy, n, err);
    sodium_memzero(noisy, n * sizeof *noisy);
    free(noisy);
    return status;
}

static pby_status release_points(const pby_budget *budget, pby_release *release, pby_bucketing *points, mpq_t *x,
                                 const char *path, pby_rows *rows, pby_error *err)
{
    pby_status status = read_file(points, x, path, err);
    if (status == PBY_OK)
        status = pby_bucketing_close(points, err);
    return status == PBY_OK ? release_buckets(budget, release, points, x, rows, err) : status;
}

pby_status pby_release_points(const pby_budget *budget, pby_release *release, bool timing_safe, const char *path,
                              pby_rows *rows, pby_error *err)
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
    else if (timing_safe && !pby_bucketing_whole(points))
        status = pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "at most 16777216 buckets with --timing-safe");
    else
        status = release_points(budget, release, points, x, path, rows, err);
    for (size_t j = 0; x != NULL && j < dimension; j++)
        mpq_clear(x[j]);
    free(x);
    pby_bucketing_free(points);
    return status;
}
