/* SPDX-License-Identifier: MIT */
/* Answers of users, one a line, each released as another answer by randomised response.
 *
 * An answer is a whole number from 0 to the mechanism's last, in quotes or not; or where the mechanism has a
 * range of values, one of these, a rational (mechanism/shared/estimator.h). csv_row.h says when the first
 * line is a header. Written: the header, and an answer a line in the order of the users; in JSON a list of
 * numbers. A line that is no such number is refused, by its place and without its value. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/shared/estimator.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/parts.h"
#include "probity/rational.h"
#include "release/input_kind.h"
#include "release/input_lines.h"
#include "table/row/decimal.h"
#include "table/row/field.h"

enum { CHUNK = 1 << 14 };

struct answers {
    char *header; /* NULL without one */
    int64_t *value;
    size_t count, room;
    int64_t most;
    mpq_t lo, step; /* of values: the first, and from one to the next */
    bool scaled;    /* they are not 0 and 1, as those of answers are */
    char expected[256];
};

/* Says what a line is to be. */
static void answers_init(struct answers *a, const pby_mechanism *m, int64_t most)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE], step[PBY_DECIMAL_SIZE];
    fmpq_t from, to;
    *a = (struct answers){.most = most};
    mpq_inits(a->lo, a->step, NULL);
    snprintf(a->expected, sizeof a->expected, "one answer, a whole number from 0 to %" PRId64, most);
    if (m->family->estimator == NULL || m->family->estimator->range == NULL)
        return;
    fmpq_init(from);
    fmpq_init(to);
    m->family->estimator->range(from, to, m);
    pby_rational_text(lo, from);
    pby_rational_text(hi, to);
    fmpq_get_mpq(a->lo, from);
    fmpq_sub(to, to, from);
    fmpz_set_si(fmpq_denref(from), most);
    fmpz_one(fmpq_numref(from));
    fmpq_mul(to, to, from);
    pby_rational_text(step, to);
    fmpq_get_mpq(a->step, to);
    a->scaled = mpq_sgn(a->lo) != 0 || mpq_cmp_ui(a->step, 1, 1) != 0;
    snprintf(a->expected, sizeof a->expected, "one value, from %.64s to %.64s in steps of %.64s", lo, hi,
             step);
    fmpq_clear(to);
    fmpq_clear(from);
}

/* The room doubles, and what is left behind is wiped. */
static pby_status grow(struct answers *a, pby_error *err)
{
    const size_t room = a->room == 0 ? CHUNK : 2 * a->room;
    int64_t *more = reallocarray(NULL, room, sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    if (a->value != NULL) {
        memcpy(more, a->value, a->count * sizeof *more);
        sodium_memzero(a->value, a->room * sizeof *a->value);
        free(a->value);
    }
    a->value = more;
    a->room = room;
    return PBY_OK;
}

/* At most eighteen digits: no answer is that large, and none overflows. */
static bool parse(int64_t *out, const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18 || text[digits] != '\0')
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

/* A rational lo + j step: j. */
static bool parse_value(int64_t *out, const struct answers *a, const char *text)
{
    PBY_MPQ(x);
    bool found = pby_rational_parse(x, "", text, NULL) == PBY_OK;
    if (found) {
        mpq_sub(x, x, a->lo);
        mpq_div(x, x, a->step);
        found = mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpz_fits_slong_p(mpq_numref(x));
        *out = found ? mpz_get_si(mpq_numref(x)) : 0;
    }
    return found && *out >= 0;
}

static pby_status add(void *what, const pby_lines *in, char *line, pby_error *err)
{
    struct answers *a = what;
    if (a->count == a->room)
        PBY_TRY(grow(a, err));
    int64_t *const value = &a->value[a->count];
    const char *text = pby_field_unquote(line);
    if (!(a->scaled ? parse_value(value, a, text) : parse(value, text)) || *value > a->most)
        return pby_field_refuse(pby_lines_name(in), pby_lines_number(in), 1, a->expected, err);
    a->count++;
    return PBY_OK;
}

static pby_status keep_header(void *what, const pby_lines *in, char *line, pby_error *err)
{
    struct answers *a = what;
    (void)in;
    a->header = strdup(line);
    return a->header == NULL ? pby_no_memory(err) : PBY_OK;
}

static pby_status write_answers(pby_rows *rows, const int64_t *value, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK && rows->store != NULL; i++)
        status = pby_store_add(rows->store, NULL, 0, &value[i], err);
    for (size_t i = 0; i < n && status == PBY_OK && rows->store == NULL; i++) {
        uint8_t text[PBY_DIGITS + 1], *end = pby_put_number(text, value[i]);
        if (!rows->json)
            *end++ = '\n';
        status = pby_rows_between(rows, err);
        if (status == PBY_OK)
            status = pby_spool_write(rows->spool, text, (size_t)(end - text), err);
    }
    return status;
}

static pby_status write_header(pby_rows *rows, const char *header, pby_error *err)
{
    static const char *const columns[] = {"answer", NULL};
    if (rows->store != NULL) {
        const pby_status status = pby_store_shape(rows->store, columns, NULL, false, err);
        return status == PBY_OK && header != NULL ? pby_store_head(rows->store, header, strlen(header), err)
                                                  : status;
    }
    if (rows->json || header == NULL)
        return PBY_OK;
    const pby_status status = pby_spool_write(rows->spool, header, strlen(header), err);
    return status == PBY_OK ? pby_spool_write(rows->spool, "\n", 1, err) : status;
}

/* ---- the kind ---------------------------------------------------------------------------------- */

static pby_status open_answers(void **in, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct answers *a = *in = malloc(sizeof *a);
    if (a == NULL)
        return pby_no_memory(err);
    answers_init(a, &p->budget->spec->use[0].mechanism, pby_release_most(release));
    return pby_input_lines(p, 1, keep_header, add, a, err);
}

static pby_status run_answers(pby_rows *rows, void *in, const pby_pipeline *p, pby_release *release,
                              pby_error *err)
{
    (void)p;
    const struct answers *a = in;
    PBY_TRY(write_header(rows, a->header, err));
    for (size_t at = 0; at < a->count; at += CHUNK) {
        const size_t n = a->count - at < CHUNK ? a->count - at : CHUNK;
        PBY_TRY(pby_release_counts(release, a->value + at, a->value + at, n, err));
        PBY_TRY(write_answers(rows, a->value + at, n, err));
    }
    return PBY_OK;
}

static void close_answers(void *in)
{
    struct answers *a = in;
    if (a == NULL)
        return;
    if (a->value != NULL)
        sodium_memzero(a->value, a->room * sizeof *a->value);
    free(a->value);
    free(a->header);
    mpq_clears(a->lo, a->step, NULL);
    free(a);
}

const pby_input_kind pby_kind_answers = {
    .name = "answers",
    .open = open_answers,
    .run = run_answers,
    .close = close_answers,
};
