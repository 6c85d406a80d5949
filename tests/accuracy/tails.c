/* SPDX-License-Identifier: MIT */
/* Tails of a mean, against sums over all numbers of heads in rationals, and bounds against their formulas. */
#include "accuracy/tails.h"

#include <criterion/criterion.h>
#include <math.h>

enum { N_MOST = 14, TENTHS = 10 };

/* sum = P[Bin(n, p/TENTHS) = j over all j that are outside], in units of TENTHS^-n */
static void enumerate(mpq_t sum, const pby_tail *t, long p)
{
    mpz_t ways, all;
    mpq_t off;
    mpz_inits(ways, all, NULL);
    mpq_init(off);
    for (unsigned long j = 0; j <= t->n; j++) {
        mpz_bin_uiui(ways, t->n, j);
        for (unsigned long i = 0; i < t->n; i++)
            mpz_mul_si(ways, ways, i < j ? p : TENTHS - p);
        mpq_set_si(off, TENTHS * (long)j - p * (long)t->n, TENTHS * t->n);
        mpq_canonicalize(off);
        fmpq_t away, beta;
        fmpq_init(away);
        fmpq_init(beta);
        fmpq_set_mpq(away, off);
        fmpq_neg(beta, t->beta);
        const bool above = fmpq_cmp(away, t->beta) > 0, below = fmpq_cmp(away, beta) < 0;
        if ((above && t->side != PBY_TAIL_BELOW) || (below && t->side != PBY_TAIL_ABOVE))
            mpz_add(all, all, ways);
        fmpq_clear(beta);
        fmpq_clear(away);
    }
    mpq_set_z(sum, all);
    mpz_ui_pow_ui(mpq_denref(sum), TENTHS, t->n);
    mpq_canonicalize(sum);
    mpq_clear(off);
    mpz_clears(ways, all, NULL);
}

/* The bound by its formula. */
static double formula(const pby_tail *t, pby_tail_bound bound)
{
    const double n = (double)t->n, p = fmpq_get_d(t->mean), b = fmpq_get_d(t->beta), e = b / p;
    const double c = t->side == PBY_TAIL_BELOW ? 2 : 3;
    const double q = t->side == PBY_TAIL_BELOW ? 1 - p : p, a = q + b;
    switch (bound) {
    case PBY_TAIL_ENTROPY:
        return a > 1 + 1e-9    ? 0
               : a >= 1 - 1e-9 ? pow(q, n)
                               : exp(-n * (a * log(a / q) + (1 - a) * log((1 - a) / (1 - q))));
    case PBY_TAIL_ADDITIVE:
        return (t->side == PBY_TAIL_EITHER ? 2 : 1) * exp(-2 * n * b * b);
    case PBY_TAIL_MULTIPLICATIVE:
        return exp(-n * p * e * e / c);
    default:
        return exp(-2 * n * e * e / c);
    }
}

static void check_bounds(const pby_tail *t, mpq_srcptr exact, int *failed)
{
    for (int b = 0; b < PBY_TAIL_BOUNDS; b++) {
        pby_enclosure most;
        pby_error err;
        bool holds;
        if (!pby_tail_has(t, (pby_tail_bound)b))
            continue;
        pby_enclosure_init(&most);
        cr_assert_eq(pby_tail_bounded(&most, &holds, t, (pby_tail_bound)b, 12, &err), PBY_OK, "%s", err.text);
        const double by_hand = formula(t, (pby_tail_bound)b);
        cr_assert(fabs(mpfr_get_d(most.lo, MPFR_RNDN) - by_hand) <= 1e-9 * by_hand);
        cr_assert_eq(holds, mpfr_cmp_q(most.hi, exact) >= 0);
        cr_assert(holds || b == PBY_TAIL_PRINTED, "a bound that is a theorem fails");
        *failed += !holds;
        pby_enclosure_clear(&most);
    }
}

/* All means and edges of tenths: the exact chance is enclosed, every bound is its formula, those that are
 * theorems hold, and the printed one of Theorem 2.2 often does not. */
Test(accuracy_tails, every_number_of_heads)
{
    int failed = 0;
    mpq_t sum;
    pby_tail t;
    pby_enclosure chance;
    pby_error err;
    mpq_init(sum);
    fmpq_init(t.mean);
    fmpq_init(t.beta);
    pby_enclosure_init(&chance);
    for (t.n = 1; t.n <= N_MOST; t.n += t.n < 4 ? 1 : 5)
        for (long p = 1; p < TENTHS; p += 2)
            for (long b = 1; b <= 2 * TENTHS; b += 3)
                for (int side = 0; side < PBY_TAIL_SIDES; side++) {
                    t.side = (pby_tail_side)side;
                    fmpq_set_si(t.mean, p, TENTHS);
                    fmpq_set_si(t.beta, b, 2 * TENTHS);
                    enumerate(sum, &t, p);
                    cr_assert_eq(pby_tail_exact(&chance, &t, 12, &err), PBY_OK, "%s", err.text);
                    cr_assert(mpfr_cmp_q(chance.lo, sum) <= 0 && mpfr_cmp_q(chance.hi, sum) >= 0);
                    mpfr_sub(chance.hi, chance.hi, chance.lo, MPFR_RNDU);
                    cr_assert(mpfr_get_d(chance.hi, MPFR_RNDU) <= 1e-12 * mpq_get_d(sum));
                    check_bounds(&t, sum, &failed);
                }
    cr_assert_gt(failed, 20);
    pby_enclosure_clear(&chance);
    fmpq_clear(t.beta);
    fmpq_clear(t.mean);
    mpq_clear(sum);
}

/* An edge that the mean can lie on is not beyond it; and of ten thousand fair coins the tail is the normal
 * one, corrected by half a coin. */
Test(accuracy_tails, at_the_edge_and_far_out)
{
    pby_tail t = {.n = 10000, .side = PBY_TAIL_ABOVE};
    pby_enclosure chance;
    pby_error err;
    fmpq_init(t.mean);
    fmpq_init(t.beta);
    pby_enclosure_init(&chance);
    fmpq_set_si(t.mean, 1, 2);
    fmpq_set_si(t.beta, 1, 100);
    cr_assert_eq(pby_tail_exact(&chance, &t, 9, &err), PBY_OK);
    const double normal = erfc(100.5 / 50 / sqrt(2)) / 2;
    cr_assert(fabs(mpfr_get_d(chance.lo, MPFR_RNDN) / normal - 1) < 1e-3);
    t.n = 2;
    fmpq_set_si(t.beta, 1, 2); /* two heads are 1/2 above, and no more */
    cr_assert_eq(pby_tail_exact(&chance, &t, 9, &err), PBY_OK);
    cr_assert(mpfr_zero_p(chance.lo) && mpfr_zero_p(chance.hi));
    fmpq_set_si(t.beta, 49, 100);
    cr_assert_eq(pby_tail_exact(&chance, &t, 9, &err), PBY_OK);
    cr_assert(mpfr_cmp_d(chance.lo, 0.25) <= 0 && mpfr_cmp_d(chance.hi, 0.25) >= 0);
    pby_enclosure_clear(&chance);
    fmpq_clear(t.beta);
    fmpq_clear(t.mean);
}
