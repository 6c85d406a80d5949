/* SPDX-License-Identifier: MIT */
/* Depths against their definition, and what a record does to the score. */
#include "mechanism/depth/depth_score.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 3, CELLS = SIDE * SIDE, MOST = 6, DATA_MOST = 2048 };

static int64_t gcd(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    return b == 0 ? a : gcd(b, a % b);
}

static void coordinates(const pby_tukey *t, int64_t *x, size_t cell)
{
    for (unsigned j = t->dimension; j-- > 0; cell /= (size_t)t->side)
        x[j] = (int64_t)(cell % (size_t)t->side);
}

/* The least of the counts, over every vector of the cube. */
static int64_t defined(const pby_tukey *t, const int64_t *count, size_t cells, size_t at)
{
    int64_t least = t->level, u[4], x[4], p[4];
    const int64_t wide = 2 * t->reach + 1;
    int64_t vectors = 1;
    for (unsigned j = 0; j < t->dimension; j++)
        vectors *= wide;
    coordinates(t, p, at);
    for (int64_t k = 0; k < vectors; k++) {
        int64_t rest = k, divisor = 0, sum = 0;
        for (unsigned j = 0; j < t->dimension; j++, rest /= wide) {
            u[j] = rest % wide - t->reach;
            divisor = gcd(divisor, u[j]);
        }
        for (size_t i = 0; i < cells && divisor == 1; i++) {
            int64_t ahead = 0;
            coordinates(t, x, i);
            for (unsigned j = 0; j < t->dimension; j++)
                ahead += u[j] * (x[j] - p[j]);
            sum += ahead >= 0 ? count[i] : 0;
        }
        if (divisor == 1 && sum < least)
            least = sum;
    }
    return least;
}

static void check(const pby_tukey *t, const int64_t *count, size_t cells)
{
    uint64_t fall[128];
    cr_assert_leq(cells, 128);
    cr_assert_eq(pby_tukey_falls(fall, t, count, NULL), PBY_OK);
    for (size_t i = 0; i < cells; i++)
        cr_assert_eq((int64_t)fall[i], t->level - defined(t, count, cells, i), "%u dimensions, cell %zu",
                     t->dimension, i);
}

static uint64_t step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* In two, three and four dimensions, also with a few directions and with counts beyond the level. */
Test(mechanism_depth, depths_are_the_least_counts)
{
    static const pby_tukey shapes[] = {{2, 5, 4, 7}, {2, 7, 2, 3}, {2, 2, 1, 1},         {3, 4, 2, 5},
                                       {3, 3, 1, 2}, {4, 3, 1, 4}, {2, 9, 8, 2147483647}};
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int round = 0; round < 6; round++) {
            int64_t count[128] = {0};
            const size_t cells = (size_t)pby_tukey_cells(&shapes[i]);
            const uint64_t records = round == 0 ? 0 : step(&state) % 40;
            for (uint64_t r = 0; r < records; r++)
                count[step(&state) % cells] += round == 5 ? 1000000000000 : 1;
            check(&shapes[i], count, cells);
        }
}

/* All data of fewer than MOST records on 3 x 3, and the falls of each. */
struct all {
    size_t count, of[MOST + 2]; /* data of n records begin at of[n] */
    int64_t data[DATA_MOST][CELLS];
    uint64_t fall[DATA_MOST][CELLS];
};

static void list(struct all *a, int64_t *now, size_t at, int64_t left)
{
    if (at + 1 == CELLS) {
        now[at] = left;
        cr_assert_lt(a->count, DATA_MOST);
        memcpy(a->data[a->count++], now, CELLS * sizeof *now);
        return;
    }
    for (int64_t k = 0; k <= left; k++) {
        now[at] = k;
        list(a, now, at + 1, left - k);
    }
}

static struct all *all_of(int64_t level, int64_t reach)
{
    const pby_tukey t = {2, SIDE, reach, level};
    int64_t now[CELLS] = {0};
    struct all *a = calloc(1, sizeof *a);
    cr_assert_not_null(a);
    for (int64_t n = 0; n < MOST; n++) {
        a->of[n] = a->count;
        list(a, now, 0, n);
    }
    a->of[MOST] = a->count;
    for (size_t i = 0; i < a->count; i++)
        cr_assert_eq(pby_tukey_falls(a->fall[i], &t, a->data[i], NULL), PBY_OK);
    return a;
}

/* Records that x has and y has not. */
static int64_t beyond(const int64_t *x, const int64_t *y)
{
    int64_t d = 0;
    for (size_t i = 0; i < CELLS; i++)
        d += x[i] > y[i] ? x[i] - y[i] : 0;
    return d;
}

static double delta_at_0(const uint64_t *x, const uint64_t *y, double rate)
{
    double p = 0, q = 0, delta = 0;
    for (size_t i = 0; i < CELLS; i++) {
        p += exp(-rate * (double)x[i]);
        q += exp(-rate * (double)y[i]);
    }
    for (size_t i = 0; i < CELLS; i++)
        delta += fmax(0, exp(-rate * (double)x[i]) / p - exp(-rate * (double)y[i]) / q);
    return delta;
}

/* A record more raises every depth by 0 or 1; and the greatest delta at epsilon 0 is just below the bound
 * 0.244919 of eps = 1. */
Test(mechanism_depth, a_record_more_is_seen_once_at_most)
{
    static const double greatest[] = {[2] = 0.244776, [3] = 0.244858};
    for (int64_t level = 1; level <= 3; level++)
        for (int64_t reach = 1; reach <= 2; reach++) {
            struct all *a = all_of(level, reach);
            double delta = 0;
            for (size_t n = 0; n + 1 < MOST; n++)
                for (size_t i = a->of[n]; i < a->of[n + 1]; i++)
                    for (size_t j = a->of[n + 1]; j < a->of[n + 2]; j++) {
                        if (beyond(a->data[i], a->data[j]) > 0)
                            continue;
                        for (size_t t = 0; t < CELLS; t++)
                            cr_assert(a->fall[i][t] - a->fall[j][t] <= 1, "level %ld", (long)level);
                        delta = fmax(delta, delta_at_0(a->fall[i], a->fall[j], 1));
                        delta = fmax(delta, delta_at_0(a->fall[j], a->fall[i], 1));
                    }
            cr_assert_lt(delta, 0.2449187);
            if (level > 1 && reach == 2)
                cr_assert(fabs(delta - greatest[level]) < 1e-6, "level %ld: %.6f", (long)level, delta);
            free(a);
        }
}

/* A record that changes moves every depth by 1 at most. */
Test(mechanism_depth, a_changed_record_moves_a_depth_by_one)
{
    struct all *a = all_of(3, 2);
    for (size_t n = 0; n < MOST; n++)
        for (size_t i = a->of[n]; i < a->of[n + 1]; i++)
            for (size_t j = a->of[n]; j < i; j++)
                for (size_t t = 0; t < CELLS && beyond(a->data[i], a->data[j]) == 1; t++)
                    cr_assert(a->fall[i][t] - a->fall[j][t] + 1 <= 2);
    free(a);
}

/* Every direction of the plane: the least over all half-planes with t on their border, by the pairs of a
 * record and t, and by directions a little to either side of them. */
static int64_t by_records(const int64_t *count, int64_t side, int64_t px, int64_t py)
{
    int64_t least = INT64_MAX;
    const int64_t cells = side * side;
    for (int64_t c = 0; c < cells; c++)
        for (int turn = 0; turn < 4; turn++) {
            const int64_t dx = c / side - px, dy = c % side - py;
            const int64_t u = turn % 2 == 0 ? -dy : dy, v = turn % 2 == 0 ? dx : -dx;
            int64_t sum[3] = {0, 0, 0};
            if (dx == 0 && dy == 0)
                continue;
            for (int64_t i = 0; i < cells; i++) {
                const int64_t x = i / side - px, y = i % side - py, ahead = u * x + v * y,
                              side_way = -v * x + u * y;
                const bool here = x == 0 && y == 0;
                sum[0] += ahead >= 0 ? count[i] : 0;
                sum[1] += ahead > 0 || here || (ahead == 0 && side_way > 0) ? count[i] : 0;
                sum[2] += ahead > 0 || here || (ahead == 0 && side_way < 0) ? count[i] : 0;
            }
            for (int k = 0; k < 3; k++)
                least = sum[k] < least ? sum[k] : least;
        }
    return least;
}

/* Directions up to 1 do not do on 3 x 3: they take (1, 1) to lie between (0, 0) and (2, 1). */
Test(mechanism_depth, fewer_directions_give_a_greater_depth)
{
    const pby_tukey few = {2, 3, 1, 5}, all = {2, 3, 2, 5};
    int64_t count[CELLS] = {[0] = 1, [7] = 1};
    uint64_t fall[CELLS];
    cr_assert_eq(pby_tukey_falls(fall, &few, count, NULL), PBY_OK);
    cr_assert_eq(fall[4], 4);
    cr_assert_eq(pby_tukey_falls(fall, &all, count, NULL), PBY_OK);
    cr_assert_eq(fall[4], 5);
}

/* With all directions up to side - 1 the depth is Tukey's. */
Test(mechanism_depth, all_directions_of_the_grid_give_the_true_depth)
{
    uint64_t state = 7;
    for (int64_t side = 3; side <= 6; side++)
        for (int round = 0; round < 20; round++) {
            const pby_tukey t = {2, side, side - 1, 1000};
            int64_t count[36] = {0};
            uint64_t fall[36];
            const uint64_t records = 1 + step(&state) % 12;
            for (uint64_t r = 0; r < records; r++)
                count[step(&state) % (uint64_t)(side * side)]++;
            cr_assert_eq(pby_tukey_falls(fall, &t, count, NULL), PBY_OK);
            for (int64_t i = 0; i < side * side; i++)
                cr_assert_eq(1000 - (int64_t)fall[i], by_records(count, side, i / side, i % side),
                             "side %ld, point %ld", (long)side, (long)i);
        }
}
