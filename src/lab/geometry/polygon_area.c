/* SPDX-License-Identifier: MIT */
#include "lab/geometry/region.h"
#include "number/scoped.h"

static const fmpq *corner(const pby_region *r, size_t i)
{
    return r->corner + 2 * (i % r->count);
}

/* ---- distances ----------------------------------------------------------------------------------- */

/* out = (q - p, s - r) */
static void product(fmpq_t out, const fmpq *p, const fmpq *q, const fmpq *r, const fmpq *s)
{
    PBY_FMPQ(u, v);
    fmpq_sub(u, q, p);
    fmpq_sub(v, s, r);
    fmpq_mul(out, u, v);
    fmpq_sub(u, q + 1, p + 1);
    fmpq_sub(v, s + 1, r + 1);
    fmpq_addmul(out, u, v);
}

/* out = the cross product of q - p and s - r. */
static void cross(fmpq_t out, const fmpq *p, const fmpq *q, const fmpq *r, const fmpq *s)
{
    PBY_FMPQ(u, v);
    fmpq_sub(u, q, p);
    fmpq_sub(v, s + 1, r + 1);
    fmpq_mul(out, u, v);
    fmpq_sub(u, q + 1, p + 1);
    fmpq_sub(v, s, r);
    fmpq_submul(out, u, v);
}

/* near = the point of the edge from p to q that is nearest to t. */
static void nearest_of_edge(fmpq *near, const fmpq *p, const fmpq *q, const fmpq *t)
{
    PBY_FMPQ(along, all);
    product(all, p, q, p, q);
    product(along, p, q, p, t);
    if (fmpq_sgn(along) <= 0) {
        fmpq_set(near, p);
        fmpq_set(near + 1, p + 1);
    } else if (fmpq_cmp(along, all) >= 0) {
        fmpq_set(near, q);
        fmpq_set(near + 1, q + 1);
    } else {
        fmpq_div(along, along, all);
        pby_point_between(near, p, q, along);
    }
}

/* Returns 1 if t lies on the outer side of no edge; 0 for a segment or a point, where that is never
 * certain. */
static int is_inside(const pby_region *r, const fmpq *t)
{
    int inside = r->count > 2;
    PBY_FMPQ(x);
    for (size_t i = 0; i < r->count && inside; i++) {
        cross(x, corner(r, i), corner(r, i + 1), corner(r, i), t);
        inside = fmpq_sgn(x) >= 0;
    }
    return inside;
}

void pby_region_nearest(fmpq_t x_out, fmpq_t y_out, fmpq_t square, const pby_region *r, const fmpq_t x,
                        const fmpq_t y)
{
    fmpq t[2], near[2];
    PBY_FMPQ(far);
    for (int j = 0; j < 2; j++) {
        fmpq_init(t + j);
        fmpq_init(near + j);
    }
    fmpq_set(t, x);
    fmpq_set(t + 1, y);
    const int inside = is_inside(r, t);
    fmpq_set(x_out, t);
    fmpq_set(y_out, t + 1);
    fmpq_zero(square);
    for (size_t i = 0; i < r->count && !inside; i++) {
        nearest_of_edge(near, corner(r, i), corner(r, i + 1), t);
        product(far, near, t, near, t);
        if (i == 0 || fmpq_cmp(far, square) < 0) {
            fmpq_set(square, far);
            fmpq_set(x_out, near);
            fmpq_set(y_out, near + 1);
        }
    }
    for (int j = 0; j < 2; j++) {
        fmpq_clear(near + j);
        fmpq_clear(t + j);
    }
}

/* The distance to a convex set is convex, so that a corner is the farthest. */
static void raise_to(fmpq_t square, const pby_region *a, const pby_region *b)
{
    PBY_FMPQ(x, y, far);
    for (size_t i = 0; i < a->count; i++) {
        pby_region_nearest(x, y, far, b, corner(a, i), corner(a, i) + 1);
        if (fmpq_cmp(far, square) > 0)
            fmpq_set(square, far);
    }
}

void pby_region_apart(fmpq_t square, const pby_region *a, const pby_region *b)
{
    fmpq_zero(square);
    raise_to(square, a, b);
    raise_to(square, b, a);
}

/* ---- the Steiner point ---------------------------------------------------------------------------- */

/* The exterior angle at corner i, from 0 to pi, over 2 pi. */
static void exterior(arb_t angle, const pby_region *r, size_t i, slong prec)
{
    const fmpq *p = corner(r, i + r->count - 1), *q = corner(r, i), *s = corner(r, i + 1);
    PBY_FMPQ(sine, cosine);
    PBY_ARB(x);
    cross(sine, p, q, q, s);
    product(cosine, p, q, q, s);
    arb_set_fmpq(angle, sine, prec);
    arb_set_fmpq(x, cosine, prec);
    arb_atan2(angle, angle, x, prec);
    arb_const_pi(x, prec);
    arb_div(angle, angle, x, prec);
    arb_mul_2exp_si(angle, angle, -1);
}

void pby_region_steiner(arb_t x, arb_t y, const pby_region *r, slong prec)
{
    PBY_ARB(angle, at);
    arb_zero(x);
    arb_zero(y);
    for (size_t i = 0; i < r->count; i++) {
        if (r->count == 1)
            arb_one(angle);
        else
            exterior(angle, r, i, prec);
        arb_set_fmpq(at, corner(r, i), prec);
        arb_addmul(x, at, angle, prec);
        arb_set_fmpq(at, corner(r, i) + 1, prec);
        arb_addmul(y, at, angle, prec);
    }
}
