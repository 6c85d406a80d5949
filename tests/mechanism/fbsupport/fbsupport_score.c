/* SPDX-License-Identifier: MIT */
/* The score against its definition, what a record does to it, and the data that its lower loss is of. */
#include "mechanism/fbsupport/fbsupport_score.h"
#include "accuracy/accuracy.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/parts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "tests/spec.h"

enum { SIDE = 3, CELLS = SIDE * SIDE, RECORDS = 5, DATA_MOST = 2048, PLACES_MOST = 64 };

static int64_t along(const pby_outer *o, size_t cell)
{
    const size_t side = (size_t)o->side;
    return o->x * (int64_t)(cell / side) + o->y * (int64_t)(cell % side);
}

/* The depth with all directions of the grid, without a level. */
static int64_t depth_of(const pby_outer *o, const int64_t *count, size_t at)
{
    const int64_t side = o->side, px = (int64_t)at / side, py = (int64_t)at % side;
    int64_t least = INT64_MAX;
    for (int64_t a = -o->reach; a <= o->reach; a++)
        for (int64_t b = -o->reach; b <= o->reach; b++) {
            int64_t sum = 0;
            for (int64_t i = 0; i < side * side; i++)
                sum += a * (i / side - px) + b * (i % side - py) >= 0 ? count[i] : 0;
            if (a != 0 || b != 0)
                least = sum < least ? sum : least;
        }
    return least;
}

/* The greatest <u, p> of the points of depth k or more, or of all points from level 0 down; the least of all
 * where there are none. */
static int64_t support(const pby_outer *o, const int64_t *depth, int64_t k)
{
    int64_t most = pby_outer_least(o);
    for (size_t i = 0; i < (size_t)(o->side * o->side); i++)
        if (depth[i] >= k && along(o, i) > most)
            most = along(o, i);
    return most;
}

static void check(const pby_outer *o, const int64_t *count)
{
    uint64_t fall[PLACES_MOST];
    int64_t depth[CELLS * 4];
    const int64_t places = (int64_t)pby_outer_places(o), least = pby_outer_least(o);
    cr_assert_leq(places, PLACES_MOST);
    for (size_t i = 0; i < (size_t)(o->side * o->side); i++)
        depth[i] = depth_of(o, count, i);
    cr_assert_eq(pby_outer_falls(fall, o, count, NULL), PBY_OK);
    for (int64_t i = 0; i < places; i++) {
        int64_t k = 0;
        while (k < o->level &&
               (least + i < support(o, depth, o->level + k) || least + i > support(o, depth, o->level - k)))
            k++;
        cr_assert_eq((int64_t)fall[i], k, "level %ld, u = (%ld, %ld), place %ld", (long)o->level, (long)o->x,
                     (long)o->y, (long)i);
    }
}

static uint64_t step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

Test(mechanism_fbsupport, the_score_is_the_least_that_has_the_threshold_between_supports)
{
    static const int64_t u[][2] = {{1, 0}, {0, -1}, {2, 1}, {-3, 2}, {-1, -1}, {2, 2}};
    uint64_t state = 3;
    for (int64_t side = 2; side <= 6; side++)
        for (size_t d = 0; d < sizeof u / sizeof *u; d++)
            for (int round = 0; round < 12; round++) {
                const pby_outer o = {.dimension = 2,
                                     .side = side,
                                     .reach = 1 + (int64_t)step(&state) % (side - 1),
                                     .level = 1 + (int64_t)step(&state) % 6,
                                     .x = u[d][0],
                                     .y = u[d][1]};
                int64_t count[CELLS * 4] = {0};
                const uint64_t records = round == 0 ? 0 : step(&state) % 30;
                for (uint64_t r = 0; r < records; r++)
                    count[step(&state) % (uint64_t)(side * side)]++;
                check(&o, count);
            }
}

/* In three dimensions: by depths and supports of their definition. */
static void check_space(const pby_outer *o, const int64_t *count)
{
    enum { SPACE = 27 };
    uint64_t fall[PLACES_MOST];
    int64_t depth[SPACE], place[SPACE];
    const int64_t side = o->side, cells = side * side * side, places = pby_outer_places(o);
    const int64_t least = pby_outer_least(o);
    for (int64_t p = 0; p < cells; p++) {
        place[p] = o->x * (p / side / side) + o->y * (p / side % side) + o->z * (p % side);
        depth[p] = INT64_MAX;
        for (int64_t d = 0; d < 125; d++) {
            const int64_t a = d / 25 - 2, b = d / 5 % 5 - 2, c = d % 5 - 2;
            int64_t sum = 0;
            for (int64_t q = 0; q < cells; q++)
                sum += a * (q / side / side - p / side / side) + b * (q / side % side - p / side % side) +
                                   c * (q % side - p % side) >=
                               0
                           ? count[q]
                           : 0;
            const bool used = labs(a) <= o->reach && labs(b) <= o->reach && labs(c) <= o->reach;
            if (used && d != 62)
                depth[p] = sum < depth[p] ? sum : depth[p];
        }
    }
    cr_assert_eq(pby_outer_falls(fall, o, count, NULL), PBY_OK);
    for (int64_t t = 0; t < places; t++) {
        int64_t k = -1, from, to;
        do {
            from = to = least;
            k++;
            for (int64_t p = 0; p < cells; p++) {
                from = depth[p] >= o->level + k && place[p] > from ? place[p] : from;
                to = depth[p] >= o->level - k && place[p] > to ? place[p] : to;
            }
        } while (k < o->level && (least + t < from || least + t > to));
        cr_assert_eq((int64_t)fall[t], k, "level %ld, place %ld", (long)o->level, (long)t);
    }
}

Test(mechanism_fbsupport, the_score_in_three_dimensions)
{
    uint64_t state = 9;
    for (int round = 0; round < 30; round++) {
        const int64_t side = 2 + round % 2;
        const pby_outer o = {.dimension = 3,
                             .side = side,
                             .reach = 1 + (int64_t)step(&state) % (side - 1),
                             .level = 1 + (int64_t)step(&state) % 4,
                             .x = (int64_t)step(&state) % 5 - 2,
                             .y = (int64_t)step(&state) % 5 - 2,
                             .z = 1 + (int64_t)step(&state) % 3};
        int64_t count[27] = {0};
        const uint64_t records = round < 2 ? 0 : step(&state) % 20;
        for (uint64_t r = 0; r < records; r++)
            count[step(&state) % (uint64_t)(side * side * side)]++;
        check_space(&o, count);
    }
}

/* All data of up to RECORDS records on 3 x 3, and the falls of each. */
struct all {
    pby_outer o;
    size_t count, places, of[RECORDS + 2]; /* data of n records begin at of[n] */
    int64_t data[DATA_MOST][CELLS];
    uint64_t fall[DATA_MOST][PLACES_MOST];
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

static struct all *all_of(pby_outer o)
{
    int64_t now[CELLS] = {0};
    struct all *a = calloc(1, sizeof *a);
    cr_assert_not_null(a);
    a->o = o;
    a->places = (size_t)pby_outer_places(&o);
    for (int64_t n = 0; n <= RECORDS; n++) {
        a->of[n] = a->count;
        list(a, now, 0, n);
    }
    a->of[RECORDS + 1] = a->count;
    for (size_t i = 0; i < a->count; i++)
        cr_assert_eq(pby_outer_falls(a->fall[i], &o, a->data[i], NULL), PBY_OK);
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

static double delta_of(const uint64_t *x, const uint64_t *y, size_t n, double rate)
{
    double p = 0, q = 0, delta = 0;
    for (size_t i = 0; i < n; i++) {
        p += exp(-rate * (double)x[i]);
        q += exp(-rate * (double)y[i]);
    }
    for (size_t i = 0; i < n; i++)
        delta += fmax(0, exp(-rate * (double)x[i]) / p - exp(-rate * (double)y[i]) / q);
    return delta;
}

/* The greatest loss and delta at epsilon 0 of any two neighbours, and the lower end that the library gives.
 */
static void enumerate(pby_outer o, const char *text)
{
    struct all *a = all_of(o);
    pby_spec *spec = spec_of(text);
    double delta[2] = {0, 0};
    for (size_t n = 0; n <= RECORDS; n++)
        for (size_t i = a->of[n]; i < a->of[n + 1]; i++)
            for (size_t j = a->of[n]; j < (n < RECORDS ? a->of[n + 2] : a->of[n + 1]); j++) {
                const bool more = j >= a->of[n + 1];
                if (beyond(a->data[i], a->data[j]) != (more ? 0 : 1))
                    continue;
                for (size_t t = 0; t < a->places; t++)
                    cr_assert(a->fall[i][t] - a->fall[j][t] + 1 <= 2, "level %ld", (long)o.level);
                for (int back = 0; back < 2; back++)
                    delta[more] = fmax(
                        delta[more], delta_of(a->fall[back ? j : i], a->fall[back ? i : j], a->places, 0.5));
            }
    for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++) {
        pby_enclosure bound;
        pby_error err;
        mpq_t epsilon;
        mpq_init(epsilon);
        pby_enclosure_init(&bound);
        cr_assert_eq(pby_loss_delta(&bound, spec, (pby_neighbours)relation, epsilon, 12, &err), PBY_OK);
        const double most = delta[relation == PBY_ADD_REMOVE];
        cr_assert(mpfr_cmp_d(bound.lo, most + 1e-9) < 0, "%s: %.9f", text, most);
        cr_assert(mpfr_cmp_d(bound.hi, most) > 0 && mpfr_cmp_d(bound.hi, 0.2449187) < 0);
        cr_assert(mpfr_cmp_d(bound.lo, 0.05) > 0, "%s: %.9f", text, mpfr_get_d(bound.lo, MPFR_RNDN));
        pby_enclosure_clear(&bound);
        mpq_clear(epsilon);
    }
    pby_spec_free(spec);
    free(a);
}

/* Every two neighbours of up to five records on 3 x 3: no score moves by more than 1, and the loss lies
 * between the ends that are told. */
Test(mechanism_fbsupport, no_neighbours_lose_more_than_is_told)
{
    enumerate((pby_outer){.dimension = 2, .side = 3, .reach = 2, .level = 2, .x = 2, .y = 1},
              "fbsupport:eps=1,level=2,x=2,y=1,bound=3");
    enumerate((pby_outer){.dimension = 2, .side = 3, .reach = 2, .level = 1, .x = -1, .y = 1},
              "fbsupport:eps=1,level=1,x=-1,y=1,bound=3");
    enumerate((pby_outer){.dimension = 2, .side = 3, .reach = 1, .level = 3, .x = 0, .y = -2},
              "fbsupport:eps=1,level=3,x=0,y=-2,bound=3,directions=1");
}

static double lower(const char *text, pby_neighbours relation)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, relation, epsilon, 12, NULL), PBY_OK);
    const double lo = mpfr_get_d(delta.lo, MPFR_RNDN);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
    return lo;
}

/* Records along the last column of 7 x 7: level at c, two at a, the others at the corner; then one more. */
Test(mechanism_fbsupport, the_lower_loss_is_that_of_two_data_sets)
{
    const pby_outer o = {.dimension = 2, .side = 7, .reach = 6, .level = 5, .x = 3, .y = 1};
    int64_t count[49] = {[6] = 5, [2 * 7 + 6] = 2, [6 * 7 + 6] = 3};
    uint64_t x[PLACES_MOST], y[PLACES_MOST];
    cr_assert_eq(pby_outer_falls(x, &o, count, NULL), PBY_OK);
    count[48]++;
    for (int changed = 0; changed < 2; changed++) {
        count[6] -= changed;
        cr_assert_eq(pby_outer_falls(y, &o, count, NULL), PBY_OK);
        const double delta = fmax(delta_of(x, y, 25, 0.5), delta_of(y, x, 25, 0.5));
        const double lo =
            lower("fbsupport:eps=1,level=5,x=3,y=1,bound=7", changed == 0 ? PBY_ADD_REMOVE : PBY_SUBSTITUTE);
        cr_assert(fabs(lo - delta) < 1e-9 && delta > 0.22, "%.9f, not %.9f", lo, delta);
    }
}

/* The chance of a miss by more than b, of level + b records at the farthest corner, by the scores. */
Test(mechanism_fbsupport, the_chance_of_a_miss_is_attained)
{
    const pby_outer o = {.dimension = 2, .side = 4, .reach = 3, .level = 3, .x = 2, .y = -1};
    pby_spec *spec = spec_of("fbsupport:eps=2,level=3,x=2,y=-1,bound=4");
    mpq_t beta;
    mpq_init(beta);
    for (int b = 0; b <= 3; b++) {
        pby_noisy_accuracy a;
        int64_t count[16] = {[12] = 3 + b};
        uint64_t fall[PLACES_MOST];
        double all = 0, far = 0;
        cr_assert_eq(pby_outer_falls(fall, &o, count, NULL), PBY_OK);
        for (size_t i = 0; i < 10; i++) {
            all += exp(-(double)fall[i]);
            far += (int)fall[i] > b ? exp(-(double)fall[i]) : 0;
        }
        mpq_set_si(beta, 2 * b + 1, 2);
        pby_noisy_accuracy_init(&a);
        cr_assert_eq(
            pby_accuracy_noisy(&a, spec, &(pby_input_class){.n = 1, .support = 1}, beta, NULL, 12, NULL),
            PBY_OK);
        const double chance = mpfr_get_d(a.chance.lo, MPFR_RNDN);
        cr_assert(fabs(chance - far / all) < 1e-9, "b = %d: %.9f, not %.9f", b, chance, far / all);
        pby_noisy_accuracy_clear(&a);
    }
    mpq_clear(beta);
    pby_spec_free(spec);
}

/* With a large eps the threshold itself: two records lie at (1, -2). Without records it is the least of all.
 */
Test(mechanism_fbsupport, a_release_is_one_number_of_the_direction)
{
    static const char *const records[][2] = {{"-1", "0"}, {"-1", "0"}, {"1", "-2"},
                                             {"1", "-2"}, {"9", "9"},  {"-3/2", "1"}};
    static const uint8_t seed[PBY_SEED_SIZE] = {7};
    pby_spec *spec = spec_of("fbsupport:eps=1000,level=2,x=1,y=-1,bound=6,low=-3");
    pby_release *release;
    pby_entropy *source;
    int64_t point[2] = {77, 77};
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert(pby_release_dimension(release) == 2 && pby_release_coordinates(release) == 1);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        cr_assert_eq(pby_release_record_text(release, records[i], NULL), PBY_OK);
    cr_assert_eq(pby_release_point(release, point, NULL), PBY_OK);
    cr_assert(point[0] == 3 && point[1] == 77, "%ld", (long)point[0]);
    pby_release_clear_records(release);
    cr_assert_eq(pby_release_point(release, point, NULL), PBY_OK);
    cr_assert_eq(point[0], -5);
    pby_release_free(release);
    pby_spec_free(spec);
}
