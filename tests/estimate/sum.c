/* SPDX-License-Identifier: MIT */
#include "estimate/sum.h"

#include <criterion/criterion.h>

#include "tests/audit/binomial.h"

/* P[A + B >= j] by the definition, in rationals: the sum over a of P[A = a] P[B >= j - a]. */
static void tail_by_definition(fmpq_t out, uint64_t c, const fmpq_t p, uint64_t d, const fmpq_t q, uint64_t j)
{
    fmpq_t above, mass;
    fmpq_init(above);
    fmpq_init(mass);
    fmpq_zero(out);
    for (uint64_t a = 0; a <= c; a++) {
        binomial_mass(mass, c, p, a);
        fmpq_one(above);
        if (j > a + d)
            fmpq_zero(above);
        else if (j > a)
            binomial_above(above, d, q, j - a);
        fmpq_addmul(out, mass, above);
    }
    fmpq_clear(mass);
    fmpq_clear(above);
}

/* Never below the truth, whatever the reach; with a large one within a part in 2^12 of it, or 1 or more where
 * the truth is nearly 1. */
static void compare(uint64_t c, uint64_t d, uint64_t j, slong p, slong q, ulong denominator)
{
    static const double reaches[] = {30, 0, 1};
    fmpq_t exact_p, exact_q, truth, got, most;
    arb_t ball_p, ball_q, bound;
    fmpq_init(exact_p);
    fmpq_init(exact_q);
    fmpq_init(truth);
    fmpq_init(got);
    fmpq_init(most);
    arb_init(ball_p);
    arb_init(ball_q);
    arb_init(bound);
    fmpq_set_si(exact_p, p, denominator);
    fmpq_set_si(exact_q, q, denominator);
    arb_set_fmpq(ball_p, exact_p, 256);
    arb_set_fmpq(ball_q, exact_q, 256);
    tail_by_definition(truth, c, exact_p, d, exact_q, j);
    const pby_two_binomials sum = {c, d, ball_p, ball_q};
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++) {
        pby_sum_tail_bound(bound, &sum, j, reaches[i]);
        binomial_exact(got, bound);
        cr_assert(fmpq_cmp(got, truth) >= 0, "below the truth: %lu + %lu from %lu on", c, d, j);
        fmpq_set_si(most, (1 << 12) + 1, 1 << 12);
        fmpq_mul(most, most, truth);
        cr_assert(reaches[i] < 30 || fmpq_cmp(got, most) <= 0 || fmpq_cmp_si(got, 1) >= 0,
                  "not tight: %lu + %lu from %lu on", c, d, j);
    }
    arb_clear(bound);
    arb_clear(ball_q);
    arb_clear(ball_p);
    fmpq_clear(most);
    fmpq_clear(got);
    fmpq_clear(truth);
    fmpq_clear(exact_q);
    fmpq_clear(exact_p);
}

Test(estimate_sum, bounds_the_tail_by_definition)
{
    for (uint64_t c = 0; c <= 6; c++)
        for (uint64_t d = 0; d + c <= 9; d++)
            for (uint64_t j = 0; j <= c + d + 1; j++) {
                compare(c, d, j, 3, 1, 4);
                compare(c, d, j, 1, 2, 7);
                compare(c, d, j, 99, 1, 100);
            }
    for (uint64_t j = 0; j <= 60; j += 7)
        compare(25, 35, j, 3, 1, 4);
}
