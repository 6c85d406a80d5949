#include "table/queries.h"

#include <stdlib.h>
#include <string.h>

#include <flint/fmpz_vec.h>

#include "base/status.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/csv_row.h"
#include "table/field.h"

enum { ANSWER_SIZE = 64, KINDS_MAX = 1000000, ANSWERS_MAX = 1 << 24 };

/* A table on its way in. */
struct reading {
    const char *path;
    pby_queries *q;
    fmpq *answer;
    size_t room;
    uint8_t *scratch;
    const uint8_t *end;
    uint64_t line;
};

void pby_queries_free(pby_queries *q)
{
    if (q == NULL)
        return;
    if (q->answer != NULL)
        _fmpz_vec_clear(q->answer, (slong)(pby_names_count(q->kinds) * q->count));
    pby_names_free(q->kinds);
    fmpz_clear(q->grain);
    fmpz_clear(q->spread);
    free(q);
}

static pby_status refuse(const struct reading *r, unsigned column, const char *expected, pby_error *err)
{
    return pby_field_refuse(r->path, r->line, column, expected, err);
}

/* The first line: how many queries there are. */
static pby_status read_header(struct reading *r, const uint8_t **at, pby_error *err)
{
    pby_csv_row field;
    unsigned column = 0;
    for (bool more = true; more; *at = field.end) {
        column++;
        if (*at >= r->end || pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, "a first line that names the kind of record and the queries", err);
    }
    if (column == 1)
        return refuse(r, 1, "a column for each query beside that of the kinds", err);
    r->q->count = column - 1;
    r->line += field.newlines + 1;
    return PBY_OK;
}

static pby_status read_answer(struct reading *r, const pby_csv_row *field, unsigned column, pby_error *err)
{
    char text[ANSWER_SIZE];
    size_t size;
    const uint8_t *bytes = pby_csv_row_key(field, r->scratch, &size);
    mpq_t x;
    bool good = size < sizeof text && memchr(bytes, '\0', size) == NULL;
    mpq_init(x);
    if (good) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        good = pby_rational_parse(x, "answer", text, NULL) == PBY_OK && mpq_sgn(x) >= 0 &&
               mpq_cmp_ui(x, 1, 1) <= 0;
    }
    const size_t at = (pby_names_count(r->q->kinds) - 1) * r->q->count + column - 2;
    if (good)
        fmpq_set_mpq(r->answer + at, x);
    mpq_clear(x);
    return good ? PBY_OK : refuse(r, column, "an answer from 0 to 1, such as 1, 1/3 or 0.25", err);
}

static pby_status grow(struct reading *r, pby_error *err)
{
    const size_t need = pby_names_count(r->q->kinds) * r->q->count;
    if (need > ANSWERS_MAX)
        return refuse(r, 1, "a smaller table", err);
    if (need <= r->room)
        return PBY_OK;
    const size_t room = 2 * need;
    fmpq *more = reallocarray(r->answer, room, sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    for (size_t i = r->room; i < room; i++)
        fmpq_init(more + i);
    r->answer = more;
    r->room = room;
    return PBY_OK;
}

static pby_status read_kind(struct reading *r, const pby_csv_row *field, pby_error *err)
{
    size_t size, number;
    const uint8_t *name = pby_csv_row_key(field, r->scratch, &size);
    const size_t before = pby_names_count(r->q->kinds);
    if (before == KINDS_MAX)
        return refuse(r, 1, "at most 1000000 kinds", err);
    const pby_status status = pby_names_add(r->q->kinds, name, size, &number, err);
    if (status == PBY_OK && number < before)
        return refuse(r, 1, "a kind that stands on no line before", err);
    return status == PBY_OK ? grow(r, err) : status;
}

static pby_status read_row(struct reading *r, const uint8_t **at, pby_error *err)
{
    pby_csv_row field;
    pby_status status = PBY_OK;
    unsigned column = 0;
    uint64_t newlines = 0;
    for (bool more = true; more && status == PBY_OK; *at = field.end) {
        column++;
        if (pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, field.expected, err);
        newlines += field.newlines;
        if (column == 1)
            status = read_kind(r, &field, err);
        else if (column > r->q->count + 1)
            status = refuse(r, column, "as many columns as the first line has", err);
        else
            status = read_answer(r, &field, column, err);
    }
    if (status == PBY_OK && column < r->q->count + 1)
        status = refuse(r, column, "as many columns as the first line has", err);
    r->line += newlines + 1;
    return status;
}

/* All answers over one denominator, and how far those of a query are apart at most. */
static pby_status settle(struct reading *r, pby_error *err)
{
    enum { GRAIN_MAX = 1000000000 };
    pby_queries *q = r->q;
    const size_t kinds = pby_names_count(q->kinds), all = kinds * q->count;
    if (kinds == 0)
        return refuse(r, 1, "a line KIND,ANSWER,...", err);
    fmpz_one(q->grain);
    for (size_t i = 0; i < all && fmpz_cmp_ui(q->grain, GRAIN_MAX) <= 0; i++)
        fmpz_lcm(q->grain, q->grain, fmpq_denref(r->answer + i));
    if (fmpz_cmp_ui(q->grain, GRAIN_MAX) > 0)
        return pby_fail(err, PBY_BAD, "'%.200s': expected answers over one denominator of at most 10^9",
                        pby_path_text(r->path));
    q->answer = _fmpz_vec_init((slong)all);
    for (size_t i = 0; i < all; i++) {
        fmpz_divexact(q->answer + i, q->grain, fmpq_denref(r->answer + i));
        fmpz_mul(q->answer + i, q->answer + i, fmpq_numref(r->answer + i));
    }
    fmpz_t gap;
    fmpz_init(gap);
    for (size_t f = 0; f < q->count; f++) {
        size_t least = 0, most = 0;
        for (size_t u = 1; u < kinds; u++) {
            if (fmpz_cmp(q->answer + u * q->count + f, q->answer + least * q->count + f) < 0)
                least = u;
            if (fmpz_cmp(q->answer + u * q->count + f, q->answer + most * q->count + f) > 0)
                most = u;
        }
        fmpz_sub(gap, q->answer + most * q->count + f, q->answer + least * q->count + f);
        if (fmpz_cmp(gap, q->spread) > 0)
            fmpz_set(q->spread, gap);
    }
    fmpz_clear(gap);
    return PBY_OK;
}

static pby_status read_all(struct reading *r, const char *text, size_t size, pby_error *err)
{
    const uint8_t *at = (const uint8_t *)text;
    r->end = at + size;
    at += pby_csv_row_mark(at, r->end);
    pby_digest_bytes(&r->q->digest, text, size);
    pby_status status = read_header(r, &at, err);
    while (at < r->end && status == PBY_OK)
        status = read_row(r, &at, err);
    return status == PBY_OK ? settle(r, err) : status;
}

pby_status pby_queries_read(pby_queries **out, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return pby_no_memory(err);
    fmpz_init((*out)->grain);
    fmpz_init((*out)->spread);
    struct reading r = {.path = path, .q = *out, .line = 1, .scratch = malloc(PBY_ROW_KEY_MAX)};
    pby_status status = r.scratch == NULL ? pby_no_memory(err) : pby_names_new(&r.q->kinds, err);
    if (status == PBY_OK)
        status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = read_all(&r, text, size, err);
    for (size_t i = 0; i < r.room; i++)
        fmpq_clear(r.answer + i);
    free(r.answer);
    free(r.scratch);
    free(text);
    if (status != PBY_OK) {
        pby_queries_free(*out);
        *out = NULL;
    }
    return status;
}
