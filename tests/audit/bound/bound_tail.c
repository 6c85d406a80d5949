/* SPDX-License-Identifier: MIT */
#include "audit/bound/bound_tail.h"

#include <arb_hypgeom.h>
#include <criterion/criterion.h>
#include <math.h>

#include "tests/audit/binomial.h"

/* At most one part in 2^15 above the truth, or 1 where the truth is nearly 1. */
static void expect_tight(const fmpq_t bound, const fmpq_t truth)
{
    fmpq_t most, one;
    fmpq_init(most);
    fmpq_init(one);
    fmpq_set_si(most, (1 << 15) + 1, 1 << 15);
    fmpq_mul(most, most, truth);
    fmpq_one(one);
    cr_assert(fmpq_cmp(bound, truth) >= 0, "below the truth");
    if (fmpq_cmp(bound, most) > 0) {
        fmpq_set_si(most, 999, 1000);
        cr_assert(fmpq_equal(bound, one) && fmpq_cmp(truth, most) > 0, "not tight");
    }
    fmpq_clear(one);
    fmpq_clear(most);
}

static void compare(uint64_t n, uint64_t x, slong numerator, ulong denominator)
{
    pby_binomial_tail tail;
    arb_t p, bound;
    fmpq_t exact, truth, got;
    arb_init(p);
    arb_init(bound);
    fmpq_init(exact);
    fmpq_init(truth);
    fmpq_init(got);
    fmpq_set_si(exact, numerator, denominator);
    arb_set_fmpq(p, exact, 256);
    pby_binomial_tail_init(&tail, n, x);
    pby_binomial_tail_bound(bound, &tail, p);
    binomial_exact(got, bound);
    binomial_above(truth, n, exact, x);
    expect_tight(got, truth);
    pby_binomial_tail_bound_mirrored(bound, &tail, p);
    binomial_exact(got, bound);
    binomial_below(truth, n, exact, n - x);
    expect_tight(got, truth);
    pby_binomial_tail_clear(&tail);
    fmpq_clear(got);
    fmpq_clear(truth);
    fmpq_clear(exact);
    arb_clear(bound);
    arb_clear(p);
}

Test(audit_tail, surrounds_the_exact_rational)
{
    static const uint64_t sizes[] = {1, 2, 5, 17, 60};
    static const struct {
        slong numerator;
        ulong denominator;
    } chances[] = {{1, 2}, {1, 3}, {1, 1000}, {999, 1000}, {7, 10}, {1, 1000000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t x = 0; x <= sizes[i]; x++)
            for (size_t k = 0; k < sizeof chances / sizeof *chances; k++)
                compare(sizes[i], x, chances[k].numerator, chances[k].denominator);
}

Test(audit_tail, ends_of_the_line)
{
    pby_binomial_tail tail;
    arb_t p, bound;
    arb_init(p);
    arb_init(bound);
    pby_binomial_tail_init(&tail, 10, 3);
    arb_zero(p);
    pby_binomial_tail_bound(bound, &tail, p);
    cr_assert(arb_is_zero(bound));
    arb_one(p);
    pby_binomial_tail_bound(bound, &tail, p);
    cr_assert(arb_is_one(bound));
    arb_set_ui(p, 3); /* a chance beyond 1 is one of 1 */
    pby_binomial_tail_bound(bound, &tail, p);
    cr_assert(arb_is_one(bound));
    pby_binomial_tail_clear(&tail);
    arb_clear(bound);
    arb_clear(p);
}

/* A ball stands for its worst member. */
Test(audit_tail, takes_the_upper_end_of_a_ball)
{
    pby_binomial_tail tail;
    arb_t p, narrow, wide;
    arb_init(p);
    arb_init(narrow);
    arb_init(wide);
    pby_binomial_tail_init(&tail, 1000, 600);
    arb_set_d(p, 0.5625);
    pby_binomial_tail_bound(narrow, &tail, p);
    arb_set_d(p, 0.5);
    mag_set_ui_2exp_si(arb_radref(p), 1, -4);
    pby_binomial_tail_bound(wide, &tail, p);
    cr_assert(arb_ge(wide, narrow));
    pby_binomial_tail_clear(&tail);
    arb_clear(wide);
    arb_clear(narrow);
    arb_clear(p);
}

/* Another road to the same number: Arb's own incomplete beta function. */
Test(audit_tail, agrees_with_the_incomplete_beta_function)
{
    static const struct {
        uint64_t n, x;
        double p;
    } cases[] = {{1000, 620, 0.5}, {1000000, 500, 0.0003}, {1000000, 503000, 0.5}, {50000000, 25020000, 0.5}};
    arb_t p, a, b, truth, bound, ratio;
    arb_init(p);
    arb_init(a);
    arb_init(b);
    arb_init(truth);
    arb_init(bound);
    arb_init(ratio);
    for (size_t i = 0; i < 3; i++) {
        pby_binomial_tail tail;
        pby_binomial_tail_init(&tail, cases[i].n, cases[i].x);
        arb_set_d(p, cases[i].p);
        arb_set_ui(a, cases[i].x);
        arb_set_ui(b, cases[i].n - cases[i].x + 1);
        arb_hypgeom_beta_lower(truth, a, b, p, 1, 512);
        pby_binomial_tail_bound(bound, &tail, p);
        cr_assert(arb_is_finite(truth));
        cr_assert(arb_ge(bound, truth));
        arb_div(ratio, bound, truth, 64);
        arb_sub_ui(ratio, ratio, 1, 64);
        cr_assert(arf_cmp_d(arb_midref(ratio), 0x1p-15) < 0);
        pby_binomial_tail_clear(&tail);
    }
    arb_clear(ratio);
    arb_clear(bound);
    arb_clear(truth);
    arb_clear(b);
    arb_clear(a);
    arb_clear(p);
}

/* Counts of 10^12, of which a series to its end would be millions of terms. At p = 1/2 the Gaussian tail,
 * with half a step of continuity, is the truth to a part in 10^8. */
Test(audit_tail, counts_of_a_trillion_take_few_terms)
{
    static const uint64_t n = UINT64_C(1000000000000);
    static const double sd = 500000;
    for (int k = 4; k <= 8; k++) {
        pby_binomial_tail tail;
        arb_t p, bound;
        arb_init(p);
        arb_init(bound);
        pby_binomial_tail_init(&tail, n, n / 2 + (uint64_t)k * 500000);
        arb_set_d(p, 0.5);
        pby_binomial_tail_bound(bound, &tail, p);
        const double truth = erfc((k - 0.5 / sd) / sqrt(2)) / 2,
                     ratio = arf_get_d(arb_midref(bound), ARF_RND_NEAR) / truth;
        cr_assert(ratio > 1 - 1e-7 && ratio < 1 + 1.0 / (k * k), "%d: %g", k, ratio);
        pby_binomial_tail_clear(&tail);
        arb_clear(bound);
        arb_clear(p);
    }
    pby_binomial_tail tail;
    arb_t p, bound;
    arb_init(p);
    arb_init(bound);
    pby_binomial_tail_init(&tail, n, n / 2 - 500000);
    arb_set_d(p, 0.5);
    pby_binomial_tail_bound(bound, &tail, p);
    cr_assert(arb_is_one(bound), "below the mean the terms rise");
    pby_binomial_tail_clear(&tail);
    arb_clear(bound);
    arb_clear(p);
}
