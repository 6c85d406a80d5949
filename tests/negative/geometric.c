/* SPDX-License-Identifier: MIT */
#include "tests/negative/geometric.h"

#include <criterion/criterion.h>

void geometric_mass(fmpq_t out, int64_t z)
{
    const int64_t far = z < 0 ? -z : z;
    cr_assert(far <= 200);
    fmpq_one(out);
    fmpq_div_2exp(out, out, (flint_bitcnt_t)far);
}

void geometric_below(fmpq_t out, int64_t z)
{
    geometric_mass(out, z);
    if (z < 0) {
        fmpq_mul_2exp(out, out, 1);
    } else {
        fmpq_sub_si(out, out, 3);
        fmpq_neg(out, out);
    }
}

/* The closed form against the sum, and the whole. */
Test(negative_geometric, sums_of_the_masses)
{
    fmpq_t sum, below, mass;
    fmpq_init(sum);
    fmpq_init(below);
    fmpq_init(mass);
    geometric_below(sum, -150);
    for (int64_t z = -149; z <= 150; z++) {
        geometric_mass(mass, z);
        fmpq_add(sum, sum, mass);
        geometric_below(below, z);
        cr_assert(fmpq_equal(sum, below));
    }
    fmpq_add(sum, sum, mass); /* what is above 150 weighs as much as 150 */
    cr_assert(fmpq_equal_si(sum, 3));
    fmpq_clear(mass);
    fmpq_clear(below);
    fmpq_clear(sum);
}
