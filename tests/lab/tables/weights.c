/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "probity.h"
#include "tests/claims/decide.h"

static void mpz_add_si(mpz_t sum, long x)
{
    if (x >= 0)
        mpz_add_ui(sum, sum, (unsigned long)x);
    else
        mpz_sub_ui(sum, sum, -(unsigned long)x);
}

/* The best weights by another way: of every set of bars that may be above 0 the projection onto it, and of
 * those that are feasible the one with the least sum of squares. */
static void by_subsets(mpq_t *best, const int64_t *a, size_t n, int64_t total)
{
    const int64_t s = total > 0 ? total : 0;
    mpz_t sum;
    mpq_t level, cost, least, x, w[4];
    bool any = false;
    mpz_init(sum);
    mpq_inits(level, cost, least, x, NULL);
    for (size_t i = 0; i < n; i++)
        mpq_init(w[i]);
    for (unsigned set = 0; set < 1U << n; set++) {
        mpz_set_si(sum, -s);
        unsigned long size = 0;
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1) {
                mpz_add_si(sum, a[i]);
                size++;
            }
        if (size == 0 && s > 0)
            continue;
        mpq_set_z(level, sum);
        mpq_set_ui(x, size == 0 ? 1 : size, 1);
        mpq_div(level, level, x);
        bool feasible = true;
        mpq_set_ui(cost, 0, 1);
        for (size_t i = 0; i < n; i++) {
            mpq_set_si(x, a[i], 1);
            mpq_set_ui(w[i], 0, 1);
            if (set >> i & 1)
                mpq_sub(w[i], x, level);
            feasible = feasible && mpq_sgn(w[i]) >= 0;
            mpq_sub(x, w[i], x);
            mpq_mul(x, x, x);
            mpq_add(cost, cost, x);
        }
        if (feasible && (!any || mpq_cmp(cost, least) < 0)) {
            any = true;
            mpq_set(least, cost);
            for (size_t i = 0; i < n; i++)
                mpq_set(best[i], w[i]);
        }
    }
    cr_assert(any);
    for (size_t i = 0; i < n; i++)
        mpq_clear(w[i]);
    mpq_clears(level, cost, least, x, NULL);
    mpz_clear(sum);
}

static void check(const int64_t *a, size_t n, int64_t total)
{
    pby_weights *w;
    pby_error err = PBY_NO_ERROR;
    mpq_t best[4], x;
    size_t positive = 0;
    mpq_init(x);
    for (size_t i = 0; i < n; i++)
        mpq_init(best[i]);
    by_subsets(best, a, n, total);
    cr_assert_eq(pby_weights_new(&w, a, n, total, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_weights_count(w), n);
    for (size_t i = 0; i < n; i++) {
        pby_weights_get(x, w, i);
        cr_assert(claims_eq(CLAIMS_ALL, x, best[i]));
        positive += mpq_sgn(x) > 0;
    }
    cr_assert_eq(pby_weights_positive(w), positive);
    pby_weights_get(x, w, n);
    cr_assert_eq(mpq_sgn(x), 0);
    pby_weights_free(w);
    for (size_t i = 0; i < n; i++)
        mpq_clear(best[i]);
    mpq_clear(x);
}

/* claims: Survey/Lemma 9.5 */
Test(weights, are_the_nearest_of_all)
{
    for (int64_t i = -3; i <= 4; i++)
        for (int64_t j = -3; j <= 4; j++)
            for (int64_t k = -2; k <= 5; k++)
                for (int64_t total = -2; total <= 9; total++)
                    check((int64_t[]){i, j, k, i - k}, 1 + (size_t)(total & 3), total);
}

Test(weights, of_the_greatest_numbers)
{
    check((int64_t[]){INT64_MAX, INT64_MAX, INT64_MIN, 3}, 4, INT64_MAX);
    check((int64_t[]){INT64_MIN, INT64_MIN, INT64_MIN}, 3, INT64_MAX);
    check((int64_t[]){INT64_MAX, INT64_MAX}, 2, INT64_MIN);
}

Test(weights, as_texts)
{
    pby_weights *w;
    char *text;
    cr_assert_eq(pby_weights_new(&w, (int64_t[]){5, -3, 4, 4}, 4, 6, NULL), PBY_OK);
    cr_assert_eq(pby_weights_get_text(&text, w, 0, NULL), PBY_OK);
    cr_assert_str_eq(text, "8/3");
    free(text);
    cr_assert_eq(pby_weights_level_text(&text, w, NULL), PBY_OK);
    cr_assert_str_eq(text, "7/3");
    free(text);
    pby_weights_free(w);
}

Test(weights, need_a_bar)
{
    pby_weights *w;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_weights_new(&w, NULL, 0, 3, &err), PBY_BAD);
    cr_assert_null(w);
    cr_assert_str_eq(err.text, "measured: expected at least one bar");
}
