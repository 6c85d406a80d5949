/* SPDX-License-Identifier: MIT */
#include "table/scored.h"
#include "probity/experimental/parts.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "probity/rational.h"
#include "probity/release.h"
#include "table/key/names.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"
#include "table/table.h"

enum { SCORE_SIZE = 256 };

struct pby_scored {
    pby_names *names;
    uint8_t *header; /* NULL without one */
    size_t header_size;
    uint8_t *scratch; /* for a name with escapes */
};

/* The state of a reading, and the function that takes each score. */
struct reading {
    pby_scored *scored;
    const char *path;
    pby_score_taker *take;
    void *what;
    const char *expected;
    mpq_t score;
    char text[SCORE_SIZE];
};

void pby_scored_free(pby_scored *s)
{
    if (s == NULL)
        return;
    pby_names_free(s->names);
    free(s->header);
    free(s->scratch);
    free(s);
}

static pby_status keep_header(pby_scored *s, const pby_csv_row *row, pby_error *err)
{
    const uint8_t *name = pby_csv_row_key(row, s->scratch, &s->header_size);
    s->header = malloc(s->header_size + 1);
    if (s->header == NULL)
        return pby_no_memory(err);
    memcpy(s->header, name, s->header_size);
    return PBY_OK;
}

/* The score of a row, to whoever takes it. */
static pby_status take_score(struct reading *r, const pby_csv_row *field, uint64_t line, pby_error *err)
{
    size_t size;
    const uint8_t *bytes = pby_csv_row_key(field, r->scored->scratch, &size);
    pby_status status = PBY_BAD;
    if (size < sizeof r->text && memchr(bytes, '\0', size) == NULL) {
        memcpy(r->text, bytes, size);
        r->text[size] = '\0';
        status = pby_rational_parse(r->score, "score", r->text, NULL);
    }
    if (status == PBY_OK)
        status = r->take(r->what, r->score, err);
    return status == PBY_BAD ? pby_field_refuse(r->path, line, 2, r->expected, err) : status;
}

static pby_status add_name(const struct reading *r, const uint8_t *name, size_t size, uint64_t line,
                           pby_error *err)
{
    pby_names *names = r->scored->names;
    const size_t before = pby_names_count(names);
    size_t number;
    if (before == PBY_CANDIDATES_MAX)
        return pby_field_refuse(r->path, line, 1, "at most 1048576 candidates", err);
    const pby_status status = pby_names_add(names, name, size, &number, err);
    return status == PBY_OK && number < before
               ? pby_field_refuse(r->path, line, 1, "a candidate once; this is a duplicate", err)
               : status;
}

static pby_status take_row(struct reading *r, const pby_csv_row *row, const pby_csv_row *field, uint64_t line,
                           pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_csv_row_key(row, r->scored->scratch, &size);
    const pby_status status = add_name(r, name, size, line, err);
    return status == PBY_OK ? take_score(r, field, line, err) : status;
}

static pby_status take_rows(struct reading *r, const uint8_t *at, const uint8_t *end, pby_error *err)
{
    pby_csv_row row, field;
    uint64_t line = 1;
    pby_status status = PBY_OK;
    at += pby_csv_row_mark(at, end);
    if (at < end && pby_csv_row_header(&row, at, end, true) == PBY_ROW_FOUND) {
        status = keep_header(r->scored, &row, err);
        at = row.end;
        line += row.newlines + 1;
    }
    for (; at < end && status == PBY_OK; at = row.end, line += row.newlines + 1) {
        if (pby_csv_row_names(&row, &field, at, end) != PBY_ROW_FOUND)
            return pby_field_refuse(r->path, line + row.newlines, row.column, row.expected, err);
        status = take_row(r, &row, &field, line, err);
    }
    if (status == PBY_OK && pby_names_count(r->scored->names) == 0)
        return pby_field_refuse(r->path, line, 1, "a line CANDIDATE,SCORE", err);
    return status;
}

/* Rows in memory are known to be a table. */
static pby_status take_entries(struct reading *r, pby_table *table, pby_error *err)
{
    bool found = true;
    pby_status status = pby_table_next(table, &found, err);
    for (uint64_t line = 1; status == PBY_OK && found; line++) {
        size_t size;
        const char *name = pby_table_key(table, &size);
        status = add_name(r, (const uint8_t *)name, size, line, err);
        mpq_set_si(r->score, pby_table_count(table), 1);
        if (status == PBY_OK)
            status = r->take(r->what, r->score, err);
        if (status == PBY_OK)
            status = pby_table_next(table, &found, err);
    }
    if (status == PBY_OK && pby_names_count(r->scored->names) == 0)
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "table: expected at least one candidate");
    return status;
}

static pby_status reading_begin(struct reading *r, pby_error *err)
{
    r->scored = calloc(1, sizeof *r->scored);
    mpq_init(r->score);
    if (r->scored == NULL)
        return pby_no_memory(err);
    r->scored->scratch = malloc(PBY_ROW_KEY_MAX);
    return r->scored->scratch == NULL ? pby_no_memory(err) : pby_names_new(&r->scored->names, err);
}

/* Ends a reading: sets *out to the candidates, or to NULL on failure, and wipes the scores. */
static pby_status reading_end(pby_scored **out, struct reading *r, pby_status status)
{
    if (r->scored != NULL && r->scored->scratch != NULL)
        sodium_memzero(r->scored->scratch, PBY_ROW_KEY_MAX);
    sodium_memzero(r->text, sizeof r->text);
    mpq_clear(r->score);
    *out = status == PBY_OK ? r->scored : NULL;
    if (status != PBY_OK)
        pby_scored_free(r->scored);
    return status;
}

static pby_status take_text(struct reading *r, char *text, size_t size, pby_error *err)
{
    const pby_status status = take_rows(r, (const uint8_t *)text, (const uint8_t *)text + size, err);
    sodium_memzero(text, size);
    free(text);
    return status;
}

pby_status pby_scored_read(pby_scored **out, const char *path, pby_score_taker *take, void *what,
                           const char *expected, pby_error *err)
{
    struct reading r = {.path = path, .take = take, .what = what, .expected = expected};
    char *text;
    size_t size;
    pby_status status = reading_begin(&r, err);
    if (status == PBY_OK)
        status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = take_text(&r, text, size, err);
    return reading_end(out, &r, status);
}

pby_status pby_scored_table(pby_scored **out, pby_table *table, pby_score_taker *take, void *what,
                            const char *expected, pby_error *err)
{
    struct reading r = {.path = "the table", .take = take, .what = what, .expected = expected};
    pby_csv_input *in = NULL;
    pby_csv *csv = NULL;
    char *text;
    size_t size;
    pby_status status = reading_begin(&r, err);
    if (status == PBY_OK)
        status = pby_table_histogram(table, &csv, err);
    if (status == PBY_OK)
        in = pby_csv_source(csv);
    if (status == PBY_OK && in != NULL) {
        r.path = pby_csv_input_name(in);
        status = pby_csv_input_whole(&text, &size, in, err);
        if (status == PBY_OK)
            status = take_text(&r, text, size, err);
    } else if (status == PBY_OK) {
        table->scores = true;
        status = take_entries(&r, table, err);
        table->scores = false;
    }
    if (csv != NULL && pby_table_rewind(table, NULL) != PBY_OK && status == PBY_OK)
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "table: it cannot be read again");
    return reading_end(out, &r, status);
}

const uint8_t *pby_scored_name(const pby_scored *s, uint64_t number, size_t *size)
{
    return pby_names_get(s->names, (size_t)number, size);
}

const uint8_t *pby_scored_header(const pby_scored *s, size_t *size)
{
    *size = s->header_size;
    return s->header;
}
