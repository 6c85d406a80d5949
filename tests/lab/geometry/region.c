/* SPDX-License-Identifier: MIT */
#include "lab/geometry/region.h"

#include <criterion/criterion.h>
#include <math.h>

static uint64_t step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Distinct sites in a square, with up to three records each; on a line where that is asked for. */
static size_t sites_of(pby_site *site, uint64_t *state, uint64_t side, bool line)
{
    size_t n = 0;
    const uint64_t wanted = 1 + step(state) % 7;
    for (uint64_t i = 0; i < wanted; i++) {
        const int64_t x = (int64_t)(step(state) % side), y = line ? 2 * x - 1 : (int64_t)(step(state) % side);
        bool is_new = true;
        for (size_t j = 0; j < n; j++)
            is_new = is_new && (site[j].x != x || site[j].y != y);
        if (is_new)
            site[n++] = (pby_site){x, y, 1 + step(state) % 3};
    }
    return n;
}

/* Tukey's depth of (px, py)/4 by its definition: the half-planes whose border goes through the point and a
 * site, and those a little to either side. */
static uint64_t depth_of(const pby_site *site, size_t n, int64_t px, int64_t py)
{
    uint64_t least = UINT64_MAX;
    for (size_t c = 0; c <= n; c++)
        for (int side = 0; side < 2; side++) {
            int64_t dx = c == n ? 1 : 4 * site[c].x - px, dy = c == n ? 0 : 4 * site[c].y - py;
            uint64_t sum[3] = {0, 0, 0};
            if (dx == 0 && dy == 0)
                continue;
            const int64_t u = side == 0 ? -dy : dy, v = side == 0 ? dx : -dx;
            for (size_t i = 0; i < n; i++) {
                const int64_t x = 4 * site[i].x - px, y = 4 * site[i].y - py, ahead = u * x + v * y,
                              along = -v * x + u * y;
                const bool here = x == 0 && y == 0;
                sum[0] += ahead >= 0 ? site[i].records : 0;
                sum[1] += ahead > 0 || here || (ahead == 0 && along > 0) ? site[i].records : 0;
                sum[2] += ahead > 0 || here || (ahead == 0 && along < 0) ? site[i].records : 0;
            }
            for (int k = 0; k < 3; k++)
                least = sum[k] < least ? sum[k] : least;
        }
    return least;
}

static bool holds(const pby_region *r, int64_t px, int64_t py)
{
    fmpq_t x, y, nx, ny, square;
    if (r->count == 0)
        return false;
    fmpq_init(x);
    fmpq_init(y);
    fmpq_init(nx);
    fmpq_init(ny);
    fmpq_init(square);
    fmpq_set_si(x, px, 4);
    fmpq_set_si(y, py, 4);
    pby_region_nearest(nx, ny, square, r, x, y);
    const bool inside = fmpq_is_zero(square);
    cr_assert_eq(inside, fmpq_equal(x, nx) && fmpq_equal(y, ny));
    fmpq_clear(square);
    fmpq_clear(ny);
    fmpq_clear(nx);
    fmpq_clear(y);
    fmpq_clear(x);
    return inside;
}

/* Every level of random sites, some of them on a line, on a grid of quarters. */
Test(geometry_region, a_depth_region_is_the_points_of_that_depth)
{
    enum { SIDE = 4 };
    uint64_t state = 11;
    for (int round = 0; round < 40; round++) {
        pby_site site[8];
        const bool line = round % 5 == 0;
        const size_t n = sites_of(site, &state, SIDE, line);
        uint64_t records = 0;
        for (size_t i = 0; i < n; i++)
            records += site[i].records;
        for (uint64_t level = 1; level <= records + 1; level++) {
            pby_region r;
            cr_assert_eq(pby_region_depth(&r, site, n, level, NULL), PBY_OK);
            for (int64_t px = -2; px <= 4 * SIDE; px++)
                for (int64_t py = -6; py <= 8 * SIDE; py++)
                    cr_assert_eq(holds(&r, px, py), depth_of(site, n, px, py) >= level,
                                 "round %d, level %lu, (%ld, %ld)/4", round, level, (long)px, (long)py);
            pby_region_clear(&r);
        }
    }
}

static double at(const pby_region *r, size_t i, int j)
{
    return fmpq_get_d(r->corner + 2 * i + (size_t)j);
}

static double support(const pby_region *r, double a, double b)
{
    double most = -INFINITY;
    for (size_t i = 0; i < r->count; i++)
        most = fmax(most, a * at(r, i, 0) + b * at(r, i, 1));
    return most;
}

/* Twice the mean of u h(u) over all unit vectors u, by 20000 of them. */
Test(geometry_region, the_steiner_point_is_the_integral_of_the_support)
{
    enum { PARTS = 20000 };
    uint64_t state = 3;
    for (int round = 0; round < 12; round++) {
        pby_site site[8];
        const size_t n = sites_of(site, &state, 9, round % 4 == 0);
        pby_region r;
        arb_t x, y;
        double want[2] = {0, 0};
        cr_assert_eq(pby_region_depth(&r, site, n, 1, NULL), PBY_OK);
        for (int i = 0; i < PARTS; i++) {
            const double turn = 6.283185307179586 * i / PARTS, u[2] = {cos(turn), sin(turn)};
            for (int j = 0; j < 2; j++)
                want[j] += 2 * u[j] * support(&r, u[0], u[1]) / PARTS;
        }
        arb_init(x);
        arb_init(y);
        pby_region_steiner(x, y, &r, 128);
        cr_assert(fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR) - want[0]) < 1e-5);
        cr_assert(fabs(arf_get_d(arb_midref(y), ARF_RND_NEAR) - want[1]) < 1e-5);
        cr_assert(mag_cmp_2exp_si(arb_radref(x), -100) < 0);
        arb_clear(y);
        arb_clear(x);
        pby_region_clear(&r);
    }
}

/* The Hausdorff distance is the greatest difference of the support functions; and two Steiner points are at
 * most 4/pi of it apart. */
Test(geometry_region, hausdorff_distances_are_those_of_the_supports)
{
    enum { PARTS = 5000 };
    uint64_t state = 5;
    for (int round = 0; round < 15; round++) {
        pby_site site[8], other[8];
        const size_t n = sites_of(site, &state, 9, false), m = sites_of(other, &state, 9, false);
        pby_region r, s;
        fmpq_t square;
        arb_t x, y, z, w;
        double most = 0;
        fmpq_init(square);
        arb_init(x);
        arb_init(y);
        arb_init(z);
        arb_init(w);
        cr_assert_eq(pby_region_depth(&r, site, n, 1, NULL), PBY_OK);
        cr_assert_eq(pby_region_depth(&s, other, m, 1, NULL), PBY_OK);
        pby_region_apart(square, &r, &s);
        for (int i = 0; i < PARTS; i++) {
            const double turn = 6.283185307179586 * i / PARTS;
            most = fmax(most, fabs(support(&r, cos(turn), sin(turn)) - support(&s, cos(turn), sin(turn))));
        }
        const double far = sqrt(fmpq_get_d(square));
        cr_assert(most <= far + 1e-9 && far <= most + 0.02, "%.6f %.6f", most, far);
        pby_region_steiner(x, y, &r, 64);
        pby_region_steiner(z, w, &s, 64);
        const double dx = arf_get_d(arb_midref(x), ARF_RND_NEAR) - arf_get_d(arb_midref(z), ARF_RND_NEAR),
                     dy = arf_get_d(arb_midref(y), ARF_RND_NEAR) - arf_get_d(arb_midref(w), ARF_RND_NEAR);
        cr_assert_leq(hypot(dx, dy), 1.2732396 * far + 1e-9);
        pby_region_clear(&s);
        pby_region_clear(&r);
        arb_clear(w);
        arb_clear(z);
        arb_clear(y);
        arb_clear(x);
        fmpq_clear(square);
    }
}

/* A square of side 2 cut by x + y <= 1 has the corners (0,0), (1,0), (0,1); the nearest point to (2, 2) is
 * the middle of the cut, 9/2 away in square. */
Test(geometry_region, a_cut_and_the_nearest_point)
{
    const pby_site corner[] = {{0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {2, 2, 1}};
    pby_region r;
    fmpq_t one, two, x, y, square;
    fmpq_init(one);
    fmpq_init(two);
    fmpq_init(x);
    fmpq_init(y);
    fmpq_init(square);
    fmpq_set_si(one, 1, 1);
    fmpq_set_si(two, 2, 1);
    cr_assert_eq(pby_region_depth(&r, corner, 4, 1, NULL), PBY_OK);
    cr_assert_eq(r.count, 4);
    pby_region_support(x, &r, one, two);
    cr_assert(fmpq_cmp_si(x, 6) == 0);
    cr_assert_eq(pby_region_cut(&r, one, one, one, NULL), PBY_OK);
    cr_assert_eq(r.count, 3);
    pby_region_nearest(x, y, square, &r, two, two);
    cr_assert(fmpq_equal(x, y) && fmpz_equal_ui(fmpq_denref(x), 2) && fmpz_equal_ui(fmpq_numref(x), 1));
    cr_assert(fmpz_equal_ui(fmpq_numref(square), 9) && fmpz_equal_ui(fmpq_denref(square), 2));
    pby_region_clear(&r);
    fmpq_clear(square);
    fmpq_clear(y);
    fmpq_clear(x);
    fmpq_clear(two);
    fmpq_clear(one);
}
