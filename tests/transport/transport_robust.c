/* SPDX-License-Identifier: MIT */
#include "probity/experimental/robust.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/exact/law.h"
#include "tests/exact/lp.h"

enum { INPUTS = 3, OUTPUTS = 4, WHOLE = 12 };

struct random {
    mpq_t chance[INPUTS * OUTPUTS], at[OUTPUTS];
};

static void random_init(struct random *r)
{
    for (size_t i = 0; i < INPUTS * OUTPUTS; i++)
        mpq_init(r->chance[i]);
    for (size_t j = 0; j < OUTPUTS; j++)
        mpq_init(r->at[j]);
}

static void random_clear(struct random *r)
{
    for (size_t i = 0; i < INPUTS * OUTPUTS; i++)
        mpq_clear(r->chance[i]);
    for (size_t j = 0; j < OUTPUTS; j++)
        mpq_clear(r->at[j]);
}

/* Chances in twelfths; outputs in any order. */
static void random_set(struct random *r, flint_rand_t state)
{
    for (size_t i = 0; i < INPUTS; i++) {
        ulong left = WHOLE;
        for (size_t j = 0; j < OUTPUTS; j++) {
            const ulong mass = j + 1 < OUTPUTS ? n_randint(state, left + 1) : left;
            left -= mass;
            mpq_set_ui(r->chance[i * OUTPUTS + j], mass, WHOLE);
            mpq_canonicalize(r->chance[i * OUTPUTS + j]);
        }
    }
    for (size_t j = 0; j < OUTPUTS; j++)
        mpq_set_ui(r->at[j], (j * 5 + 3) % 7, 2); /* 3/2, 1/2, 3, 2 */
    for (size_t j = 0; j < OUTPUTS; j++)
        mpq_canonicalize(r->at[j]);
}

/* The greatest (uM)(A) - x (vM)(A), each set by a programme of its own. uM and vM are coupled, but for theta
 * on either side together, by phi on all pairs; pairs beyond rho must have none. */
static void brute(mpq_t out, const struct random *r, mpq_srcptr rho, mpq_srcptr theta, mpq_srcptr ratio)
{
    const size_t pairs = OUTPUTS * OUTPUTS, columns = 2 * INPUTS + pairs + 2 * OUTPUTS + 1;
    mpq_t x;
    mpq_init(x);
    mpq_set_ui(out, 0, 1);
    for (unsigned set = 1; set < 1u << OUTPUTS; set++) {
        exact_lp lp;
        exact_lp_init(&lp, 2 * OUTPUTS + 4, columns);
        for (size_t i = 0; i < INPUTS; i++)
            for (size_t j = 0; j < OUTPUTS; j++) {
                mpq_srcptr mass = r->chance[i * OUTPUTS + j];
                mpq_set(exact_lp_at(&lp, j, i), mass);
                mpq_set(exact_lp_at(&lp, OUTPUTS + j, INPUTS + i), mass);
                if (set >> j & 1) {
                    mpq_add(lp.c[i], lp.c[i], mass);
                    mpq_mul(x, mass, ratio);
                    mpq_sub(lp.c[INPUTS + i], lp.c[INPUTS + i], x);
                }
            }
        for (size_t k = 0; k < pairs; k++) {
            const size_t j = k / OUTPUTS, l = k % OUTPUTS;
            mpq_sub(x, r->at[j], r->at[l]);
            mpq_abs(x, x);
            mpq_set_si(exact_lp_at(&lp, j, 2 * INPUTS + k), -1, 1);
            mpq_set_si(exact_lp_at(&lp, OUTPUTS + l, 2 * INPUTS + k), -1, 1);
            mpq_set_ui(
                exact_lp_at(&lp, mpq_cmp(x, rho) <= 0 ? 2 * OUTPUTS + 2 : 2 * OUTPUTS + 3, 2 * INPUTS + k), 1,
                1);
        }
        for (size_t j = 0; j < 2 * OUTPUTS; j++)
            mpq_set_si(exact_lp_at(&lp, j, 2 * INPUTS + pairs + j), -1, 1); /* what is lost */
        for (size_t i = 0; i < INPUTS; i++)
            for (size_t side = 0; side < 2; side++)
                mpq_set_ui(exact_lp_at(&lp, 2 * OUTPUTS + side, side * INPUTS + i), 1, 1);
        mpq_set_ui(lp.b[2 * OUTPUTS], 1, 1);
        mpq_set_ui(lp.b[2 * OUTPUTS + 1], 1, 1);
        mpq_set_si(exact_lp_at(&lp, 2 * OUTPUTS + 2, columns - 1), -1, 1);
        mpq_set_ui(x, 1, 1);
        mpq_sub(lp.b[2 * OUTPUTS + 2], x, theta);
        cr_assert_eq(exact_lp_solve(&lp, x, NULL), EXACT_OPTIMAL);
        if (mpq_cmp(x, out) > 0)
            mpq_set(out, x);
        exact_lp_clear(&lp);
    }
    mpq_clear(x);
}

Test(robust_check, is_the_greatest_over_all_laws_and_sets)
{
    static const char *const rhos[] = {"0", "1/2", "1", "3/2"}, *const thetas[] = {"0", "1/20", "1/3"};
    flint_rand_t state;
    struct random r;
    mpq_t rho, theta, ratio, expected, found;
    flint_randinit(state);
    random_init(&r);
    mpq_inits(rho, theta, ratio, expected, found, NULL);
    for (int round = 0; round < 24; round++) {
        random_set(&r, state);
        cr_assert(mpq_set_str(rho, rhos[round % 4], 10) == 0 &&
                  mpq_set_str(theta, thetas[round % 3], 10) == 0);
        mpq_set_ui(ratio, 4 + n_randint(state, 5), 4);
        mpq_canonicalize(ratio);
        const pby_robust_channel c = {*r.chance, *r.at, INPUTS, OUTPUTS};
        cr_assert_eq(pby_robust_delta_at(found, &c, rho, theta, ratio, NULL), PBY_OK);
        brute(expected, &r, rho, theta, ratio);
        cr_assert(mpq_equal(found, expected), "round %d: %g, not %g", round, mpq_get_d(found),
                  mpq_get_d(expected));
    }
    mpq_clears(rho, theta, ratio, expected, found, NULL);
    random_clear(&r);
    flint_randclear(state);
}

/* Where rho reaches everywhere, any two laws are close: the worst are two inputs. */
Test(robust_check, a_wide_rho_is_privacy_between_all_inputs)
{
    flint_rand_t state;
    struct random r;
    exact_law p, q;
    mpq_t rho, theta, ratio, worst, x;
    flint_randinit(state);
    random_init(&r);
    exact_init(&p, OUTPUTS);
    exact_init(&q, OUTPUTS);
    mpq_inits(rho, theta, ratio, worst, x, NULL);
    mpq_set_ui(rho, 9, 1);
    mpq_set_ui(ratio, 3, 2);
    for (int round = 0; round < 10; round++) {
        random_set(&r, state);
        const pby_robust_channel c = {*r.chance, *r.at, INPUTS, OUTPUTS};
        mpq_set_ui(worst, 0, 1);
        for (size_t k = 0; k < INPUTS * INPUTS; k++) {
            for (size_t j = 0; j < OUTPUTS; j++) {
                mpq_set(p.p[j], r.chance[k / INPUTS * OUTPUTS + j]);
                mpq_set(q.p[j], r.chance[k % INPUTS * OUTPUTS + j]);
            }
            exact_hockey(x, &p, &q, ratio);
            if (mpq_cmp(x, worst) > 0)
                mpq_set(worst, x);
        }
        cr_assert_eq(pby_robust_delta_at(x, &c, rho, theta, ratio, NULL), PBY_OK);
        cr_assert(mpq_equal(x, worst));
    }
    mpq_clears(rho, theta, ratio, worst, x, NULL);
    exact_clear(&q);
    exact_clear(&p);
    random_clear(&r);
    flint_randclear(state);
}

Test(robust_check, numbers_as_text)
{
    static const char *const channel[] = {"2/3", "1/3", "1/3", "2/3"}, *const at[] = {"0", "1"};
    const pby_robust_words words = {channel, at, 2, 2};
    pby_decimals found;
    char *exact;
    pby_error err;
    cr_assert_eq(pby_robust_delta_text(&found, &words, "1", "0", "0.5", 6, NULL), PBY_OK);
    cr_assert_str_eq(found.lo, "0.117092"); /* 2/3 - exp(1/2)/3 */
    cr_assert_str_eq(found.hi, "0.117093");
    cr_assert_eq(pby_robust_delta_at_text(&exact, &words, "1/2", "1/9", "1", NULL), PBY_OK);
    cr_assert_str_eq(exact, "1/9"); /* nothing can be carried, so theta is the total variation */
    free(exact);
    cr_assert_eq(pby_robust_delta_at_text(&exact, &words, "1", "2", "1", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "theta: expected a rational from 0 to 1");
    cr_assert_eq(pby_robust_delta_at_text(&exact, &words, "1", "0", "1/2", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "ratio: expected a rational from 1 on");
    const pby_robust_words none = {channel, at, 0, 2}, wide = {channel, at, 1, 13};
    cr_assert_eq(pby_robust_delta_at_text(&exact, &none, "1", "0", "1", &err), PBY_BAD);
    cr_assert_eq(pby_robust_delta_at_text(&exact, &wide, "1", "0", "1", &err), PBY_BAD);
}
