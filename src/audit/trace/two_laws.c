/* SPDX-License-Identifier: MIT */
#include "audit/trace/two_laws.h"

#include <stdlib.h>

#include "number/erfc.h"
#include "number/scoped.h"

/* Cuts: both centres, and at most one where the log ratio is epsilon in each of three pieces; for normal laws
 * two roots. */
enum { CUTS_MAX = 5 };

void pby_two_laws_init(pby_two_laws *x)
{
    for (int i = 0; i < 2; i++) {
        fmpq_init(x->centre[i]);
        fmpq_init(x->scale[i]);
    }
}

void pby_two_laws_clear(pby_two_laws *x)
{
    for (int i = 0; i < 2; i++) {
        fmpq_clear(x->centre[i]);
        fmpq_clear(x->scale[i]);
    }
}

/* ---- the laws ---------------------------------------------------------------------------------- */

/* The chance of Laplace noise below (upper: above) t, t the distance from its centre in scales. */
static void laplace_tail(arb_t out, const arb_t t, bool upper, slong prec)
{
    PBY_ARB(x);
    if (upper)
        arb_neg(x, t);
    else
        arb_set(x, t);
    const bool outside = arb_is_nonpositive(x);
    if (!outside)
        arb_neg(x, x);
    arb_exp(out, x, prec);
    arb_mul_2exp_si(out, out, -1);
    if (outside)
        return;
    arb_sub_si(out, out, 1, prec);
    arb_neg(out, out);
}

static void normal_tail(arb_t out, const arb_t t, bool upper, slong prec)
{
    PBY_ARB(x, root);
    arb_set_ui(root, 2);
    arb_sqrt(root, root, prec);
    arb_div(x, t, root, prec);
    if (!upper)
        arb_neg(x, x);
    pby_erfc(out, x, prec);
    arb_mul_2exp_si(out, out, -1);
}

/* The chance of one side of a cut under a law. */
static void tail(arb_t out, const pby_two_laws *x, int i, const fmpq_t cut, bool upper, slong prec)
{
    PBY_FMPQ(distance);
    PBY_ARB(t);
    fmpq_sub(distance, cut, x->centre[i]);
    fmpq_div(distance, distance, x->scale[i]);
    arb_set_fmpq(t, distance, prec);
    if (x->law == PBY_TRACE_LAPLACE)
        laplace_tail(out, t, upper, prec);
    else
        normal_tail(out, t, upper, prec);
}

/* The chance of the interval between two cuts, NULL for no end: the difference of the smaller tails. */
static void interval(arb_t out, const pby_two_laws *x, int i, const fmpq *from, const fmpq *to, slong prec)
{
    PBY_ARB(other);
    if (from == NULL && to == NULL) {
        arb_one(out);
    } else if (from == NULL || to == NULL) {
        tail(out, x, i, from == NULL ? to : from, from != NULL, prec);
    } else {
        const bool upper = fmpq_cmp(from, x->centre[i]) >= 0;
        tail(out, x, i, upper ? from : to, upper, prec);
        tail(other, x, i, upper ? to : from, upper, prec);
        arb_sub(out, out, other, prec);
    }
}

/* ---- cuts -------------------------------------------------------------------------------------- */

/* Appends the middle of a ball, unless it has no finite one. */
static void add_cut(fmpq *cuts, size_t *n, const arb_t at)
{
    if (!arb_is_finite(at))
        return;
    arf_get_fmpq(&cuts[(*n)++], arb_midref(at));
}

/* log(scale of q / scale of p) - epsilon */
static void log_scales(arb_t out, const pby_two_laws *x, int p, const fmpq_t epsilon, slong prec)
{
    PBY_FMPQ(ratio);
    PBY_ARB(e);
    fmpq_div(ratio, x->scale[1 - p], x->scale[p]);
    arb_set_fmpq(out, ratio, prec);
    arb_log(out, out, prec);
    arb_set_fmpq(e, epsilon, prec);
    arb_sub(out, out, e, prec);
}

/* Where log(b'/b) - s (t-c)/b + s' (t-c')/b' is epsilon, of signs s and s'. */
static void laplace_cut(fmpq *cuts, size_t *n, const pby_two_laws *x, int p, int s, int s_other,
                        const arb_t constant, slong prec)
{
    PBY_FMPQ(slope, moved, part);
    PBY_ARB(at, divisor);
    fmpq_inv(slope, x->scale[1 - p]);
    fmpq_mul_si(slope, slope, s_other);
    fmpq_inv(part, x->scale[p]);
    fmpq_mul_si(part, part, s);
    fmpq_sub(slope, slope, part);
    if (fmpq_is_zero(slope))
        return;
    fmpq_mul(moved, part, x->centre[p]); /* + s c/b */
    fmpq_inv(part, x->scale[1 - p]);
    fmpq_mul_si(part, part, s_other);
    fmpq_mul(part, part, x->centre[1 - p]);
    fmpq_sub(moved, moved, part);
    arb_set_fmpq(at, moved, prec);
    arb_add(at, at, constant, prec);
    arb_set_fmpq(divisor, slope, prec);
    arb_div(at, at, divisor, prec);
    arb_neg(at, at);
    add_cut(cuts, n, at);
}

/* Roots of log(s'/s) - (t-c)^2/(2 s^2) + (t-c')^2/(2 s'^2) = epsilon. */
static void normal_cuts(fmpq *cuts, size_t *n, const pby_two_laws *x, int p, const arb_t constant, slong prec)
{
    PBY_FMPQ(u, v, a, b, c, part);
    PBY_ARB(root, at, two_a, c_ball);
    fmpq_mul(u, x->scale[p], x->scale[p]);
    fmpq_inv(u, u);
    fmpq_mul(v, x->scale[1 - p], x->scale[1 - p]);
    fmpq_inv(v, v);
    fmpq_sub(a, v, u); /* a t^2 - 2 b t + c = 0 */
    fmpq_mul(b, v, x->centre[1 - p]);
    fmpq_mul(part, u, x->centre[p]);
    fmpq_mul(c, b, x->centre[1 - p]);
    fmpq_sub(b, b, part);
    fmpq_mul(part, part, x->centre[p]);
    fmpq_sub(c, c, part);
    arb_set_fmpq(c_ball, c, prec);
    arb_addmul_si(c_ball, constant, 2, prec);
    if (fmpq_is_zero(a))
        return;
    arb_set_fmpq(two_a, a, prec);
    arb_mul(root, two_a, c_ball, prec);
    fmpq_mul(part, b, b);
    arb_set_fmpq(at, part, prec);
    arb_sub(root, at, root, prec);
    arb_sqrt(root, root, prec);
    for (int sign = -1; sign <= 1; sign += 2) {
        arb_set_fmpq(at, b, prec);
        arb_addmul_si(at, root, sign, prec);
        arb_div(at, at, two_a, prec);
        add_cut(cuts, n, at);
    }
}

static int compare(const void *a, const void *b)
{
    return fmpq_cmp(a, b);
}

/* The cuts in order; at most CUTS_MAX. */
static size_t find_cuts(fmpq *cuts, const pby_two_laws *x, int p, const fmpq_t epsilon, slong prec)
{
    size_t n = 0;
    PBY_ARB(constant);
    log_scales(constant, x, p, epsilon, prec);
    if (x->law == PBY_TRACE_LAPLACE) {
        fmpq_set(&cuts[n++], x->centre[0]);
        fmpq_set(&cuts[n++], x->centre[1]);
        const int order = fmpq_cmp(x->centre[p], x->centre[1 - p]) <= 0 ? 1 : -1;
        laplace_cut(cuts, &n, x, p, 1, 1, constant, prec);
        laplace_cut(cuts, &n, x, p, -1, -1, constant, prec);
        laplace_cut(cuts, &n, x, p, order, -order, constant, prec);
    } else {
        normal_cuts(cuts, &n, x, p, constant, prec);
    }
    qsort(cuts, n, sizeof *cuts, compare);
    return n;
}

/* ---- the divergence ---------------------------------------------------------------------------- */

void pby_two_laws_delta(arb_t delta, const pby_two_laws *x, bool reverse, const fmpq_t epsilon, slong prec)
{
    const int p = reverse ? 1 : 0;
    fmpq cuts[CUTS_MAX];
    PBY_ARB(mine, other, factor);
    for (int i = 0; i < CUTS_MAX; i++)
        fmpq_init(&cuts[i]);
    const size_t n = find_cuts(cuts, x, p, epsilon, prec);
    arb_set_fmpq(factor, epsilon, prec);
    arb_exp(factor, factor, prec);
    arb_zero(delta);
    for (size_t i = 0; i <= n; i++) {
        const fmpq *from = i == 0 ? NULL : &cuts[i - 1], *to = i == n ? NULL : &cuts[i];
        interval(mine, x, p, from, to, prec);
        interval(other, x, 1 - p, from, to, prec);
        arb_mul(other, other, factor, prec);
        arb_sub(mine, mine, other, prec);
        if (arb_is_positive(
                mine)) /* an interval that may be of no use is left out: the rest is a bound too */
            arb_add(delta, delta, mine, prec);
    }
    for (int i = 0; i < CUTS_MAX; i++)
        fmpq_clear(&cuts[i]);
}
