/* SPDX-License-Identifier: MIT */
/* Bars that may occur with the value 0, and a cap on those that one record brings: all neighbours of three
 * bars against the pairs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "loss/divergence/divergence.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* A bar is ABSENT, or has a value and one more. */
enum { BARS = 3, MOST = 4, SPAN = 12, ABSENT = 0 };

static int value_of(int bar)
{
    return bar == ABSENT ? 0 : bar - 1;
}

/* True if y may be a neighbour of x: at most so far apart, with at most so many bars that only one has. */
static bool are_neighbours(const int *x, const int *y, int sensitivity, int most, bool one_way)
{
    int apart = 0, appear = 0, vanish = 0;
    for (int b = 0; b < BARS; b++) {
        apart += abs(value_of(x[b]) - value_of(y[b]));
        appear += x[b] == ABSENT && y[b] != ABSENT;
        vanish += x[b] != ABSENT && y[b] == ABSENT;
        if (one_way && x[b] > y[b])
            return false;
    }
    return apart <= sensitivity && appear <= most && vanish <= most;
}

static void set_bars(int *x, int code)
{
    for (int b = 0; b < BARS; b++, code /= MOST + 1)
        x[b] = code % (MOST + 1);
}

static void enumerate(arb_t worst, const fmpq_t rate, slong threshold, int sensitivity, int most,
                      bool one_way, const fmpq_t epsilon)
{
    arb_ptr law[MOST + 1], p[BARS], q[BARS];
    arb_t ball;
    int all = 1, x[BARS], y[BARS];
    arb_init(ball);
    arb_zero(worst);
    for (int c = 0; c <= MOST; c++) {
        law[c] = _arb_vec_init(SPAN + 2);
        outcomes_threshold(law[c], rate, threshold + 1, c, SPAN);
    }
    for (int b = 0; b < BARS; b++)
        all *= MOST + 1;
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) {
            set_bars(x, i);
            set_bars(y, j);
            if (!are_neighbours(x, y, sensitivity, most, one_way))
                continue;
            for (int b = 0; b < BARS; b++) {
                p[b] = law[x[b]];
                q[b] = law[y[b]];
            }
            outcomes_divergence(ball, p, q, BARS, SPAN + 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
            outcomes_divergence(ball, q, p, BARS, SPAN + 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
        }
    for (int c = 0; c <= MOST; c++)
        _arb_vec_clear(law[c], SPAN + 2);
    arb_clear(ball);
}

static void check(const char *spec, const char *rate_text, slong threshold, int sensitivity, int most,
                  pby_neighbours relation, const char *at, int reached)
{
    fmpq_t rate, epsilon;
    arb_t bound, worst;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    set_text(rate, rate_text);
    set_text(epsilon, at);
    outcomes_bound(bound, spec, relation, epsilon);
    enumerate(worst, rate, threshold, sensitivity, most, relation == PBY_ADD_REMOVE, epsilon);
    outcomes_check(bound, worst, reached, spec);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* Two bars are enough for the worst of one-way neighbours with K = 1, three with K = 2. */
Test(threshold_most_new, no_neighbour_is_worse_than_the_pairs)
{
    check("threshold:eps=1,T=3,new=1", "1", 3, 1, 1, PBY_ADD_REMOVE, "0", 1);
    check("threshold:eps=1,T=3,new=1", "1", 3, 1, 1, PBY_ADD_REMOVE, "1/2", 1);
    check("threshold:eps=1,T=3,new=1", "1", 3, 1, 1, PBY_ADD_REMOVE, "1", 1);
    check("threshold:eps=1,T=2,sensitivity=2,new=2", "1/2", 2, 2, 2, PBY_ADD_REMOVE, "0", 1);
    check("threshold:eps=1,T=2,sensitivity=2,new=2", "1/2", 2, 2, 2, PBY_ADD_REMOVE, "1", 1);
    check("threshold:eps=1,T=2,sensitivity=3,new=1", "1/3", 2, 3, 1, PBY_ADD_REMOVE, "1/3", 1);
    check("threshold:eps=1,T=2,sensitivity=2,new=1", "1/2", 2, 2, 1, PBY_SUBSTITUTE, "0", 1);
    check("threshold:eps=1,T=2,sensitivity=2,new=1", "1/2", 2, 2, 1, PBY_SUBSTITUTE, "1", 1);
}

static void worst_of_all(arb_t worst, const pby_spec *spec, pby_neighbours relation, const fmpq_t epsilon)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_pairs pairs;
    arb_t ball;
    arb_init(ball);
    arb_zero(worst);
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, relation, NULL), PBY_OK);
    for (size_t i = 0; i < pairs.count; i++) {
        pby_hockey_stick_direct(ball, &pairs.pair[i], epsilon, OUTCOMES_PREC);
        arb_max(worst, worst, ball, OUTCOMES_PREC);
    }
    pby_pairs_clear(&pairs);
    arb_clear(ball);
}

/* One use needs the ends of the divisions alone. */
Test(threshold_most_new, few_pairs_are_as_bad_as_all_divisions)
{
    static const char *const specs[] = {"threshold:eps=1,T=1,sensitivity=4,new=2",
                                        "threshold:eps=1/2,T=3,sensitivity=5,new=7",
                                        "threshold:eps=4,T=2,sensitivity=3,new=1"},
                             *const at[] = {"-1", "-1/5", "0", "1/7", "1/2", "99/100", "1", "2", "5"};
    fmpq_t epsilon;
    arb_t worst, found;
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(found);
    for (size_t k = 0; k < 3; k++)
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++) {
            pby_spec *spec = spec_of(specs[k]);
            for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
                set_text(epsilon, at[i]);
                worst_of_all(worst, spec, (pby_neighbours)relation, epsilon);
                ask_delta_for(found, specs[k], (pby_neighbours)relation, epsilon, 40);
                cr_assert(arb_overlaps(worst, found), "%s at %s", specs[k], at[i]);
            }
            pby_spec_free(spec);
        }
    arb_clear(found);
    arb_clear(worst);
    fmpq_clear(epsilon);
}

/* [Thresh] takes bars of 0 to be none: then one record costs 0.4621 at 0, and 0.4719 where it brings one. */
Test(threshold_most_new, a_bar_of_nothing_costs)
{
    fmpq_t epsilon;
    arb_t ball;
    fmpq_init(epsilon);
    arb_init(ball);
    ask_delta(ball, "threshold:eps=1,T=3", epsilon, 20);
    cr_assert(fabs(arf_get_d(arb_midref(ball), ARF_RND_NEAR) - 0.46211716) < 1e-8);
    ask_delta(ball, "threshold:eps=1,T=3,new=1", epsilon, 20);
    cr_assert(fabs(arf_get_d(arb_midref(ball), ARF_RND_NEAR) - 0.47190589) < 1e-8);
    arb_clear(ball);
    fmpq_clear(epsilon);
}

/* A row of 0 is a bar that occurs: of 100,000 at T = 1 about a/(1+a) pass; and none does without new. The
 * chance of a false alarm is below 1e-9. */
Test(threshold_most_new, a_row_of_nothing_may_pass)
{
    enum { N = 100000 };
    static const char *const specs[] = {"threshold:eps=1,T=1", "threshold:eps=1,T=1,new=1"};
    const double share = exp(-1) / (1 + exp(-1));
    int64_t *x = calloc(N, sizeof *x), *y = malloc(N * sizeof *y);
    for (int k = 0; k < 2; k++) {
        pby_spec *spec = spec_of(specs[k]);
        pby_release *release = NULL;
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(7), NULL), PBY_OK);
        cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
        int passed = 0;
        for (size_t i = 0; i < N; i++) {
            passed += y[i] != PBY_SUPPRESSED;
            cr_assert(y[i] == PBY_SUPPRESSED || y[i] >= 1);
        }
        cr_assert(k == 0 ? passed == 0 : fabs(passed - N * share) < 6.2 * sqrt(N * share), "%d", passed);
        pby_release_free(release);
        pby_spec_free(spec);
    }
    free(y);
    free(x);
}

/* Two members bring twice as many, and some may go while others come. */
Test(threshold_most_new, groups_bring_as_many_bars_as_their_members)
{
    pby_spec *spec = spec_of("threshold:eps=1,T=3,new=2"), *grown;
    cr_assert_eq(pby_spec_group(&grown, spec, 2, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(grown), "threshold:eps=2,T=3,sensitivity=2,new=4,moves=both-ways");
    pby_spec_free(grown);
    pby_spec_free(spec);
}

Test(threshold_most_new, too_many_are_refused)
{
    ask_refused("threshold:eps=1,T=20,new=49", "threshold:new '49': expected at most 48");
}

/* A bar of one more under a threshold of one more: the largest count has no room for it. */
Test(threshold_most_new, the_largest_count_is_refused)
{
    pby_error err;
    pby_release *release;
    pby_spec *spec = spec_of("threshold:eps=1,T=3,new=1");
    int64_t counts[] = {4, INT64_MAX - 1}, noisy[2];
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(8), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_counts(release, counts, noisy, 2, &err), PBY_OK, "%s", err.text);
    counts[0]++;
    counts[1]++;
    cr_assert_eq(pby_release_counts(release, counts, noisy, 2, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "counts: expected 0 to 9223372036854775806 with new");
    cr_assert(noisy[0] == 0 && noisy[1] == 0);
    counts[1] = -1;
    cr_assert_eq(pby_release_counts(release, counts, noisy, 2, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "counts: bar 1 of the chunk is negative: expected 0 or more");
    pby_release_free(release);
    pby_spec_free(spec);
}
