/* SPDX-License-Identifier: MIT */
#include "tests/mechanism/curve.h"

#include <criterion/criterion.h>

#include "loss/divergence/divergence.h"
#include "mechanism/family.h"
#include "pair/sided.h"
#include "tests/law/make.h"

enum { PREC = 200 };

void pairs_of(pby_pairs *pairs, const char *text)
{
    pby_spec *spec = NULL;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    const pby_mechanism *m = &spec->use[0].mechanism;
    *pairs = (pby_pairs){NULL, 0};
    cr_assert_eq(pby_mechanism_pairs(pairs, m, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
}

/* A grid and what a curve says of it. */
struct grid {
    const char *spec;
    const pby_curve *curve;
    fmpq_t from, step;
    slong n;
    arb_ptr p, q;
};

static void point(fmpq_t t, const struct grid *g, slong i)
{
    fmpq_mul_si(t, g->step, i);
    fmpq_add(t, t, g->from);
}

static void check_differences(const struct grid *g)
{
    arb_t p0, q0, p1, q1;
    arb_ptr fine_p = _arb_vec_init(g->n), fine_q = _arb_vec_init(g->n);
    fmpq_t t;
    fmpq_init(t);
    arb_init(p0);
    arb_init(q0);
    arb_init(p1);
    arb_init(q1);
    cr_assert_eq(g->curve->class->cells(fine_p, fine_q, g->curve, g->from, g->step, g->n, 2 * PREC, NULL),
                 PBY_OK);
    cr_assert_eq(g->curve->class->tails(p0, q0, g->curve, g->from, PREC, NULL), PBY_OK);
    for (slong i = 0; i < g->n; i++) {
        point(t, g, i + 1);
        cr_assert_eq(g->curve->class->tails(p1, q1, g->curve, t, PREC, NULL), PBY_OK);
        arb_sub(p0, p0, p1, PREC);
        arb_sub(q0, q0, q1, PREC);
        cr_assert(arb_overlaps(p0, g->p + i), "%s: P of cell %ld", g->spec, i);
        cr_assert(arb_overlaps(q0, g->q + i), "%s: Q of cell %ld", g->spec, i);
        cr_assert(arb_overlaps(fine_p + i, g->p + i) && arb_overlaps(fine_q + i, g->q + i));
        arb_swap(p0, p1);
        arb_swap(q0, q1);
    }
    arb_clear(q1);
    arb_clear(p1);
    arb_clear(q0);
    arb_clear(p0);
    fmpq_clear(t);
    _arb_vec_clear(fine_q, g->n);
    _arb_vec_clear(fine_p, g->n);
}

/* exp(left) Q < P <= exp(right) Q */
static void check_ratios(const struct grid *g)
{
    arb_t bound;
    fmpq_t t;
    arb_init(bound);
    fmpq_init(t);
    for (slong i = 0; i < g->n; i++)
        for (int right = 0; right <= 1; right++) {
            point(t, g, i + right);
            arb_set_fmpq(bound, t, PREC);
            arb_exp(bound, bound, PREC);
            arb_mul(bound, bound, g->q + i, PREC);
            cr_assert(right ? !arb_gt(g->p + i, bound) : !arb_lt(g->p + i, bound), "%s: cell %ld", g->spec,
                      i);
        }
    fmpq_clear(t);
    arb_clear(bound);
}

/* |x - y| < 1e-20 */
static bool near(const arb_t x, const arb_t y)
{
    arb_t gap, most;
    arb_init(gap);
    arb_init(most);
    arb_sub(gap, x, y, PREC);
    arb_abs(gap, gap);
    arb_set_str(most, "1e-20", PREC);
    const bool yes = arb_lt(gap, most);
    arb_clear(most);
    arb_clear(gap);
    return yes;
}

static void check_total(const struct grid *g)
{
    arb_t p, q, one;
    arb_init(p);
    arb_init(q);
    arb_init(one);
    arb_one(one);
    for (slong i = 0; i < g->n; i++) {
        arb_add(p, p, g->p + i, PREC);
        arb_add(q, q, g->q + i, PREC);
    }
    cr_assert(near(p, one), "%s: P is not a law on the grid", g->spec);
    cr_assert(near(q, one), "%s: Q is not a law on the grid", g->spec);
    arb_clear(one);
    arb_clear(q);
    arb_clear(p);
}

/* sum of P exp((a-1) left) <= exp((a-1) D_a) <= the same times exp((a-1) step), within 1e-20. For a = 1 the
 * sum of P left <= D_1 <= that + step. */
static void check_renyi(const struct grid *g, const char *order_text)
{
    fmpq_t order, t;
    arb_t sum, value, x;
    fmpq_init(order);
    fmpq_init(t);
    arb_init(sum);
    arb_init(value);
    arb_init(x);
    set_text(order, order_text);
    cr_assert_eq(g->curve->class->renyi(value, g->curve, order, PREC, NULL), PBY_OK);
    fmpq_sub_si(order, order, 1);
    const bool first = fmpq_is_zero(order);
    for (slong i = 0; i < g->n; i++) {
        point(t, g, i);
        if (!first)
            fmpq_mul(t, t, order);
        arb_set_fmpq(x, t, PREC);
        if (!first)
            arb_exp(x, x, PREC);
        arb_addmul(sum, x, g->p + i, PREC);
    }
    if (!first) {
        arb_set_fmpq(x, order, PREC);
        arb_mul(value, value, x, PREC);
        arb_log(sum, sum, PREC);
        fmpq_mul(t, g->step, order);
    } else {
        fmpq_set(t, g->step);
    }
    cr_assert(arb_le(sum, value) || near(sum, value), "%s at order %s", g->spec, order_text);
    arb_set_fmpq(x, t, PREC);
    arb_add(sum, sum, x, PREC);
    cr_assert(arb_ge(sum, value) || near(sum, value), "%s at order %s", g->spec, order_text);
    arb_clear(x);
    arb_clear(value);
    arb_clear(sum);
    fmpq_clear(t);
    fmpq_clear(order);
}

/* At a t where no loss is exactly t or -t the two sides are each other's mirror. */
static void check_symmetry(const struct grid *g)
{
    arb_t p, q, other_p, other_q;
    fmpq_t t;
    arb_init(p);
    arb_init(q);
    arb_init(other_p);
    arb_init(other_q);
    fmpq_init(t);
    for (slong i = -5; i <= 5; i++) {
        fmpq_set_si(t, 1000 * i + 1, 7013);
        cr_assert_eq(g->curve->class->tails(p, q, g->curve, t, PREC, NULL), PBY_OK);
        fmpq_neg(t, t);
        cr_assert_eq(g->curve->class->tails(other_p, other_q, g->curve, t, PREC, NULL), PBY_OK);
        arb_add(p, p, other_q, PREC);
        arb_add(q, q, other_p, PREC);
        cr_assert(arb_contains_si(p, 1) && arb_contains_si(q, 1), "%s", g->spec);
    }
    fmpq_clear(t);
    arb_clear(other_q);
    arb_clear(other_p);
    arb_clear(q);
    arb_clear(p);
}

void check_curve(const char *spec, const char *from, const char *step, slong n)
{
    static const char *const orders[] = {"1", "1.001", "3/2", "2", "7/3", "5"};
    pby_pairs pairs;
    pairs_of(&pairs, spec);
    cr_assert_eq(pairs.count, 1u);
    cr_assert_not_null(pairs.pair[0].curve);
    cr_assert_eq(pairs.pair[0].direction, PBY_BOTH);
    struct grid g = {.spec = spec, .curve = pairs.pair[0].curve, .n = n};
    fmpq_init(g.from);
    fmpq_init(g.step);
    set_text(g.from, from);
    set_text(g.step, step);
    g.p = _arb_vec_init(n);
    g.q = _arb_vec_init(n);
    cr_assert_eq(g.curve->class->cells(g.p, g.q, g.curve, g.from, g.step, n, PREC, NULL), PBY_OK);
    check_differences(&g);
    check_ratios(&g);
    check_total(&g);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        check_renyi(&g, orders[i]);
    check_symmetry(&g);
    _arb_vec_clear(g.q, n);
    _arb_vec_clear(g.p, n);
    fmpq_clear(g.step);
    fmpq_clear(g.from);
    pby_pairs_clear(&pairs);
}

static pby_status planted_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                                pby_error *err)
{
    arb_t wrong;
    const pby_status status = pby_sided_tails(p, q, curve, t, prec, err);
    arb_init(wrong);
    arb_mul_2exp_si(wrong, p, -64);
    arb_add(p, p, wrong, prec);
    arb_clear(wrong);
    return status;
}

void check_direct(const char *spec, const char *epsilon_text)
{
    pby_pairs pairs;
    fmpq_t epsilon;
    arb_t closed, direct, again;
    fmpq_init(epsilon);
    arb_init(closed);
    arb_init(direct);
    arb_init(again);
    set_text(epsilon, epsilon_text);
    pairs_of(&pairs, spec);
    pby_curve *curve = pairs.pair[0].curve;
    cr_assert_eq(pby_curve_hockey_stick(closed, curve, epsilon, 4 * PREC, NULL), PBY_OK);
    cr_assert_eq(curve->class->direct(direct, curve, epsilon, PREC, NULL), PBY_OK);
    cr_assert(arb_overlaps(closed, direct), "%s at %s", spec, epsilon_text);
    cr_assert_geq(arb_rel_accuracy_bits(direct), 100, "%s at %s", spec, epsilon_text);
    pby_curve_class planted = *curve->class;
    planted.tails = planted_tails;
    curve->class = &planted;
    cr_assert_eq(pby_curve_hockey_stick(closed, curve, epsilon, 4 * PREC, NULL), PBY_OK);
    cr_assert_eq(curve->class->direct(again, curve, epsilon, PREC, NULL), PBY_OK);
    cr_assert(arb_equal(direct, again), "%s at %s", spec, epsilon_text);
    cr_assert(arb_is_zero(direct) || !arb_overlaps(closed, direct), "%s at %s", spec, epsilon_text);
    pby_pairs_clear(&pairs);
    arb_clear(again);
    arb_clear(direct);
    arb_clear(closed);
    fmpq_clear(epsilon);
}
