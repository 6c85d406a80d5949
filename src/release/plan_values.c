/* SPDX-License-Identifier: MIT */
#include "release/plan_values.h"

#include "number/scoped.h"

void pby_plan_value_init(pby_plan_value *v)
{
    *v = (pby_plan_value){.some = false};
    mpq_inits(v->value, v->low, v->high, (mpq_ptr)0);
}

void pby_plan_value_clear(pby_plan_value *v)
{
    mpq_clears(v->value, v->low, v->high, (mpq_ptr)0);
}

/* x rounded to an integer: down, up, or to the nearest, halves up. */
enum rounding { DOWN, UP, NEAREST };

static void round_to(mpq_t x, enum rounding way)
{
    PBY_MPZ(n);
    if (way == NEAREST) {
        mpz_mul_2exp(n, mpq_numref(x), 1);
        mpz_add(n, n, mpq_denref(x));
        mpz_mul_2exp(mpq_denref(x), mpq_denref(x), 1);
        mpz_fdiv_q(n, n, mpq_denref(x));
    } else if (way == DOWN)
        mpz_fdiv_q(n, mpq_numref(x), mpq_denref(x));
    else
        mpz_cdiv_q(n, mpq_numref(x), mpq_denref(x));
    mpq_set_z(x, n);
}

static void cut(mpq_t x, mpq_srcptr least, mpq_srcptr most)
{
    if (mpq_cmp(x, least) < 0)
        mpq_set(x, least);
    if (mpq_cmp(x, most) > 0)
        mpq_set(x, most);
}

/* The least and the greatest quotient of a sum within `off` of s and rows within `a` of n, where n - a is at
 * least 1. */
static void quotients(mpq_t low, mpq_t high, mpq_srcptr s, mpq_srcptr off, mpq_srcptr n, mpq_srcptr a)
{
    PBY_MPQ(fewest, most);
    mpq_sub(fewest, n, a);
    mpq_add(most, n, a);
    mpq_sub(low, s, off);
    mpq_div(low, low, mpq_sgn(low) >= 0 ? most : fewest);
    mpq_add(high, s, off);
    mpq_div(high, high, mpq_sgn(high) >= 0 ? fewest : most);
}

/* ---- the kinds ----------------------------------------------------------------------------------- */

static void plain(pby_plan_value *out, int64_t noisy, mpq_srcptr error)
{
    out->some = out->bounded = true;
    mpq_set_si(out->value, noisy, 1);
    mpq_sub(out->low, out->value, error);
    mpq_add(out->high, out->value, error);
}

/* Between the bounds of the column, in steps. */
static void mean(pby_plan_value *out, const pby_plan_column *c, const int64_t *noisy, const mpq_t *error)
{
    PBY_MPQ(rows, sum, left, centre, lo, hi);
    mpq_set_si(rows, noisy[0], 1);
    mpq_set_si(sum, noisy[1], 1);
    mpq_set_si(centre, pby_plan_centre(c), 1);
    mpq_set_si(lo, c->lo, 1);
    mpq_set_si(hi, c->hi, 1);
    out->some = noisy[0] >= 1;
    if (!out->some)
        return;
    mpq_div(out->value, sum, rows);
    mpq_add(out->value, out->value, centre);
    round_to(out->value, NEAREST);
    cut(out->value, lo, hi);
    mpq_sub(left, rows, error[0]);
    out->bounded = mpq_cmp_ui(left, 1, 1) >= 0;
    mpq_set(out->low, lo);
    mpq_set(out->high, hi);
    if (!out->bounded)
        return;
    quotients(out->low, out->high, sum, error[1], rows, error[0]);
    mpq_add(out->low, out->low, centre);
    mpq_add(out->high, out->high, centre);
    round_to(out->low, DOWN);
    round_to(out->high, UP);
    cut(out->low, lo, hi);
    cut(out->high, lo, hi);
}

/* The least and the greatest square of a number between two ends. */
static void squared(mpq_t least, mpq_t most, mpq_srcptr low, mpq_srcptr high)
{
    PBY_MPQ(a, b);
    mpq_mul(a, low, low);
    mpq_mul(b, high, high);
    mpq_set(most, mpq_cmp(a, b) > 0 ? a : b);
    mpq_set(least, mpq_cmp(a, b) > 0 ? b : a);
    if (mpq_sgn(low) <= 0 && mpq_sgn(high) >= 0)
        mpq_set_ui(least, 0, 1);
}

/* floor(R^2/2) + Q/N - (S/N)^2, from 0 to R^2, in squared steps. */
static void variance(pby_plan_value *out, const pby_plan_column *c, const int64_t *noisy, const mpq_t *error)
{
    PBY_MPQ(rows, sum, squares, half, most, none, left, low, high, least, greatest);
    mpq_set_si(rows, noisy[0], 1);
    mpq_set_si(sum, noisy[1], 1);
    mpq_set_si(squares, noisy[2], 1);
    mpq_set_ui(half, pby_plan_half_square(c), 1);
    mpq_set_ui(most, pby_plan_reach(c) * pby_plan_reach(c), 1);
    out->some = noisy[0] >= 1;
    if (!out->some)
        return;
    mpq_div(out->value, squares, rows);
    mpq_add(out->value, out->value, half);
    mpq_div(low, sum, rows);
    mpq_mul(low, low, low);
    mpq_sub(out->value, out->value, low);
    round_to(out->value, NEAREST);
    cut(out->value, none, most);
    mpq_sub(left, rows, error[0]);
    out->bounded = mpq_cmp_ui(left, 1, 1) >= 0;
    mpq_set(out->low, none);
    mpq_set(out->high, most);
    if (!out->bounded)
        return;
    quotients(low, high, sum, error[1], rows, error[0]);
    squared(least, greatest, low, high);
    quotients(out->low, out->high, squares, error[2], rows, error[0]);
    mpq_add(out->low, out->low, half);
    mpq_sub(out->low, out->low, greatest);
    mpq_add(out->high, out->high, half);
    mpq_sub(out->high, out->high, least);
    round_to(out->low, DOWN);
    round_to(out->high, UP);
    cut(out->low, none, most);
    cut(out->high, none, most);
}

void pby_plan_value_of(pby_plan_value *out, const pby_release_plan *plan, const pby_plan_statistic *s,
                       const int64_t *noisy, const mpq_t *error)
{
    const pby_plan_column *c = plan->columns == 0 ? NULL : &plan->column[s->column];
    PBY_MPQ(unit);
    mpq_set_ui(unit, 1, 1);
    if (s->kind == PBY_PLAN_MEAN)
        mean(out, c, noisy, error);
    else if (s->kind == PBY_PLAN_VARIANCE)
        variance(out, c, noisy, error);
    else
        plain(out, noisy[0], error[0]);
    if (s->kind == PBY_PLAN_SUM || s->kind == PBY_PLAN_MEAN || s->kind == PBY_PLAN_VARIANCE)
        mpq_set(unit, c->step);
    if (s->kind == PBY_PLAN_VARIANCE)
        mpq_mul(unit, unit, c->step);
    mpq_mul(out->value, out->value, unit);
    mpq_mul(out->low, out->low, unit);
    mpq_mul(out->high, out->high, unit);
}
