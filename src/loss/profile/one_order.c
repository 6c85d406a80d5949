/* SPDX-License-Identifier: MIT */
#include "loss/profile/one_order.h"

#include "number/ball.h"
#include "number/scoped.h"

void pby_one_order_init(pby_one_order *promise)
{
    fmpq_init(promise->order);
    fmpq_init(promise->most);
}

void pby_one_order_clear(pby_one_order *promise)
{
    fmpq_clear(promise->most);
    fmpq_clear(promise->order);
}

/* log R = (A-1) r */
static void log_bound(fmpq_t out, const pby_one_order *promise)
{
    fmpq_mul(out, promise->order, promise->most);
    fmpq_sub(out, out, promise->most);
}

/* ---- floating point ------------------------------------------------------------------------------ */

/* Numbers of the search are middles of balls: it may go astray and never deceives, because what it finds is
 * certified afterwards. */
static void settle(arb_t x)
{
    mag_zero(arb_radref(x));
}

/* The state of the search: the order, log R, x = exp(epsilon), and at the point the ratios a = p/q and b =
 * (1-p)/(1-q), with log b and 1 - b beside b, which may be near 0 and near 1. */
struct search {
    arb_t order, less, bound, x; /* A, A - 1, log R, exp(epsilon) */
    arb_t a, b, log_b, gap;
    arb_t u, v, w; /* room */
    slong prec;
};

/* F - 1 is about r, which takes bits off. */
static slong bits_for(const fmpq_t bound, const fmpq_t order, slong prec)
{
    return 2 * prec + 64 + 2 * (slong)(fmpq_height_bits(bound) + 2 * fmpq_height_bits(order));
}

static void search_init(struct search *s, const pby_one_order *promise, const fmpq_t epsilon, slong prec)
{
    PBY_FMPQ(c);
    arb_init(s->order);
    arb_init(s->less);
    arb_init(s->bound);
    arb_init(s->x);
    arb_init(s->a);
    arb_init(s->b);
    arb_init(s->log_b);
    arb_init(s->gap);
    arb_init(s->u);
    arb_init(s->v);
    arb_init(s->w);
    log_bound(c, promise);
    s->prec = bits_for(c, promise->order, prec);
    arb_set_fmpq(s->bound, c, s->prec);
    arb_set_fmpq(s->order, promise->order, s->prec);
    arb_sub_ui(s->less, s->order, 1, s->prec);
    pby_exp_fmpq(s->x, epsilon, s->prec);
    settle(s->bound);
    settle(s->order);
    settle(s->less);
    settle(s->x);
}

static void search_clear(struct search *s)
{
    arb_clear(s->w);
    arb_clear(s->v);
    arb_clear(s->u);
    arb_clear(s->gap);
    arb_clear(s->log_b);
    arb_clear(s->b);
    arb_clear(s->a);
    arb_clear(s->x);
    arb_clear(s->bound);
    arb_clear(s->less);
    arb_clear(s->order);
}

/* out = y^(A-1) ((A-1) y - x A), log being that of y. */
static void stationary(arb_t out, struct search *s, const arb_t y, const arb_t log)
{
    arb_mul(s->w, log, s->less, s->prec);
    arb_exp(s->w, s->w, s->prec);
    arb_mul(out, s->less, y, s->prec);
    arb_submul(out, s->x, s->order, s->prec);
    arb_mul(out, out, s->w, s->prec);
    settle(out);
    settle(s->w); /* y^(A-1), which the slope takes */
}

/* Sets a for b: where p - x q is stationary on F = R, g(a) = g(b) with g as above. g is convex and rises from
 * x on, so that Newton's steps from its zero x A/(A-1) come down to the one a above x. */
static void match_ratio(struct search *s)
{
    enum { STEPS = 1000 };
    const slong prec = s->prec;
    PBY_ARB(level, value);
    stationary(level, s, s->b, s->log_b);
    arb_mul(s->a, s->x, s->order, prec);
    arb_div(s->a, s->a, s->less, prec);
    settle(s->a);
    for (int i = 0; i < STEPS; i++) {
        arb_log(s->u, s->a, prec);
        stationary(value, s, s->a, s->u);
        arb_sub(value, value, level, prec);
        arb_sub(s->v, s->a, s->x, prec); /* the slope is A a^(A-2) (a - x) */
        arb_mul(s->v, s->v, s->order, prec);
        arb_mul(s->v, s->v, s->less, prec);
        arb_mul(s->v, s->v, s->w, prec);
        arb_mul(value, value, s->a, prec);
        arb_div(value, value, s->v, prec);
        settle(value);
        if (!arb_is_finite(value) || arf_sgn(arb_midref(value)) <= 0)
            break;
        arb_sub(s->a, s->a, value, prec);
        settle(s->a);
        arb_div(value, value, s->a, prec);
        if (arf_cmpabs_2exp_si(arb_midref(value), -prec / 2 - 16) < 0)
            break;
    }
}

/* b = 1/(1 + exp(t)) */
static void set_ratio(struct search *s, const arb_t t)
{
    arb_exp(s->u, t, s->prec);
    arb_log1p(s->log_b, s->u, s->prec);
    arb_neg(s->log_b, s->log_b);
    arb_exp(s->b, s->log_b, s->prec);
    arb_mul(s->gap, s->b, s->u, s->prec);
    settle(s->b);
    settle(s->log_b);
    settle(s->gap);
}

/* out = log F - log R at t, with F - 1 = q (a^A - 1) + (1-q) (b^A - 1) and q = (1-b)/(a-b). It rises with t.
 */
static void excess_at(arb_t out, struct search *s, const arb_t t)
{
    const slong prec = s->prec;
    set_ratio(s, t);
    match_ratio(s);
    arb_sub_ui(s->u, s->a, 1, prec);
    arb_add(s->u, s->u, s->gap, prec);
    arb_div(s->u, s->gap, s->u, prec);
    arb_log(s->v, s->a, prec);
    arb_mul(s->v, s->v, s->order, prec);
    arb_expm1(s->v, s->v, prec);
    arb_mul(out, s->v, s->u, prec);
    arb_mul(s->v, s->log_b, s->order, prec);
    arb_expm1(s->v, s->v, prec);
    arb_sub_ui(s->u, s->u, 1, prec);
    arb_submul(out, s->v, s->u, prec);
    arb_log1p(out, out, prec);
    arb_sub(out, out, s->bound, prec);
    settle(out);
}

/* ---- roots of the search ------------------------------------------------------------------------- */

typedef void of_search(arb_t out, struct search *s, const arb_t t);

/* Moves t outwards from 0, by a factor of two, until f there has the sign wanted. */
static void find_side(arb_t t, arb_t value, of_search *f, struct search *s, int sign)
{
    enum { STEPS = 64 };
    arb_set_si(t, sign);
    f(value, s, t);
    for (int i = 0; i < STEPS && arf_sgn(arb_midref(value)) != sign && arf_sgn(arb_midref(value)) != 0; i++) {
        arb_mul_2exp_si(t, t, 1);
        f(value, s, t);
    }
}

/* The root of a rising f: false position, the end that stays counting half. s is left at the root. */
static void find_root(of_search *f, struct search *s)
{
    enum { STEPS = 1000 };
    const slong prec = s->prec;
    PBY_ARB(low, high, f_low, f_high, t, value);
    find_side(low, f_low, f, s, -1);
    find_side(high, f_high, f, s, 1);
    int last = 0;
    for (int i = 0; i < STEPS; i++) {
        arb_sub(value, high, low, prec);
        arb_sub(t, f_high, f_low, prec);
        arb_div(value, value, t, prec);
        arb_mul(value, value, f_high, prec);
        arb_sub(t, high, value, prec);
        settle(t);
        if (!arb_is_finite(t))
            break;
        f(value, s, t);
        const int sign = arf_sgn(arb_midref(value));
        if (sign == 0 || arf_cmpabs_2exp_si(arb_midref(value), -prec * 3 / 4) < 0)
            break;
        if (sign > 0) {
            arb_swap(high, t);
            arb_swap(f_high, value);
            if (last > 0)
                arb_mul_2exp_si(f_low, f_low, -1);
        } else {
            arb_swap(low, t);
            arb_swap(f_low, value);
            if (last < 0)
                arb_mul_2exp_si(f_high, f_high, -1);
        }
        last = sign;
        arb_sub(t, high, low, prec);
        if (arf_cmpabs_2exp_si(arb_midref(t), -prec) < 0)
            break;
    }
}

/* ---- the corner p + q = 1 ------------------------------------------------------------------------ */

/* out = log cosh(y), without overflow; y > 0. */
static void log_cosh(arb_t out, const arb_t y, slong prec)
{
    PBY_ARB(e);
    arb_mul_si(e, y, -2, prec);
    arb_exp(e, e, prec);
    arb_sub_ui(out, e, 1, prec); /* log((1 + e)/2) = log1p((e - 1)/2) */
    arb_mul_2exp_si(out, out, -1);
    arb_log1p(out, out, prec);
    arb_add(out, out, y, prec);
}

/* out = log F(p, 1-p) - log R with p/(1-p) = exp(u), u = exp(t): F is cosh((A-1/2) u)/cosh(u/2). */
static void corner_excess(arb_t out, struct search *s, const arb_t t)
{
    const slong prec = s->prec;
    arb_exp(s->u, t, prec);
    settle(s->u);
    arb_mul_2exp_si(s->v, s->u, -1);
    arb_mul(s->w, s->u, s->order, prec);
    arb_sub(s->w, s->w, s->v, prec);
    log_cosh(out, s->w, prec);
    log_cosh(s->w, s->v, prec);
    arb_sub(out, out, s->w, prec);
    arb_sub(out, out, s->bound, prec);
    arb_exp(s->a, s->u, prec);
    arb_neg(s->log_b, s->u);
    arb_exp(s->b, s->log_b, prec);
    arb_expm1(s->gap, s->log_b, prec);
    arb_neg(s->gap, s->gap);
    settle(out);
    settle(s->a);
    settle(s->b);
    settle(s->gap);
}

/* True if the boundary is steeper than x at the corner, so that p - x q grows up to it:
 * sinh(A u)/(A sinh((A-1) u)) > x. */
static bool ends_at_corner(struct search *s)
{
    const slong prec = s->prec;
    arb_neg(s->u, s->log_b);
    arb_mul(s->v, s->u, s->order, prec);
    arb_mul(s->w, s->u, s->less, prec);
    /* sinh(y) = exp(y) (1 - exp(-2y))/2, by which the quotient is exp(u) times that of the second factors */
    arb_mul_si(s->v, s->v, -2, prec);
    arb_mul_si(s->w, s->w, -2, prec);
    arb_expm1(s->v, s->v, prec);
    arb_expm1(s->w, s->w, prec);
    arb_div(s->v, s->v, s->w, prec);
    arb_mul(s->v, s->v, s->a, prec);
    arb_mul(s->v, s->v, s->less, prec);
    arb_div(s->v, s->v, s->order, prec);
    return arf_cmp(arb_midref(s->v), arb_midref(s->x)) > 0;
}

/* About the best coins, epsilon >= 0. */
static void find_coins(arb_t p, arb_t q, const pby_one_order *promise, const fmpq_t epsilon, slong prec)
{
    struct search s;
    search_init(&s, promise, epsilon, prec);
    find_root(corner_excess, &s);
    if (!ends_at_corner(&s))
        find_root(excess_at, &s);
    arb_sub_ui(q, s.a, 1, s.prec);
    arb_add(q, q, s.gap, s.prec);
    arb_div(q, s.gap, q, s.prec);
    arb_mul(p, q, s.a, s.prec);
    settle(p);
    settle(q);
    search_clear(&s);
}

/* ---- what is certified --------------------------------------------------------------------------- */

/* The value of F and its derivatives, up, F_p > 0, and -F_q > 0, where p > q. */
struct surface {
    arb_t value, up, down;
};

static void surface_init(struct surface *f)
{
    arb_init(f->value);
    arb_init(f->up);
    arb_init(f->down);
}

static void surface_clear(struct surface *f)
{
    arb_clear(f->down);
    arb_clear(f->up);
    arb_clear(f->value);
}

/* F(p, q), given p, q and their complements: by a = p/q and b = (1-p)/(1-q),
 *     F = q a^A + (1-q) b^A,   F_p = A (a^(A-1) - b^(A-1)),   -F_q = (A-1) (a^A - b^A). */
static void surface_at(struct surface *f, const fmpq_t order, const arb_t p, const arb_t q, const arb_t not_p,
                       const arb_t not_q, slong prec)
{
    PBY_ARB(a, b, power, exponent);
    arb_div(a, p, q, prec);
    arb_div(b, not_p, not_q, prec);
    arb_set_fmpq(exponent, order, prec);
    arb_sub_ui(exponent, exponent, 1, prec);
    arb_pow(f->up, a, exponent, prec);
    arb_pow(power, b, exponent, prec);
    arb_mul(a, a, f->up, prec);
    arb_mul(b, b, power, prec);
    arb_sub(f->up, f->up, power, prec);
    arb_sub(f->down, a, b, prec);
    arb_mul(f->down, f->down, exponent, prec);
    arb_set_fmpq(exponent, order, prec);
    arb_mul(f->up, f->up, exponent, prec);
    arb_mul(f->value, q, a, prec);
    arb_addmul(f->value, not_q, b, prec);
}

/* A point of two coins and both constraints there: F(p, q), and F(q, p) = F(1-q, 1-p) with its derivatives.
 */
struct point {
    arb_t p, q, not_p, not_q, most; /* most: R */
    struct surface f, g;
};

static void point_init(struct point *x)
{
    arb_init(x->p);
    arb_init(x->q);
    arb_init(x->not_p);
    arb_init(x->not_q);
    arb_init(x->most);
    surface_init(&x->f);
    surface_init(&x->g);
}

static void point_clear(struct point *x)
{
    surface_clear(&x->g);
    surface_clear(&x->f);
    arb_clear(x->most);
    arb_clear(x->not_q);
    arb_clear(x->not_p);
    arb_clear(x->q);
    arb_clear(x->p);
}

/* p and q are set. G(p, q) = F(1-q, 1-p) has G_p = -F_q and G_q = -F_p there. */
static void point_at(struct point *x, const pby_one_order *promise, slong prec)
{
    PBY_FMPQ(c);
    arb_sub_ui(x->not_p, x->p, 1, prec);
    arb_sub_ui(x->not_q, x->q, 1, prec);
    arb_neg(x->not_p, x->not_p);
    arb_neg(x->not_q, x->not_q);
    log_bound(c, promise);
    pby_exp_fmpq(x->most, c, prec);
    surface_at(&x->f, promise->order, x->p, x->q, x->not_p, x->not_q, prec);
    surface_at(&x->g, promise->order, x->not_q, x->not_p, x->q, x->p, prec);
    arb_swap(x->g.up, x->g.down);
}

static bool keeps(const struct point *x)
{
    return arb_le(x->f.value, x->most) && arb_le(x->g.value, x->most);
}

/* The tangent at the point says p - slope q <= level on all that keeps the promise. */
static void tangent(arb_t level, arb_t slope, const struct point *x, const struct surface *f, slong prec)
{
    arb_div(slope, f->down, f->up, prec);
    arb_sub(level, x->most, f->value, prec);
    arb_div(level, level, f->up, prec);
    arb_add(level, level, x->p, prec);
    arb_submul(level, slope, x->q, prec);
}

/* out = an upper bound on p - x q. With s and t the slopes of the two tangents, s <= x: the first, since q >=
 * 0; t < x < s: their mean of slope x; else the first and s - x, since q <= 1. */
static void bound_above(arb_t out, const struct point *at, const arb_t x, slong prec)
{
    PBY_ARB(slope, other, level, share);
    tangent(out, slope, at, &at->f, prec);
    tangent(level, other, at, &at->g, prec);
    if (arb_gt(slope, x) && arb_lt(other, x)) {
        arb_sub(share, x, other, prec);
        arb_sub(slope, slope, other, prec);
        arb_div(share, share, slope, prec);
        arb_sub(out, out, level, prec);
        arb_mul(out, out, share, prec);
        arb_add(out, out, level, prec);
    } else if (!arb_le(slope, x)) {
        arb_sub(slope, slope, x, prec);
        arb_zero(share);
        arb_max(slope, slope, share, prec);
        arb_add(out, out, slope, prec);
    }
    if (!arb_is_finite(out))
        arb_one(out);
}

/* Moves p of the point towards q until the promise is certainly kept. */
static void keep_promise(struct point *x, const pby_one_order *promise, slong prec)
{
    enum { STEPS = 200 };
    slong places = prec;
    PBY_ARB(start, gap);
    arb_set(start, x->p);
    arb_sub(gap, x->p, x->q, prec);
    settle(gap);
    for (int i = 0; i < STEPS && !keeps(x); i++) {
        arb_mul_2exp_si(gap, gap, -places);
        arb_sub(x->p, start, gap, 2 * prec);
        settle(x->p);
        arb_mul_2exp_si(gap, gap, places);
        places -= places > 64 ? 8 : 4;
        if (places <= 0)
            arb_set(x->p, x->q);
        point_at(x, promise, prec);
    }
}

static slong certified_bits(const pby_one_order *promise, slong prec)
{
    return prec + 64 + 2 * (slong)(fmpq_height_bits(promise->most) + fmpq_height_bits(promise->order));
}

/* The maximum between its two bounds, and the coins of the lower one; epsilon >= 0. */
static void enclose(arb_t ball, struct point *at, const pby_one_order *promise, const fmpq_t epsilon,
                    slong prec)
{
    const slong work = certified_bits(promise, prec);
    PBY_ARB(x, above);
    find_coins(at->p, at->q, promise, epsilon, prec);
    pby_exp_fmpq(x, epsilon, work);
    point_at(at, promise, work);
    bound_above(above, at, x, work);
    keep_promise(at, promise, work);
    arb_mul(ball, x, at->q, work);
    arb_sub(ball, at->p, ball, work);
    arb_zero(x);
    arb_max(ball, ball, x, work);
    arb_union(ball, ball, above, prec);
}

/* For x < 1 the pair, which is its own mirror image, has D(x) = 1 - x + x D(1/x). */
void pby_one_order_delta(arb_t ball, const pby_one_order *promise, const fmpq_t epsilon, slong prec)
{
    struct point at;
    PBY_FMPQ(size);
    PBY_ARB(x);
    point_init(&at);
    fmpq_abs(size, epsilon);
    enclose(ball, &at, promise, size, prec);
    if (fmpq_sgn(epsilon) < 0) {
        pby_exp_fmpq(x, epsilon, prec);
        arb_mul(ball, ball, x, prec);
        arb_sub(ball, ball, x, prec);
        arb_add_ui(ball, ball, 1, prec);
    }
    point_clear(&at);
}

void pby_one_order_coins(fmpq_t p, fmpq_t q, const pby_one_order *promise, const fmpq_t epsilon, slong prec)
{
    struct point at;
    PBY_ARB(ball);
    point_init(&at);
    enclose(ball, &at, promise, epsilon, prec);
    arf_get_fmpq(p, arb_midref(at.p));
    arf_get_fmpq(q, arb_midref(at.q));
    point_clear(&at);
}

bool pby_one_order_keeps(const pby_one_order *promise, const fmpq_t p, const fmpq_t q, slong prec)
{
    struct point at;
    point_init(&at);
    arb_set_fmpq(at.p, p, prec);
    arb_set_fmpq(at.q, q, prec);
    point_at(&at, promise, prec);
    const bool kept = keeps(&at);
    point_clear(&at);
    return kept;
}
