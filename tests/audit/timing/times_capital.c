/* SPDX-License-Identifier: MIT */
#include "audit/timing/times_capital.h"

#include <criterion/criterion.h>
#include <string.h>

#include "number/scoped.h"

enum { STAKES = 24, ROUNDS = 6 };

/* The capital in rationals, where exp(epsilon) is 1. */
static void exact(fmpq_t capital, const pby_times_counts *c, const fmpq_t delta)
{
    PBY_FMPQ(half, stake, factor, one, most);
    PBY_FMPZ(bettors);
    fmpq_div_2exp(half, delta, 1);
    fmpq_add_si(most, half, 1);
    fmpq_zero(capital);
    for (int e = 0; e < PBY_TIMES_EVENTS; e++)
        for (int s = 0; s < 2; s++)
            for (ulong i = 0; i < STAKES; i++) {
                const uint64_t won = c->seen[e][s], lost = c->seen[e][!s];
                fmpq_set_si(stake, 11, 16UL << i);
                fmpq_mul(factor, stake, most);
                fmpq_sub_si(factor, factor, 1);
                fmpq_neg(factor, factor);
                fmpq_pow_si(one, factor, (slong)lost);
                fmpq_mul(factor, stake, half);
                fmpq_sub_si(factor, factor, 1);
                fmpq_neg(factor, factor);
                fmpq_pow_si(factor, factor, (slong)(c->judging - won - lost));
                fmpq_mul(one, one, factor);
                fmpq_sub_si(factor, half, 1);
                fmpq_neg(factor, factor);
                fmpq_mul(factor, factor, stake);
                fmpq_add_si(factor, factor, 1);
                fmpq_pow_si(factor, factor, (slong)won);
                fmpq_mul(one, one, factor);
                fmpq_add(capital, capital, one);
            }
    fmpz_set_ui(bettors, (ulong)2 * PBY_TIMES_EVENTS * STAKES);
    fmpq_div_fmpz(capital, capital, bettors);
}

/* Every event is the same set S: in round i on the left, on the right, or missed, by the digits of `path`. */
static void walk(pby_times_counts *c, fmpq_t chance, int path, const fmpq_t left, const fmpq_t right)
{
    PBY_FMPQ(neither);
    memset(c, 0, sizeof *c);
    c->judging = ROUNDS;
    fmpq_add(neither, left, right);
    fmpq_sub_si(neither, neither, 1);
    fmpq_neg(neither, neither);
    fmpq_one(chance);
    for (int i = 0; i < ROUNDS; i++, path /= 3) {
        fmpq_mul(chance, chance, path % 3 == 0 ? left : path % 3 == 1 ? right : neither);
        for (int e = 0; e < PBY_TIMES_EVENTS && path % 3 != 2; e++)
            c->seen[e][path % 3]++;
    }
}

/* The expectation of the capital after six rounds, over all that may happen. */
static void expect(fmpq_t sum, const fmpq_t delta, const fmpq_t left, const fmpq_t right)
{
    pby_times_counts c;
    PBY_FMPQ(chance, capital);
    fmpq_zero(sum);
    for (int path = 0; path < 729; path++) {
        walk(&c, chance, path, left, right);
        exact(capital, &c, delta);
        fmpq_addmul(sum, chance, capital);
    }
}

Test(audit_times_capital, it_does_not_grow_on_average_while_the_claim_holds)
{
    PBY_FMPQ(delta, left, right, mean);
    fmpq_set_si(delta, 1, 8);
    fmpq_set_si(left, 3, 16); /* a fair coin, and then 3/8 against 1/4: delta is 1/8 exactly */
    fmpq_set_si(right, 1, 8);
    expect(mean, delta, left, right);
    cr_assert(fmpq_cmp_si(mean, 1) <= 0);
    fmpq_zero(delta);
    fmpq_set(left, right);
    expect(mean, delta, left, right);
    cr_assert(fmpq_is_one(mean), "every bet is fair");
    fmpq_set_si(left, 5, 16);
    expect(mean, delta, left, right);
    cr_assert(fmpq_cmp_si(mean, 1) > 0, "and the claim does not hold");
}

Test(audit_times_capital, it_is_that_of_rationals)
{
    PBY_FMPQ(delta, left, right, chance, epsilon, capital, error, step);
    PBY_ARB(ball);
    pby_times_counts c;
    fmpq_set_si(delta, 1, 8);
    fmpq_set_si(left, 3, 16);
    fmpq_set_si(right, 1, 8);
    fmpq_set_si(step, 1, 1000000000);
    for (int path = 0; path < 729; path += 7) {
        walk(&c, chance, path, left, right);
        exact(capital, &c, delta);
        pby_times_capital(ball, &c, epsilon, delta);
        cr_assert(arb_contains_fmpq(ball, capital));
        cr_assert_gt(arb_rel_accuracy_bits(ball), 200);
        fmpq_inv(error, capital);
        fmpq_add(error, error, step);
        cr_assert(pby_times_refuted(&c, epsilon, delta, error));
        fmpq_sub(error, error, step);
        fmpq_sub(error, error, step);
        cr_assert(!pby_times_refuted(&c, epsilon, delta, error));
    }
}

Test(audit_times_capital, a_larger_claim_is_refuted_by_more_alone)
{
    pby_times_counts c;
    PBY_FMPQ(epsilon, delta, error, shown);
    fmpq_set_si(error, 1, 1000000);
    pby_times_told_apart(&c, 400);
    cr_assert(pby_times_epsilon(shown, &c, delta, error));
    cr_assert(fmpq_cmp_si(shown, 1) > 0);
    cr_assert(pby_times_refuted(&c, shown, delta, error));
    fmpq_set_si(epsilon, 1, 10000);
    fmpq_add(epsilon, epsilon, shown);
    cr_assert(!pby_times_refuted(&c, epsilon, delta, error));
    fmpq_set_si(delta, 1, 10);
    cr_assert(pby_times_epsilon(epsilon, &c, delta, error));
    cr_assert(fmpq_cmp(epsilon, shown) < 0);
    fmpq_set_si(delta, 9, 10);
    cr_assert(!pby_times_epsilon(epsilon, &c, delta, error));
    pby_times_told_apart(&c, 20);
    cr_assert(!pby_times_epsilon(shown, &c, delta, error));
    cr_assert(fmpq_is_zero(shown));
}

Test(audit_times_capital, the_best_bet_is_named)
{
    pby_times_counts c = {.judging = 100};
    PBY_FMPQ(zero);
    int event;
    pby_side side;
    c.seen[9][PBY_RIGHT] = 30;
    c.seen[4][PBY_LEFT] = 20;
    pby_times_best(&event, &side, &c, zero, zero);
    cr_assert_eq(event, 9);
    cr_assert_eq(side, PBY_RIGHT);
}

/* Capital at one claim after another: none that allows more has more. */
Test(audit_times_capital, it_falls_where_the_claim_grows)
{
    pby_times_counts c = {.judging = 1000};
    PBY_FMPQ(epsilon, delta);
    PBY_ARB(before, now);
    for (int e = 0; e < PBY_TIMES_EVENTS; e++) {
        c.seen[e][0] = 200 + 10 * (uint64_t)e;
        c.seen[e][1] = 100 + 3 * (uint64_t)e;
    }
    for (ulong d = 0; d < 2; d++) {
        fmpq_set_si(delta, (slong)d, 7);
        for (slong k = 0; k < 300; k++) {
            fmpq_set_si(epsilon, k, 50);
            pby_times_capital(now, &c, epsilon, delta);
            cr_assert(k == 0 || !arb_gt(now, before), "%ld/50", (long)k);
            arb_set(before, now);
        }
    }
}
