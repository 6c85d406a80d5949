/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "probity/experimental/buckets.h"
#include "probity/select.h"

/* Points of [0, 10)^d, q = 7: each alpha's plan is within it, and one bucket more along each coordinate is
 * not. */
static void check_alpha(unsigned long n, unsigned long dimension, unsigned long numerator,
                        unsigned long denominator)
{
    pby_plan plan, finer;
    mpq_t q, bound, alpha;
    mpq_inits(q, bound, alpha, (mpq_ptr)0);
    pby_plan_init(&plan);
    pby_plan_init(&finer);
    mpq_set_ui(q, 7, 1);
    mpq_set_ui(bound, 10, 1);
    mpq_set_ui(alpha, numerator, denominator);
    mpq_canonicalize(alpha);
    const pby_bucketed points = {q, bound, n, dimension};
    const pby_status status = pby_plan_alpha(&plan, &points, alpha, NULL);
    mpz_set_ui(finer.side, 1);
    if (status == PBY_OK) {
        cr_assert_leq(mpq_cmp(plan.alpha, alpha), 0);
        mpz_add_ui(finer.side, plan.side, 1);
    }
    cr_assert_eq(pby_plan_side(&finer, &points, finer.side, NULL), PBY_OK);
    cr_assert_gt(mpq_cmp(finer.alpha, alpha), 0, "n %lu, dimension %lu: a finer plan is within too", n,
                 dimension);
    pby_plan_clear(&finer);
    pby_plan_clear(&plan);
    mpq_clears(q, bound, alpha, (mpq_ptr)0);
}

Test(select_plan, the_least_beta_for_an_alpha)
{
    for (unsigned long n = 1; n <= 5000; n += 123)
        for (unsigned long dimension = 1; dimension <= 3; dimension++)
            for (unsigned long percent = 0; percent < 100; percent += 9)
                check_alpha(n, dimension, percent, 100);
}

/* ceil(10/(2 beta)) buckets, the last of which may stick out. */
Test(select_plan, the_least_alpha_for_a_beta)
{
    pby_plan plan;
    mpq_t q, bound, beta;
    mpq_inits(q, bound, beta, (mpq_ptr)0);
    pby_plan_init(&plan);
    mpq_set_ui(q, 7, 1);
    mpq_set_ui(bound, 10, 1);
    const pby_bucketed points = {q, bound, 1000, 2};
    mpq_set_ui(beta, 3, 2);
    cr_assert_eq(pby_plan_beta(&plan, &points, beta, NULL), PBY_OK);
    cr_assert_eq(mpz_cmp_ui(plan.side, 4), 0);
    cr_assert_eq(mpq_cmp_ui(plan.alpha, 16 * 7, 1000), 0);
    cr_assert(mpq_equal(plan.beta, beta));
    mpq_set_ui(beta, 50, 1);
    cr_assert_eq(pby_plan_beta(&plan, &points, beta, NULL), PBY_OK);
    cr_assert_eq(mpz_cmp_ui(plan.side, 1), 0);
    cr_assert_eq(mpq_cmp_ui(plan.beta, 5, 1), 0, "a bucket is never wider than the bound");
    mpq_set_ui(beta, 0, 1);
    cr_assert_eq(pby_plan_beta(&plan, &points, beta, NULL), PBY_BAD);
    pby_plan_clear(&plan);
    mpq_clears(q, bound, beta, (mpq_ptr)0);
}
