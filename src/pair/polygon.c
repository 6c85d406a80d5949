/* SPDX-License-Identifier: MIT */
#include "pair/polygon.h"

#include <flint/fmpq_vec.h>
#include <stdlib.h>

#include "number/ball.h"
#include "number/scoped.h"

/* Corners at x[0] < x[1] < ..., and the line at + slope x on the right of each: the tails of the loss between
 * two corners are the value at 0 of the line, under P, and its fall, under Q. In front of the first corner is
 * a line from (0, 1). */
struct polygon {
    pby_curve base;
    slong count;
    fmpq *x, *at, *slope; /* at and slope have one more, in front */
    arb_ptr log;          /* of x, to LOG_BITS */
};

enum { LOG_BITS = 192 };

static const struct polygon *as_polygon(const pby_curve *curve)
{
    return (const struct polygon *)curve;
}

/* ---- where a loss lies --------------------------------------------------------------------------- */

/* Returns true if the loss of corner i is at most t. A rational other than 0 is the logarithm of no rational,
 * so that enough bits tell the two apart. */
static bool is_at_most(const struct polygon *p, slong i, const fmpq_t t)
{
    if (fmpq_is_zero(t))
        return fmpq_cmp_si(p->x + i, 1) <= 0;
    PBY_ARB(loss, at);
    arb_set(loss, p->log + i);
    arb_set_fmpq(at, t, LOG_BITS);
    for (slong prec = 2 * LOG_BITS; arb_overlaps(loss, at); prec *= 2) {
        arb_set_fmpq(loss, p->x + i, prec);
        arb_log(loss, loss, prec);
        arb_set_fmpq(at, t, prec);
    }
    return arb_le(loss, at);
}

/* Returns the number of corners whose loss is at most t: the line behind the last of these holds. */
static slong corners_until(const struct polygon *p, const fmpq_t t)
{
    slong low = 0, high = p->count;
    while (low < high) {
        const slong middle = low + (high - low) / 2;
        if (is_at_most(p, middle, t))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- the curve ----------------------------------------------------------------------------------- */

static void tails_of_line(arb_t p, arb_t q, const struct polygon *polygon, slong line, slong prec)
{
    arb_set_fmpq(p, polygon->at + line, prec);
    arb_set_fmpq(q, polygon->slope + line, prec);
    arb_neg(q, q);
}

static pby_status polygon_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                                pby_error *err)
{
    (void)err;
    tails_of_line(p, q, as_polygon(curve), corners_until(as_polygon(curve), t), prec);
    return PBY_OK;
}

static pby_status polygon_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                                const fmpq_t step, slong n, slong prec, pby_error *err)
{
    (void)err;
    const struct polygon *polygon = as_polygon(curve);
    PBY_FMPQ(t, mass);
    fmpq_set(t, from);
    slong line = corners_until(polygon, t);
    for (slong i = 0; i < n; i++) {
        slong next = line;
        fmpq_add(t, t, step);
        while (next < polygon->count && is_at_most(polygon, next, t))
            next++;
        fmpq_sub(mass, polygon->at + line, polygon->at + next);
        arb_set_fmpq(p + i, mass, prec);
        fmpq_sub(mass, polygon->slope + next, polygon->slope + line);
        arb_set_fmpq(q + i, mass, prec);
        line = next;
    }
    return PBY_OK;
}

static pby_status polygon_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                                pby_error *err)
{
    (void)curve;
    (void)order;
    (void)prec;
    arb_indeterminate(ball);
    return pby_fail(err, PBY_BAD,
                    "SPEC: Renyi divergences of such samples are not enclosed: expected a question about "
                    "epsilon and delta");
}

/* The sum over the corners, each an outcome, of what P has more than exp(e) times Q. */
static pby_status polygon_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    (void)err;
    const struct polygon *polygon = as_polygon(curve);
    PBY_ARB(x, p, q);
    PBY_FMPQ(mass);
    pby_exp_fmpq(x, epsilon, prec);
    arb_set_fmpq(ball, polygon->at + polygon->count, prec);
    for (slong i = polygon->count; i-- > 0;) {
        fmpq_sub(mass, polygon->at + i, polygon->at + i + 1);
        arb_set_fmpq(p, mass, prec);
        fmpq_sub(mass, polygon->slope + i + 1, polygon->slope + i);
        arb_set_fmpq(q, mass, prec);
        arb_submul(p, q, x, prec);
        if (!is_at_most(polygon, i, epsilon))
            arb_add(ball, ball, p, prec);
    }
    return PBY_OK;
}

static void log_of(arb_t ball, const fmpq_t x, slong prec)
{
    arb_set_fmpq(ball, x, prec);
    arb_log(ball, ball, prec);
}

static void polygon_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    log_of(ball, as_polygon(curve)->x + as_polygon(curve)->count - 1, prec);
}

static void polygon_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    log_of(ball, as_polygon(curve)->x, prec);
}

static void polygon_infinite(arb_t ball, const pby_curve *curve, slong prec)
{
    arb_set_fmpq(ball, as_polygon(curve)->at + as_polygon(curve)->count, prec);
}

static void polygon_free(pby_curve *curve)
{
    struct polygon *p = (struct polygon *)curve;
    _fmpq_vec_clear(p->x, p->count);
    _fmpq_vec_clear(p->at, p->count + 1);
    _fmpq_vec_clear(p->slope, p->count + 1);
    _arb_vec_clear(p->log, p->count);
    free(p);
}

static const pby_curve_class POLYGON = {
    .tails = polygon_tails,
    .cells = polygon_cells,
    .renyi = polygon_renyi,
    .direct = polygon_direct,
    .largest = polygon_largest,
    .smallest = polygon_smallest,
    .infinite = polygon_infinite,
    .free = polygon_free,
};

/* ---- the polygon --------------------------------------------------------------------------------- */

/* slope of the chord between two points */
static void chord(fmpq_t slope, const fmpq_t x, const fmpq_t value, const fmpq_t next_x, const fmpq_t next)
{
    PBY_FMPQ(width);
    fmpq_sub(width, next_x, x);
    fmpq_sub(slope, next, value);
    fmpq_div(slope, slope, width);
}

/* Moves the corners of the hull to the front, slope[i] being that of its line up to corner i, and returns how
 * many there are. A point that is not below the last corner is left out: the polygon falls, and is level
 * behind its lowest point. */
static size_t hull(fmpq *x, fmpq *value, fmpq *slope, size_t count)
{
    size_t corners = 0;
    PBY_FMPQ(zero, one, side);
    fmpq_one(one);
    for (size_t i = 0; i < count; i++) {
        if (fmpq_cmp(value + i, corners > 0 ? value + corners - 1 : one) >= 0)
            continue;
        chord(side, corners > 0 ? x + corners - 1 : zero, corners > 0 ? value + corners - 1 : one, x + i,
              value + i);
        while (corners > 0 && fmpq_cmp(side, slope + corners - 1) <= 0) {
            corners--;
            chord(side, corners > 0 ? x + corners - 1 : zero, corners > 0 ? value + corners - 1 : one, x + i,
                  value + i);
        }
        fmpq_set(slope + corners, side);
        fmpq_swap(x + corners, x + i);
        fmpq_swap(value + corners, value + i);
        corners++;
    }
    return corners;
}

static void set_lines(struct polygon *p, const fmpq *x, const fmpq *value, const fmpq *slope)
{
    fmpq_one(p->at);
    for (slong i = 0; i < p->count; i++) {
        fmpq_set(p->x + i, x + i);
        log_of(p->log + i, x + i, LOG_BITS);
        fmpq_set(p->slope + i, slope + i);
        if (i > 0) {
            fmpq_mul(p->at + i, slope + i, x + i);
            fmpq_sub(p->at + i, value + i, p->at + i);
        }
    }
    fmpq_set(p->at + p->count, value + p->count - 1);
}

pby_status pby_pair_polygon(pby_pair *pair, fmpq *x, fmpq *value, size_t count, pby_error *err)
{
    struct polygon *p = malloc(sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    fmpq *slope = _fmpq_vec_init((slong)count);
    const slong corners = (slong)hull(x, value, slope, count);
    *p = (struct polygon){.base.class = &POLYGON, .count = corners};
    p->x = _fmpq_vec_init(corners);
    p->at = _fmpq_vec_init(corners + 1);
    p->slope = _fmpq_vec_init(corners + 1);
    p->log = _arb_vec_init(corners);
    set_lines(p, x, value, slope);
    _fmpq_vec_clear(slope, (slong)count);
    pair->curve = &p->base;
    return PBY_OK;
}
