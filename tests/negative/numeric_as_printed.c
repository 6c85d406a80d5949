/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/numeric_as_printed.c, on the code of that file. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "kernel/sparse.h"

void align_wrong_numeric(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                         const int64_t *w, size_t n, int64_t t, int64_t d, size_t k, int64_t u, int64_t v);

#include <flint/fmpq.h>

#include "proofs/negative/numeric_as_printed.c"

/* Place and value are the same, and the noise of the value has moved by 1: at the price of 261, and not of
 * the 2 that are left of 18. */
Test(negative_numeric, the_value_is_moved_at_its_price)
{
    const int64_t x[2] = {0, 5}, y[2] = {1, 4}, z[2] = {0, 0}, w[2] = {0, 2};
    int64_t a, b;
    align_wrong_numeric(&a, &b, x, y, z, w, 2, 3, 1, 1, 2, 3);
    cr_assert_eq(a, 7);
    cr_assert_eq(b, 7);
}

enum { FAR = 20, VALUE = -1, THRESHOLD = 8, ANSWER = 4, MEANT = 2, PRINTED = 261, ALLOWED = 18 };

/* epsilon/18 is log 2. The mass of two-sided geometric noise of that many of it, times (1 + a)/(1 - a). */
static void mass(fmpq_t out, int64_t z, unsigned rate)
{
    fmpq_one(out);
    fmpq_div_2exp(out, out, rate * (flint_bitcnt_t)llabs(z));
}

/* One answer x and the threshold 0: the chance of the first place with VALUE, of noise within FAR, times
 * what the masses have in common. */
static void chance(fmpq_t out, int64_t x, unsigned rate)
{
    fmpq_t one, both;
    fmpq_init(one);
    fmpq_init(both);
    fmpq_zero(out);
    for (int64_t t = -FAR; t <= FAR; t++)
        for (int64_t z = -FAR; z <= FAR; z++) {
            int64_t value = 0;
            if (wrong_numeric(&value, &x, &z, 1, t, VALUE - x) != 0)
                continue;
            cr_assert_eq(value, VALUE);
            mass(both, t, THRESHOLD);
            mass(one, z, ANSWER);
            fmpq_addmul(out, both, one);
        }
    mass(one, VALUE - x, rate);
    fmpq_mul(out, out, one);
    fmpq_clear(both);
    fmpq_clear(one);
}

/* The ratio of the answers 0 and 1, in bits: the whole part of its logarithm to the base 2. Noise beyond FAR
 * has less than 2^-70 of the mass. */
static int64_t bits(unsigned rate)
{
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    chance(p, 0, rate);
    chance(q, 1, rate);
    cr_assert(fmpq_sgn(q) > 0);
    fmpq_div(p, p, q);
    const int64_t found = (int64_t)fmpz_bits(fmpq_numref(p)) - (int64_t)fmpz_bits(fmpq_denref(p));
    fmpq_clear(q);
    fmpq_clear(p);
    return found;
}

/* The rate that is meant stays within 18 bits. The printed one loses more than 250. */
Test(negative_numeric, the_printed_rate_costs_more_than_is_allowed)
{
    cr_assert_lt(bits(MEANT), ALLOWED);
    cr_assert_gt(bits(PRINTED), 250);
}
