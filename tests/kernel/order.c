/* SPDX-License-Identifier: MIT */
#include "kernel/order.h"

#include <criterion/criterion.h>
#include <string.h>

static int precedes(const char *a, const char *b)
{
    return pby_precedes((const uint8_t *)a, strlen(a), (const uint8_t *)b, strlen(b));
}

/* Every pair of names in order, and no other pair. */
Test(kernel_order, names_are_compared_by_their_bytes)
{
    static const char *const names[] = {"",  "\x01", "A",    "AB",   "ABC",  "AC",
                                        "B", "a",    "\x7f", "\x80", "\xff", "\xff\xff"};
    enum { NAMES = sizeof names / sizeof *names };
    for (size_t i = 0; i < NAMES; i++)
        for (size_t j = 0; j < NAMES; j++)
            cr_assert_eq(precedes(names[i], names[j]), i < j, "%zu before %zu", i, j);
}

Test(kernel_order, a_permutation_has_every_number_once)
{
    uint32_t seen[4];
    cr_assert_eq(pby_is_permutation((const uint64_t[]){2, 0, 3, 1}, seen, 4), 1);
    cr_assert_eq(pby_is_permutation((const uint64_t[]){0}, seen, 1), 1);
    cr_assert_eq(pby_is_permutation(NULL, NULL, 0), 1);
    cr_assert_eq(pby_is_permutation((const uint64_t[]){2, 0, 2, 1}, seen, 4), 0, "one twice");
    cr_assert_eq(pby_is_permutation((const uint64_t[]){2, 0, 4, 1}, seen, 4), 0, "one beyond");
    cr_assert_eq(pby_is_permutation((const uint64_t[]){UINT64_MAX}, seen, 1), 0);
    cr_assert_eq(pby_is_permutation((const uint64_t[]){(uint64_t)1 << 32}, seen, 1), 0,
                 "not cut to 32 digits");
}

Test(kernel_order, names_rise_in_the_order_that_is_said)
{
    static const pby_bin_row rows[] = {{(const uint8_t *)"b", 1, 0},
                                       {(const uint8_t *)"aa", 2, 0},
                                       {(const uint8_t *)"a", 1, 0},
                                       {(const uint8_t *)"a", 1, 0}};
    cr_assert_eq(pby_names_rise(rows, (const uint64_t[]){2, 1, 0}, 3), 1);
    cr_assert_eq(pby_names_rise(rows, (const uint64_t[]){2, 0, 1}, 3), 0);
    cr_assert_eq(pby_names_rise(rows, (const uint64_t[]){1, 2, 0}, 3), 0);
    cr_assert_eq(pby_names_rise(rows, (const uint64_t[]){2, 3, 1, 0}, 4), 0, "equal names");
    cr_assert_eq(pby_names_rise(rows, (const uint64_t[]){0}, 1), 1);
    cr_assert_eq(pby_names_rise(NULL, NULL, 0), 1);
}
