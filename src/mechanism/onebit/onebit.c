/* SPDX-License-Identifier: MIT */
/* onebit:eps=e,hi=h or onebit:odds=g,hi=h: one bit of each user, from which the mean of their values is
 * estimated.
 *
 * A value x of the grid lo, lo + grid, ..., hi is the step j = (x - lo)/grid of m. It is rounded to 1 with
 * chance j/m, else to 0 (kernel/rounding.h), and the bit is reported by randomised response. So the report of
 * step j is the mixture j/m P + (1 - j/m) Q of the reports of m and of 0. By joint convexity no two values
 * have a larger divergence than these two, whose pair is that of rr; and they reach it. docs/theory/onebit.md
 */
#include "mechanism/onebit/onebit.h"

#include <sodium.h>

#include "base/public.h"
#include "kernel/fit.h"
#include "kernel/rounding.h"
#include "kernel/uniform.h"
#include "mechanism/response/family_response.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, ODDS, HI, LO, GRID };
enum { BLOCK = PBY_ONEBIT_BLOCK, STEPS_MAX = INT32_MAX };

void pby_onebit_steps(fmpq_t steps, const pby_mechanism *m, const fmpq_t length)
{
    fmpq_div(steps, length, &m->value[GRID]);
}

static void steps_of(fmpq_t steps, const pby_mechanism *m)
{
    fmpq_sub(steps, &m->value[HI], &m->value[LO]);
    pby_onebit_steps(steps, m, steps);
}

int64_t pby_onebit_most(const pby_mechanism *m)
{
    PBY_FMPQ(steps);
    steps_of(steps, m);
    return fmpz_get_si(fmpq_numref(steps));
}

pby_status pby_onebit_check(const pby_mechanism *m, pby_error *err)
{
    const pby_status status = pby_response_check(m, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPQ(steps);
    steps_of(steps, m);
    const bool whole = fmpz_is_one(fmpq_denref(steps)) && fmpq_sgn(steps) > 0 &&
                       fmpz_cmp_si(fmpq_numref(steps), STEPS_MAX) <= 0;
    return whole ? PBY_OK
                 : pby_mechanism_refuse(m, "hi above lo by a multiple of grid, of at most 2147483647 steps",
                                        err);
}

pby_status pby_onebit_offsets(int64_t *offset, size_t n, const pby_mechanism *m, pby_entropy *source,
                              pby_error *err)
{
    const uint64_t last = (uint64_t)pby_onebit_most(m);
    uint64_t words[BLOCK];
    pby_status status = pby_entropy_words(source, words, n, err);
    size_t at = 0;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        uint64_t below = 0;
        while (status == PBY_OK && pby_uniform(words, n, &at, last, &below) != 0) {
            status = pby_entropy_words(source, words, n, err);
            at = 0;
        }
        offset[i] = (int64_t)below;
    }
    sodium_memzero(words, sizeof words);
    return status;
}

static pby_status onebit_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                 const int64_t *values, int64_t *given, size_t n, pby_error *err)
{
    const int64_t last = pby_onebit_most(m);
    int64_t offset[BLOCK];
    int all = pby_within(values, n, 0, last);
    PBY_MAKE_PUBLIC(all);
    if (!all)
        return pby_fail(err, PBY_BAD, "values: expected steps from 0 to %lld, those of onebit",
                        (long long)last);
    pby_status status = PBY_OK;
    for (size_t at = 0; at < n && status == PBY_OK; at += BLOCK) {
        const size_t count = n - at < BLOCK ? n - at : BLOCK;
        status = pby_onebit_offsets(offset, count, m, source, err);
        if (status == PBY_OK)
            pby_round_up(given + at, values + at, count, offset, last);
    }
    sodium_memzero(offset, sizeof offset);
    return status == PBY_OK ? pby_response_release(m, sampler, source, given, given, n, err) : status;
}

static size_t onebit_cells(const pby_mechanism *m)
{
    (void)m;
    return 2;
}

static void onebit_range(fmpq_t lo, fmpq_t hi, const pby_mechanism *m)
{
    fmpq_set(lo, &m->value[LO]);
    fmpq_set(hi, &m->value[HI]);
}

const pby_estimator pby_onebit_estimator = {
    .cells = onebit_cells, .first = 1, .chances = pby_response_chances, .range = onebit_range};

static const pby_story onebit_stories[] = {
    {.what =
         "Each user rounds a value of lo to hi at random to one of these two, so that the mean stays what "
         "it is, and reports which by randomised response, truly with odds g = exp(eps). Whoever collects "
         "the reports need not be trusted.",
     .neighbours = {[PBY_LOCAL] = "any two values of one user"},
     .pair = {[PBY_LOCAL] = "the reports of lo and of hi, its own reverse: those of any other value are a "
                            "mixture of these two"},
     .accuracy =
         "lo + (hi - lo) (mean (g + 1) - 1)/(g - 1) is an unbiased estimate of the mean of n values; its "
         "variance is at most ((hi - lo) (g + 1)/(g - 1))^2/(4 n); probity accuracy --n n --beta b encloses "
         "the chance that it is farther than b off",
     .pages = {"onebit.md", "response.md", "estimate.md"},
     .kernel = {{"pby_round_up", "rounding.h"}, {"pby_respond", "response.h"}}},
    {.what = NULL},
};

static const char *const onebit_examples[] = {"onebit:eps=1,hi=100", "onebit:odds=3,hi=1,lo=-1,grid=1/4",
                                              NULL};

static const char *const onebit_manual[] = {
    "onebit:eps=E,hi=H[,lo=L][,grid=G]",
    "One bit of each user for the mean of their values, which are L (0), L + G, ..., up to H in steps of G "
    "(1): the value is rounded at random to L or H, and which is reported by randomised response with odds "
    "exp(E).",
    "onebit:odds=G,hi=H",
    "The same with odds G.",
    NULL,
};

const pby_family pby_family_onebit = {
    .name = "onebit",
    .summary = "one bit of each user, for the mean of their values",
    .relations = PBY_LOCALLY,
    .parameters = {{"eps", PBY_POSITIVE, "", "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"odds", PBY_ABOVE_ONE, "", "odds=G, of the rounded value, exp(eps), a rational above 1",
                    PBY_ROLE_ODDS},
                   {"hi", PBY_RATIONAL, NULL, "hi=H, the greatest value, a rational", PBY_ROLE_NONE},
                   {"lo", PBY_RATIONAL, "0", "lo=L, the least value, a rational", PBY_ROLE_NONE},
                   {"grid", PBY_POSITIVE, "1",
                    "grid=G, the step from one value to the next, a rational above 0", PBY_ROLE_NONE}},
    .check = pby_onebit_check,
    .law = pby_response_law,
    .list[PBY_ABOVE] = pby_response_pairs,
    .claim = pby_response_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_ANSWERS,
    .takes = PBY_TAKES_ANSWERS,
    .most = pby_onebit_most,
    .release = onebit_release,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_MEAN},
    .estimator = &pby_onebit_estimator,
    .select = &pby_response_selection,
    .stories = onebit_stories,
    .manual = onebit_manual,
    .examples = onebit_examples,
};
