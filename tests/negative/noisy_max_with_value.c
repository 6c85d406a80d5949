/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/noisy_max_with_value.c, on the code of that file. */
#include <criterion/criterion.h>

#include "kernel/noisy_max.h"
#include "tests/negative/geometric.h"

void align_wrong_max(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                     const int64_t *w, size_t n, int64_t d, size_t k);

#include "proofs/negative/noisy_max_with_value.c"

/* The winner's noise is raised by 2: the place is the same and the value is not. */
Test(negative_noisy_max, the_value_moves_with_the_noise)
{
    const int64_t x[2] = {5, 0}, y[2] = {6, 0}, z[2] = {0, 0}, w[2] = {2, 0};
    int64_t a, b;
    align_wrong_max(&a, &b, x, y, z, w, 2, 1, 0);
    cr_assert_eq(a, 5);
    cr_assert_eq(b, 8);
}

enum { N = 3, VALUE = -3 };

/* The chance, times 27, that the value is VALUE with N answers that are all `answer`. Each noise either makes
 * its sum VALUE or leaves it below; all that leave it below are run as one, with the mass of all. */
static void chance(fmpq_t out, int64_t answer)
{
    const int64_t x[N] = {answer, answer, answer}, at = VALUE - answer;
    fmpq_t one, mass;
    fmpq_init(one);
    fmpq_init(mass);
    fmpq_zero(out);
    for (unsigned pattern = 0; pattern < 1U << N; pattern++) {
        int64_t z[N], value;
        fmpq_one(mass);
        for (size_t i = 0; i < N; i++) {
            const bool reaches = pattern >> i & 1U;
            z[i] = reaches ? at : at - 1;
            if (reaches)
                geometric_mass(one, at);
            else
                geometric_below(one, at - 1);
            fmpq_mul(mass, mass, one);
        }
        wrong_max(&value, x, z, N);
        if (value == VALUE)
            fmpq_add(out, out, mass);
    }
    fmpq_clear(mass);
    fmpq_clear(one);
}

/* Three answers that each move by 1, noise of rate log 2: the place alone costs 2 log 2, a ratio of 4. With
 * the value the ratio is 8. */
Test(negative_noisy_max, the_value_costs_more_than_the_place)
{
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    chance(p, 0);
    chance(q, 1);
    cr_assert(fmpq_sgn(q) > 0);
    fmpq_div(p, p, q);
    cr_assert(fmpq_equal_si(p, 8));
    fmpq_clear(q);
    fmpq_clear(p);
}
