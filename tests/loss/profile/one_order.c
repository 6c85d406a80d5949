/* SPDX-License-Identifier: MIT */
/* The most that a promise about Renyi divergences lets a mechanism lose, against grids of coins and formulas.
 */
#include "loss/profile/one_order.h"
#include "probity/compat.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probity.h"
#include "tests/loss/ask.h"

/* F(p, q) of the promise in doubles, for the search alone. */
static double renyi_sum(double p, double q, double a)
{
    return pow(p, a) * pow(q, 1 - a) + pow(1 - p, a) * pow(1 - q, 1 - a);
}

/* The greatest p - x q over a grid of coins that keep the promise, and the coins. q runs over powers and over
 * even steps; the p of each q is found by bisection. */
static double best_on_grid(double *best_p, double *best_q, double a, double r, double x)
{
    const double most = exp((a - 1) * r);
    double best = 0;
    for (int i = 1; i < 1200; i++) {
        const double q = i < 800 ? exp(-45.0 * i / 800) : (i - 800) / 400.0 * 0.999 + 1e-4;
        double low = q, high = 1;
        for (int k = 0; k < 90; k++) {
            const double p = (low + high) / 2;
            if (renyi_sum(p, q, a) <= most && renyi_sum(q, p, a) <= most)
                low = p;
            else
                high = p;
        }
        if (low - x * q > best) {
            best = low - x * q;
            *best_p = low;
            *best_q = q;
        }
    }
    return best;
}

static void read_promise(pby_one_order *one, const char *order, const char *most)
{
    cr_assert_eq(fmpq_set_str(one->order, order, 10), 0);
    cr_assert_eq(fmpq_set_str(one->most, most, 10), 0);
}

/* No coins of a fine grid lose more, and the best of them lose nearly as much. */
Test(one_order, no_coins_lose_more)
{
    static const char *const promise[][2] = {{"2", "2"},  {"2", "1/2"},   {"10", "1/10"}, {"3/2", "1/100"},
                                             {"40", "3"}, {"11/10", "1"}, {"5", "1/1000"}};
    static const double epsilon[] = {0, 0.1, 0.324, 1, 1.25, 3};
    pby_one_order one;
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    pby_one_order_init(&one);
    for (size_t i = 0; i < sizeof promise / sizeof *promise; i++)
        for (size_t j = 0; j < sizeof epsilon / sizeof *epsilon; j++) {
            double p = 0, q = 0;
            read_promise(&one, promise[i][0], promise[i][1]);
            const double a = fmpq_get_d(one.order), r = fmpq_get_d(one.most);
            const double found = best_on_grid(&p, &q, a, r, exp(epsilon[j]));
            fmpq_set_si(at, (slong)round(1000 * epsilon[j]), 1000);
            pby_one_order_delta(ball, &one, at, 128);
            cr_assert_gt(arb_rel_accuracy_bits(ball), 60, "order %s, eps %s", promise[i][0], promise[i][1]);
            const double delta = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
            cr_assert(found <= delta * (1 + 1e-9) && found >= delta * 0.97 - 1e-15,
                      "order %s, eps %s at %g: %.12g on the grid, %.12g", promise[i][0], promise[i][1],
                      epsilon[j], found, delta);
        }
    pby_one_order_clear(&one);
    arb_clear(ball);
    fmpq_clear(at);
}

/* Exact: rational coins of a coarse grid whose sums of whole powers keep the promise with order 2 or 3. */
Test(one_order, rational_coins_stay_below)
{
    enum { STEPS = 40 };
    pby_one_order one;
    fmpq_t p, q, at, delta;
    arb_t ball, x, end;
    unsigned kept = 0;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(at);
    fmpq_init(delta);
    arb_init(ball);
    arb_init(x);
    arb_init(end);
    pby_one_order_init(&one);
    read_promise(&one, "3", "1/3");
    fmpq_set_si(at, 1, 2);
    pby_one_order_delta(ball, &one, at, 128);
    for (slong i = 1; i < STEPS; i++)
        for (slong j = 1; j < STEPS; j++) {
            fmpq_set_si(p, i, STEPS);
            fmpq_set_si(q, j, STEPS);
            if (!pby_one_order_keeps(&one, p, q, 128))
                continue;
            /* p^3/q^2 + (1-p)^3/(1-q)^2 <= exp(2/3) < 1.9478 */
            const double sum = pow((double)i / STEPS, 3) / pow((double)j / STEPS, 2) +
                               pow(1 - (double)i / STEPS, 3) / pow(1 - (double)j / STEPS, 2);
            cr_assert_lt(sum, 1.9478);
            kept++;
            arb_set_fmpq(x, at, 128);
            arb_exp(x, x, 128);
            arb_mul_si(x, x, j, 128);
            arb_sub_si(x, x, i, 128);
            arb_div_si(x, x, -STEPS, 128);
            cr_assert_not(arb_gt(x, ball), "coins %ld and %ld of %d", i, j, STEPS);
        }
    cr_assert_gt(kept, 200);
    pby_one_order_clear(&one);
    arb_clear(end);
    arb_clear(x);
    arb_clear(ball);
    fmpq_clear(delta);
    fmpq_clear(at);
    fmpq_clear(q);
    fmpq_clear(p);
}

/* The coins behind the lower end keep the promise, by a check of its own, and lose as much. */
Test(one_order, the_coins_attain_it)
{
    static const char *const promise[][2] = {{"2", "2"}, {"10", "1/10"}, {"3/2", "1/100"}, {"40", "3"}};
    static const char *const epsilon[] = {"0", "1/10", "1", "5/4"};
    pby_one_order one;
    fmpq_t p, q, at;
    arb_t ball, x, loses;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(at);
    arb_init(ball);
    arb_init(x);
    arb_init(loses);
    pby_one_order_init(&one);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            read_promise(&one, promise[i][0], promise[i][1]);
            fmpq_set_str(at, epsilon[j], 10);
            pby_one_order_delta(ball, &one, at, 100);
            pby_one_order_coins(p, q, &one, at, 100);
            cr_assert(pby_one_order_keeps(&one, p, q, 1000));
            arb_set_fmpq(x, at, 400);
            arb_exp(x, x, 400);
            arb_set_fmpq(loses, q, 400);
            arb_mul(x, x, loses, 400);
            arb_set_fmpq(loses, p, 400);
            arb_sub(loses, loses, x, 400);
            cr_assert(arb_contains(ball, loses) || arb_overlaps(ball, loses), "order %s at %s", promise[i][0],
                      epsilon[j]);
        }
    pby_one_order_clear(&one);
    arb_clear(loses);
    arb_clear(x);
    arb_clear(ball);
    fmpq_clear(at);
    fmpq_clear(q);
    fmpq_clear(p);
}

/* ---- what the command answers -------------------------------------------------------------------- */

static void expect_ends(pby_question question, const char *spec, const char *at, double lo, double hi,
                        double within)
{
    pby_spec *s = NULL;
    pby_decimals d;
    cr_assert_eq(pby_spec_parse(&s, &spec, 1, NULL), PBY_OK);
    cr_assert_eq(pby_loss_text(&d, NULL, question, s, PBY_ADD_REMOVE, at, NULL, 12, NULL), PBY_OK, "%s",
                 spec);
    const double low = strtod(d.lo, NULL), high = strtod(d.hi, NULL);
    cr_assert(fabs(low - lo) <= within * lo && fabs(high - hi) <= within * hi && low <= high,
              "%s at %s: [%s, %s]", spec, at, d.lo, d.hi);
    pby_spec_free(s);
}

Test(one_order, promises_are_enclosed)
{
    expect_ends(PBY_ASK_EPSILON, "rdp:order=10,eps=1/10", "1e-6", 1.21587749, 1.21587749, 5e-9);
    expect_ends(PBY_ASK_DELTA, "rdp:order=10,eps=1/10", "5/4", 7.35565329e-7, 7.35565329e-7, 5e-9);
    expect_ends(PBY_ASK_DELTA, "rdp:order=2,eps=1/2", "0", 0.373561676, 0.373561676, 5e-9);
    expect_ends(PBY_ASK_DELTA, "rdp:order=2,eps=2", "81/250", 0.742919814, 0.742919814, 5e-9);
    expect_ends(PBY_ASK_EPSILON, "zcdp:rho=1/10", "1e-6", 2.14193855, 2.14193855, 5e-9);
    expect_ends(PBY_ASK_EPSILON, "10*rdp:order=10,eps=1/100", "1e-6", 1.16718, 1.21587750, 2e-4);
}

/* Below epsilon 0, delta at 1, and delta from 1 on. */
Test(one_order, the_ends_of_the_line)
{
    expect_ends(PBY_ASK_DELTA, "rdp:order=10,eps=1/10", "-1/2", 0.393858852, 0.393858852, 5e-9);
    expect_ends(PBY_ASK_EPSILON, "zcdp:rho=1/10", "1/2", -0.651749758, -0.651749758, -5e-9);
}

/* The largest divergence that keeps (1, 1e-6) at order 10, by the convex formula and by the command. */
Test(one_order, back_from_epsilon_and_delta)
{
    double least = INFINITY;
    for (int i = 1; i < 200000; i++) {
        const double q = exp(-40.0 * i / 200000), p = 1e-6 + M_E * q;
        if (p < 1)
            least = fmin(least, log(renyi_sum(p, q, 10)) / 9);
    }
    cr_assert_float_eq(least, 0.0210959448, 1e-9);
    expect_ends(PBY_ASK_EPSILON, "rdp:order=10,eps=210959448/10000000000", "1e-6", 1, 1, 1e-8);
}

/* A zCDP promise holds at every order: no order's coins alone may lose less than the lower end. */
Test(one_order, zcdp_lies_below_every_order)
{
    static const char *const orders[] = {"3/2", "2", "4", "8", "12", "20", "60"};
    pby_one_order one;
    fmpq_t at, rho;
    arb_t ball, promise;
    fmpq_init(at);
    fmpq_init(rho);
    arb_init(ball);
    arb_init(promise);
    pby_one_order_init(&one);
    fmpq_set_si(at, 1, 1);
    fmpq_set_si(rho, 1, 10);
    ask_delta(promise, "zcdp:rho=1/10", at, 12);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        fmpq_set_str(one.order, orders[i], 10);
        fmpq_mul(one.most, one.order, rho);
        pby_one_order_delta(ball, &one, at, 100);
        cr_assert(arb_le(promise, ball), "order %s", orders[i]);
    }
    pby_one_order_clear(&one);
    arb_clear(promise);
    arb_clear(ball);
    fmpq_clear(rho);
    fmpq_clear(at);
}
