/* SPDX-License-Identifier: MIT */
/* [Thresh] section 6: the numbers that the text and Figure 1 state, enclosed. */
#include <acb.h>
#include <acb_calc.h>
#include <arb.h>
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { PREC = 128 };

/* 1 + (1 + gamma) ln(1/delta)/epsilon for delta = 10^-digits, gamma and 1/epsilon as fractions of 100. */
static void threshold(arb_t out, unsigned long digits, unsigned long gamma, unsigned long rate)
{
    arb_set_ui(out, 10);
    arb_log(out, out, PREC);
    arb_mul_ui(out, out, digits * (100 + gamma), PREC);
    arb_div_ui(out, out, 100, PREC);
    arb_mul_ui(out, out, 100, PREC);
    arb_div_ui(out, out, rate, PREC);
    arb_add_ui(out, out, 1, PREC);
}

static void assert_between(const char *row, const arb_t x, unsigned long lo, unsigned long hi)
{
    arb_t t;
    arb_init(t);
    arb_set_ui(t, lo);
    cr_assert(claims_lt_arb(row, t, x));
    arb_set_ui(t, hi);
    cr_assert(claims_lt_arb(row, x, t));
    arb_clear(t);
}

/* exp(-z)/2, the density of Laplace noise of scale 1 for z > 0. */
static int density(acb_ptr out, const acb_t z, void *nothing, slong order, slong prec)
{
    (void)nothing;
    (void)order;
    acb_neg(out, z);
    acb_exp(out, out, prec);
    acb_mul_2exp_si(out, out, -1);
    return 0;
}

/* Twice the integral of the density from t on, to 60, is at most exp(-t), and within exp(-60) of it.
 * claims: Thresh/Fact 3 */
Test(claims_numbers, the_tail_of_laplace_noise)
{
    static const unsigned long halves[] = {0, 1, 2, 3, 5, 10, 20, 40};
    acb_t from, to, sum;
    arb_t bound, rest;
    mag_t tolerance;
    acb_init(from);
    acb_init(to);
    acb_init(sum);
    arb_init(bound);
    arb_init(rest);
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -110);
    acb_set_ui(to, 60);
    arb_set_si(rest, -60);
    arb_exp(rest, rest, PREC);
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        acb_set_ui(from, halves[i]);
        acb_mul_2exp_si(from, from, -1);
        (void)acb_calc_integrate(sum, density, NULL, from, to, PREC, tolerance, NULL, PREC);
        acb_mul_2exp_si(sum, sum, 1);
        arb_neg(bound, acb_realref(from));
        arb_exp(bound, bound, PREC);
        cr_assert(claims_lt_arb("Thresh/Fact 3", acb_realref(sum), bound));
        arb_submul_ui(bound, rest, 2, PREC);
        cr_assert(claims_lt_arb("Thresh/Fact 3", bound, acb_realref(sum)));
    }
    acb_clear(from);
    acb_clear(to);
    acb_clear(sum);
    arb_clear(bound);
    arb_clear(rest);
    mag_clear(tolerance);
}

/* epsilon = 1/20, delta = 10^-19: 1750.96, 963.48, 884.73 for gamma = 1, 1/10, 1/100. The text says 1800,
 * 963, 885: the first is rough by 49. All of the figure lies between 48 and 1751.
 * claims: Thresh/Figure 1 */
Test(claims_numbers, thresholds_of_the_figure)
{
    static const unsigned long rates[] = {20, 10, 5}, gammas[] = {100, 10, 1};
    arb_t t;
    arb_init(t);
    threshold(t, 19, 100, 5);
    assert_between("Thresh/Figure 1", t, 1750, 1751);
    threshold(t, 19, 10, 5);
    assert_between("Thresh/Figure 1", t, 963, 964);
    threshold(t, 19, 1, 5);
    assert_between("Thresh/Figure 1", t, 884, 885);
    for (size_t r = 0; r < 3; r++)
        for (size_t g = 0; g < 3; g++)
            for (unsigned long digits = 4; digits <= 19; digits++) {
                threshold(t, digits, gammas[g], rates[r]);
                assert_between("Thresh/Figure 1", t, 47, 1751);
            }
    arb_clear(t);
}

/* T = ln(n/beta)/epsilon for n = 10^12, beta = 1/100, epsilon = 1/10 is 322.36; "roughly 320". And P(G > T)
 * <= exp(-epsilon T) for every integer T: a^(T+1)/(1+a) <= a^T.
 * claims: Thresh/Section 6.1, threshold of a sparse vector */
Test(claims_numbers, a_trillion_zeros_are_suppressed)
{
    arb_t t;
    arb_init(t);
    arb_set_ui(t, 10);
    arb_log(t, t, PREC);
    arb_mul_ui(t, t, 14 * 10, PREC);
    assert_between("Thresh/Section 6.1, threshold of a sparse vector", t, 322, 323);
    arb_clear(t);
}

/* The share of zeros that geometric noise makes positive is a/(1+a), less than one half for every a < 1;
 * "most" would be more than one half. At epsilon = 1/1000 it is enclosed.
 * claims: Thresh/Section 6.1, most zeros become non-zero */
Test(claims_numbers, fewer_than_half_of_the_zeros_become_positive)
{
    arb_t share, half, one;
    arb_init(share);
    arb_init(half);
    arb_init(one);
    arb_set_ui(share, 1);
    arb_div_ui(share, share, 1000, PREC);
    arb_neg(share, share);
    arb_exp(share, share, PREC);
    arb_add_ui(one, share, 1, PREC);
    arb_div(share, share, one, PREC);
    arb_set_ui(half, 1);
    arb_div_ui(half, half, 2, PREC);
    cr_assert(claims_lt_arb("Thresh/Section 6.1, most zeros become non-zero", share, half));
    claims_tell_arb("Thresh/Section 6.1, most zeros become non-zero", share, half);
    arb_clear(share);
    arb_clear(half);
    arb_clear(one);
}

/* L = ln(d/delta)/epsilon at epsilon = 1/20, delta = 10^-19: 20 ln d + 874.98, the text has 876; with d =
 * 10^9 it is 1289.45, the text has 1290.
 * claims: Thresh/Section 6.3, size of a range */
Test(claims_numbers, a_range_for_a_billion_bars)
{
    arb_t t;
    arb_init(t);
    arb_set_ui(t, 10);
    arb_log(t, t, PREC);
    arb_mul_ui(t, t, 19 * 20, PREC);
    assert_between("Thresh/Section 6.3, size of a range", t, 874, 875);
    arb_mul_ui(t, t, 28, PREC);
    arb_div_ui(t, t, 19, PREC);
    assert_between("Thresh/Section 6.3, size of a range", t, 1289, 1290);
    arb_clear(t);
}
