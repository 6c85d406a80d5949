/* SPDX-License-Identifier: MIT */
#include "mechanism/fbsteiner/fbsteiner_score.h"

#include <sodium.h>
#include <stdlib.h>

#include "number/scoped.h"

enum { AXES = 3, DIRECTIONS_MOST = 256 };

/* A, and the least common multiple of all |u|^2. */
typedef struct circle {
    int64_t u[DIRECTIONS_MOST][AXES], norm2[DIRECTIONS_MOST], multiple;
    size_t count;
} circle;

/* All that is secret: the depths, the supports of one direction by level, and what they sum up to. */
typedef struct sums {
    int64_t *depth, *support; /* support[k - 1] of the points of depth k or more, k = 1 .. 2 level - 1 */
    int64_t *low[AXES], *high[AXES], *miss[AXES]; /* of level +- k, k = 0 .. level - 1; and by coordinate */
} sums;

int64_t pby_centre_radius_most(unsigned dimension)
{
    return dimension == 2 ? 6 : 3;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void add_direction(circle *a, int64_t x, int64_t y, int64_t z, int64_t radius)
{
    const int64_t norm2 = x * x + y * y + z * z;
    if (norm2 > radius * radius || divisor(divisor(x, y), z) != 1)
        return;
    int64_t *u = a->u[a->count];
    u[0] = x;
    u[1] = y;
    u[2] = z;
    a->norm2[a->count++] = norm2;
    a->multiple = a->multiple / divisor(a->multiple, norm2) * norm2;
}

static void make_circle(circle *a, const pby_centre *c)
{
    const int64_t r = c->radius, deep = c->depth.dimension == 2 ? 0 : r;
    *a = (circle){.multiple = 1};
    for (int64_t x = -r; x <= r; x++)
        for (int64_t y = -r; y <= r; y++)
            for (int64_t z = -deep; z <= deep; z++)
                add_direction(a, x, y, z, r);
}

double pby_centre_steps(const pby_centre *c)
{
    circle a;
    make_circle(&a, c);
    return (double)a.count * (pby_tukey_cells(&c->depth) + 2.0 * (double)c->depth.level);
}

/* <u, p> of a cell. */
static int64_t along(const pby_tukey *t, const int64_t u[AXES], int64_t cell)
{
    int64_t sum = 0;
    for (int axis = (int)t->dimension - 1; axis >= 0; axis--, cell /= t->side)
        sum += u[axis] * (cell % t->side);
    return sum;
}

/* The least and the greatest <u, p> of all cells. */
static int64_t end_of(const pby_tukey *t, const int64_t u[AXES], int sign)
{
    int64_t sum = 0;
    for (unsigned axis = 0; axis < t->dimension; axis++)
        sum += sign * u[axis] > 0 ? u[axis] * (t->side - 1) : 0;
    return sum;
}

/* The supports along u of the regions of every level. */
static void find_supports(sums *s, const pby_centre *c, const int64_t u[AXES], int64_t cells)
{
    const int64_t levels = 2 * c->depth.level - 1, least = end_of(&c->depth, u, -1);
    for (int64_t k = 0; k < levels; k++)
        s->support[k] = least;
    for (int64_t p = 0; p < cells; p++)
        if (s->depth[p] > 0) {
            int64_t *best = &s->support[s->depth[p] - 1];
            const int64_t at = along(&c->depth, u, p);
            *best = at > *best ? at : *best;
        }
    for (int64_t k = levels - 1; k > 0; k--)
        s->support[k - 1] = s->support[k] > s->support[k - 1] ? s->support[k] : s->support[k - 1];
}

/* Adds one direction to the sums: a coordinate that is positive takes the support of the smaller region for
 * the lower end, a negative one that of the larger. */
static void add_supports(sums *s, const pby_centre *c, const int64_t u[AXES], int64_t weight)
{
    const int64_t level = c->depth.level;
    for (unsigned axis = 0; axis < c->depth.dimension; axis++)
        for (int64_t k = 0; k < level; k++) {
            const int64_t inner = s->support[level + k - 1], outer = s->support[level - k - 1];
            s->low[axis][k] += weight * u[axis] * (u[axis] > 0 ? inner : outer);
            s->high[axis][k] += weight * u[axis] * (u[axis] > 0 ? outer : inner);
        }
}

/* A divisor is the number of directions times their multiple: there are directions of every radius.
 * NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult) */
static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}
/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */

static int64_t cut(int64_t x, int64_t side)
{
    return x < 0 ? 0 : x >= side ? side - 1 : x;
}

/* miss[axis][v]: the least k whose ends have the coordinate v between them. */
static void find_misses(sums *s, const pby_centre *c, const circle *a)
{
    const int64_t side = c->depth.side, d = c->depth.dimension, whole = (int64_t)a->count * a->multiple;
    for (int64_t axis = 0; axis < d; axis++) {
        for (int64_t v = 0; v < side; v++)
            s->miss[axis][v] = c->depth.level;
        for (int64_t k = c->depth.level - 1; k >= 0; k--) {
            const int64_t from = cut(floor_of(d * s->low[axis][k], whole), side);
            const int64_t to = cut(-floor_of(-d * s->high[axis][k], whole), side);
            for (int64_t v = from; v <= to; v++)
                s->miss[axis][v] = k;
        }
    }
}

int64_t pby_centre_near(const pby_centre *c)
{
    const int64_t d = c->depth.dimension;
    int64_t low = 0, high = 0;
    circle a;
    make_circle(&a, c);
    const int64_t whole = (int64_t)a.count * a.multiple;
    for (size_t i = 0; i < a.count; i++) {
        const int64_t *u = a.u[i], least = end_of(&c->depth, u, -1), weight = a.multiple / a.norm2[i];
        low += u[0] > 0 ? weight * u[0] * least : 0;
        high += u[0] < 0 ? weight * u[0] * least : 0;
    }
    return cut(-floor_of(-d * high, whole), c->depth.side) - cut(floor_of(d * low, whole), c->depth.side) + 1;
}

static void write_falls(uint64_t *fall, const sums *s, const pby_centre *c, int64_t cells)
{
    for (int64_t p = 0; p < cells; p++) {
        int64_t cell = p, worst = 0;
        for (int axis = (int)c->depth.dimension - 1; axis >= 0; axis--, cell /= c->depth.side) {
            const int64_t miss = s->miss[axis][cell % c->depth.side];
            worst = miss > worst ? miss : worst;
        }
        fall[p] = (uint64_t)worst;
    }
}

/* One block for all: cells, levels, and three rows for each axis. */
static pby_status make_sums(sums *s, int64_t **block, size_t *size, const pby_centre *c, int64_t cells,
                            pby_error *err)
{
    const size_t level = (size_t)c->depth.level, side = (size_t)c->depth.side;
    *size = (size_t)cells + 2 * level + AXES * (2 * level + side);
    int64_t *at = *block = calloc(*size, sizeof *at);
    if (at == NULL)
        return pby_no_memory(err);
    s->depth = at;
    s->support = at += cells;
    at += 2 * level;
    for (int axis = 0; axis < AXES; axis++, at += 2 * level + side) {
        s->low[axis] = at;
        s->high[axis] = at + level;
        s->miss[axis] = at + 2 * level;
    }
    return PBY_OK;
}

/* Depths beyond 2 level - 1 tell nothing. */
static pby_status find_depths(int64_t *depth, const pby_centre *c, const int64_t *count, int64_t cells,
                              pby_error *err)
{
    pby_tukey t = c->depth;
    t.level = 2 * t.level - 1;
    PBY_TRY(pby_tukey_falls((uint64_t *)depth, &t, count, err));
    for (int64_t p = 0; p < cells; p++)
        depth[p] = t.level - depth[p];
    return PBY_OK;
}

pby_status pby_centre_falls(uint64_t *fall, const pby_centre *c, const int64_t *count, pby_error *err)
{
    const int64_t cells = (int64_t)pby_tukey_cells(&c->depth);
    int64_t *block;
    size_t size;
    sums s = {.depth = NULL};
    circle a;
    make_circle(&a, c);
    PBY_TRY(make_sums(&s, &block, &size, c, cells, err));
    const pby_status status = find_depths(s.depth, c, count, cells, err);
    if (status == PBY_OK) {
        for (size_t i = 0; i < a.count; i++) {
            find_supports(&s, c, a.u[i], cells);
            /* No direction is the vector 0.
             * NOLINTNEXTLINE(clang-analyzer-core.*) */
            add_supports(&s, c, a.u[i], a.multiple / a.norm2[i]);
        }
        find_misses(&s, c, &a);
        write_falls(fall, &s, c, cells);
    }
    sodium_memzero(block, size * sizeof *block);
    free(block);
    return status;
}
