/* SPDX-License-Identifier: MIT */
#include "release/quantile.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "mechanism/monotone.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "release/moment.h"
#include "table/uses.h"

enum { DENOMINATOR_MAX = 1000000 };

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

pby_status pby_quantiles_parse(pby_quantiles *q, const char *argument, const char *text, pby_error *err)
{
    static const char expected[] = "up to 64 rationals above 0 and below 1, with denominators of at most "
                                   "1000000, separated by commas, such as 1/4,1/2";
    *q = (pby_quantiles){.count = 0};
    if (text == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected %s", argument, expected);
    char *copy = strdup(text), *rest = copy;
    bool good = true;
    if (copy == NULL)
        return pby_no_memory(err);
    for (char *one = strsep(&rest, ","); good && one != NULL; one = strsep(&rest, ",")) {
        good = q->count < PBY_QUANTILES_MAX && read_share(&q->over[q->count], &q->under[q->count], one);
        q->count += good ? 1 : 0;
    }
    free(copy);
    return good ? PBY_OK : pby_refuse(err, argument, text, expected);
}

/* ---- checks ------------------------------------------------------------------------------------- */

/* The mechanism of each quantile; false where there are not as many. */
static bool list_mechanisms(const pby_mechanism **of, size_t count, const pby_spec *spec)
{
    size_t n = 0;
    for (size_t i = 0; i < spec->count; i++)
        for (uint64_t k = 0; k < spec->use[i].times; k++, n++) {
            if (n == count)
                return false;
            of[n] = &spec->use[i].mechanism;
        }
    return n == count && spec->last.family == NULL && spec->first.family == NULL;
}

/* Whether it takes a score to move as far as the records of a user move one: each by max(P, 1 - P). */
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

pby_status pby_quantile_check(const pby_budget *budget, const pby_records *r, const pby_quantiles *q,
                              pby_error *err)
{
    const pby_mechanism *of[PBY_QUANTILES_MAX];
    const size_t groups = pby_names_count(pby_groups_names(&r->groups));
    pby_neighbours relation;
    if (!list_mechanisms(of, q->count, budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "one mechanism for each quantile");
    if (r->points.cells > PBY_CANDIDATES_MAX || groups > PBY_TALLY_MAX / r->points.cells)
        return pby_fail(err, PBY_BAD,
                        "%s: expected at most 1048576 multiples of STEP, and 16777216 of all "
                        "groups together",
                        r->names->value);
    PBY_TRY(pby_budget_neighbours(&relation, budget, err));
    for (size_t i = 0; i < q->count; i++)
        PBY_TRY(check_mechanism(of[i], q->over[i], q->under[i],
                                r->contributions * (relation == PBY_SUBSTITUTE ? 2 : 1), err));
    return PBY_OK;
}

/* ---- what is released --------------------------------------------------------------------------- */

/* The scores of a group's points: below records lie below a point and above lie above it. */
static pby_status add_scores(pby_release *release, const int64_t *count, size_t points, long over, long under,
                             pby_error *err)
{
    pby_status status = PBY_OK;
    int64_t below = 0, above = 0;
    PBY_MPZ(part);
    PBY_MPQ(score);
    for (size_t i = 0; i < points; i++)
        above += count[i];
    for (size_t i = 0; i < points && status == PBY_OK; i++) {
        above -= count[i];
        mpz_set_si(mpq_numref(score), below);
        mpz_mul_si(mpq_numref(score), mpq_numref(score), under - over);
        mpz_set_si(part, above);
        mpz_submul_ui(mpq_numref(score), part, (unsigned long)over);
        mpz_abs(mpq_numref(score), mpq_numref(score));
        mpz_neg(mpq_numref(score), mpq_numref(score));
        mpz_set_si(mpq_denref(score), under);
        mpq_canonicalize(score);
        status = pby_release_score(release, score, err);
        below += count[i];
    }
    return status;
}

/* One quantile of every group, in steps: group i at out[i q->count]. */
static pby_status draw_quantile(const pby_mechanism *m, pby_neighbours relation, const pby_tally *t,
                                int64_t first, const pby_quantiles *q, size_t which, int64_t *out,
                                pby_error *err)
{
    pby_spec *spec;
    pby_release *release = NULL;
    pby_status status = pby_spec_of(&spec, m, 1, err);
    if (status == PBY_OK)
        status = pby_release_new(&release, spec, relation, err);
    for (size_t i = 0; i < t->groups && status == PBY_OK; i++) {
        uint64_t chosen = 0;
        status =
            add_scores(release, t->count + i * t->points, t->points, q->over[which], q->under[which], err);
        if (status == PBY_OK)
            status = pby_release_candidate(release, &chosen, err);
        pby_release_clear_scores(release);
        out[i * q->count + which] = first + (int64_t)chosen;
    }
    pby_release_free(release);
    pby_spec_free(spec);
    return status;
}

static pby_status draw_all(const pby_budget *budget, const pby_records *r, const pby_tally *t,
                           const pby_quantiles *q, int64_t *out, pby_error *err)
{
    const pby_mechanism *of[PBY_QUANTILES_MAX];
    pby_neighbours relation;
    pby_status status = pby_budget_neighbours(&relation, budget, err);
    if (!list_mechanisms(of, q->count, budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "the mechanisms that were checked");
    for (size_t i = 0; i < q->count && status == PBY_OK; i++)
        status = draw_quantile(of[i], relation, t, r->first, q, i, out, err);
    return status;
}

static pby_status write_rows(pby_rows *rows, const pby_records *r, const pby_quantiles *q, const int64_t *out,
                             pby_error *err)
{
    const pby_names *names = pby_groups_names(&r->groups);
    pby_uses uses = {NULL, NULL};
    PBY_MPQ(unit);
    mpq_set(unit, r->points.width);
    rows->unit = mpq_cmp_ui(unit, 1, 1) == 0 ? NULL : unit;
    pby_status status = q->count == 1 ? PBY_OK : pby_uses_name(&uses, stems, q->count, err);
    const char *const *columns = q->count == 1 ? stems : (const char *const *)uses.columns;
    if (status == PBY_OK)
        status = pby_rows_open(rows, err);
    if (status == PBY_OK)
        status = pby_moment_header(rows, r, columns, err);
    for (size_t i = 0; i < pby_names_count(names) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(names, i, &size);
        status = pby_rows_add(rows, name, size, columns, out + i * q->count, err);
    }
    if (status == PBY_OK)
        status = pby_rows_close(rows, err);
    rows->unit = NULL;
    pby_uses_clear(&uses);
    return status;
}

pby_status pby_quantile_release(const pby_budget *budget, pby_records *r, const pby_quantiles *q,
                                pby_rows *rows, pby_error *err)
{
    pby_tally t;
    int64_t *out = NULL;
    pby_status status = pby_records_tally(&t, r, NULL, err);
    if (status == PBY_OK && (out = calloc(t.groups * q->count + 1, sizeof *out)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = draw_all(budget, r, &t, q, out, err);
    if (status == PBY_OK)
        status = write_rows(rows, r, q, out, err);
    if (out != NULL)
        sodium_memzero(out, t.groups * q->count * sizeof *out);
    free(out);
    pby_tally_clear(&t);
    return status;
}
