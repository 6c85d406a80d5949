/* SPDX-License-Identifier: MIT */
#include "loss/compose/bounds.h"

#include <criterion/criterion.h>

TestSuite(bounds);

static void put(pby_bounds *b, size_t i, slong lower, slong upper)
{
    arf_set_si(b->lower + i, lower);
    arf_set_si(b->upper + i, upper);
}

static ulong excess(slong lower, slong upper, ulong times)
{
    pby_bounds b;
    fmpq_t width;
    pby_bounds_init(&b, 1);
    fmpq_init(width);
    fmpq_set_si(width, 1, times);
    put(&b, 0, lower, upper);
    const ulong factor = pby_bounds_excess(&b, 0, width);
    fmpq_clear(width);
    pby_bounds_clear(&b);
    return factor;
}

Test(bounds, excess_over_a_width)
{
    cr_assert_eq(excess(100, 101, 100), 1u);
    cr_assert_eq(excess(99, 100, 100), 2u);
    cr_assert_eq(excess(-101, -100, 100), 1u);
    cr_assert_eq(excess(100, 110, 100), 10u);
    cr_assert_eq(excess(7, 7, 1000000000), 1u);
    cr_assert_eq(excess(0, 0, 100), 1u);
    cr_assert_eq(excess(-1, 1, 2), 0u);
    cr_assert_eq(excess(0, 1, 2), 0u);
    cr_assert_eq(excess(1, 1000000000, 100), 0u);
}

Test(bounds, meet_and_max)
{
    pby_bounds a, b;
    pby_bounds_init(&a, 2);
    pby_bounds_init(&b, 2);
    put(&b, 0, 1, 5);
    put(&b, 1, -3, 2);
    cr_assert(pby_bounds_meet(&a, &b), "nothing was known");
    put(&b, 0, 2, 9);
    put(&b, 1, -4, 1);
    cr_assert(pby_bounds_meet(&a, &b));
    cr_assert(arf_equal_si(a.lower, 2) && arf_equal_si(a.upper, 5));
    cr_assert(arf_equal_si(a.lower + 1, -3) && arf_equal_si(a.upper + 1, 1));
    put(&b, 0, 3, 4);
    put(&b, 1, -9, 7);
    pby_bounds_max(&a, &b);
    cr_assert(arf_equal_si(a.lower, 3) && arf_equal_si(a.upper, 5));
    cr_assert(arf_equal_si(a.lower + 1, -3) && arf_equal_si(a.upper + 1, 7));
    put(&b, 0, 6, 7);
    cr_assert_not(pby_bounds_meet(&a, &b));
    pby_bounds_clear(&b);
    pby_bounds_clear(&a);
}
