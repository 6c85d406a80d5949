/* SPDX-License-Identifier: MIT */
#include "mechanism/depth/depth_score.h"

#include <flint/ulong_extras.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/contraction.h"
#include "kernel/tukey.h"
#include "mechanism/shared/lattice.h"

enum { DIMENSION_MAX = PBY_LATTICE_DIMENSION_MAX };

double pby_tukey_cells(const pby_tukey *t)
{
    double cells = 1;
    for (unsigned i = 0; i < t->dimension; i++)
        cells *= (double)t->side;
    return cells;
}

/* For one of two opposite directions: the points, and the places of a table, about reach side/2 an axis. */
double pby_tukey_steps(const pby_tukey *t)
{
    double directions = 1;
    for (unsigned i = 0; i < t->dimension; i++)
        directions *= 2 * (double)t->reach + 1;
    return directions / 2 *
           (pby_tukey_cells(t) + (double)t->dimension * (double)t->reach * (double)t->side / 2);
}

/* ---- the work of one direction ------------------------------------------------------------------ */

struct work {
    const pby_tukey *t;
    size_t cells, occupied;
    int32_t *axis[DIMENSION_MAX]; /* coordinates of the cells that hold records, */
    int64_t *records;             /* and how many */
    size_t *place;                /* of each along the direction */
    int64_t *line;                /* records along the direction; 0 from one direction to the next */
    int64_t *table;               /* what pby_tukey_table makes of them */
    int64_t *depth;               /* of each cell so far */
    int64_t u[DIMENSION_MAX];
};

static void work_free(struct work *w, size_t room)
{
    if (w->records != NULL)
        sodium_memzero(w->records, w->occupied * sizeof *w->records);
    if (w->place != NULL)
        sodium_memzero(w->place, w->occupied * sizeof *w->place);
    if (w->line != NULL)
        sodium_memzero(w->line, room * sizeof *w->line);
    if (w->table != NULL)
        sodium_memzero(w->table, room * sizeof *w->table);
    for (unsigned j = 0; j < w->t->dimension; j++) {
        if (w->axis[j] != NULL)
            sodium_memzero(w->axis[j], w->occupied * sizeof *w->axis[j]);
        free(w->axis[j]);
    }
    free(w->records);
    free(w->place);
    free(w->line);
    free(w->table);
}

static void read_cell(int64_t x[DIMENSION_MAX], const pby_tukey *t, size_t cell)
{
    for (unsigned j = t->dimension; j-- > 0; cell /= (size_t)t->side)
        x[j] = (int64_t)(cell % (size_t)t->side);
}

static pby_status work_init(struct work *w, size_t room, const int64_t *count, pby_error *err)
{
    size_t occupied = 0, n = 0;
    int64_t x[DIMENSION_MAX] = {0};
    for (size_t i = 0; i < w->cells; i++)
        occupied += count[i] != 0;
    bool short_of_memory = false;
    for (unsigned j = 0; j < w->t->dimension; j++) {
        w->axis[j] = reallocarray(NULL, occupied + 1, sizeof *w->axis[j]);
        short_of_memory = short_of_memory || w->axis[j] == NULL;
    }
    w->records = reallocarray(NULL, occupied + 1, sizeof *w->records);
    w->place = reallocarray(NULL, occupied + 1, sizeof *w->place);
    w->line = calloc(room, sizeof *w->line);
    w->table = reallocarray(NULL, room, sizeof *w->table);
    if (short_of_memory || w->records == NULL || w->place == NULL || w->line == NULL || w->table == NULL)
        return pby_no_memory(err);
    w->occupied = occupied;
    for (size_t i = 0; i < w->cells; i++)
        if (count[i] != 0) {
            read_cell(x, w->t, i);
            for (unsigned j = 0; j < w->t->dimension; j++)
                w->axis[j][n] = (int32_t)x[j];
            w->records[n++] = count[i];
        }
    return PBY_OK;
}

/* <u, x> */
static int64_t along(const struct work *w, const int64_t x[DIMENSION_MAX])
{
    int64_t sum = 0;
    for (unsigned j = 0; j < w->t->dimension; j++)
        sum += w->u[j] * x[j];
    return sum;
}

/* Returns the number of first points of a row that lie in front of `end`: place from, from + stride, ..,
 * stride > 0. */
static size_t in_front(int64_t from, int64_t stride, int64_t end, int64_t side)
{
    const int64_t points = from >= end ? 0 : (end - from + stride - 1) / stride;
    return (size_t)(points < side ? points : side);
}

/* Lowers the depths of a row, but for places of the level, which lower none. */
static void lower_row(struct work *w, size_t row, int64_t from, size_t places, pby_tukey_span level)
{
    const int64_t side = w->t->side, stride = w->u[w->t->dimension - 1];
    const int64_t lo = (int64_t)level.lo, hi = (int64_t)level.hi;
    size_t first = from < lo || from >= hi ? (size_t)side : 0, rest = (size_t)side;
    if (stride > 0) {
        first = in_front(from, stride, lo, side);
        rest = in_front(from, stride, hi, side);
    } else if (stride < 0) {
        first = in_front(-from, -stride, 1 - hi, side);
        rest = in_front(-from, -stride, 1 - lo, side);
    }
    if (first > 0)
        pby_tukey_row(w->depth + row, first, w->table, (int64_t)places, from, stride);
    if (rest < (size_t)side)
        pby_tukey_row(w->depth + row + rest, (size_t)side - rest, w->table, (int64_t)places,
                      from + (int64_t)rest * stride, stride);
}

/* Where the cells that hold records lie along the direction. The first and the last axis at once: the plane
 * has no other. */
static void set_places(struct work *w, int64_t least)
{
    const unsigned last = w->t->dimension - 1;
    const int32_t *const x = w->axis[0], *const y = w->axis[last];
    const int64_t a = last > 0 ? w->u[0] : 0, b = w->u[last];
    for (size_t i = 0; i < w->occupied; i++) {
        int64_t sum = a * x[i] + b * y[i] - least;
        for (unsigned j = 1; j < last; j++)
            sum += w->u[j] * w->axis[j][i];
        w->place[i] = (size_t)sum;
    }
}

/* Where most places hold records, all of them are cleared in one go. */
static void clear_line(struct work *w, size_t places)
{
    if (w->occupied > places / 8)
        memset(w->line, 0, places * sizeof *w->line);
    else
        for (size_t i = 0; i < w->occupied; i++)
            w->line[w->place[i]] = 0;
}

/* Lowers the depths to those along u and along -u. */
static void lower(struct work *w)
{
    const pby_tukey *t = w->t;
    const size_t side = (size_t)t->side;
    int64_t least = 0, most = 0, x[DIMENSION_MAX] = {0};
    for (unsigned j = 0; j < t->dimension; j++)
        *(w->u[j] < 0 ? &least : &most) += w->u[j] * (t->side - 1);
    const size_t places = (size_t)(most - least) + 1;
    set_places(w, least);
    pby_gather(w->line, places, w->place, w->records, w->occupied);
    const pby_tukey_span level = pby_tukey_table(w->table, w->line, places, t->level);
    clear_line(w, places);
    for (size_t row = 0; row < w->cells; row += side) {
        read_cell(x, t, row);
        lower_row(w, row, along(w, x) - least, places, level);
    }
}

/* ---- all directions ----------------------------------------------------------------------------- */

/* True if u has no common divisor, and is the one of u and -u that is taken: its first coordinate that is not
 * 0 is positive. */
static bool is_taken(const struct work *w)
{
    ulong divisor = 0;
    int64_t first = 0;
    for (unsigned j = 0; j < w->t->dimension; j++) {
        first = first != 0 ? first : w->u[j];
        divisor = n_gcd(divisor, (ulong)(w->u[j] < 0 ? -w->u[j] : w->u[j]));
    }
    return first > 0 && divisor == 1;
}

/* The next of all vectors; false behind the last. */
static bool next(struct work *w)
{
    unsigned j = w->t->dimension;
    while (j > 0 && w->u[j - 1] == w->t->reach)
        w->u[--j] = -w->t->reach;
    if (j == 0)
        return false;
    w->u[j - 1]++;
    return true;
}

pby_status pby_tukey_falls(uint64_t *fall, const pby_tukey *t, const int64_t *count, pby_error *err)
{
    struct work w = {.t = t, .cells = (size_t)pby_tukey_cells(t), .depth = (int64_t *)fall};
    const size_t room = (size_t)(t->dimension * t->reach * (t->side - 1)) + 1;
    const pby_status status = work_init(&w, room, count, err);
    for (size_t i = 0; i < w.cells; i++)
        w.depth[i] = t->level;
    w.u[0] = 0;
    for (unsigned j = 1; j < t->dimension; j++)
        w.u[j] = -t->reach;
    for (bool more = status == PBY_OK; more; more = next(&w))
        if (is_taken(&w))
            lower(&w);
    for (size_t i = 0; i < w.cells; i++)
        fall[i] = (uint64_t)(t->level - w.depth[i]);
    work_free(&w, room);
    return status;
}
