/* SPDX-License-Identifier: MIT */
/* [Flex]: formulas and equalities in the text that a small case decides. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/report.h"
#include "tests/exact/law.h"

static void tell(const char *row, long found, unsigned long over, long promised, unsigned long under)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_si(a, found, over);
    mpq_canonicalize(a);
    mpq_set_si(b, promised, under);
    mpq_canonicalize(b);
    cr_assert(!mpq_equal(a, b));
    claims_tell(row, a, b);
    mpq_clears(a, b, NULL);
}

/* q = 3 and exp(epsilon/2) = 2. The equation gives delta = (1/2) 3/7 = 3/14. p = 0, 1/6, 5/6, 1 keeps all
 * four constraints at each step with delta = 1/6, and no smaller delta does: 1 - delta = p_2 <= 4 p_1 + delta
 * <= 5 delta.
 * claims: Flex/Section 5.1, optimal emptiness test */
Test(claims_flex_numbers, an_odd_threshold_allows_less)
{
    static const unsigned long sixths[] = {0, 1, 5, 6};
    exact_law here, there;
    mpq_t x, delta, most;
    mpq_inits(x, delta, most, NULL);
    mpq_set_ui(x, 4, 1);
    exact_init(&here, 2);
    exact_init(&there, 2);
    for (size_t k = 0; k < 3; k++) {
        exact_set(&here, 0, sixths[k], 6);
        exact_set(&here, 1, 6 - sixths[k], 6);
        exact_set(&there, 0, sixths[k + 1], 6);
        exact_set(&there, 1, 6 - sixths[k + 1], 6);
        exact_delta(delta, &here, &there, x);
        if (mpq_cmp(delta, most) > 0)
            mpq_set(most, delta);
    }
    cr_assert_eq(mpq_cmp_ui(most, 1, 6), 0);
    mpq_set_ui(x, 3, 14);
    claims_tell("Flex/Section 5.1, optimal emptiness test", most, x);
    exact_clear(&here);
    exact_clear(&there);
    mpq_clears(x, delta, most, NULL);
}

/* {0, 1, 2} and {0, 2} have the same ends, and 1 is 1 away from the second.
 * claims: Flex/Section 5.2.2, distance of supports */
Test(claims_flex_numbers, a_support_is_more_than_its_ends)
{
    static const long a[] = {0, 1, 2}, b[] = {0, 2};
    long far = 0;
    for (size_t i = 0; i < 3; i++) {
        long near = 9;
        for (size_t j = 0; j < 2; j++)
            near = labs(a[i] - b[j]) < near ? labs(a[i] - b[j]) : near;
        far = near > far ? near : far;
    }
    tell("Flex/Section 5.2.2, distance of supports", far, 1, labs(a[0] - b[0]) + labs(a[2] - b[1]), 1);
}
