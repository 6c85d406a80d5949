/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/allocated.h"

#include <stdlib.h>

#include "mechanism/gauss/lognormal.h"
#include "number/scoped.h"
#include "pair/tangents.h"

enum { RATIO_MOST = 100 };

/* ---- pairs ------------------------------------------------------------------------------------- */

/* out = x/steps */
static void share(fmpq_t out, pby_directed x, int64_t steps)
{
    pby_directed_get_fmpq(out, x);
    fmpz_mul_si(fmpq_denref(out), fmpq_denref(out), steps);
    fmpq_canonicalise(out);
}

/* Lines below the potential: E max(0, R - x) has, of the measure with its places rounded down, the line
 * E(R; R >= y) - x P(R >= y) for every y; 1 - x + E max(0, x - R), of that rounded up, the line
 * 1 - E(R; R <= y) - x P(R > y). The latter serve below the mean, the former above it, where each is
 * relatively exact. */
static bool lines_below(pby_tangents *l, const pby_sum *m, int64_t steps)
{
    const pby_directed middle = pby_directed_of_double((double)steps);
    pby_directed mass = {0, 0}, mean = {0, 0}, *tail = calloc(m->count + 1, 2 * sizeof *tail);
    if (tail == NULL || !pby_tangents_init(l, m->count + 3)) {
        free(tail);
        return false;
    }
    PBY_FMPQ(at, slope, one);
    fmpq_one(one);
    pby_tangents_first(l);
    for (size_t i = 0; i < m->count && pby_directed_cmp(m->high[i], middle) <= 0; i++) {
        mass = pby_directed_add(mass, m->mass[i], false);
        mean = pby_directed_add(mean, pby_directed_mul(m->mass[i], m->high[i], true), true);
        share(at, mean, steps);
        fmpq_sub(at, one, at);
        pby_directed_get_fmpq(slope, mass);
        fmpq_sub(slope, slope, one);
        pby_tangents_add(l, at, slope);
    }
    for (size_t i = m->count; i-- > 0;) {
        tail[2 * i] = pby_directed_add(tail[2 * i + 2], m->mass[i], true);
        tail[2 * i + 1] =
            pby_directed_add(tail[2 * i + 3], pby_directed_mul(m->mass[i], m->low[i], false), false);
    }
    for (size_t i = 0; i < m->count; i++) {
        if (pby_directed_cmp(m->low[i], middle) <= 0)
            continue;
        share(at, tail[2 * i + 1], steps);
        pby_directed_get_fmpq(slope, tail[2 * i]);
        fmpq_neg(slope, slope);
        pby_tangents_add(l, at, slope);
    }
    fmpq_zero(at);
    fmpq_zero(slope);
    pby_tangents_add(l, at, slope);
    free(tail);
    return true;
}

/* A place of R, and a bound of the potential there from above. */
struct point {
    fmpq_t x, d;
};

/* point[i].d = the lesser of E max(0, R - x) and 1 - x + E max(0, x - R), of a measure that is too great for
 * either. */
static void bound_points(struct point *point, const pby_sum *m, int64_t steps)
{
    pby_directed mass = {0, 0}, sum = {0, 0};
    PBY_FMPQ(d);
    for (size_t i = 0; i < m->count; i++) {
        if (i > 0)
            sum = pby_directed_add(
                sum, pby_directed_mul(mass, pby_directed_sub(m->high[i], m->low[i - 1], true), true), true);
        mass = pby_directed_add(mass, m->mass[i], true);
        share(point[i].x, m->high[i], steps);
        share(d, sum, steps);
        fmpq_sub(d, d, point[i].x);
        fmpq_add_si(point[i].d, d, 1);
    }
    mass = (pby_directed){0, 0};
    sum = m->beyond_mean;
    for (size_t i = m->count; i-- > 0;) {
        if (i + 1 < m->count)
            sum = pby_directed_add(
                sum, pby_directed_mul(mass, pby_directed_sub(m->high[i + 1], m->low[i], true), true), true);
        mass = pby_directed_add(mass, m->mass[i], true);
        share(d, sum, steps);
        if (fmpq_cmp(d, point[i].d) < 0)
            fmpq_swap(d, point[i].d);
    }
}

/* The line through two points. */
static void line_through(pby_tangent *l, const struct point *a, const struct point *b)
{
    PBY_FMPQ(width);
    fmpq_sub(width, b->x, a->x);
    fmpq_sub(l->slope, b->d, a->d);
    fmpq_div(l->slope, l->slope, width);
    fmpq_mul(l->at, l->slope, a->x);
    fmpq_sub(l->at, a->d, l->at);
}

/* The sides of the greatest convex polygon below the points, up to the lowest of them, and level behind. A
 * convex function below the points is below it. */
static void hull(pby_tangents *l, struct point *point, size_t count)
{
    size_t last = 0; /* the points that are kept come first */
    pby_tangents_first(l);
    for (size_t i = 1; i < count; i++) {
        if (fmpq_cmp(point[i].d, point[last].d) >= 0)
            continue;
        pby_tangent *side = &l->line[l->count];
        line_through(side, &point[last], &point[i]);
        while (l->count > 1 && fmpq_cmp(side->slope, side[-1].slope) <= 0) {
            l->count--;
            last--;
            side--;
            line_through(side, &point[last], &point[i]);
        }
        l->count++;
        last++;
        fmpq_swap(point[last].x, point[i].x);
        fmpq_swap(point[last].d, point[i].d);
    }
    pby_tangent *level = &l->line[l->count++];
    fmpq_set(level->at, point[last].d);
    fmpq_zero(level->slope);
}

static bool lines_above(pby_tangents *l, const pby_sum *m, int64_t steps)
{
    struct point *point = malloc(m->count * sizeof *point);
    if (point == NULL || !pby_tangents_init(l, m->count + 2)) {
        free(point);
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        fmpq_init(point[i].x);
        fmpq_init(point[i].d);
    }
    bound_points(point, m, steps);
    hull(l, point, m->count);
    for (size_t i = 0; i < m->count; i++) {
        fmpq_clear(point[i].d);
        fmpq_clear(point[i].x);
    }
    free(point);
    return true;
}

static pby_status make_pair(pby_pair *pair, const fmpq_t ratio, int64_t steps, bool upper, pby_error *err)
{
    pby_sum sum = {.count = 0};
    pby_tangents l = {NULL, 0, 0};
    const bool good = pby_sum_make(&sum, ratio, steps, upper) &&
                      (upper ? lines_above(&l, &sum, steps) : lines_below(&l, &sum, steps));
    const pby_status status = good ? pby_tangents_pair(pair, &l, err) : pby_no_memory(err);
    pby_tangents_clear(&l);
    pby_sum_clear(&sum);
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

/* Where noise is too small for doubles to place knots: all may be revealed, and at least as much is lost as
 * with more noise. */
static pby_status little_noise(pby_pairs *out, int64_t steps, bool upper, pby_error *err)
{
    if (upper)
        return reveal_all(out, err);
    PBY_FMPQ(ratio);
    fmpq_set_si(ratio, RATIO_MOST, 1);
    return pby_allocated_pairs(out, ratio, steps, false, err);
}

pby_status pby_allocated_pairs(pby_pairs *out, const fmpq_t ratio, int64_t steps, bool upper, pby_error *err)
{
    if (fmpq_cmp_si(ratio, RATIO_MOST) > 0)
        return little_noise(out, steps, upper, err);
    pby_status status = pby_pairs_init(out, 2, err);
    if (status == PBY_OK)
        status = make_pair(&out->pair[0], ratio, steps, upper, err);
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
    return status;
}
