/* SPDX-License-Identifier: MIT */
#include "loss/divergence/crossing.h"
#include "number/scoped.h"

#include <stdbool.h>
#include <stdlib.h>

/* Bits beyond those asked for; a guess is short of SIZE_MAX_BITS before the point. */
enum { GUARD = 64, SIZE_MAX_BITS = 64 };

/* epsilon = guess, where that is a number of a size to be sought. */
static void set_guess(fmpq_t epsilon, const arb_t guess)
{
    arf_srcptr x = arb_midref(guess);
    if (arf_is_normal(x) && arf_cmpabs_2exp_si(x, SIZE_MAX_BITS) < 0)
        arf_get_fmpq(epsilon, x);
}

/* ---- atoms ------------------------------------------------------------------------------------ */

struct outcome {
    arf_srcptr ratio; /* P/Q, infinite where Q gives none */
    arb_srcptr p, q;
};

static int by_ratio(const void *a, const void *b)
{
    return arf_cmp(((const struct outcome *)b)->ratio, ((const struct outcome *)a)->ratio);
}

/* The masses over the norms, and the outcomes from the greatest loss down. */
static void list_outcomes(struct outcome *list, arb_ptr p, arb_ptr q, arb_ptr ratio, const pby_pair *pair,
                          slong prec)
{
    PBY_ARB(norm_p, norm_q);
    pby_expsum_get_arb(norm_p, pair->norm_p, prec);
    pby_expsum_get_arb(norm_q, pair->norm_q, prec);
    for (size_t i = 0; i < pair->count; i++) {
        pby_expsum_get_arb(p + i, pair->atoms[i].p, prec);
        pby_expsum_get_arb(q + i, pair->atoms[i].q, prec);
        arb_div(p + i, p + i, norm_p, prec);
        arb_div(q + i, q + i, norm_q, prec);
        if (arb_is_zero(q + i))
            arb_pos_inf(ratio + i);
        else
            arb_div(ratio + i, p + i, q + i, prec);
        list[i] = (struct outcome){arb_midref(ratio + i), p + i, q + i};
    }
    qsort(list, pair->count, sizeof *list, by_ratio);
}

/* best = max of (A - level)/B; zero where none is positive. */
static void best_quotient(arb_t best, const struct outcome *list, size_t count, const fmpq_t level,
                          slong prec)
{
    PBY_ARB(above, below, here);
    arb_set_fmpq(above, level, prec);
    arb_neg(above, above);
    arb_zero(best);
    for (size_t i = 0; i < count; i++) {
        arb_add(above, above, list[i].p, prec);
        arb_add(below, below, list[i].q, prec);
        if (arb_is_zero(below))
            continue;
        arb_div(here, above, below, prec);
        if (arf_cmp(arb_midref(here), arb_midref(best)) > 0)
            arb_set(best, here);
    }
}

void pby_atoms_crossing(fmpq_t epsilon, const pby_pair *pair, const fmpq_t level, slong bits)
{
    const slong prec = bits + GUARD, n = (slong)pair->count;
    struct outcome *list = malloc(pair->count * sizeof *list);
    if (list == NULL)
        return;
    arb_ptr p = _arb_vec_init(n), q = _arb_vec_init(n), ratio = _arb_vec_init(n);
    PBY_ARB(best);
    list_outcomes(list, p, q, ratio, pair, prec);
    best_quotient(best, list, pair->count, level, prec);
    arb_log(best, best, prec);
    set_guess(epsilon, best);
    _arb_vec_clear(ratio, n);
    _arb_vec_clear(q, n);
    _arb_vec_clear(p, n);
    free(list);
}

/* ---- curves ----------------------------------------------------------------------------------- */

/* A point of Newton's method, and what the points before have shown. */
struct step {
    arb_t e, p, q, crossing; /* P and Q of L > e, and where that set crosses the level */
    arb_t best,
        beyond; /* the greatest crossing, never beyond the root, and the least e that is; or no number */
    bool back;  /* the last move was to the best crossing */
};

static void step_init(struct step *s)
{
    arb_init(s->e);
    arb_init(s->p);
    arb_init(s->q);
    arb_init(s->crossing);
    arb_init(s->best);
    arb_init(s->beyond);
    arb_indeterminate(s->best);
    arb_indeterminate(s->beyond);
    s->back = false;
}

static void step_clear(struct step *s)
{
    arb_clear(s->beyond);
    arb_clear(s->best);
    arb_clear(s->crossing);
    arb_clear(s->q);
    arb_clear(s->p);
    arb_clear(s->e);
}

static bool look(struct step *s, const pby_curve *curve, const arb_t level, slong prec)
{
    PBY_FMPQ(t);
    arf_get_fmpq(t, arb_midref(s->e));
    const bool seen = curve->class->tails(s->p, s->q, curve, t, prec, NULL) == PBY_OK;
    arb_sub(s->crossing, s->p, level, prec);
    arb_div(s->crossing, s->crossing, s->q, prec);
    arb_log(s->crossing, s->crossing, prec);
    return seen;
}

/* With h = sqrt(-log delta), h' = exp(e) Q(L > e) / (2 h delta): e + (sqrt(-log level) - h)/h'. */
static void newton(arb_t next, const struct step *s, const arb_t target, slong prec)
{
    PBY_ARB(delta, slope, h);
    arb_exp(slope, s->e, prec);
    arb_mul(slope, slope, s->q, prec);
    arb_sub(delta, s->p, slope, prec);
    arb_log(h, delta, prec);
    arb_neg(h, h);
    arb_sqrt(h, h, prec);
    arb_div(slope, slope, delta, prec);
    arb_div(slope, slope, h, prec);
    arb_mul_2exp_si(slope, slope, -1);
    arb_sub(next, target, h, prec);
    arb_div(next, next, slope, prec);
    arb_add(next, next, s->e, prec);
}

/* Moves best and beyond by what this point shows. */
static void learn(struct step *s)
{
    const bool crosses = arb_is_finite(s->crossing);
    if (crosses && !arb_ge(s->best, s->crossing))
        arb_set(s->best, s->crossing);
    if ((!crosses || arb_lt(s->crossing, s->e)) && !arb_le(s->beyond, s->e))
        arb_set(s->beyond, s->e);
}

/* Moves to Newton's point where that is between the best crossing and a point beyond the root; else to the
 * best crossing and to the middle between the two in turn, or out to find a point beyond. False where there
 * is no next. */
static bool move(struct step *s, const arb_t target, slong prec)
{
    PBY_ARB(next);
    learn(s);
    newton(next, s, target, prec);
    if (!arb_is_finite(next) || arb_le(next, s->best) || arb_ge(next, s->beyond)) {
        s->back = !s->back;
        arb_set(next, s->best);
        if (!arb_is_finite(s->beyond)) {
            arb_mul_2exp_si(next, next, 1);
        } else if (!s->back) {
            arb_add(next, next, s->beyond, prec);
            arb_mul_2exp_si(next, next, -1);
        }
    }
    const bool sane = arb_is_finite(next) && arf_cmpabs_2exp_si(arb_midref(next), SIZE_MAX_BITS) < 0;
    arf_set_round(arb_midref(s->e), arb_midref(next), prec, ARF_RND_NEAR);
    return sane;
}

/* True if x and y, both numbers, differ by less than 2^-bits of their size. */
static bool agree(const arb_t x, const arb_t y, slong bits)
{
    PBY_ARF(gap);
    arf_sub(gap, arb_midref(x), arb_midref(y), MAG_BITS, ARF_RND_UP);
    arf_mul_2exp_si(gap, gap, bits);
    return arb_is_finite(x) && arb_is_finite(y) && arf_cmpabs(gap, arb_midref(x)) <= 0;
}

void pby_curve_crossing(fmpq_t epsilon, const pby_curve *curve, const fmpq_t level, slong bits)
{
    enum { STEPS_MAX = 24, SPARE = 8 };
    const slong prec = bits + 2 * GUARD;
    struct step s;
    step_init(&s);
    PBY_ARB(at, target);
    arb_set_fmpq(at, level, prec);
    arb_log(target, at, prec);
    arb_neg(target, target);
    arb_sqrt(target, target, prec);
    for (int i = 0; i < STEPS_MAX && look(&s, curve, at, prec); i++) {
        if (agree(s.crossing, s.best, bits + SPARE)) {
            set_guess(epsilon, s.crossing);
            break;
        }
        if (!move(&s, target, prec))
            break;
    }
    step_clear(&s);
}
