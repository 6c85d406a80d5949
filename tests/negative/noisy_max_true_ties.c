/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/noisy_max_true_ties.c, on the code of that file. */
#include <criterion/criterion.h>

#include "tests/negative/one_sided.h"

void align_wrong_ties(size_t *a, size_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                      const int64_t *w, int64_t d, size_t k);

#include "proofs/negative/noisy_max_true_ties.c"

/* The first answer wins a tie as the larger, and loses the tie that 2 more of noise make. */
Test(negative_noisy_max, a_tie_goes_over_to_the_other)
{
    const int64_t x[2] = {1, 0}, y[2] = {0, 1}, z[2] = {0, 1}, w[2] = {2, 1};
    size_t a, b;
    align_wrong_ties(&a, &b, x, y, z, w, 1, 0);
    cr_assert_eq(a, 0);
    cr_assert_eq(b, 1);
}

/* At the rate log 2 the place alone costs 2 log 2, a ratio of 4. With ties by the true answers these two have
 * 5/6 and 1/6, a ratio of 5. */
Test(negative_noisy_max, ties_by_the_answers_cost_more)
{
    static const int64_t ahead[2] = {1, 0}, behind[2] = {0, 1};
    fmpq_t p, q, unused;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(unused);
    one_sided_chance(p, unused, wrong_ties, ahead);
    one_sided_chance(unused, q, wrong_ties, behind);
    fmpq_div(p, p, q);
    fmpq_set_si(q, 499, 100);
    cr_assert(fmpq_cmp(p, q) > 0, "beyond 4.99, where 4 is allowed");
    fmpq_clear(unused);
    fmpq_clear(q);
    fmpq_clear(p);
}
