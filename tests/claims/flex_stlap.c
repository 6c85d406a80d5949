/* SPDX-License-Identifier: MIT */
/* [Flex] Algorithm 1 and the statements about its privacy: Theorem 3, Lemma 5, Claims 2, 3 and 9, Corollary
 * 3, Lemma 11. */
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"

/* exp(epsilon) where exp(-epsilon/4) = 2^-m. */
static void base(mpq_t r, mpq_t x, unsigned long m)
{
    mpq_set_ui(r, 1, 1);
    mpq_div_2exp(r, r, m);
    claims_power(x, r, -4);
}

/* tau = 1/2 and two records in one bar: q = 1, z is in the lower half of [-1, 0] with chance 1/2, and rounds
 * to -1. One record: q = 1/2, and z rounds to 0. So 2 is released with chance 1/2 from two records, and never
 * from one, at every epsilon. With epsilon tau n >= 2 at both sizes (epsilon >= 4) the theorem promises
 * epsilon exp(-c epsilon) for some c > 0, which goes to 0; here epsilon = 40 log 2 and c = 1/2, the c of
 * Corollary 3.
 * claims: Flex/Theorem 3; Flex/Theorem 4; Flex/Theorem 5; Flex/Theorem 6; Flex/Corollary 1; Flex/Corollary 2
 */
Test(claims_flex, half_of_the_releases_give_one_record_away)
{
    static const unsigned two[] = {2}, one[] = {1};
    exact_law p, q;
    mpq_t r, x, found, promised;
    mpq_inits(r, x, found, promised, NULL);
    exact_init(&p, 3);
    exact_init(&q, 3);
    base(r, x, 10);
    claims_release(&p, r, two, 1, 2);
    claims_release(&q, r, one, 1, 2);
    cr_assert(exact_is_law(&p) && exact_is_law(&q));
    exact_delta(found, &p, &q, x);
    mpq_set_ui(promised, 1, 2);
    cr_assert(claims_eq("Flex/Theorem 4; Flex/Theorem 5; Flex/Theorem 6; Flex/Corollary 1; Flex/Corollary 2",
                        found, promised));
    mpq_set_ui(promised, 28, 1); /* 40 log 2 < 28, and exp(-20 log 2) = 2^-20 */
    mpq_div_2exp(promised, promised, 20);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Flex/Theorem 3 (privacy)", found, promised);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(r, x, found, promised, NULL);
}

/* Three bars, five records against six, epsilon = 12 log 2: the bars that nobody touched change their noise
 * too.
 * claims: Flex/Corollary 3; Flex/Lemma 5; Flex/Lemma 11; Flex/Remark 6 */
Test(claims_flex, bars_that_nobody_touched_give_the_size_away)
{
    static const unsigned six[] = {2, 2, 2}, five[] = {1, 2, 2};
    exact_law p, q;
    mpq_t r, x, found, promised;
    mpq_inits(r, x, found, promised, NULL);
    exact_init(&p, 27);
    exact_init(&q, 27);
    base(r, x, 3);
    claims_release(&p, r, six, 3, 2);
    claims_release(&q, r, five, 3, 2);
    cr_assert(exact_is_law(&p) && exact_is_law(&q));
    claims_corollary_3(promised, r, 5); /* the larger of the two sizes' promises */
    exact_delta(found, &p, &q, x);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Flex/Corollary 3", found, promised);
    claims_tell("Flex/Lemma 5", found, promised);
    /* exp(epsilon nu) = 5/4 > 1 + 1/5. */
    mpq_set_ui(r, 5, 4);
    mpq_mul(x, x, r);
    exact_delta(found, &p, &q, x);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Flex/Lemma 11", found, promised);
    claims_tell("Flex/Remark 6", found, promised);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(r, x, found, promised, NULL);
}

/* Unrounded, epsilon = 4 log 2, x' = (2, 1) and x = (3, 1) or any with bars 1 and 2 occupied: n = 3, q' =
 * 3/2, q = 2. S: the touched bar's noise in [-1, -3/4], the other's in [-3/4, 0]; this is within S2, which is
 * [-1, 0] in the touched bar.
 * claims: Flex/Claim 2 */
Test(claims_flex, the_ratio_of_the_other_bars_is_not_one)
{
    mpq_t r, x, here, there, t;
    mpq_inits(r, x, here, there, t, NULL);
    base(r, x, 1);
    claims_noise(here, r, 6, -4, -3); /* touched, on x' */
    claims_noise(t, r, 6, -3, 0);
    mpq_mul(here, here, t);
    claims_noise(there, r, 8, -8, -7); /* the same values seen from one record more */
    claims_noise(t, r, 8, -3, 0);
    mpq_mul(there, there, t);
    cr_assert_eq(mpq_cmp_ui(here, 1, 7), 0);
    cr_assert_eq(mpq_cmp_ui(there, 7, 900), 0);
    /* The condition n >= ..., as Claim 9 rewrites it: (1 - u^4)/(1 - u^3) <= 1/u for u = exp(-epsilon tau/2)
     * = 1/2. */
    mpq_set_ui(t, 15, 14);
    cr_assert(mpq_cmp_ui(t, 2, 1) <= 0);
    mpq_mul(there, there, x);
    cr_assert(mpq_cmp(here, there) > 0);
    claims_tell("Flex/Claim 2", here, there);
    mpq_clears(r, x, here, there, t, NULL);
}

/* The chance of S1, [-q', -q' + 1 - tau) in the touched bar, for the q' of the input that is run: at most
 * Corollary 3's delta with that q'. epsilon = 4 m log 2, n to 12; and epsilon = 4 log(1/r), r = 1 - 1/100 and
 * more, where the formula gives least away.
 * claims: Flex/Claim 3 */
Test(claims_flex, what_only_one_side_can_show_is_within_the_formula)
{
    mpq_t r, x, mass, promised;
    mpq_inits(r, x, mass, promised, NULL);
    for (unsigned long m = 1; m <= 6; m++)
        for (unsigned n = 1; n <= 12; n++) {
            base(r, x, m);
            claims_noise(mass, r, 2 * (long)n, -2 * (long)n, -2 * (long)n + 2);
            claims_corollary_3(promised, r, n);
            cr_assert(claims_le("Flex/Claim 3", mass, promised), "m = %lu, n = %u", m, n);
        }
    for (unsigned long m = 2; m <= 100; m += 7)
        for (unsigned n = 1; n <= 12; n++) {
            mpq_set_ui(r, m - 1, m);
            claims_noise(mass, r, 2 * (long)n, -2 * (long)n, -2 * (long)n + 2);
            claims_corollary_3(promised, r, n);
            cr_assert(claims_le("Flex/Claim 3", mass, promised), "r = 1 - 1/%lu, n = %u", m, n);
        }
    mpq_clears(r, x, mass, promised, NULL);
}

/* u = exp(-epsilon tau/2) and w = exp(epsilon nu) over rationals: u^-n >= 1 + (1-u)/(w/u - 1) exactly where
 * (1 - u^(n+1))/(1 - u^n) <= w/u.
 * claims: Flex/Claim 9 */
Test(claims_flex, the_condition_on_n_is_the_bound_of_the_quotient)
{
    mpq_t u, w, un, left, right, one;
    mpq_inits(u, w, un, left, right, one, NULL);
    mpq_set_ui(one, 1, 1);
    int both[2] = {0, 0};
    for (unsigned long i = 1; i < 12; i++)
        for (unsigned long k = 20; k < 40; k++)
            for (long n = 1; n < 12; n++) {
                mpq_set_ui(u, i, 12);
                mpq_canonicalize(u);
                mpq_set_ui(w, k, 20);
                mpq_canonicalize(w);
                mpq_div(w, w, u);
                claims_power(un, u, n);
                mpq_sub(left, one, u);
                mpq_sub(right, w, one);
                mpq_div(left, left, right);
                mpq_add(left, left, one);
                mpq_inv(right, un);
                const bool enough = mpq_cmp(right, left) >= 0;
                mpq_mul(left, un, u);
                mpq_sub(left, one, left);
                mpq_sub(right, one, un);
                mpq_div(left, left, right);
                cr_assert(claims_is("Flex/Claim 9", enough == (mpq_cmp(left, w) <= 0)));
                both[enough]++;
            }
    cr_assert(both[0] > 0 && both[1] > 0);
    mpq_clears(u, w, un, left, right, one, NULL);
}
