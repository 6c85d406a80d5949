/* SPDX-License-Identifier: MIT */
/* memobit:eps=e,hi=h,drift=w or memobit:odds=g,...: the mean from one bit of each user in each of any number
 * of rounds, with one draw of noise.
 *
 * A user draws an offset and the two reports of 0 and of m by randomised response, and keeps them. In a round
 * where the value is step j the report is that of m if j + offset reaches m, and else that of 0. So the
 * reports of one round have the law of onebit, and those of a value that never changes are one bit.
 *
 * The neighbours are two courses of values of one user, each of which stays within w steps. Of the m offsets
 * those that put the whole course below m, or the whole of it above, show one bit in all rounds. The others,
 * at most w, show by which rounds are above, if the two kept reports differ. Let a offsets be above, c below
 * and b between; over the norm m (g + 1)^2 the course has
 *
 *   all 0   c g^2 + m g + a        all 1   a g^2 + m g + c        told   b (g^2 + 1)
 *
 * Two courses that change in different rounds share nothing of what is told, which is the worst. The
 * divergence is convex in (a, b) of both courses together, so that it is the largest at the corners of what
 * there is, and each corner has a course. Those that turn into each other when values are counted from the
 * other end have one pair. docs/theory/onebit.md
 */
#include "mechanism/onebit/memobit.h"

#include <sodium.h>

#include "base/public.h"
#include "kernel/fit.h"
#include "kernel/rounding.h"
#include "mechanism/onebit/onebit.h"
#include "mechanism/response/family_response.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { EPS, ODDS, HI, LO, GRID, DRIFT };

extern const pby_family pby_family_memobit;

static int64_t drift_of(const pby_mechanism *m)
{
    PBY_FMPQ(steps);
    pby_onebit_steps(steps, m, &m->value[DRIFT]);
    return fmpz_get_si(fmpq_numref(steps));
}

static pby_status memobit_check(const pby_mechanism *m, pby_error *err)
{
    PBY_TRY(pby_onebit_check(m, err));
    PBY_FMPQ(steps, length);
    pby_onebit_steps(steps, m, &m->value[DRIFT]);
    fmpq_sub(length, &m->value[HI], &m->value[LO]);
    return fmpz_is_one(fmpq_denref(steps)) && fmpq_sgn(steps) >= 0 && fmpq_cmp(&m->value[DRIFT], length) <= 0
               ? PBY_OK
               : pby_mechanism_refuse(m, "a drift from 0 to hi - lo, a multiple of grid", err);
}

/* ---- the loss --------------------------------------------------------------------------------- */

/* Counts offsets: those that put the whole course above, the whole of it below, and neither. */
typedef struct counted {
    int64_t above, below, between;
} counted;

/* x = c2 g^2 + c1 g + c0 */
static void polynomial(pby_expsum_t x, const pby_mechanism *m, const int64_t c[3])
{
    PBY_FMPQ(weight, rate, odds);
    fmpq_one(odds);
    if (pby_mechanism_has(m, ODDS))
        fmpq_set(odds, &m->value[ODDS]);
    pby_expsum_zero(x);
    for (int k = 0; k < 3; k++) {
        fmpq_pow_si(weight, odds, k);
        fmpq_mul_si(weight, weight, (slong)c[k]);
        fmpq_mul_si(rate, &m->value[EPS], k);
        pby_expsum_add_term(x, weight, rate);
    }
}

static pby_status append(pby_pair *pair, const pby_mechanism *m, const int64_t p[3], const int64_t q[3],
                         pby_error *err)
{
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    polynomial(x, m, p);
    polynomial(y, m, q);
    const pby_status status = pby_pair_append(pair, x, y, err);
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    return status;
}

static pby_status courses(pby_pair *pair, const pby_mechanism *m, counted p, counted q, pby_error *err)
{
    const int64_t all = pby_onebit_most(m);
    polynomial(pair->norm_p, m, (int64_t[]){all, 2 * all, all});
    pby_expsum_set(pair->norm_q, pair->norm_p);
    PBY_TRY(append(pair, m, (int64_t[]){p.above, all, p.below}, (int64_t[]){q.above, all, q.below}, err));
    PBY_TRY(append(pair, m, (int64_t[]){p.below, all, p.above}, (int64_t[]){q.below, all, q.above}, err));
    PBY_TRY(append(pair, m, (int64_t[]){p.between, 0, p.between}, (int64_t[]){0, 0, 0}, err));
    return append(pair, m, (int64_t[]){0, 0, 0}, (int64_t[]){q.between, 0, q.between}, err);
}

/* The least value in all rounds, the greatest, and courses that begin at the one and end at the other. */
static pby_status memobit_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                pby_error *err)
{
    (void)wanted;
    const int64_t all = pby_onebit_most(m), drift = drift_of(m);
    const counted least = {0, all, 0}, greatest = {all, 0, 0}, up = {0, all - drift, drift},
                  down = {all - drift, 0, drift};
    const counted two[][2] = {{least, greatest}, {least, up}, {least, down}, {up, least},
                              {up, greatest},    {up, up},    {up, down}};
    const size_t count = drift == 0 ? 1 : sizeof two / sizeof *two;
    PBY_TRY(pby_pairs_init(out, count, err));
    for (size_t i = 0; i < count; i++)
        PBY_TRY(courses(&out->pair[i], m, two[i][0], two[i][1], err));
    return PBY_OK;
}

/* ---- reports ---------------------------------------------------------------------------------- */

pby_status pby_spec_memobit(const pby_mechanism **out, const pby_spec *spec, pby_error *err)
{
    static const char expected[] = "one use of memobit";
    PBY_TRY(pby_spec_single(out, spec, expected, err));
    return (*out)->family == &pby_family_memobit ? PBY_OK
                                                 : pby_refuse(err, "SPEC", pby_spec_text(spec), expected);
}

pby_status pby_memobit_step(int64_t *step, const pby_mechanism *m, const char *value, pby_error *err)
{
    PBY_FMPQ(x);
    PBY_MPQ(parsed);
    bool found = pby_rational_parse(parsed, "", value, NULL) == PBY_OK;
    if (found) {
        fmpq_set_mpq(x, parsed);
        fmpq_sub(x, x, &m->value[LO]);
        pby_onebit_steps(x, m, x);
        found = fmpz_is_one(fmpq_denref(x)) && fmpq_sgn(x) >= 0 &&
                fmpz_cmp_si(fmpq_numref(x), pby_onebit_most(m)) <= 0;
        *step = found ? fmpz_get_si(fmpq_numref(x)) : 0;
    }
    return found ? PBY_OK
                 : pby_fail(err, PBY_BAD, "a value (not shown): expected one from lo to hi in steps of grid");
}

pby_status pby_memobit_check(const pby_mechanism *m, const int64_t *step, size_t rounds, pby_error *err)
{
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (size_t i = 0; i < rounds; i++) {
        least = step[i] < least ? step[i] : least;
        greatest = step[i] > greatest ? step[i] : greatest;
    }
    return rounds == 0 || greatest - least <= drift_of(m)
               ? PBY_OK
               : pby_fail(err, PBY_BAD,
                          "the values (not shown): expected none farther from another than the drift");
}

/* The two kept reports and the offset. */
static pby_status draw_kept(int64_t kept[2], int64_t *offset, const pby_mechanism *m, pby_sampler *sampler,
                            pby_entropy *source, pby_error *err)
{
    const int64_t truth[2] = {0, 1};
    PBY_TRY(pby_onebit_offsets(offset, 1, m, source, err));
    return pby_response_release(m, sampler, source, truth, kept, 2, err);
}

pby_status pby_memobit_report(int64_t *step, size_t rounds, const pby_mechanism *m, pby_sampler *sampler,
                              pby_entropy *source, pby_error *err)
{
    const int64_t last = pby_onebit_most(m);
    int64_t kept[2], offset;
    pby_status status = draw_kept(kept, &offset, m, sampler, source, err);
    for (size_t i = 0; i < rounds && status == PBY_OK; i++) {
        pby_round_up(&step[i], &step[i], 1, &offset, last);
        step[i] = kept[0] + step[i] * (kept[1] - kept[0]);
    }
    sodium_memzero(kept, sizeof kept);
    sodium_memzero(&offset, sizeof offset);
    return status;
}

/* ---- the family ------------------------------------------------------------------------------- */

static const pby_story memobit_stories[] = {
    {.what =
         "Each user draws an offset and two reports by randomised response, truly with odds g = exp(eps), "
         "once, and keeps them. In every round the value is rounded to lo or hi by the offset, and the kept "
         "report of that end is sent. Whoever collects the reports need not be trusted.",
     .neighbours = {[PBY_LOCAL] = "any two courses of values of one user, each of which stays within an "
                                  "interval of length drift, over any number of rounds"},
     .pair = {[PBY_LOCAL] = "courses that stay at an end, or go from an end as far as drift lets them, in "
                            "different rounds: when a value changes is told with chance (drift/(hi - lo)) "
                            "(g^2 + 1)/(g + 1)^2, and no epsilon makes up for that"},
     .accuracy = "that of onebit in each round, over the users; a user's errors in two rounds are not "
                 "independent",
     .pages = {"onebit.md", "response.md", "estimate.md"},
     .kernel = {{"pby_round_up", "rounding.h"}, {"pby_respond", "response.h"}}},
    {.what = NULL},
};

static const char *const memobit_examples[] = {"memobit:eps=1,hi=100,drift=5",
                                               "memobit:odds=3,hi=1,lo=-1,grid=1/4,drift=2",
                                               "memobit:eps=1/2,hi=4,drift=0", NULL};

static const char *const memobit_manual[] = {
    "memobit:eps=E,hi=H,drift=W[,lo=L][,grid=G]",
    "The same in any number of rounds with one draw that is kept, for values that stay within an interval of "
    "length W.",
    "memobit:odds=G,hi=H,drift=W",
    "The same with odds G.",
    NULL,
};

const pby_family pby_family_memobit = {
    .name = "memobit",
    .summary = "one bit of each user in every round, drawn once and kept",
    .relations = PBY_LOCALLY,
    .parameters = {{"eps", PBY_POSITIVE, "", "eps=E, the loss where no value changes, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"odds", PBY_ABOVE_ONE, "", "odds=G, of the rounded value, exp(eps), a rational above 1",
                    PBY_ROLE_ODDS},
                   {"hi", PBY_RATIONAL, NULL, "hi=H, the greatest value, a rational", PBY_ROLE_NONE},
                   {"lo", PBY_RATIONAL, "0", "lo=L, the least value, a rational", PBY_ROLE_NONE},
                   {"grid", PBY_POSITIVE, "1",
                    "grid=G, the step from one value to the next, a rational above 0", PBY_ROLE_NONE},
                   {"drift", PBY_RATIONAL, NULL,
                    "drift=W, how far two values of one user may be apart, from 0 to hi - lo",
                    PBY_ROLE_NONE}},
    .check = memobit_check,
    .law = pby_response_law,
    .list[PBY_ABOVE] = memobit_pairs,
    .form = PBY_RELEASE_ANSWERS,
    .takes = PBY_TAKES_ANSWERS,
    .most = pby_onebit_most,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_MEAN},
    .estimator = &pby_onebit_estimator,
    .stories = memobit_stories,
    .manual = memobit_manual,
    .examples = memobit_examples,
    .instead = "onebit has; probity report takes courses of values",
};
