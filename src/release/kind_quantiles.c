/* SPDX-License-Identifier: MIT */
/* Quantiles of a column of raw records, by group (docs/theory/records.md).
 *
 * The candidates of a group are the points of the declared grid. The score of a point v of the P-quantile is
 * -|(1 - P) L - P G|, with L records below v and G above it: no number of records is needed, which is a
 * secret. A quantile of all groups is one use of exponential, since all losses of it lie in an interval of
 * its epsilon; several quantiles are as many mechanisms, charged as one composition.
 */
#include "probity/experimental/parts.h"
#include "release/input_kind.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "mechanism/shared/monotone.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "release/check_request.h"
#include "release/kind_moments.h"
#include "release/quantile_draw.h"
#include "release/release_numbers.h"
#include "release/uses.h"

enum { DENOMINATOR_MAX = 1000000, QUANTILES_MAX = 64 };

struct quantiles {
    size_t count;
    long over[QUANTILES_MAX], under[QUANTILES_MAX]; /* over/under, above 0 and below 1 */
};

static const char *const stems[] = {"quantile", NULL};

/* ---- what is asked for -------------------------------------------------------------------------- */

static bool read_share(long *over, long *under, const char *text)
{
    PBY_MPQ(x);
    const bool good = pby_rational_parse(x, "", text, NULL) == PBY_OK && mpq_sgn(x) > 0 &&
                      mpq_cmp_ui(x, 1, 1) < 0 && mpz_cmp_ui(mpq_denref(x), DENOMINATOR_MAX) <= 0;
    *over = good ? mpz_get_si(mpq_numref(x)) : 0;
    *under = good ? mpz_get_si(mpq_denref(x)) : 1;
    return good;
}

/* Rationals separated by commas; NULL is refused. */
static pby_status parse_quantiles(struct quantiles *q, const pby_pipeline *p, pby_error *err)
{
    const char *argument = pby_pipeline_name(p, PBY_ARG_Q), *text = p->quantiles;
    static const char expected[] = "up to 64 rationals above 0 and below 1, with denominators of at most "
                                   "1000000, separated by commas, such as 1/4,1/2";
    *q = (struct quantiles){.count = 0};
    if (text == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected %s", argument, expected);
    char *copy = strdup(text), *rest = copy;
    bool good = true;
    if (copy == NULL)
        return pby_no_memory(err);
    for (char *one = strsep(&rest, ","); good && one != NULL; one = strsep(&rest, ",")) {
        good = q->count < QUANTILES_MAX && read_share(&q->over[q->count], &q->under[q->count], one);
        q->count += good ? 1 : 0;
    }
    free(copy);
    return good ? PBY_OK : pby_refuse(err, argument, text, expected);
}

/* ---- checks ------------------------------------------------------------------------------------- */

/* Refuses a sensitivity below what the records of a user move a score by: each by max(P, 1 - P). */
static pby_status check_mechanism(const pby_mechanism *m, long over, long under, uint64_t records,
                                  pby_error *err)
{
    const fmpq *sample = pby_mechanism_value(m, PBY_ROLE_SAMPLE);
    if (strcmp(m->family->name, "exponential") != 0 || pby_monotone(m) ||
        (sample != NULL && !fmpq_is_one(sample)))
        return pby_mechanism_refuse(m, "exponential, without sample and with scores=general", err);
    char expected[128];
    PBY_FMPQ(moves);
    fmpq_set_si(moves, over > under - over ? over : under - over, (ulong)under);
    fmpq_mul_fmpz(moves, moves, (fmpz[]){(fmpz)records});
    const bool enough = fmpq_cmp(pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), moves) >= 0;
    char *text = fmpq_get_str(NULL, 10, moves);
    snprintf(expected, sizeof expected, "sensitivity=%.60s or more: a user's records move a score by that",
             text);
    flint_free(text);
    return enough ? PBY_OK : pby_mechanism_refuse(m, expected, err);
}

static pby_status check_mechanisms(const pby_budget *budget, const pby_records *r, const struct quantiles *q,
                                   pby_error *err)
{
    const pby_mechanism *of[QUANTILES_MAX];
    const size_t groups = pby_names_count(pby_groups_names(&r->groups));
    pby_neighbours relation;
    if (!pby_list_parts(of, q->count, budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "one mechanism for each quantile");
    if (r->points.cells > PBY_CANDIDATES_MAX || groups > PBY_TALLY_MAX / r->points.cells)
        return pby_fail(err, PBY_BAD,
                        "%s: expected at most 1048576 multiples of STEP, and 16777216 of all "
                        "groups together",
                        pby_argument_name(r->names, r->names->value));
    PBY_TRY(pby_budget_neighbours(&relation, budget, err));
    for (size_t i = 0; i < q->count; i++)
        PBY_TRY(check_mechanism(of[i], q->over[i], q->under[i],
                                r->contributions * (relation == PBY_SUBSTITUTE ? 2 : 1), err));
    return PBY_OK;
}

static pby_status check_quantiles(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    (void)release;
    struct quantiles quantiles;
    PBY_TRY(pby_check_numbers(p, err));
    PBY_TRY(parse_quantiles(&quantiles, p, err));
    return check_mechanisms(p->budget, p->table->records, &quantiles, err);
}

/* ---- what is released --------------------------------------------------------------------------- */

/* One quantile of every group, in steps: group i at out[i q->count]. */
static pby_status draw_quantile(const pby_mechanism *m, pby_neighbours relation, const pby_tally *t,
                                int64_t first, const struct quantiles *q, size_t which, int64_t *out,
                                pby_error *err)
{
    pby_spec *spec;
    pby_release *release = NULL;
    pby_status status = pby_spec_of(&spec, m, 1, err);
    if (status == PBY_OK)
        status = pby_release_new(&release, spec, relation, err);
    for (size_t i = 0; i < t->groups && status == PBY_OK; i++) {
        uint64_t chosen = 0;
        status = pby_quantile_draw(&chosen, release, t->count + i * t->points, t->points, q->over[which],
                                   q->under[which], err);
        out[i * q->count + which] = first + (int64_t)chosen;
    }
    pby_release_free(release);
    pby_spec_free(spec);
    return status;
}

static pby_status draw_all(const pby_budget *budget, const pby_records *r, const pby_tally *t,
                           const struct quantiles *q, int64_t *out, pby_error *err)
{
    const pby_mechanism *of[QUANTILES_MAX];
    pby_neighbours relation;
    pby_status status = pby_budget_neighbours(&relation, budget, err);
    if (!pby_list_parts(of, q->count, budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "the mechanisms that were checked");
    for (size_t i = 0; i < q->count && status == PBY_OK; i++)
        status = draw_quantile(of[i], relation, t, r->first, q, i, out, err);
    return status;
}

static pby_status write_rows(pby_rows *rows, const pby_records *r, const struct quantiles *q,
                             const int64_t *out, const char *const *columns, pby_error *err)
{
    const pby_names *names = pby_groups_names(&r->groups);
    PBY_TRY(pby_moment_header(rows, r, columns, err));
    for (size_t i = 0; i < pby_names_count(names); i++) {
        size_t size;
        const uint8_t *name = pby_names_get(names, i, &size);
        PBY_TRY(pby_rows_add(rows, name, size, columns, out + i * q->count, err));
    }
    return PBY_OK;
}

/* ---- the kind ----------------------------------------------------------------------------------- */

struct input {
    struct quantiles q;
    pby_tally tally;
    pby_uses uses; /* the names of the columns of several quantiles */
    int64_t *out;
};

static void shape_quantiles(pby_rows *rows, mpq_t unit, const pby_pipeline *p)
{
    (void)rows;
    mpq_set(unit, p->table->records->points.width);
}

static pby_status open_quantiles(void **in, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    (void)release;
    struct input *a = *in = calloc(1, sizeof *a);
    if (a == NULL)
        return pby_no_memory(err);
    PBY_TRY(parse_quantiles(&a->q, p, err));
    PBY_TRY(pby_records_tally(&a->tally, p->table->records, NULL, err));
    a->out = calloc(a->tally.groups * a->q.count + 1, sizeof *a->out);
    if (a->out == NULL)
        return pby_no_memory(err);
    return a->q.count == 1 ? PBY_OK : pby_uses_name(&a->uses, stems, a->q.count, err);
}

static pby_status run_quantiles(pby_rows *rows, void *in, const pby_pipeline *p, pby_release *release,
                                pby_error *err)
{
    (void)release;
    struct input *a = in;
    const pby_records *r = p->table->records;
    PBY_TRY(draw_all(p->budget, r, &a->tally, &a->q, a->out, err));
    return write_rows(rows, r, &a->q, a->out, a->q.count == 1 ? stems : (const char *const *)a->uses.columns,
                      err);
}

static void close_quantiles(void *in)
{
    struct input *a = in;
    if (a == NULL)
        return;
    if (a->out != NULL)
        sodium_memzero(a->out, a->tally.groups * a->q.count * sizeof *a->out);
    free(a->out);
    pby_uses_clear(&a->uses);
    pby_tally_clear(&a->tally);
    free(a);
}

const pby_input_kind pby_kind_quantiles = {
    .name = "quantiles",
    .parts = true,
    .check = check_quantiles,
    .shape = shape_quantiles,
    .open = open_quantiles,
    .run = run_quantiles,
    .learn = pby_moment_learn,
    .close = close_quantiles,
};
