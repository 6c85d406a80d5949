/* SPDX-License-Identifier: MIT */
#include "mechanism/threshold/gated.h"

#include <stdlib.h>

#include "law/gauss_sum.h"
#include "mechanism/gauss/dgauss_vector.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Bits beyond those asked for, at which a point of the grid is told from a loss. */
enum { GUARD = 64 };

struct gated {
    pby_curve base;
    pby_curve *moved; /* of the bars that move; NULL where none does */
    fmpq_t sigma2;
    int64_t threshold, each;
    ulong only_p, only_q;
};

static const struct gated *as_gated(const pby_curve *curve)
{
    return (const struct gated *)curve;
}

/* ---- silence ---------------------------------------------------------------------------------- */

static void gauss_sum_from(arb_t sum, const fmpq_t sigma2, int64_t from, bool by_terms, slong prec)
{
    PBY_FMPQ(x);
    fmpq_set_si(x, from, 1);
    if (by_terms)
        pby_gauss_sum_by_terms(sum, sigma2, x, prec);
    else
        pby_gauss_sum(sum, sigma2, x, prec);
}

/* The sum over all integers, 1 + 2 (f(1) + f(2) + ...). */
static void all_weights(arb_t total, const fmpq_t sigma2, bool by_terms, slong prec)
{
    if (by_terms) {
        gauss_sum_from(total, sigma2, 1, true, prec);
        arb_mul_2exp_si(total, total, 1);
        arb_add_ui(total, total, 1, prec);
    } else {
        pby_gauss_total(total, sigma2, prec);
    }
}

void pby_log_silence(arb_t out, const fmpq_t sigma2, int64_t count, int64_t threshold, bool by_terms,
                     slong prec)
{
    const int64_t gap = threshold - count; /* silence is Z < gap */
    PBY_ARB(total);
    all_weights(total, sigma2, by_terms, prec);
    gauss_sum_from(out, sigma2, gap > 0 ? gap : 1 - gap, by_terms, prec);
    arb_div(out, out, total, prec);
    if (gap > 0) {
        arb_neg(out, out);
        arb_log1p(out, out, prec);
    } else {
        arb_log(out, out, prec);
    }
}

/* The logarithms of s_P and s_Q. */
static void log_silences(arb_t p, arb_t q, const struct gated *g, bool by_terms, slong prec)
{
    pby_log_silence(q, g->sigma2, g->each, g->threshold, by_terms, prec);
    arb_mul_ui(p, q, g->only_p, prec);
    arb_mul_ui(q, q, g->only_q, prec);
}

static void gated_infinite(arb_t ball, const pby_curve *curve, slong prec)
{
    PBY_ARB(q);
    log_silences(ball, q, as_gated(curve), false, prec);
    pby_expm1(ball, ball, prec);
    arb_neg(ball, ball);
}

/* ---- the bars that move ------------------------------------------------------------------------ */

static void ends_of(fmpq_t lo, fmpq_t hi, const arb_t x, slong prec)
{
    PBY_ARF(end);
    arb_get_lbound_arf(end, x, prec);
    arf_get_fmpq(lo, end);
    arb_get_ubound_arf(end, x, prec);
    arf_get_fmpq(hi, end);
}

/* The rational ends lo <= t - log(s_P/s_Q) <= hi, the point among the losses of the bars that move: t itself
 * where as many bars are on either side alone. Otherwise the point is no rational, and no loss is met. */
static void lower(fmpq_t lo, fmpq_t hi, const struct gated *g, const fmpq_t t, const arb_t log_p,
                  const arb_t log_q, slong prec)
{
    PBY_ARB(at);
    fmpq_set(lo, t);
    fmpq_set(hi, t);
    if (g->only_p == g->only_q)
        return;
    arb_set_fmpq(at, t, prec);
    arb_sub(at, at, log_p, prec);
    arb_add(at, at, log_q, prec);
    ends_of(lo, hi, at, prec);
}

/* The chance that a loss that is always 0 exceeds a point between lo and hi. */
static void still_tail(arb_t p, const fmpq_t lo, const fmpq_t hi)
{
    if (fmpq_sgn(lo) >= 0)
        arb_zero(p);
    else if (fmpq_sgn(hi) < 0)
        arb_one(p);
    else
        arb_unit_interval(p);
}

/* The tails of the bars that move at a point between two: between those at the two. */
static pby_status moved_tails(arb_t p, arb_t q, const struct gated *g, const fmpq_t lo, const fmpq_t hi,
                              slong prec, pby_error *err)
{
    const pby_curve *of = g->moved;
    if (of == NULL) {
        still_tail(p, lo, hi);
        arb_set(q, p);
        return PBY_OK;
    }
    PBY_TRY(of->class->tails(p, q, of, lo, prec, err));
    if (fmpq_equal(lo, hi))
        return PBY_OK;
    PBY_ARB(least_p, least_q);
    PBY_TRY(of->class->tails(least_p, least_q, of, hi, prec, err));
    arb_union(p, p, least_p, prec);
    arb_union(q, q, least_q, prec);
    return PBY_OK;
}

/* ---- the curve ---------------------------------------------------------------------------------- */

/* Times the chances of silence, and on the first side the chance that it gives itself away. */
static void scale(arb_t p, arb_t q, const arb_t log_p, const arb_t log_q, bool betrays, slong prec)
{
    PBY_ARB(x);
    arb_exp(x, log_p, prec);
    arb_mul(p, p, x, prec);
    if (betrays) {
        pby_expm1(x, log_p, prec);
        arb_sub(p, p, x, prec);
    }
    arb_exp(x, log_q, prec);
    arb_mul(q, q, x, prec);
}

/* Both chances of silence, and bits to work with. */
struct silences {
    arb_t log_p, log_q;
    slong work;
};

static void silences_init(struct silences *s, const struct gated *g, slong prec)
{
    s->work = prec + GUARD;
    arb_init(s->log_p);
    arb_init(s->log_q);
    log_silences(s->log_p, s->log_q, g, false, s->work);
}

static void silences_clear(struct silences *s)
{
    arb_clear(s->log_q);
    arb_clear(s->log_p);
}

static pby_status tails_at(arb_t p, arb_t q, const struct gated *g, const struct silences *s, const fmpq_t t,
                           pby_error *err)
{
    PBY_FMPQ(lo, hi);
    lower(lo, hi, g, t, s->log_p, s->log_q, 2 * s->work);
    PBY_TRY(moved_tails(p, q, g, lo, hi, s->work, err));
    scale(p, q, s->log_p, s->log_q, true, s->work);
    return PBY_OK;
}

static pby_status gated_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                              pby_error *err)
{
    struct silences s;
    silences_init(&s, as_gated(curve), prec);
    const pby_status status = tails_at(p, q, as_gated(curve), &s, t, err);
    silences_clear(&s);
    return status;
}

/* True if no loss of the bars that move, all multiples of a unit, lies from lo + i step to hi + i step for
 * any i up to n; then a grid that begins anywhere between has the same cells. */
static bool misses(const struct gated *g, const fmpq_t lo, const fmpq_t hi, const fmpq_t step, slong n)
{
    PBY_FMPQ(unit, a, b, by);
    PBY_FMPZ(first, last);
    if (fmpq_equal(lo, hi))
        return true;
    if (g->moved->class->unit == NULL || !g->moved->class->unit(unit, g->moved))
        return false;
    fmpq_div(a, lo, unit);
    fmpq_div(b, hi, unit);
    fmpq_div(by, step, unit);
    bool clear = true;
    for (slong i = 0; i <= n && clear; i++) {
        fmpz_cdiv_q(first, fmpq_numref(a), fmpq_denref(a));
        fmpz_fdiv_q(last, fmpq_numref(b), fmpq_denref(b));
        clear = fmpz_cmp(first, last) > 0;
        fmpq_add(a, a, by);
        fmpq_add(b, b, by);
    }
    return clear;
}

static pby_status cells_of_moved(arb_ptr p, arb_ptr q, const struct gated *g, const struct silences *s,
                                 const fmpq_t from, const fmpq_t step, slong n, pby_error *err)
{
    PBY_TRY(g->moved->class->cells(p, q, g->moved, from, step, n, s->work, err));
    for (slong i = 0; i < n; i++)
        scale(p + i, q + i, s->log_p, s->log_q, false, s->work);
    return PBY_OK;
}

/* The differences of tails, each of which is asked for. */
static pby_status cells_by_tails(arb_ptr p, arb_ptr q, const struct gated *g, const struct silences *s,
                                 const fmpq_t from, const fmpq_t step, slong n, pby_error *err)
{
    PBY_ARB(next_p, next_q);
    PBY_FMPQ(t);
    fmpq_mul_si(t, step, n);
    fmpq_add(t, t, from);
    PBY_TRY(tails_at(next_p, next_q, g, s, t, err));
    for (slong i = n - 1; i >= 0; i--) {
        fmpq_sub(t, t, step);
        PBY_TRY(tails_at(p + i, q + i, g, s, t, err));
        arb_swap(p + i, next_p);
        arb_swap(q + i, next_q);
        arb_sub(p + i, next_p, p + i, s->work);
        arb_sub(q + i, next_q, q + i, s->work);
    }
    return PBY_OK;
}

static pby_status gated_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                              const fmpq_t step, slong n, slong prec, pby_error *err)
{
    const struct gated *g = as_gated(curve);
    struct silences s;
    PBY_FMPQ(lo, hi);
    silences_init(&s, g, prec);
    lower(lo, hi, g, from, s.log_p, s.log_q, 2 * s.work);
    const pby_status status = g->moved != NULL && misses(g, lo, hi, step, n)
                                  ? cells_of_moved(p, q, g, &s, lo, step, n, err)
                                  : cells_by_tails(p, q, g, &s, from, step, n, err);
    silences_clear(&s);
    return status;
}

/* The sum of P^a Q^(1-a) is that of the bars that move times s_P^a s_Q^(1-a); from order 1 on it is infinite
 * where the first side may give itself away. */
static pby_status gated_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    const struct gated *g = as_gated(curve);
    const slong work = prec + GUARD;
    if (g->only_p > 0 && fmpq_cmp_si(order, 1) >= 0) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    PBY_ARB(log_p, log_q, weight);
    PBY_FMPQ(less);
    arb_zero(ball);
    if (g->moved != NULL)
        PBY_TRY(g->moved->class->renyi(ball, g->moved, order, work, err));
    log_silences(log_p, log_q, g, false, work);
    arb_sub(ball, ball, log_q, work);
    if (g->only_p > 0) {
        fmpq_sub_si(less, order, 1);
        fmpq_div(less, order, less);
        arb_set_fmpq(weight, less, work);
        arb_addmul(ball, weight, log_p, work);
    }
    return PBY_OK;
}

/* The potential at exp(e) of a loss that is always 0. */
static void still_direct(arb_t ball, const fmpq_t e, slong prec)
{
    arb_zero(ball);
    if (fmpq_sgn(e) >= 0)
        return;
    arb_set_fmpq(ball, e, 2 * prec);
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
}

static pby_status moved_direct(arb_t ball, const struct gated *g, const fmpq_t e, slong prec, pby_error *err)
{
    if (g->moved != NULL)
        return g->moved->class->direct(ball, g->moved, e, prec, err);
    still_direct(ball, e, prec);
    return PBY_OK;
}

/* The potential at exp(e) is 1 - s_P plus s_P times that of the bars that move, at e - log(s_P/s_Q). */
static pby_status gated_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    const struct gated *g = as_gated(curve);
    const slong work = prec + GUARD;
    PBY_ARB(log_p, log_q, least);
    PBY_FMPQ(lo, hi);
    log_silences(log_p, log_q, g, true, work);
    lower(lo, hi, g, epsilon, log_p, log_q, 2 * work);
    PBY_TRY(moved_direct(ball, g, lo, work, err));
    PBY_TRY(moved_direct(least, g, hi, work, err));
    arb_union(ball, ball, least, work);
    scale(ball, least, log_p, log_q, true, work);
    return PBY_OK;
}

/* With no bar that moves the only finite loss is log(s_P/s_Q). */
static void gated_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct gated *g = as_gated(curve);
    PBY_ARB(q);
    if (g->moved != NULL) {
        g->moved->class->largest(ball, g->moved, prec);
        return;
    }
    log_silences(ball, q, g, false, prec);
    arb_sub(ball, ball, q, prec);
    if (g->only_p == g->only_q)
        arb_zero(ball);
}

static void gated_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    gated_largest(ball, curve, prec);
    if (as_gated(curve)->moved != NULL)
        arb_neg(ball, ball);
}

static void gated_free(pby_curve *curve)
{
    struct gated *g = (struct gated *)curve;
    if (g->moved != NULL)
        g->moved->class->free(g->moved);
    fmpq_clear(g->sigma2);
    free(g);
}

static const pby_curve_class GATED = {
    .tails = gated_tails,
    .cells = gated_cells,
    .renyi = gated_renyi,
    .direct = gated_direct,
    .largest = gated_largest,
    .smallest = gated_smallest,
    .infinite = gated_infinite,
    .free = gated_free,
};

pby_status pby_gated_curve(pby_curve **out, const pby_gated *gate, pby_error *err)
{
    const pby_shift shift = {.count = 1, .value = {(ulong)gate->each}, .times = {gate->moved}};
    *out = NULL;
    if (gate->only_p + gate->only_q == 0)
        return pby_dgauss_vector_curve(out, gate->sigma2, &shift, err);
    struct gated *g = calloc(1, sizeof *g);
    if (g == NULL)
        return pby_no_memory(err);
    g->base.class = &GATED;
    g->threshold = gate->threshold;
    g->each = gate->each;
    g->only_p = gate->only_p;
    g->only_q = gate->only_q;
    fmpq_init(g->sigma2);
    fmpq_set(g->sigma2, gate->sigma2);
    const pby_status status = gate->moved > 0 ? pby_dgauss_vector_curve(&g->moved, gate->sigma2, &shift, err)
                                              : PBY_OK;
    if (status == PBY_OK)
        *out = &g->base;
    else
        gated_free(&g->base);
    return status;
}
