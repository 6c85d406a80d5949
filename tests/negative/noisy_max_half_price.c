/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/noisy_max_half_price.c, on the code of that file. */
#include <criterion/criterion.h>

#include "tests/negative/one_sided.h"

void align_wrong_price(size_t *a, size_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                       const int64_t *w, size_t n, int64_t d, size_t k);

#include "proofs/negative/noisy_max_half_price.c"

/* The first answer wins, falls by 1 while the second rises by 1, and 1 more of noise does not make up for it.
 */
Test(negative_noisy_max, a_raise_by_d_is_not_enough_for_any_queries)
{
    const int64_t x[2] = {5, 5}, y[2] = {4, 6}, z[2] = {0, 0}, w[2] = {1, 0};
    size_t a, b;
    align_wrong_price(&a, &b, x, y, z, w, 2, 1, 0);
    cr_assert_eq(a, 0);
    cr_assert_eq(b, 1);
}

static size_t winner(const int64_t *x, const int64_t *z)
{
    size_t a, b;
    align_wrong_price(&a, &b, x, x, z, z, 2, 0, 0);
    cr_assert_eq(a, b);
    return a;
}

/* At the rate log 2 monotone queries of sensitivity 1 lose log 2, a ratio of 2. These two answers have 2/3
 * and 1/6, a ratio of 4. */
Test(negative_noisy_max, any_queries_cost_twice_as_much)
{
    static const int64_t equal[2] = {0, 0}, apart[2] = {-1, 1};
    fmpq_t p, q, unused;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(unused);
    one_sided_chance(p, unused, winner, equal);
    one_sided_chance(unused, q, winner, apart);
    fmpq_div(p, p, q);
    fmpq_set_si(q, 399, 100);
    cr_assert(fmpq_cmp(p, q) > 0, "beyond 3.99, where 2 is allowed");
    fmpq_clear(unused);
    fmpq_clear(q);
    fmpq_clear(p);
}
