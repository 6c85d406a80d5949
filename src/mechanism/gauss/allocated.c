/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/allocated.h"

#include <stdlib.h>

#include "mechanism/gauss/lognormal.h"
#include "number/scoped.h"

enum { RATIO_MOST = 100 };

/* ---- pairs ------------------------------------------------------------------------------------- */

/* Lines at + slope x, of which a convex polygon consists, by rising slopes. */
struct line {
    fmpq_t at, slope;
};

struct lines {
    struct line *line;
    size_t count, room;
};

static bool lines_init(struct lines *l, size_t room)
{
    *l = (struct lines){.line = malloc(room * sizeof *l->line), .room = room};
    for (size_t i = 0; i < room && l->line != NULL; i++) {
        fmpq_init(l->line[i].at);
        fmpq_init(l->line[i].slope);
    }
    return l->line != NULL;
}

static void lines_clear(struct lines *l)
{
    for (size_t i = 0; i < l->room && l->line != NULL; i++) {
        fmpq_clear(l->line[i].slope);
        fmpq_clear(l->line[i].at);
    }
    free(l->line);
}

/* True if b is nowhere above both a and c: they meet at or before the place where a and b meet. */
static bool is_needless(const struct line *a, const struct line *b, const struct line *c)
{
    PBY_FMPQ(x, y, z);
    fmpq_sub(x, a->at, c->at);
    fmpq_sub(z, b->slope, a->slope);
    fmpq_mul(x, x, z);
    fmpq_sub(y, a->at, b->at);
    fmpq_sub(z, c->slope, a->slope);
    fmpq_mul(y, y, z);
    return fmpq_cmp(x, y) <= 0;
}

/* Adds a line to the greatest of those before it. One that does not rise above the slopes so far, as rounding
 * may have it, is left out. */
static void add_line(struct lines *l, const fmpq_t at, const fmpq_t slope)
{
    if (l->count > 0 && fmpq_cmp(l->line[l->count - 1].slope, slope) >= 0)
        return;
    struct line *next = &l->line[l->count];
    fmpq_set(next->at, at);
    fmpq_set(next->slope, slope);
    while (l->count >= 2 && is_needless(next - 2, next - 1, next)) {
        fmpq_swap(next[-1].at, next->at);
        fmpq_swap(next[-1].slope, next->slope);
        next--;
        l->count--;
    }
    l->count++;
}

/* The pair whose potential is the polygon: where two lines meet, an atom of the difference of their slopes
 * under Q and of their values at 0 under P; a level line above 0 is a mass of infinite loss. */
static pby_status pair_of_lines(pby_pair *pair, const struct lines *l, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(x, zero);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    for (size_t i = 0; i < l->count && status == PBY_OK; i++) {
        const struct line *a = &l->line[i], *b = i + 1 < l->count ? a + 1 : NULL;
        fmpq_sub(x, a->at, b != NULL ? b->at : zero);
        pby_expsum_zero(p);
        pby_expsum_add_term(p, x, zero);
        fmpq_sub(x, b != NULL ? b->slope : zero, a->slope);
        pby_expsum_zero(q);
        pby_expsum_add_term(q, x, zero);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* out = x/steps */
static void share(fmpq_t out, pby_directed x, int64_t steps)
{
    pby_directed_get_fmpq(out, x);
    fmpz_mul_si(fmpq_denref(out), fmpq_denref(out), steps);
    fmpq_canonicalise(out);
}

/* The line 1 - x, on which every potential begins. */
static void first_line(struct lines *l)
{
    PBY_FMPQ(one, slope);
    fmpq_one(one);
    fmpq_set_si(slope, -1, 1);
    add_line(l, one, slope);
}

/* Lines below the potential: E max(0, R - x) has, of the measure with its places rounded down, the line
 * E(R; R >= y) - x P(R >= y) for every y; 1 - x + E max(0, x - R), of that rounded up, the line
 * 1 - E(R; R <= y) - x P(R > y). The latter serve below the mean, the former above it, where each is
 * relatively exact. */
static bool lines_below(struct lines *l, const pby_sum *m, int64_t steps)
{
    const pby_directed middle = pby_directed_of_double((double)steps);
    pby_directed mass = {0, 0}, mean = {0, 0}, *tail = calloc(m->count + 1, 2 * sizeof *tail);
    if (tail == NULL || !lines_init(l, m->count + 3)) {
        free(tail);
        return false;
    }
    PBY_FMPQ(at, slope, one);
    fmpq_one(one);
    first_line(l);
    for (size_t i = 0; i < m->count && pby_directed_cmp(m->high[i], middle) <= 0; i++) {
        mass = pby_directed_add(mass, m->mass[i], false);
        mean = pby_directed_add(mean, pby_directed_mul(m->mass[i], m->high[i], true), true);
        share(at, mean, steps);
        fmpq_sub(at, one, at);
        pby_directed_get_fmpq(slope, mass);
        fmpq_sub(slope, slope, one);
        add_line(l, at, slope);
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
        add_line(l, at, slope);
    }
    fmpq_zero(at);
    fmpq_zero(slope);
    add_line(l, at, slope);
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
static void line_through(struct line *l, const struct point *a, const struct point *b)
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
static void hull(struct lines *l, struct point *point, size_t count)
{
    size_t last = 0; /* the points that are kept come first */
    first_line(l);
    for (size_t i = 1; i < count; i++) {
        if (fmpq_cmp(point[i].d, point[last].d) >= 0)
            continue;
        struct line *side = &l->line[l->count];
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
    struct line *level = &l->line[l->count++];
    fmpq_set(level->at, point[last].d);
    fmpq_zero(level->slope);
}

static bool lines_above(struct lines *l, const pby_sum *m, int64_t steps)
{
    struct point *point = malloc(m->count * sizeof *point);
    if (point == NULL || !lines_init(l, m->count + 2)) {
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
    struct lines l = {NULL, 0, 0};
    const bool good = pby_sum_make(&sum, ratio, steps, upper) &&
                      (upper ? lines_above(&l, &sum, steps) : lines_below(&l, &sum, steps));
    const pby_status status = good ? pair_of_lines(pair, &l, err) : pby_no_memory(err);
    lines_clear(&l);
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
