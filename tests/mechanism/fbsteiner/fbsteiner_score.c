/* SPDX-License-Identifier: MIT */
/* The score against its definition, in rationals, and what a record does to it. */
#include "mechanism/fbsteiner/fbsteiner_score.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

enum { CELLS_MOST = 128, DATA_MOST = 1024, RECORDS = 4, CELLS = 9 };

static int64_t cells_of(const pby_centre *c)
{
    return (int64_t)pby_tukey_cells(&c->depth);
}

static void point_of(int64_t p[3], const pby_centre *c, int64_t cell)
{
    p[2] = 0;
    for (int axis = (int)c->depth.dimension - 1; axis >= 0; axis--, cell /= c->depth.side)
        p[axis] = cell % c->depth.side;
}

static int64_t product(const int64_t u[3], const int64_t p[3])
{
    return u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
}

/* Sets u to the next vector of the cube; false behind the last. Begins at -r in all coordinates. */
static bool next(int64_t u[3], const pby_centre *c, int64_t r)
{
    for (unsigned axis = 0; axis < c->depth.dimension; axis++) {
        if (u[axis]++ < r)
            return true;
        u[axis] = -r;
    }
    return false;
}

static void begin(int64_t u[3], const pby_centre *c, int64_t r)
{
    for (unsigned axis = 0; axis < 3; axis++)
        u[axis] = axis < c->depth.dimension ? -r : 0;
}

static int64_t depth_of(const pby_centre *c, const int64_t *count, const int64_t at[3])
{
    int64_t least = INT64_MAX, u[3], p[3];
    begin(u, c, c->depth.reach);
    do {
        int64_t sum = 0;
        for (int64_t i = 0; i < cells_of(c); i++) {
            point_of(p, c, i);
            sum += product(u, p) >= product(u, at) ? count[i] : 0;
        }
        if (product(u, u) > 0)
            least = sum < least ? sum : least;
    } while (next(u, c, c->depth.reach));
    return least;
}

/* Returns the greatest product of u with a point of depth k or more, or the least with any where none is. */
static int64_t support(const pby_centre *c, const int64_t *depth, const int64_t u[3], int64_t k)
{
    int64_t p[3], most = INT64_MIN, least = INT64_MAX;
    for (int64_t i = 0; i < cells_of(c); i++) {
        point_of(p, c, i);
        const int64_t at = product(u, p);
        least = at < least ? at : least;
        if (depth[i] >= k && at > most)
            most = at;
    }
    return most == INT64_MIN ? least : most;
}

static bool primitive(const int64_t u[3])
{
    for (int64_t f = 2; f <= 6; f++)
        if (u[0] % f == 0 && u[1] % f == 0 && u[2] % f == 0)
            return false;
    return true;
}

/* The end of the sums along one axis, outward to an integer of the grid. */
static int64_t end_of(const pby_centre *c, const int64_t *depth, unsigned axis, int64_t k, bool upper)
{
    int64_t u[3], directions = 0;
    mpq_t sum, term;
    mpq_inits(sum, term, NULL);
    begin(u, c, c->radius);
    do {
        const int64_t norm2 = product(u, u);
        if (norm2 == 0 || norm2 > c->radius * c->radius || !primitive(u))
            continue;
        directions++;
        const bool outer = (u[axis] > 0) == upper;
        mpq_set_si(term,
                   u[axis] * support(c, depth, u, outer ? c->depth.level - k : c->depth.level + k) *
                       (int64_t)c->depth.dimension,
                   (unsigned long)norm2);
        mpq_canonicalize(term);
        mpq_add(sum, sum, term);
    } while (next(u, c, c->radius));
    mpz_mul_si(mpq_denref(sum), mpq_denref(sum), directions);
    if (upper)
        mpz_cdiv_q(mpq_numref(sum), mpq_numref(sum), mpq_denref(sum));
    else
        mpz_fdiv_q(mpq_numref(sum), mpq_numref(sum), mpq_denref(sum));
    const int64_t end = mpz_get_si(mpq_numref(sum)), last = c->depth.side - 1;
    mpq_clears(sum, term, NULL);
    return end < 0 ? 0 : end > last ? last : end;
}

static void check(const pby_centre *c, const int64_t *count)
{
    uint64_t fall[CELLS_MOST];
    int64_t depth[CELLS_MOST], p[3], miss[3][8];
    cr_assert_leq(cells_of(c), CELLS_MOST);
    for (int64_t i = 0; i < cells_of(c); i++) {
        point_of(p, c, i);
        depth[i] = depth_of(c, count, p);
    }
    for (unsigned axis = 0; axis < c->depth.dimension; axis++)
        for (int64_t v = 0; v < c->depth.side; v++)
            miss[axis][v] = c->depth.level;
    for (int64_t k = c->depth.level - 1; k >= 0; k--)
        for (unsigned axis = 0; axis < c->depth.dimension; axis++) {
            const int64_t to = end_of(c, depth, axis, k, true);
            for (int64_t v = end_of(c, depth, axis, k, false); v <= to; v++)
                miss[axis][v] = k;
        }
    cr_assert_eq(pby_centre_falls(fall, c, count, NULL), PBY_OK);
    for (int64_t i = 0; i < cells_of(c); i++) {
        int64_t worst = 0;
        point_of(p, c, i);
        for (unsigned axis = 0; axis < c->depth.dimension; axis++)
            worst = miss[axis][p[axis]] > worst ? miss[axis][p[axis]] : worst;
        cr_assert_eq((int64_t)fall[i], worst, "level %ld, cell %ld", (long)c->depth.level, (long)i);
    }
}

static uint64_t step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

Test(mechanism_fbsteiner, the_score_is_that_of_its_definition)
{
    uint64_t state = 5;
    for (unsigned dimension = 2; dimension <= 3; dimension++)
        for (int64_t side = 2; side <= (dimension == 2 ? 6 : 3); side++)
            for (int round = 0; round < 8; round++) {
                const pby_centre c = {.depth = {.dimension = dimension,
                                                .side = side,
                                                .reach = 1 + (int64_t)step(&state) % (side - 1),
                                                .level = 1 + (int64_t)step(&state) % 4},
                                      .radius = 1 +
                                                (int64_t)step(&state) % pby_centre_radius_most(dimension)};
                int64_t count[CELLS_MOST] = {0};
                const uint64_t records = round == 0 ? 0 : step(&state) % 25;
                for (uint64_t r = 0; r < records; r++)
                    count[step(&state) % (uint64_t)cells_of(&c)]++;
                check(&c, count);
            }
}

/* Records at one point have it as their centre, and no other point has score 0. */
Test(mechanism_fbsteiner, records_at_a_point_have_it_as_their_centre)
{
    for (unsigned dimension = 2; dimension <= 3; dimension++)
        for (int64_t radius = 1; radius <= pby_centre_radius_most(dimension); radius++) {
            const pby_centre c = {.depth = {.dimension = dimension, .side = 4, .reach = 2, .level = 3},
                                  .radius = radius};
            for (int64_t at = 0; at < cells_of(&c); at++) {
                uint64_t fall[CELLS_MOST];
                int64_t count[CELLS_MOST] = {0};
                count[at] = 5;
                cr_assert_eq(pby_centre_falls(fall, &c, count, NULL), PBY_OK);
                for (int64_t i = 0; i < cells_of(&c); i++)
                    cr_assert_eq(fall[i] == 0, i == at, "%ld of %ld", (long)i, (long)at);
            }
        }
}

/* ---- neighbours --------------------------------------------------------------------------------- */

/* All data of up to RECORDS records on 3 x 3, and the falls of each. */
struct all {
    size_t count, of[RECORDS + 2]; /* data of n records begin at of[n] */
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

static struct all *all_of(const pby_centre *c)
{
    int64_t now[CELLS] = {0};
    struct all *a = calloc(1, sizeof *a);
    cr_assert_not_null(a);
    for (int64_t n = 0; n <= RECORDS; n++) {
        a->of[n] = a->count;
        list(a, now, 0, n);
    }
    a->of[RECORDS + 1] = a->count;
    for (size_t i = 0; i < a->count; i++)
        cr_assert_eq(pby_centre_falls(a->fall[i], c, a->data[i], NULL), PBY_OK);
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

static double delta_of(const uint64_t *x, const uint64_t *y, double rate)
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

static void check_loss(const char *text, pby_neighbours relation, double worst)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure bound;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&bound);
    cr_assert_eq(pby_loss_delta(&bound, spec, relation, epsilon, 12, NULL), PBY_OK);
    cr_assert(mpfr_cmp_d(bound.lo, worst + 1e-9) < 0, "%s: %.9f", text, worst);
    cr_assert(mpfr_cmp_d(bound.hi, worst) > 0 && mpfr_cmp_d(bound.hi, 0.2449187) < 0);
    if (relation == PBY_ADD_REMOVE)
        cr_assert(mpfr_cmp_d(bound.lo, 0.03) > 0, "%s", text);
    pby_enclosure_clear(&bound);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

/* The lower end is the loss of the two data sets that fbsteiner.c names, in rationals of the falls. */
static void check_named(const pby_centre *c, const char *text)
{
    const int64_t level = c->depth.level;
    int64_t fewer[CELLS] = {level - 1}, more[CELLS] = {level};
    uint64_t x[CELLS], y[CELLS];
    pby_spec *spec = spec_of(text);
    pby_enclosure bound;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&bound);
    cr_assert_eq(pby_centre_falls(x, c, fewer, NULL), PBY_OK);
    cr_assert_eq(pby_centre_falls(y, c, more, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&bound, spec, PBY_ADD_REMOVE, epsilon, 12, NULL), PBY_OK);
    const double delta = fmax(delta_of(x, y, 0.5), delta_of(y, x, 0.5));
    cr_assert_lt(fabs(mpfr_get_d(bound.lo, MPFR_RNDN) - delta), 1e-9, "%s: %.9f", text, delta);
    pby_enclosure_clear(&bound);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

static void enumerate(const pby_centre *c, const char *text)
{
    struct all *a = all_of(c);
    double delta[2] = {0, 0};
    for (size_t n = 0; n <= RECORDS; n++)
        for (size_t i = a->of[n]; i < a->of[n + 1]; i++)
            for (size_t j = a->of[n]; j < (n < RECORDS ? a->of[n + 2] : a->of[n + 1]); j++) {
                const bool more = j >= a->of[n + 1];
                if (beyond(a->data[i], a->data[j]) != (more ? 0 : 1))
                    continue;
                for (size_t t = 0; t < CELLS; t++)
                    cr_assert(a->fall[i][t] - a->fall[j][t] + 1 <= 2, "level %ld", (long)c->depth.level);
                for (int back = 0; back < 2; back++)
                    delta[more] =
                        fmax(delta[more], delta_of(a->fall[back ? j : i], a->fall[back ? i : j], 0.5));
            }
    check_loss(text, PBY_ADD_REMOVE, delta[1]);
    check_loss(text, PBY_SUBSTITUTE, delta[0]);
    check_named(c, text);
    free(a);
}

/* Every two neighbours of up to four records on 3 x 3: no score moves by more than 1, and the loss lies
 * between the ends that are told. */
Test(mechanism_fbsteiner, no_neighbours_lose_more_than_is_told)
{
    for (int64_t level = 1; level <= 3; level++) {
        char text[80];
        const pby_centre c = {.depth = {.dimension = 2, .side = 3, .reach = 2, .level = level},
                              .radius = 2 * level - 1};
        snprintf(text, sizeof text, "fbsteiner:eps=1,level=%d,bound=3,radius=%d", (int)level,
                 (int)(2 * level - 1));
        enumerate(&c, text);
    }
}
