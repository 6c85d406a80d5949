/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/above_with_value.c, on the code of that file. */
#include <criterion/criterion.h>

#include "kernel/sparse.h"
#include "tests/negative/geometric.h"

void align_wrong_value(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                       const int64_t *w, size_t n, int64_t t, int64_t d, size_t k);

#include "proofs/negative/above_with_value.c"

/* The noise of the answer is raised by 2: the place is the same and the value is not. */
Test(negative_above_value, the_value_moves_with_the_noise)
{
    const int64_t x[2] = {0, 5}, y[2] = {1, 5}, z[2] = {0, 0}, w[2] = {0, 2};
    int64_t a, b;
    align_wrong_value(&a, &b, x, y, z, w, 2, 3, 1, 1);
    cr_assert_eq(a, 5);
    cr_assert_eq(b, 7);
}

enum { BELOW = 4, N = BELOW + 1, VALUE = -3, FAR = 60 };

/* The chance that BELOW answers of `answer` stay below and that behind them one of 0 is released as VALUE.
 * The threshold is then at most VALUE; a noise that leaves an answer below is run as the greatest such. */
static void chance(fmpq_t out, int64_t answer)
{
    int64_t x[N] = {answer, answer, answer, answer, 0}, z[N], value;
    fmpq_t one, mass;
    fmpq_init(one);
    fmpq_init(mass);
    fmpq_zero(out);
    for (int64_t t = -FAR; t <= VALUE; t++) {
        geometric_mass(mass, t);
        for (size_t i = 0; i < BELOW; i++) {
            z[i] = t - answer - 1;
            geometric_below(one, z[i]);
            fmpq_mul(mass, mass, one);
        }
        z[BELOW] = VALUE;
        geometric_mass(one, VALUE);
        fmpq_mul(mass, mass, one);
        cr_assert_eq(wrong_value(&value, x, z, N, t), BELOW);
        cr_assert_eq(value, VALUE);
        fmpq_add(out, out, mass);
    }
    fmpq_clear(mass);
    fmpq_clear(one);
}

/* Noise of rate log 2: the place alone costs log 2 for the threshold and 2 log 2 for the answer, a ratio
 * of 8. With the value every answer below costs log 2 of its own: 16 for four of them, whatever the
 * threshold. */
Test(negative_above_value, every_answer_below_costs)
{
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    chance(p, 0);
    chance(q, 1);
    cr_assert(fmpq_sgn(q) > 0);
    fmpq_div(p, p, q);
    cr_assert(fmpq_equal_si(p, 16));
    fmpq_clear(q);
    fmpq_clear(p);
}
