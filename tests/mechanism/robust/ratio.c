/* SPDX-License-Identifier: MIT */
/* The ratio that robust noise allows, against all laws of the input: by linear programming, in rationals. */
#include <arb.h>
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>

#include "number/ball.h"
#include "probity/experimental/robust.h"
#include "tests/claims/decide.h"
#include "tests/exact/lp.h"

/* ---- noise of a rational ratio a --------------------------------------------------------------- */

static void power(mpq_t out, mpq_srcptr a, long n)
{
    mpq_set_ui(out, 1, 1);
    for (long i = 0; i < labs(n); i++)
        mpq_mul(out, out, a);
    if (n < 0)
        mpq_inv(out, out);
}

/* (1-a)/(1+a) a^|s| */
static void mass(mpq_t out, mpq_srcptr a, long s)
{
    mpq_t x;
    mpq_init(x);
    power(out, a, labs(s));
    mpq_set_ui(x, 1, 1);
    mpq_sub(x, x, a);
    mpq_mul(out, out, x);
    mpq_set_ui(x, 1, 1);
    mpq_add(x, x, a);
    mpq_div(out, out, x);
    mpq_clear(x);
}

/* P(R <= s) */
static void below(mpq_t out, mpq_srcptr a, long s)
{
    mpq_t x;
    mpq_init(x);
    mpq_set_ui(x, 1, 1);
    mpq_add(x, x, a);
    power(out, a, s < 0 ? -s : s + 1);
    mpq_div(out, out, x);
    if (s >= 0) {
        mpq_set_ui(x, 1, 1);
        mpq_sub(out, x, out);
    }
    mpq_clear(x);
}

/* The ratio at h, by its two sums. */
static void ratio_at(mpq_t out, mpq_srcptr a, long k, long h)
{
    mpq_t x, inner;
    mpq_inits(x, inner, NULL);
    mpq_set_ui(out, 0, 1);
    for (long s = -h - k; s <= h + k; s++) {
        power(x, a, s);
        mpq_add(out, out, x);
        power(x, a, labs(s));
        if (labs(s) <= h)
            mpq_add(inner, inner, x);
    }
    mpq_div(out, out, inner);
    mpq_clears(x, inner, NULL);
}

static void least_ratio(mpq_t out, mpq_srcptr a, long k)
{
    mpq_t x;
    mpq_init(x);
    ratio_at(out, a, k, 0);
    for (long h = 1; h < 40; h++) {
        ratio_at(x, a, k, h);
        if (mpq_cmp(x, out) < 0)
            mpq_set(out, x);
    }
    mpq_clear(x);
}

/* The greatest p(0)/q(0) of two laws u and v of inputs from -reach to reach whose outputs p and q are within
 * k: the cdfs say so, P(x) <= Q(x + k) and Q(x) <= P(x + k), and behind the inputs both go on by powers of a.
 * Both are scaled so that q(0) = 1. */
static void greatest(mpq_t out, mpq_srcptr a, long k, long reach)
{
    const size_t n = (size_t)(2 * reach + 1), places = (size_t)(2 * (reach + k) + 2);
    exact_lp lp;
    mpq_t x;
    mpq_init(x);
    exact_lp_init(&lp, 2 * places + 2, 2 * n + 2 * places);
    for (size_t i = 0; i < n; i++) {
        const long c = (long)i - reach;
        for (size_t row = 0; row < places; row++) {
            const long at = (long)row - reach - k - 1;
            below(x, a, at - c);
            mpq_set(exact_lp_at(&lp, 2 * row, i), x);
            mpq_set(exact_lp_at(&lp, 2 * row + 1, n + i), x);
            below(x, a, at + k - c);
            mpq_neg(x, x);
            mpq_set(exact_lp_at(&lp, 2 * row, n + i), x);
            mpq_set(exact_lp_at(&lp, 2 * row + 1, i), x);
        }
        mpq_set_si(exact_lp_at(&lp, 2 * places, i), 1, 1);
        mpq_set_si(exact_lp_at(&lp, 2 * places, n + i), -1, 1);
        mass(x, a, c);
        mpq_set(exact_lp_at(&lp, 2 * places + 1, n + i), x);
        mpq_set(lp.c[i], x);
    }
    for (size_t row = 0; row < 2 * places; row++)
        mpq_set_ui(exact_lp_at(&lp, row, 2 * n + row), 1, 1);
    mpq_set_ui(lp.b[2 * places + 1], 1, 1);
    cr_assert_eq(exact_lp_solve(&lp, out, NULL), EXACT_OPTIMAL);
    exact_lp_clear(&lp);
    mpq_clear(x);
}

/* claims: Robust/Lemma 1; Robust/Theorem 1; Robust/Theorem 2; Robust/Theorem 7 */
Test(robust, no_two_laws_have_a_greater_ratio_and_some_have_it)
{
    static const struct {
        unsigned long num, den;
        long k, reach;
    } cases[] = {{1, 2, 1, 3}, {2, 3, 1, 3}, {1, 3, 2, 3}, {3, 4, 1, 4}, {1, 2, 2, 4}};
    mpq_t a, least, found;
    mpq_inits(a, least, found, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mpq_set_ui(a, cases[i].num, cases[i].den);
        least_ratio(least, a, cases[i].k);
        greatest(found, a, cases[i].k, cases[i].reach);
        cr_expect(claims_eq(CLAIMS_ALL, found, least), "case %zu: %g, and the bound is %g", i,
                  mpq_get_d(found), mpq_get_d(least));
    }
    mpq_clears(a, least, found, NULL);
}

/* ---- the library ------------------------------------------------------------------------------- */

static void ends(mpq_t lo, mpq_t hi, const pby_enclosure *x)
{
    mpfr_get_q(lo, x->lo);
    mpfr_get_q(hi, x->hi);
}

/* The logarithm of the least ratio over h, the sums in balls. */
static void brute_epsilon(arb_t out, mpq_srcptr rho, mpq_srcptr scale, mpq_srcptr grid)
{
    enum { PREC = 200, H = 400 };
    arb_t outer, inner, x, y;
    mpq_t steps;
    mpq_init(steps);
    mpq_div(steps, rho, grid);
    const long k = (long)(mpz_get_ui(mpq_numref(steps)) / mpz_get_ui(mpq_denref(steps)));
    arb_init(outer);
    arb_init(inner);
    arb_init(x);
    arb_init(y);
    mpq_div(steps, grid, scale);
    fmpq_t rate;
    fmpq_init(rate);
    fmpq_set_mpq(rate, steps);
    arb_one(outer);
    for (long s = 1; s <= k; s++) {
        arb_set_fmpq(x, rate, PREC);
        arb_mul_si(x, x, s, PREC);
        arb_cosh(x, x, PREC);
        arb_addmul_si(outer, x, 2, PREC);
    }
    arb_one(inner);
    arb_pos_inf(out);
    for (long h = 0; h < H; h++) {
        arb_div(x, outer, inner, PREC);
        arb_min(out, out, x, PREC);
        arb_set_fmpq(x, rate, PREC);
        arb_mul_si(y, x, h + k + 1, PREC);
        arb_cosh(y, y, PREC);
        arb_addmul_si(outer, y, 2, PREC);
        arb_mul_si(y, x, -h - 1, PREC);
        arb_exp(y, y, PREC);
        arb_addmul_si(inner, y, 2, PREC);
    }
    arb_log(out, out, PREC);
    fmpq_clear(rate);
    arb_clear(y);
    arb_clear(x);
    arb_clear(inner);
    arb_clear(outer);
    mpq_clear(steps);
}

Test(robust, epsilon_is_the_logarithm_of_the_least_ratio)
{
    flint_rand_t state;
    mpq_t rho, scale, grid, lo, hi;
    pby_enclosure found;
    arb_t brute, ball;
    flint_randinit(state);
    mpq_inits(rho, scale, grid, lo, hi, NULL);
    pby_enclosure_init(&found);
    arb_init(brute);
    arb_init(ball);
    for (int round = 0; round < 60; round++) {
        mpq_set_ui(grid, 1 + n_randint(state, 3), 1 + n_randint(state, 3));
        mpq_set_ui(rho, 1 + n_randint(state, 40), 1 + n_randint(state, 5));
        mpq_set_ui(scale, 1 + n_randint(state, 60), 1 + n_randint(state, 8));
        mpq_canonicalize(grid);
        mpq_canonicalize(rho);
        mpq_canonicalize(scale);
        cr_assert_eq(pby_robust_epsilon(&found, rho, scale, grid, 20, NULL), PBY_OK);
        brute_epsilon(brute, rho, scale, grid);
        ends(lo, hi, &found);
        arb_set_interval_mpfr(ball, found.lo, found.hi, 200);
        cr_assert(arb_overlaps(ball, brute), "round %d", round);
        cr_assert(mpq_cmp(rho, grid) >= 0 ? mpq_sgn(lo) > 0 : mpq_sgn(hi) == 0);
    }
    arb_clear(ball);
    arb_clear(brute);
    pby_enclosure_clear(&found);
    mpq_clears(rho, scale, grid, lo, hi, NULL);
    flint_randclear(state);
}

/* The scale is robust, one by a part in 2^14 smaller is not, and on the line of all reals rho/log cosh(eps)
 * would be needed, which is more. */
Test(robust, the_scale_is_the_least)
{
    static const char *const cases[][3] = {{"1", "1", "1"},       {"5/2", "1/2", "1/4"}, {"1", "1/1000", "1"},
                                           {"1000", "3", "1"},    {"7", "20", "2"},      {"3", "1/10", "3"},
                                           {"1/3", "2/7", "1/9"}, {"100000", "1/5", "1"}};
    mpq_t rho, eps, grid, scale, lo, hi;
    pby_enclosure found;
    arb_t line, x;
    fmpq_t e;
    mpq_inits(rho, eps, grid, scale, lo, hi, NULL);
    pby_enclosure_init(&found);
    arb_init(line);
    arb_init(x);
    fmpq_init(e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert(mpq_set_str(rho, cases[i][0], 10) == 0 && mpq_set_str(eps, cases[i][1], 10) == 0 &&
                  mpq_set_str(grid, cases[i][2], 10) == 0);
        cr_assert_eq(pby_robust_scale(scale, rho, eps, grid, NULL), PBY_OK);
        cr_assert_eq(pby_robust_epsilon(&found, rho, scale, grid, 12, NULL), PBY_OK);
        ends(lo, hi, &found);
        cr_assert(mpq_cmp(hi, eps) <= 0, "case %zu: not robust", i);
        fmpq_set_mpq(e, eps);
        arb_set_fmpq(line, e, 200);
        arb_cosh(line, line, 200);
        arb_log(line, line, 200);
        fmpq_set_mpq(e, scale);
        arb_mul_fmpz(line, line, fmpq_numref(e), 200);
        arb_div_fmpz(line, line, fmpq_denref(e), 200);
        fmpq_set_mpq(e, rho);
        arb_set_fmpq(x, e, 200);
        arb_div(line, line, x, 200); /* scale/(rho/log cosh eps) */
        cr_assert_lt(arf_get_d(arb_midref(line), ARF_RND_NEAR), 1 + 1e-4, "case %zu", i);
        mpq_set_ui(lo, (1 << 14) - 1, 1 << 14);
        mpq_mul(scale, scale, lo);
        cr_assert_eq(pby_robust_epsilon(&found, rho, scale, grid, 12, NULL), PBY_OK);
        ends(lo, hi, &found);
        cr_assert(mpq_cmp(lo, eps) > 0, "case %zu: not the least", i);
    }
    fmpq_clear(e);
    arb_clear(x);
    arb_clear(line);
    pby_enclosure_clear(&found);
    mpq_clears(rho, eps, grid, scale, lo, hi, NULL);
}

/* ---- a mass that may lie anywhere -------------------------------------------------------------- */

enum { REACH = 4, WINDOW = 40, PLACES = 2 * WINDOW + 1 };

/* The output of a law of inputs from -REACH to REACH; the tails stand at the ends. */
static void output_of(mpq_t *out, const ulong *weight, ulong whole, mpq_srcptr a)
{
    mpq_t x, share;
    mpq_inits(x, share, NULL);
    for (long t = -WINDOW; t <= WINDOW; t++) {
        mpq_set_ui(out[t + WINDOW], 0, 1);
        for (long c = -REACH; c <= REACH; c++) {
            if (t == -WINDOW)
                below(x, a, t - c);
            else if (t == WINDOW)
                below(x, a, c - t);
            else
                mass(x, a, t - c);
            mpq_set_ui(share, weight[c + REACH], whole);
            mpq_canonicalize(share);
            mpq_mul(x, x, share);
            mpq_add(out[t + WINDOW], out[t + WINDOW], x);
        }
    }
    mpq_clears(x, share, NULL);
}

/* The mass that cannot be carried within k: the first that still has some to the first that it reaches. */
static void left_over(mpq_t out, mpq_t *p, mpq_t *q, long k)
{
    mpq_t have, room, part, left[PLACES];
    mpq_inits(have, room, part, NULL);
    for (size_t j = 0; j < PLACES; j++) {
        mpq_init(left[j]);
        mpq_set(left[j], q[j]);
    }
    mpq_set_ui(out, 0, 1);
    for (long i = 0; i < PLACES; i++) {
        mpq_set(have, p[i]);
        for (long j = i - k < 0 ? 0 : i - k; j <= i + k && j < PLACES; j++) {
            mpq_set(part, mpq_cmp(have, left[j]) < 0 ? have : left[j]);
            mpq_sub(have, have, part);
            mpq_sub(left[j], left[j], part);
        }
        mpq_add(out, out, have);
    }
    for (size_t j = 0; j < PLACES; j++)
        mpq_clear(left[j]);
    mpq_clears(have, room, part, NULL);
}

/* theta (2h+1) over the sum of a^|s|, at every h: no two laws have a delta above it at log E_h.
 * claims: Robust/Lemma 1; Robust/Theorem 1; Robust/Theorem 2; Robust/Theorem 7 */
Test(robust, a_lost_mass_costs_no_more_than_its_share)
{
    static const unsigned long ratios[][2] = {{1, 2}, {2, 3}, {3, 4}};
    flint_rand_t state;
    mpq_t a, theta, x, sum, share, p[PLACES], q[PLACES];
    double closest = 0;
    flint_randinit(state);
    mpq_inits(a, theta, x, sum, share, NULL);
    for (size_t i = 0; i < PLACES; i++)
        mpq_inits(p[i], q[i], NULL);
    for (int round = 0; round < 60; round++) {
        ulong weight[2][2 * REACH + 1], whole[2] = {0, 0};
        const long k = 1 + (long)n_randint(state, 2);
        mpq_set_ui(a, ratios[round % 3][0], ratios[round % 3][1]);
        for (size_t i = 0; i < 2 * (2 * REACH + 1); i++) {
            weight[i / (2 * REACH + 1)][i % (2 * REACH + 1)] = n_randint(state, 3) == 0 ? n_randint(state, 9)
                                                                                        : 0;
            whole[i / (2 * REACH + 1)] += weight[i / (2 * REACH + 1)][i % (2 * REACH + 1)];
        }
        for (size_t side = 0; side < 2; side++)
            if (whole[side] == 0)
                whole[side] = weight[side][REACH] = 1;
        output_of(p, weight[0], whole[0], a);
        output_of(q, weight[1], whole[1], a);
        left_over(theta, p, q, k);
        for (long h = 0; h < 6; h++) {
            mpq_t ratio;
            mpq_init(ratio);
            ratio_at(ratio, a, k, h);
            mpq_set_ui(sum, 0, 1);
            for (size_t i = 0; i < PLACES; i++) {
                mpq_mul(x, ratio, q[i]);
                mpq_sub(x, p[i], x);
                if (mpq_sgn(x) > 0)
                    mpq_add(sum, sum, x);
            }
            mpq_set_ui(share, 0, 1);
            for (long s = -h; s <= h; s++) {
                power(x, a, labs(s));
                mpq_add(share, share, x);
            }
            mpq_set_si(x, 2 * h + 1, 1);
            mpq_div(share, x, share);
            mpq_mul(share, share, theta);
            cr_assert(claims_le(CLAIMS_ALL, sum, share), "round %d, h %ld: %g above %g", round, h,
                      mpq_get_d(sum), mpq_get_d(share));
            if (mpq_sgn(share) > 0 && mpq_get_d(sum) / mpq_get_d(share) > closest)
                closest = mpq_get_d(sum) / mpq_get_d(share);
            mpq_clear(ratio);
        }
    }
    cr_assert_gt(closest, 0.05); /* some come near enough that the test can fail */
    for (size_t i = 0; i < PLACES; i++)
        mpq_clears(p[i], q[i], NULL);
    mpq_clears(a, theta, x, sum, share, NULL);
    flint_randclear(state);
}

/* At the scale's own epsilon: the share at the least h that it is robust by. */
Test(robust, theta_is_the_share_of_the_least_h)
{
    pby_decimals factor;
    char *scale;
    cr_assert_eq(pby_robust_scale_text(&scale, "1", "1", "1", NULL), PBY_OK);
    cr_assert_str_eq(scale, "131072/60705");
    cr_assert_eq(pby_robust_theta_text(&factor, "1", "1", scale, "1", 6, NULL), PBY_OK);
    cr_assert_str_eq(factor.lo, "1.32825"); /* 5 over 1 + 2 a + 2 a^2, a = exp(-60705/131072) */
    cr_assert_str_eq(factor.hi, "1.32826");
    cr_assert_eq(pby_robust_theta_text(&factor, "1", "3", scale, "1", 6, NULL), PBY_OK);
    cr_assert_str_eq(factor.lo, "1"); /* h = 0 is enough */
    cr_assert_eq(pby_robust_theta_text(&factor, "1/2", "1", scale, "1", 6, NULL), PBY_OK);
    cr_assert_str_eq(factor.lo, "1");
    cr_assert_eq(pby_robust_theta_text(&factor, "1", "99/100", scale, "1", 6, NULL), PBY_BAD);
    free(scale);
}

Test(robust, refusals)
{
    char *text;
    pby_decimals x;
    pby_error err;
    cr_assert_eq(pby_robust_scale_text(&text, "1/2", "1", "1", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "rho: expected a rational from the grid on");
    cr_assert_eq(pby_robust_scale_text(&text, "1", "0", "1", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "epsilon: expected a rational above 0");
    cr_assert_eq(pby_robust_scale_text(&text, "1048577", "1", "1", &err), PBY_BAD);
    cr_assert_eq(pby_robust_epsilon_text(&x, "1", "-1", "1", 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "scale: expected a rational above 0");
}
