/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/triangles.h"

#include <flint/fmpq_vec.h>
#include <math.h>

#include "base/interrupt.h"
#include "number/erfc.h"
#include "number/scoped.h"
#include "pair/polygon.h"

/* A right angle has STEPS steps. Points lie at y = exp(j m / PLACES), m the diameter, up to REACH deviations
 * beyond the mean of the loss. */
enum { STEPS = 12, PLACES = 12, REACH = 16, PREC = 96 };

/* Diameters for which doubles place points well. */
static const double LEAST = 1e-4, MOST = 32;

/* ---- the potential of a shift -------------------------------------------------------------------- */

/* out = Phi(z) */
static void normal(arb_t out, const arb_t z)
{
    PBY_ARB(root);
    arb_set_ui(root, 2);
    arb_sqrt(root, root, PREC);
    arb_div(out, z, root, PREC);
    arb_neg(out, out);
    pby_erfc(out, out, PREC);
    arb_mul_2exp_si(out, out, -1);
}

/* out = w G(c/w): the excess of w N(m) over c N(0); w > 0. */
static void excess(arb_t out, const arb_t m, const fmpq_t w, const fmpq_t c)
{
    PBY_ARB(y, far, half, tail);
    PBY_FMPQ(quotient);
    if (fmpq_is_zero(c)) {
        arb_set_fmpq(out, w, PREC);
        return;
    }
    fmpq_div(quotient, c, w);
    arb_set_fmpq(y, quotient, PREC);
    arb_log(far, y, PREC);
    arb_div(far, far, m, PREC);
    arb_mul_2exp_si(half, m, -1);
    arb_sub(out, half, far, PREC);
    normal(out, out);
    arb_add(tail, half, far, PREC);
    arb_neg(tail, tail);
    normal(tail, tail);
    arb_submul(out, y, tail, PREC);
    arb_set_fmpq(y, w, PREC);
    arb_mul(out, out, y, PREC);
}

/* ---- the bound of a triangle --------------------------------------------------------------------- */

/* Returns the share w of the record that is set against u, the rest being set against r', at which the sum of
 * the two excesses is least: there their tests have one size. Any share gives a bound. */
static double best_share(double log_u, double log_r, double first, double last)
{
    double low = -700, high = 36;
    for (int i = 0; i < 60; i++) {
        const double s = (low + high) / 2, log_w = -log1p(exp(-s)), log_rest = -log1p(exp(s));
        const double size = first / 2 - (log_u - log_w) / first, other = last / 2 - (log_r - log_rest) / last;
        if (size < other)
            low = s;
        else
            high = s;
    }
    return 1 / (1 + exp(-(low + high) / 2));
}

static double log_of(const fmpq_t x)
{
    PBY_ARB(log);
    arb_set_fmpq(log, x, PREC);
    arb_log(log, log, PREC);
    return arf_get_d(arb_midref(log), ARF_RND_NEAR);
}

static void set_double(fmpq_t out, double x)
{
    PBY_ARF(value);
    arf_set_d(value, x);
    arf_get_fmpq(out, value);
}

void pby_triangle_bound(fmpq_t value, const fmpq_t x, const arb_t first, const arb_t last, const fmpq_t share)
{
    PBY_FMPQ(against, w, rest);
    PBY_ARB(sum, other);
    PBY_ARF(end);
    fmpq_sub_si(rest, share, 1);
    fmpq_sub_si(against, x, 1);
    fmpq_mul(against, against, rest);
    fmpq_div(against, against, share);
    fmpq_neg(against, against); /* (x-1)(1-g)/g, the weight of u */
    if (!fmpq_is_zero(against))
        set_double(w, best_share(log_of(against), log_of(x), arf_get_d(arb_midref(first), ARF_RND_NEAR),
                                 arf_get_d(arb_midref(last), ARF_RND_NEAR)));
    fmpq_sub_si(rest, w, 1);
    fmpq_neg(rest, rest);
    if (!fmpq_is_zero(w))
        excess(sum, first, w, against);
    if (!fmpq_is_zero(rest))
        excess(other, last, rest, x);
    arb_add(sum, sum, other, PREC);
    arb_set_fmpq(other, share, PREC);
    arb_mul(sum, sum, other, PREC);
    arb_get_ubound_arf(end, sum, PREC);
    arf_get_fmpq(value, end);
}

/* ---- points -------------------------------------------------------------------------------------- */

/* The points x >= 1, from 1 on. */
struct points {
    fmpq *x;
    slong count;
};

static void points_init(struct points *points, double diameter, const fmpq_t share)
{
    PBY_ARB(y);
    PBY_ARF(end);
    points->count = (slong)(PLACES * (REACH + diameter / 2)) + 2;
    points->x = _fmpq_vec_init(points->count);
    for (slong j = 0; j < points->count; j++) {
        arb_set_d(y, (double)j * diameter / PLACES);
        arb_exp(y, y, PREC);
        arf_set_round(end, arb_midref(y), 53, ARF_RND_NEAR);
        arf_get_fmpq(points->x + j, end);
        fmpq_sub_si(points->x + j, points->x + j, 1);
        fmpq_mul(points->x + j, points->x + j, share);
        fmpq_add_si(points->x + j, points->x + j, 1);
    }
}

/* The bounds at the points, for two of the three sides. */
static void bound_sides(fmpq *value, const struct points *points, const arb_t first, const arb_t last,
                        const fmpq_t share)
{
    for (slong j = 0; j < points->count; j++)
        pby_triangle_bound(value + j, points->x + j, first, last, share);
}

/* A pair from the bounds of D(x; P, Q) and of D(x; Q, P) for x >= 1: below 1, D(1/x; P, Q) is
 * (x - 1 + D(x; Q, P))/x. */
static pby_status pair_of_bounds(pby_pair *pair, const struct points *points, const fmpq *forth,
                                 const fmpq *back, pby_error *err)
{
    const slong n = points->count, all = 2 * n - 1;
    fmpq *x = _fmpq_vec_init(all), *value = _fmpq_vec_init(all);
    for (slong j = 0; j < n; j++) {
        fmpq_set(x + n - 1 + j, points->x + j);
        fmpq_set(value + n - 1 + j, forth + j);
    }
    if (fmpq_cmp(back, forth) < 0)
        fmpq_set(value + n - 1, back);
    for (slong j = 1; j < n; j++) {
        fmpq_inv(x + n - 1 - j, points->x + j);
        fmpq_sub_si(value + n - 1 - j, points->x + j, 1);
        fmpq_add(value + n - 1 - j, value + n - 1 - j, back + j);
        fmpq_div(value + n - 1 - j, value + n - 1 - j, points->x + j);
    }
    const pby_status status = pby_pair_polygon(pair, x, value, (size_t)all, err);
    _fmpq_vec_clear(value, all);
    _fmpq_vec_clear(x, all);
    return status;
}

/* ---- the cover ----------------------------------------------------------------------------------- */

/* side = diameter sin(step/STEPS of a right angle) */
static void side_of(arb_t side, const arb_t diameter, slong step)
{
    PBY_FMPQ(angle);
    fmpq_set_si(angle, step, 2 * STEPS);
    arb_sin_pi_fmpq(side, angle, PREC);
    arb_mul(side, side, diameter, PREC);
}

/* The cell (i, j) has the angles from i to i+1 and from j to j+1, i + j >= STEPS, and the rest of two right
 * angles; its first side is opposite the first angle. */
static fmpq **cells_new(slong n)
{
    fmpq **cell = flint_calloc(STEPS * STEPS, sizeof *cell);
    for (slong i = 0; i < STEPS; i++)
        for (slong j = STEPS - i; j < STEPS; j++)
            cell[i * STEPS + j] = _fmpq_vec_init(n);
    return cell;
}

static void cells_free(fmpq **cell, slong n)
{
    for (slong c = 0; c < STEPS * STEPS; c++)
        if (cell[c] != NULL)
            _fmpq_vec_clear(cell[c], n);
    flint_free(cell);
}

static pby_status bound_cells(fmpq **cell, const struct points *points, const arb_t diameter,
                              const fmpq_t share, pby_error *err)
{
    PBY_ARB(first, last);
    for (slong i = 0; i < STEPS; i++)
        for (slong j = STEPS - i; j < STEPS; j++) {
            PBY_TRY(pby_interrupt_check(err));
            side_of(first, diameter, i + 1);
            side_of(last, diameter, 2 * STEPS - i - j);
            bound_sides(cell[i * STEPS + j], points, first, last, share);
        }
    return PBY_OK;
}

static pby_status pair_cells(pby_pairs *out, fmpq *const *cell, const struct points *points, pby_error *err)
{
    size_t next = 0;
    PBY_TRY(pby_pairs_init(out, STEPS * (STEPS - 1) / 2, err));
    for (slong i = 0; i < STEPS; i++)
        for (slong j = STEPS - i; j < STEPS; j++)
            PBY_TRY(
                pair_of_bounds(&out->pair[next++], points, cell[i * STEPS + j], cell[j * STEPS + i], err));
    return PBY_OK;
}

pby_status pby_triangles_pairs(pby_pairs *out, const fmpq_t ratio, const fmpq_t share, pby_error *err)
{
    struct points points;
    PBY_ARB(diameter);
    arb_set_fmpq(diameter, ratio, PREC);
    arb_sqrt(diameter, diameter, PREC);
    const double about = arf_get_d(arb_midref(diameter), ARF_RND_NEAR);
    if (!(about >= LEAST && about <= MOST))
        return PBY_OK;
    points_init(&points, about, share);
    fmpq **cell = cells_new(points.count);
    pby_status status = bound_cells(cell, &points, diameter, share, err);
    if (status == PBY_OK)
        status = pair_cells(out, cell, &points, err);
    cells_free(cell, points.count);
    _fmpq_vec_clear(points.x, points.count);
    return status;
}
