#include "mechanism/gauss/allocated.h"

#include <arb.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>
#include <math.h>

#include "number/erfc.h"

enum {
    POINTS = 1 << 15, /* of the grid */
    BITS = 160,       /* masses are integers over 2^BITS */
    PREC = BITS + 64,
    FINENESS = 512,  /* knots of a pair lie apart by this part of them */
    BLOCK_LEAST = 3, /* cells that are drawn together from below */
    BLOCK_MOST = 12
};

/* The grid of one variable is i unit, i = 0 .. POINTS, unit = reach/POINTS; that of R is i unit/steps. */
struct grid {
    fmpq_t unit;
    arb_t root, half; /* sqrt(ratio), ratio/2 */
    int64_t steps;
};

/* How far the sum of all variables is looked at: beyond it one or many of them are so large that it hardly
 * ever happens. A guess: a bad one costs width and no truth. */
static slong reach_of(const fmpq_t ratio, int64_t steps)
{
    const double far = 6.5; /* deviations of one variable, and of their sum */
    const double v = fmpq_get_d(ratio), k = (double)steps,
                 reach = k + exp(far * sqrt(v) + v / 2) + far * sqrt(k * expm1(v)) + 8;
    return reach < 1e15 ? (slong)reach : 0;
}

/* ---- one variable ------------------------------------------------------------------------------ */

/* out = the normal distribution function at x/root, relatively exact far below 0 */
static void normal(arb_t out, const arb_t x, const struct grid *g)
{
    arb_t at;
    arb_init(at);
    arb_neg(at, x);
    arb_div(at, at, g->root, PREC);
    arb_sqrt_ui(out, 2, PREC);
    arb_div(at, at, out, PREC);
    pby_erfc(out, at, PREC);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(at);
}

/* below = P(Y <= y) and mean = E(Y; Y <= y), y > 0: the normal distribution at (log y +- ratio/2)/root. */
static void lognormal(arb_t below, arb_t mean, const struct grid *g, const fmpq_t y)
{
    arb_t x, at;
    arb_init(x);
    arb_init(at);
    arb_zero(below);
    arb_zero(mean);
    if (fmpq_sgn(y) > 0) {
        arb_log_fmpz(x, fmpq_numref(y), PREC);
        arb_log_fmpz(at, fmpq_denref(y), PREC);
        arb_sub(x, x, at, PREC);
        arb_add(at, x, g->half, PREC);
        normal(below, at, g);
        arb_sub(at, x, g->half, PREC);
        normal(mean, at, g);
    }
    arb_clear(at);
    arb_clear(x);
}

/* A lower bound of a ball in units of 2^-BITS, at least 0. */
static void floor_of(fmpz_t out, const arb_t x)
{
    arf_t low;
    arf_init(low);
    arb_get_lbound_arf(low, x, PREC);
    arf_mul_2exp_si(low, low, BITS);
    arf_get_fmpz(out, low, ARF_RND_FLOOR);
    if (fmpz_sgn(out) < 0)
        fmpz_zero(out);
    arf_clear(low);
}

static void add_at(fmpz_poly_t f, slong i, const arb_t mass)
{
    fmpz_t one, all;
    if (i >= POINTS)
        return;
    fmpz_init(one);
    fmpz_init(all);
    floor_of(one, mass);
    fmpz_poly_get_coeff_fmpz(all, f, i);
    fmpz_add(all, all, one);
    fmpz_poly_set_coeff_fmpz(f, i, all);
    fmpz_clear(all);
    fmpz_clear(one);
}

/* The masses of what lies above grid point i and not above point j, and its mean. */
struct piece {
    slong i, j;
    arb_t mass, mean;
};

static void piece_init(struct piece *p)
{
    arb_init(p->mass);
    arb_init(p->mean);
}

static void piece_clear(struct piece *p)
{
    arb_clear(p->mass);
    arb_clear(p->mean);
}

/* right = what of a mass at point `at` and the next one lies on the next, so that the mean stays; left = the
 * rest. */
static void split(arb_t left, arb_t right, const struct piece *p, slong at, const struct grid *g)
{
    fmpq_t y;
    fmpq_init(y);
    fmpq_mul_si(y, g->unit, at);
    arb_set_fmpq(left, y, PREC);
    arb_mul(left, left, p->mass, PREC);
    arb_sub(right, p->mean, left, PREC);
    arb_set_fmpq(left, g->unit, PREC);
    arb_div(right, right, left, PREC);
    arb_sub(left, p->mass, right, PREC);
    fmpq_clear(y);
}

/* A place in the piece below which a part `share` of its mass lies, about: bisection in doubles, on the tail
 * that is the smaller one. */
static void cut(fmpq_t y, const struct piece *p, const struct grid *g, double share)
{
    enum { HALVINGS = 40 };
    const double unit = fmpq_get_d(g->unit), root = arf_get_d(arb_midref(g->root), ARF_RND_NEAR),
                 half = arf_get_d(arb_midref(g->half), ARF_RND_NEAR), from = unit * (double)p->i,
                 to = unit * (double)p->j, sign = to > 1 ? 1 : -1;
    const double first = from > 0   ? erfc(sign * (log(from) + half) / root * M_SQRT1_2)
                         : sign < 0 ? 0
                                    : 2,
                 last = erfc(sign * (log(to) + half) / root * M_SQRT1_2),
                 level = first + share * (last - first);
    double low = from, high = to;
    for (int k = 0; k < HALVINGS; k++) {
        const double mid = (low + high) / 2, at = erfc(sign * (log(mid) + half) / root * M_SQRT1_2);
        *(sign * (at - level) > 0 ? &low : &high) = mid;
    }
    arf_t x;
    arf_init(x);
    arf_set_d(x, low);
    arf_get_fmpq(y, x);
    arf_clear(x);
}

/* Whether what lies in the piece can be drawn together to the points `at` and at + 1: where it is cut in two,
 * the mean of the lower part is at most the first of them and that of the upper part at least the second. */
static bool draws_together(const struct piece *p, slong at, const struct grid *g, double share)
{
    arb_t mass, mean, before, point;
    fmpq_t x;
    arb_init(mass);
    arb_init(mean);
    arb_init(before);
    arb_init(point);
    fmpq_init(x);
    cut(x, p, g, share);
    lognormal(mass, mean, g, x);
    fmpq_mul_si(x, g->unit, p->i);
    lognormal(before, point, g, x);
    arb_sub(mass, mass, before, PREC); /* of the lower part */
    arb_sub(mean, mean, point, PREC);
    fmpq_mul_si(x, g->unit, at);
    arb_set_fmpq(point, x, PREC);
    arb_mul(point, point, mass, PREC);
    arb_sub(point, mean, point, PREC);
    const bool low = arb_is_nonpositive(point);
    arb_sub(mass, p->mass, mass, PREC);
    arb_sub(mean, p->mean, mean, PREC);
    fmpq_add(x, x, g->unit);
    arb_set_fmpq(point, x, PREC);
    arb_mul(point, point, mass, PREC);
    arb_sub(point, mean, point, PREC);
    const bool high = arb_is_nonnegative(point);
    fmpq_clear(x);
    arb_clear(point);
    arb_clear(before);
    arb_clear(mean);
    arb_clear(mass);
    return low && high;
}

/* Draws a piece together to the two points around its mean, a smaller G; false where it cannot be. */
static bool contract(fmpz_poly_t f, const struct piece *p, const struct grid *g)
{
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    arb_set_fmpq(left, g->unit, PREC);
    arb_div(right, p->mean, p->mass, PREC);
    arb_div(right, right, left, PREC);
    const slong at = arb_is_finite(right) ? (slong)arf_get_d(arb_midref(right), ARF_RND_DOWN) : -1;
    bool good = at > p->i && at + 1 < p->j;
    if (good) {
        split(left, right, p, at, g);
        good = arb_is_positive(left) && arb_is_positive(right);
    }
    if (good) {
        arb_t share;
        arb_init(share);
        arb_div(share, left, p->mass, PREC);
        good = draws_together(p, at, g, arf_get_d(arb_midref(share), ARF_RND_NEAR));
        arb_clear(share);
    }
    if (good) {
        add_at(f, at, left);
        add_at(f, at + 1, right);
    }
    arb_clear(right);
    arb_clear(left);
    return good;
}

/* Moves a piece of one cell to its ends: a greater G. */
static void spread(fmpz_poly_t f, const struct piece *p, const struct grid *g)
{
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    split(left, right, p, p->i, g);
    add_at(f, p->i, left);
    add_at(f, p->i + 1, right);
    arb_clear(right);
    arb_clear(left);
}

/* What lies above point i and not above point j; `last` is what lies at most at i, `next` at j. */
static void take_piece(struct piece *p, struct piece *next, const struct piece *last, const struct grid *g,
                       slong i, slong j)
{
    fmpq_t y;
    fmpq_init(y);
    fmpq_mul_si(y, g->unit, j);
    lognormal(next->mass, next->mean, g, y);
    arb_sub(p->mass, next->mass, last->mass, PREC);
    arb_sub(p->mean, next->mean, last->mean, PREC);
    p->i = i;
    p->j = j;
    fmpq_clear(y);
}

/* One variable on the grid: every cell spread, or several drawn together, as few as can be; where that takes
 * too many, they move up to their end, which makes G smaller as well. */
static void make_one(fmpz_poly_t f, const struct grid *g, bool upper)
{
    struct piece p, next, last;
    piece_init(&p);
    piece_init(&next);
    piece_init(&last);
    fmpz_poly_fit_length(f, POINTS);
    for (slong i = 0; i < POINTS; i = p.j) {
        if (upper) {
            take_piece(&p, &next, &last, g, i, i + 1);
            spread(f, &p, g);
        } else {
            bool done = false;
            for (slong width = BLOCK_LEAST; width <= BLOCK_MOST && !done; width++) {
                take_piece(&p, &next, &last, g, i, i + width);
                done = contract(f, &p, g);
            }
            if (!done) {
                take_piece(&p, &next, &last, g, i, i + 1);
                add_at(f, p.j, p.mass);
            }
        }
        arb_swap(last.mass, next.mass);
        arb_swap(last.mean, next.mean);
    }
    piece_clear(&last);
    piece_clear(&next);
    piece_clear(&p);
}

/* ---- their sum --------------------------------------------------------------------------------- */

/* c = a b up to the last point, rounded down */
static void multiply(fmpz_poly_t c, const fmpz_poly_t a, const fmpz_poly_t b)
{
    fmpz_poly_mullow(c, a, b, POINTS);
    _fmpz_vec_scalar_fdiv_q_2exp(c->coeffs, c->coeffs, c->length, BITS);
    _fmpz_poly_normalise(c);
}

static void power(fmpz_poly_t out, const fmpz_poly_t one, int64_t k)
{
    fmpz_poly_t square, next;
    fmpz_t unit;
    fmpz_poly_init(square);
    fmpz_poly_init(next);
    fmpz_init(unit);
    fmpz_one(unit);
    fmpz_mul_2exp(unit, unit, BITS);
    fmpz_poly_set_fmpz(out, unit);
    fmpz_poly_set(square, one);
    for (; k > 0; k /= 2) {
        if (k % 2 == 1) {
            multiply(next, out, square);
            fmpz_poly_swap(out, next);
        }
        if (k > 1) {
            multiply(next, square, square);
            fmpz_poly_swap(square, next);
        }
    }
    fmpz_clear(unit);
    fmpz_poly_clear(next);
    fmpz_poly_clear(square);
}

/* ---- pairs ------------------------------------------------------------------------------------- */

/* Appends an atom of rational masses. */
static pby_status append(pby_pair *pair, const fmpq_t p, const fmpq_t q, pby_error *err)
{
    pby_expsum_t a, b;
    fmpq_t zero;
    fmpq_init(zero);
    pby_expsum_init(a);
    pby_expsum_init(b);
    pby_expsum_add_term(a, p, zero);
    pby_expsum_add_term(b, q, zero);
    const pby_status status = pby_pair_append(pair, a, b, err);
    pby_expsum_clear(b);
    pby_expsum_clear(a);
    fmpq_clear(zero);
    return status;
}

/* The next point from which on a pair has an atom of its own. */
static slong next_knot(slong i)
{
    const slong far = i / FINENESS;
    return i + (far > 1 ? far : 1);
}

/* x = i unit/steps */
static void place(fmpq_t x, const struct grid *g, slong i)
{
    fmpq_mul_si(x, g->unit, i);
    fmpz_mul_si(fmpq_denref(x), fmpq_denref(x), g->steps);
    fmpq_canonicalise(x);
}

/* sum = E max(0, i - S) 2^BITS on the grid, out of f, from the point before: sum += mass below, which grows.
 */
struct put {
    fmpz_t sum, below;
    slong i;
};

static void put_to(struct put *p, const fmpz_poly_t f, slong i)
{
    fmpz_t one;
    fmpz_init(one);
    for (; p->i < i; p->i++) {
        fmpz_poly_get_coeff_fmpz(one, f, p->i);
        fmpz_add(p->below, p->below, one);
        fmpz_add(p->sum, p->sum, p->below);
    }
    fmpz_clear(one);
}

/* d = 1 - x + G(x) at point i */
static void potential(fmpq_t d, fmpq_t x, const struct put *p, const struct grid *g)
{
    place(x, g, 1);
    fmpq_mul_fmpz(d, x, p->sum);
    fmpq_div_2exp(d, d, BITS);
    place(x, g, p->i);
    fmpq_sub(d, d, x);
    fmpq_add_si(d, d, 1);
}

/* The polygon through the potential at the knots, and level behind the last: an atom where it bends. The mass
 * that was rounded away may all lie at 0. */
static pby_status pair_above(pby_pair *pair, const fmpz_poly_t f, const fmpz_t missing, const struct grid *g,
                             pby_error *err)
{
    struct put put = {.i = 0};
    fmpq_t x, d, last_x, last_d, slope, last_slope, lost, q;
    pby_status status = PBY_OK;
    bool falls = true;
    fmpz_init(put.sum);
    fmpz_init(put.below);
    fmpq_init(x);
    fmpq_init(d);
    fmpq_init(last_x);
    fmpq_init(last_d);
    fmpq_init(slope);
    fmpq_init(last_slope);
    fmpq_init(lost);
    fmpq_init(q);
    fmpq_one(last_d);
    fmpq_set_si(last_slope, -1, 1);
    fmpq_set_fmpz(lost, missing);
    fmpq_div_2exp(lost, lost, BITS);
    for (slong i = 1; i < POINTS && falls && status == PBY_OK; i = next_knot(i)) {
        put_to(&put, f, i);
        potential(d, x, &put, g);
        fmpq_mul(q, lost, x);
        fmpq_add(d, d, q);
        fmpq_sub(slope, d, last_d);
        fmpq_sub(q, x, last_x);
        fmpq_div(slope, slope, q);
        falls = fmpq_sgn(slope) < 0;
        if (!falls)
            break;
        fmpq_sub(q, slope, last_slope);
        fmpq_mul(last_slope, q, last_x); /* P of the atom */
        status = append(pair, last_slope, q, err);
        fmpq_swap(last_slope, slope);
        fmpq_swap(last_x, x);
        fmpq_swap(last_d, d);
    }
    if (status == PBY_OK) {
        fmpq_neg(q, last_slope);
        fmpq_mul(slope, q, last_x);
        status = append(pair, slope, q, err);
    }
    fmpq_zero(q);
    if (status == PBY_OK && fmpq_sgn(last_d) > 0)
        status = append(pair, last_d, q, err);
    fmpq_clear(q);
    fmpq_clear(lost);
    fmpq_clear(last_slope);
    fmpq_clear(slope);
    fmpq_clear(last_d);
    fmpq_clear(last_x);
    fmpq_clear(d);
    fmpq_clear(x);
    fmpz_clear(put.below);
    fmpz_clear(put.sum);
    return status;
}

/* The atoms of f up to where 1 - x + G(x) would fall below 0, those between two knots made one; and one at
 * that place, of all the mass that is left. */
static pby_status pair_below(pby_pair *pair, const fmpz_poly_t f, const struct grid *g, pby_error *err)
{
    struct put put = {.i = 0};
    fmpq_t x, d, p, q, one, rest;
    fmpz_t mass;
    pby_status status = PBY_OK;
    bool above = true;
    fmpz_init(put.sum);
    fmpz_init(put.below);
    fmpq_init(x);
    fmpq_init(d);
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(one);
    fmpq_init(rest);
    fmpz_init(mass);
    fmpq_one(rest);
    for (slong i = 0, knot = 1; i < POINTS && above && status == PBY_OK; i++) {
        fmpz_poly_get_coeff_fmpz(mass, f, i);
        fmpq_set_fmpz(one, mass);
        fmpq_div_2exp(one, one, BITS);
        fmpq_sub(rest, rest, one);
        fmpq_add(q, q, one);
        place(x, g, i);
        fmpq_mul(one, one, x);
        fmpq_add(p, p, one);
        put_to(&put, f, i + 1);
        potential(d, x, &put, g);
        above = fmpq_sgn(d) > 0 && i + 1 < POINTS;
        if (i + 1 < knot && above)
            continue;
        status = append(pair, p, q, err);
        fmpq_zero(p);
        fmpq_zero(q);
        knot = next_knot(i + 1);
    }
    /* at the point x the potential is d, and the slope before it -rest: it is 0 at x + d/rest */
    if (status == PBY_OK && fmpq_sgn(rest) > 0) {
        fmpq_mul(p, rest, x);
        fmpq_add(p, p, d);
        status = append(pair, p, rest, err);
    }
    fmpz_clear(mass);
    fmpq_clear(rest);
    fmpq_clear(one);
    fmpq_clear(q);
    fmpq_clear(p);
    fmpq_clear(d);
    fmpq_clear(x);
    fmpz_clear(put.below);
    fmpz_clear(put.sum);
    return status;
}

/* At least what the sum of all variables lacks of its mass below the last point, in units of 2^-BITS: as
 * often what one lacks as there are steps, and a unit for every coefficient of every product. */
static void find_missing(fmpz_t missing, const fmpz_poly_t one, const struct grid *g)
{
    arb_t below, mean;
    arf_t high;
    fmpq_t y;
    fmpz_t sum;
    arb_init(below);
    arb_init(mean);
    arf_init(high);
    fmpq_init(y);
    fmpz_init(sum);
    fmpq_mul_si(y, g->unit, POINTS);
    lognormal(below, mean, g, y);
    arb_get_ubound_arf(high, below, PREC);
    arf_mul_2exp_si(high, high, BITS);
    arf_get_fmpz(missing, high, ARF_RND_CEIL);
    _fmpz_vec_sum(sum, one->coeffs, one->length);
    fmpz_sub(missing, missing, sum);
    fmpz_add_ui(missing, missing, 2 * POINTS);
    fmpz_mul_si(missing, missing, g->steps);
    fmpz_clear(sum);
    fmpq_clear(y);
    arf_clear(high);
    arb_clear(mean);
    arb_clear(below);
}

static pby_status make_pair(pby_pair *pair, const struct grid *g, bool upper, pby_error *err)
{
    fmpz_poly_t one, all;
    fmpz_t missing;
    fmpz_poly_init(one);
    fmpz_poly_init(all);
    fmpz_init(missing);
    make_one(one, g, upper);
    find_missing(missing, one, g);
    power(all, one, g->steps);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    const pby_status status = upper ? pair_above(pair, all, missing, g, err) : pair_below(pair, all, g, err);
    fmpz_clear(missing);
    fmpz_poly_clear(all);
    fmpz_poly_clear(one);
    return status;
}

/* Two outcomes, each of one input alone: no mechanism loses more. */
static pby_status reveal_all(pby_pairs *out, pby_error *err)
{
    pby_status status = pby_pairs_init(out, 1, err);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        pby_expsum_t p, q;
        pby_expsum_init(p);
        pby_expsum_init(q);
        pby_expsum_one(i == 0 ? p : q);
        status = pby_pair_append(&out->pair[0], p, q, err);
        pby_expsum_clear(q);
        pby_expsum_clear(p);
    }
    if (status == PBY_OK) {
        pby_expsum_one(out->pair[0].norm_p);
        pby_expsum_one(out->pair[0].norm_q);
    }
    return status;
}

/* Where noise is too small for a grid: all may be revealed, and at least as much is lost as with more noise.
 */
static pby_status little_noise(pby_pairs *out, int64_t steps, bool upper, pby_error *err)
{
    enum { MORE_NOISE = 2 }; /* a ratio whose grid is fine */
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_set_si(ratio, MORE_NOISE, 1);
    pby_status status;
    if (upper)
        status = reveal_all(out, err);
    else if (reach_of(ratio, steps) == 0)
        status =
            pby_fail(err, PBY_BAD, "gauss:allocate: expected fewer steps, which no grid is fine enough for");
    else
        status = pby_allocated_pairs(out, ratio, steps, false, err);
    fmpq_clear(ratio);
    return status;
}

pby_status pby_allocated_pairs(pby_pairs *out, const fmpq_t ratio, int64_t steps, bool upper, pby_error *err)
{
    const slong reach = reach_of(ratio, steps);
    if (reach == 0)
        return little_noise(out, steps, upper, err);
    struct grid g = {.steps = steps};
    fmpq_init(g.unit);
    arb_init(g.root);
    arb_init(g.half);
    fmpq_set_si(g.unit, reach, POINTS);
    arb_set_fmpq(g.root, ratio, PREC);
    arb_mul_2exp_si(g.half, g.root, -1);
    arb_sqrt(g.root, g.root, PREC);
    pby_status status = pby_pairs_init(out, 2, err);
    if (status == PBY_OK)
        status = make_pair(&out->pair[0], &g, upper, err);
    for (size_t i = 0; i < out->pair[0].count && status == PBY_OK; i++) {
        pby_expsum_t p, q;
        pby_expsum_init(p);
        pby_expsum_init(q);
        pby_expsum_set(p, out->pair[0].atoms[i].q);
        pby_expsum_set(q, out->pair[0].atoms[i].p);
        status = pby_pair_append(&out->pair[1], p, q, err);
        pby_expsum_clear(q);
        pby_expsum_clear(p);
    }
    if (status == PBY_OK) {
        pby_expsum_one(out->pair[1].norm_p);
        pby_expsum_one(out->pair[1].norm_q);
        out->pair[0].direction = PBY_BACKWARD;
        out->pair[1].direction = PBY_FORWARD;
    }
    arb_clear(g.half);
    arb_clear(g.root);
    fmpq_clear(g.unit);
    return status;
}
