/* SPDX-License-Identifier: MIT */
/* The lower end of the loss rests on these: the scores of the two data sets that are named in depth.c and in
 * fbquantile.c, by the code that scores. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/depth/depth_score.h"
#include "mechanism/fbquantile/fbquantile_score.h"
#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

static double delta_of(const uint64_t *x, const uint64_t *y, size_t n, double rate, double epsilon)
{
    double p = 0, q = 0, delta = 0;
    for (size_t i = 0; i < n; i++) {
        p += exp(-rate * (double)x[i]);
        q += exp(-rate * (double)y[i]);
    }
    for (size_t i = 0; i < n; i++)
        delta += fmax(0, exp(-rate * (double)x[i]) / p - exp(epsilon - rate * (double)y[i]) / q);
    return delta;
}

/* The lower end that the library gives, to double precision, and the upper one is not below `truth`. */
static double lower_at(const char *text, unsigned long fourths, double truth)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    pby_error err;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, fourths, 4);
    mpq_canonicalize(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, epsilon, 12, &err), PBY_OK, "%s", err.text);
    const double lo = mpfr_get_d(delta.lo, MPFR_RNDN);
    cr_assert(mpfr_cmp_d(delta.hi, truth - 1e-9) > 0);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
    return lo;
}

static double lower(const char *text, pby_neighbours relation)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    pby_error err;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, relation, epsilon, 12, &err), PBY_OK, "%s", err.text);
    const double lo = mpfr_get_d(delta.lo, MPFR_RNDN);
    cr_assert(mpfr_cmp_d(delta.hi, 0.244918663) < 0 && mpfr_cmp_d(delta.hi, 0.2449186) > 0);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
    return lo;
}

Test(mechanism_depth, one_record_more_at_a_point)
{
    const pby_tukey t = {2, 10, 9, 20};
    int64_t count[100] = {[37] = 4};
    uint64_t x[100], y[100];
    cr_assert_eq(pby_tukey_falls(x, &t, count, NULL), PBY_OK);
    count[37]++;
    cr_assert_eq(pby_tukey_falls(y, &t, count, NULL), PBY_OK);
    const double delta = fmax(delta_of(x, y, 100, 1, 0), delta_of(y, x, 100, 1, 0));
    cr_assert(fabs(lower("depth:eps=1,level=20,bound=10", PBY_ADD_REMOVE) - delta) < 1e-9, "%.9f", delta);
}

/* k and k + 1 records at two corners of a triangle, the others at the third. */
Test(mechanism_depth, one_record_goes_over)
{
    const pby_tukey t = {3, 4, 1, 12};
    int64_t count[64] = {[0] = 8, [16] = 9, [4] = 13};
    uint64_t x[64], y[64];
    cr_assert_eq(pby_tukey_falls(x, &t, count, NULL), PBY_OK);
    count[0]++;
    count[16]--;
    cr_assert_eq(pby_tukey_falls(y, &t, count, NULL), PBY_OK);
    const double lo = lower(
        "depth:eps=1,level=12,n=30,bound=4,dimension=3,directions=1,neighbours=substitute", PBY_SUBSTITUTE);
    cr_assert(lo > delta_of(x, y, 64, 0.5, 0) - 1e-9, "%.9f", lo);
}

/* Heaps of records at the corners of a triangle: one goes over, and most points within fall while a few rise.
 */
static double worst_triangle(const pby_tukey *t, int64_t heap, int64_t third, double rate, double epsilon)
{
    const size_t cells = (size_t)pby_tukey_cells(t), across = cells / (size_t)t->side;
    int64_t *count = calloc(cells, sizeof *count);
    uint64_t *x = calloc(cells, sizeof *x), *y = calloc(cells, sizeof *y);
    double most = 0;
    cr_assert(count != NULL && x != NULL && y != NULL);
    for (size_t g = 2; g <= (size_t)t->side; g++) {
        const size_t second = (g - 1) * across, last = (g - 1) * (across / (size_t)t->side);
        memset(count, 0, cells * sizeof *count);
        count[0] = count[second] = heap;
        count[last] = third;
        cr_assert_eq(pby_tukey_falls(x, t, count, NULL), PBY_OK);
        count[0]--;
        count[second]++;
        cr_assert_eq(pby_tukey_falls(y, t, count, NULL), PBY_OK);
        most = fmax(most, fmax(delta_of(x, y, cells, rate, epsilon), delta_of(y, x, cells, rate, epsilon)));
    }
    free(y);
    free(x);
    free(count);
    return most;
}

Test(mechanism_depth, one_record_goes_over_in_a_triangle)
{
    static const struct {
        const char *spec;
        pby_tukey t;
        int64_t heap, third;
        double eps;
    } cases[] = {
        {"depth:eps=1,level=9,bound=10,neighbours=substitute", {2, 10, 9, 9}, 8, 8, 1},
        {"depth:eps=1,level=9,bound=10,directions=1,neighbours=substitute", {2, 10, 1, 9}, 8, 9, 1},
        {"depth:eps=2,level=8,n=40,bound=7,directions=2,neighbours=substitute", {2, 7, 2, 8}, 7, 26, 2},
        {"depth:eps=1,level=12,n=30,bound=4,dimension=3,directions=1,neighbours=substitute",
         {3, 4, 1, 12},
         9,
         12,
         1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned long fourths = 0; fourths < 4; fourths++) {
            const double found = worst_triangle(&cases[i].t, cases[i].heap, cases[i].third, cases[i].eps / 2,
                                                (double)fourths / 4 * cases[i].eps),
                         lo = lower_at(cases[i].spec, fourths * (unsigned long)cases[i].eps, found);
            cr_assert(lo >= 0.9 * found - 1e-9, "%s at %lu/4: %g below %g", cases[i].spec, fourths, lo,
                      found);
            cr_assert(i < 2 || fourths == 0 || lo <= found * (1 + 1e-9), "%s at %lu/4: %g above %g",
                      cases[i].spec, fourths, lo, found);
        }
}

/* Where the middle lies decides how much is lost: the lower end is that of some place. */
Test(mechanism_fbquantile, jumps_over_every_place)
{
    const pby_rank r = {.n = 100, .m = 75, .side = 50, .cap = 100};
    uint64_t x[50], y[50];
    for (unsigned long fourths = 1; fourths < 4; fourths++) {
        double found = 0;
        for (size_t p = 1; p < 49; p++) {
            int64_t count[50] = {0};
            count[0] = 74;
            count[p] = 2;
            count[49] += 24;
            cr_assert_eq(pby_rank_falls(x, &r, count, NULL), PBY_OK);
            count[0]--;
            count[49]++;
            cr_assert_eq(pby_rank_falls(y, &r, count, NULL), PBY_OK);
            found = fmax(found, delta_of(x, y, 50, 0.5, (double)fourths / 4));
        }
        const double lo = lower_at("fbquantile:eps=1,q=3/4,n=100,bound=50", fourths, found);
        cr_assert(found > 0.01 && fabs(lo - found) < 0.01 * found && lo <= found + 1e-9, "%lu/4: %g, %g",
                  fourths, lo, found);
    }
}

Test(mechanism_fbquantile, the_attained_pair_is_that_of_two_data_sets)
{
    const pby_rank jump = {.n = 100, .m = 75, .side = 12, .cap = 100};
    const pby_rank move = {.n = 5, .m = 3, .side = 9, .step = 2, .reach = 2, .cap = 3};
    int64_t count[12] = {[0] = 74, [6] = 2, [11] = 24}, near[9] = {[3] = 3, [5] = 2};
    uint64_t x[12], y[12];
    cr_assert_eq(pby_rank_falls(x, &jump, count, NULL), PBY_OK);
    count[0]--;
    count[11]++;
    cr_assert_eq(pby_rank_falls(y, &jump, count, NULL), PBY_OK);
    double lo = lower("fbquantile:eps=1,q=3/4,n=100,bound=12", PBY_SUBSTITUTE);
    cr_assert(lo > delta_of(x, y, 12, 0.5, 0) - 1e-9, "%.9f", lo);
    cr_assert_eq(pby_rank_falls(x, &move, near, NULL), PBY_OK);
    near[3]--;
    near[5]++;
    cr_assert_eq(pby_rank_falls(y, &move, near, NULL), PBY_OK);
    lo = lower("fbquantile:eps=1,q=3/5,n=5,bound=9,step=2,reach=2", PBY_SUBSTITUTE);
    cr_assert(fabs(lo - delta_of(x, y, 9, 0.25, 0)) < 1e-9, "%.9f", lo);
}
