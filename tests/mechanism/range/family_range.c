/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/parts.h"
#include "probity/loss.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

enum { BARS = 3, SHIFTS = 5, REACH_MAX = 3, SPAN = 2 * REACH_MAX + SHIFTS + 2 };

static void check(const char *spec, const char *rate_text, slong reach, int sensitivity, const char *at)
{
    arb_ptr law[SHIFTS + 1], p[BARS], q[BARS];
    fmpq_t rate, epsilon;
    arb_t bound, worst, ball;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    arb_init(ball);
    set_text(rate, rate_text);
    set_text(epsilon, at);
    for (int s = 0; s <= SHIFTS; s++) {
        law[s] = _arb_vec_init(SPAN);
        outcomes_range(law[s], rate, reach, s, REACH_MAX, SPAN - 1);
    }
    for (int a = 0; a <= sensitivity; a++)
        for (int b = 0; a + b <= sensitivity; b++)
            for (int c = 0; a + b + c <= sensitivity; c++) {
                const int shift[BARS] = {a, b, c};
                for (int i = 0; i < BARS; i++) {
                    p[i] = law[0];
                    q[i] = law[shift[i]];
                }
                outcomes_divergence(ball, p, q, BARS, SPAN, epsilon);
                arb_max(worst, worst, ball, OUTCOMES_PREC);
                outcomes_divergence(ball, q, p, BARS, SPAN, epsilon);
                arb_max(worst, worst, ball, OUTCOMES_PREC);
            }
    outcomes_bound(bound, spec, PBY_ADD_REMOVE, epsilon);
    outcomes_check(bound, worst, 1, spec);
    for (int s = 0; s <= SHIFTS; s++)
        _arb_vec_clear(law[s], SPAN);
    arb_clear(ball);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* Three bars are all that a sensitivity of three can touch. With a reach of 1 a division among several bars
 * is worse than a single one, with a reach of 3 a single one is.
 * claims: Thresh/Theorem 2 */
Test(range_mechanism, no_neighbour_is_worse_than_the_pairs)
{
    check("range:eps=1,L=2", "1", 2, 1, "1");
    check("range:eps=1,L=2", "1", 2, 1, "1/3");
    check("range:eps=1,L=1,sensitivity=3", "1/3", 1, 3, "1");
    check("range:eps=1,L=1,sensitivity=3", "1/3", 1, 3, "0");
    check("range:eps=2,L=3,sensitivity=2", "1", 3, 2, "2");
    check("range:eps=2,L=3,sensitivity=3", "2/3", 3, 3, "1/2");
    check("range:eps=5,L=3,sensitivity=5,dimensions=3", "1", 3, 5, "5");
}

static void exact_and_claimed(arb_t exact, arb_t claimed, const char *text, const char *at)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure hi;
    const char *source;
    fmpq_t epsilon;
    mpq_t q;
    mpq_init(q);
    fmpq_init(epsilon);
    pby_enclosure_init(&hi);
    set_text(epsilon, at);
    fmpq_get_mpq(q, epsilon);
    ask_delta(exact, text, epsilon, 20);
    cr_assert_eq(pby_loss_claimed(&hi, &source, spec, PBY_ADD_REMOVE, q, 20, NULL), PBY_OK);
    cr_assert_not_null(source);
    arf_set_mpfr(arb_midref(claimed), hi.hi);
    pby_enclosure_clear(&hi);
    fmpq_clear(epsilon);
    mpq_clear(q);
    pby_spec_free(spec);
}

/* 004 Theorem 2 is false as printed: its exponent L + D - 1 should be L - D + 1. The smallest case is D = 2,
 * L = 1.
 * claims: Thresh/Theorem 2 */
Test(range_mechanism, theorem_2_of_thresh_is_false_as_printed)
{
    arb_t exact, claimed;
    arb_init(exact);
    arb_init(claimed);
    exact_and_claimed(exact, claimed, "range:eps=2,L=1,sensitivity=2,dimensions=1", "2");
    cr_assert(claims_lt_arb(CLAIMS_ALL, claimed, exact));
    exact_and_claimed(exact, claimed, "range:eps=1,L=20,sensitivity=10,dimensions=1", "1");
    cr_assert(arb_gt(exact, claimed));
    exact_and_claimed(exact, claimed, "range:eps=1,L=20", "1");
    arb_sub(exact, exact, claimed, 128);
    arb_abs(exact, exact);
    mag_zero(arb_radref(exact));
    cr_assert(arf_cmpabs_2exp_si(arb_midref(exact), -80) < 0, "Lemma 1 is right");
    arb_clear(claimed);
    arb_clear(exact);
}

/* 004 Lemma 2 multiplies by the dimensions; the loss does not.
 * claims: Thresh/Lemma 2 */
Test(range_mechanism, dimensions_cost_nothing_at_sensitivity_1)
{
    fmpq_t epsilon;
    arb_t one, ten;
    fmpq_init(epsilon);
    arb_init(one);
    arb_init(ten);
    fmpq_one(epsilon);
    ask_delta(one, "range:eps=1,L=20,dimensions=1", epsilon, 20);
    ask_delta(ten, "range:eps=1,L=20,dimensions=10", epsilon, 20);
    cr_assert(claims_is(CLAIMS_ALL, arb_equal(one, ten) != 0));
    arb_clear(ten);
    arb_clear(one);
    fmpq_clear(epsilon);
}

/* The sum before Theorem 2 needs D <= L + 1. From D = 2L + 1 on no interval is common, whatever the bar moves
 * by. */
Test(range_mechanism, all_intervals_are_bad_from_twice_the_reach_on)
{
    fmpq_t epsilon, rate;
    arb_t ball, shown;
    fmpq_init(epsilon);
    fmpq_init(rate);
    arb_init(ball);
    arb_init(shown);
    fmpq_one(epsilon);
    for (slong D = 3; D <= 5; D++) {
        char spec[64];
        snprintf(spec, sizeof spec, "range:eps=1,L=1,sensitivity=%ld,dimensions=1", D);
        fmpq_set_si(rate, 1, (ulong)D);
        outcomes_geometric_from(shown, rate, 2);
        arb_mul_2exp_si(shown, shown, 1);
        arb_sub_ui(shown, shown, 1, OUTCOMES_PREC);
        arb_neg(shown, shown);
        ask_delta(ball, spec, epsilon, 30);
        cr_assert(arb_overlaps(ball, shown) && arb_rel_accuracy_bits(ball) > 90, "%s", spec);
    }
    arb_clear(shown);
    arb_clear(ball);
    fmpq_clear(rate);
    fmpq_clear(epsilon);
}

Test(range_mechanism, a_sensitivity_beyond_all_bounds_is_refused_by_its_value)
{
    ask_refused("range:eps=1,L=1000,sensitivity=1000000", "range:sensitivity '1000000': expected");
}

Test(range_mechanism, a_million_bars_hold_their_counts)
{
    enum { N = 1000000, REACH = 4 };
    pby_spec *spec = spec_of("range:eps=1,L=4");
    pby_release *release = NULL;
    pby_entropy *source = seeded(22);
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    size_t lost = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (int64_t)(i % 7);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_reach(release), REACH);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        lost += y[i] == PBY_SUPPRESSED;
        cr_assert(y[i] == PBY_SUPPRESSED || (y[i] - REACH <= x[i] && x[i] <= y[i] + REACH));
    }
    /* 2 exp(-5)/(1 + exp(-1)) = 0.00985 of a million; 600 is more than six standard deviations */
    cr_assert(lost > 9252 && lost < 10452, "%zu", lost);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

Test(range_mechanism, a_count_too_large_for_its_range_is_refused)
{
    pby_spec *spec = spec_of("range:eps=1,L=4");
    pby_release *release = NULL;
    int64_t x = INT64_MAX - 7, y = 1;
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, &x, &y, 1, NULL), PBY_BAD);
    x--;
    cr_assert_eq(pby_release_counts(release, &x, &y, 1, NULL), PBY_OK);
    pby_release_free(release);
    pby_spec_free(spec);
}
