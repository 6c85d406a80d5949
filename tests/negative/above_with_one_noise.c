/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/above_with_one_noise.c, on the code of that file. */
#include <criterion/criterion.h>

#include "tests/negative/geometric.h"

void align_wrong_noise(size_t *a, size_t *b, const int64_t *x, const int64_t *y, int64_t z, size_t n,
                       int64_t t, int64_t d);

#include "proofs/negative/above_with_one_noise.c"

/* The second answer reaches the threshold. With the noise raised by 2 the first does, on the neighbour. */
Test(negative_above_noise, the_noise_of_one_moves_all)
{
    const int64_t x[2] = {0, 1}, y[2] = {1, 0};
    size_t a, b;
    align_wrong_noise(&a, &b, x, y, 0, 2, 1, 1);
    cr_assert_eq(a, 1);
    cr_assert_eq(b, 0);
}

enum { FAR = 60 };

/* The chance, times 9, of the second place. */
static void chance(fmpq_t out, const int64_t x[2])
{
    fmpq_t one, mass;
    fmpq_init(one);
    fmpq_init(mass);
    fmpq_zero(out);
    for (int64_t t = -FAR; t <= FAR; t++) {
        geometric_mass(mass, t);
        for (int64_t z = -FAR; z <= FAR; z++) {
            geometric_mass(one, z);
            if (wrong_noise(x, z, 2, t) == 1)
                fmpq_addmul(out, mass, one);
        }
    }
    fmpq_clear(mass);
    fmpq_clear(one);
}

/* Answers 0 and 1 have the second place where the threshold is exactly 1 above the noise; answers 1 and 0,
 * where it is above 1 and not above 0: never. The loss is infinite. */
Test(negative_above_noise, a_place_is_possible_on_one_side_alone)
{
    const int64_t x[2] = {0, 1}, y[2] = {1, 0};
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    chance(p, x);
    chance(q, y);
    cr_assert(fmpq_sgn(p) > 0);
    cr_assert(fmpq_is_zero(q));
    fmpq_clear(q);
    fmpq_clear(p);
}
