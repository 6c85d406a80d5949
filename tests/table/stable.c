/* SPDX-License-Identifier: MIT */
/* Radius and jumps against the definition: every histogram of three bars, by looking at all others. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "probity.h"

enum { BARS = 3, TALL = 4, ALL = 9 };

static int64_t answer(const pby_statistic *s, const int64_t *x)
{
    size_t bars[BARS], found;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, x, BARS, NULL), PBY_OK);
    return found == 0 ? 0 : (int64_t)bars[0] + 1;
}

static void unpack(int64_t *x, int code, int tall)
{
    for (int i = 0; i < BARS; i++, code /= tall)
        x[i] = code % tall;
}

static int64_t distance(const int64_t *x, const int64_t *y)
{
    int64_t sum = 0;
    for (int i = 0; i < BARS; i++)
        sum += llabs(x[i] - y[i]);
    return sum;
}

static int64_t total(const int64_t *x)
{
    return x[0] + x[1] + x[2];
}

/* Every histogram that matters for counts below TALL has counts below ALL. */
static int64_t slow_radius(const pby_statistic *s, pby_neighbours relation, const int64_t *x)
{
    int64_t fewest = INT64_MAX, y[BARS];
    for (int code = 0; code < ALL * ALL * ALL; code++) {
        unpack(y, code, ALL);
        int64_t far = distance(x, y);
        if (answer(s, x) == answer(s, y) || (relation == PBY_SUBSTITUTE && total(x) != total(y)))
            continue;
        far = relation == PBY_SUBSTITUTE ? far / 2 : far;
        fewest = far < fewest ? far : fewest;
    }
    return fewest == INT64_MAX ? fewest : fewest - 1;
}

static void slow_jumps(int64_t *far, const pby_statistic *s, const int64_t *x)
{
    int64_t y[BARS], z[BARS];
    for (int d = 0; d <= BARS; d++)
        far[d] = d == 0 ? 0 : INT64_MAX;
    for (int code = 0; code < ALL * ALL * ALL; code++)
        for (int i = 0; i < 2 * BARS; i++) {
            unpack(y, code, ALL);
            unpack(z, code, ALL);
            z[i / 2] += i % 2 == 0 ? 1 : -1;
            if (z[i / 2] < 0)
                continue;
            const int64_t d = llabs(answer(s, y) - answer(s, z)), here = distance(x, y);
            if (d > 0 && here < far[d])
                far[d] = here;
        }
}

static const pby_statistic statistics[] = {
    {.name = PBY_STATISTIC_MAX, .k = 1},   {.name = PBY_STATISTIC_MAX_K, .k = 2},
    {.name = PBY_STATISTIC_MAX_K, .k = 3}, {.name = PBY_STATISTIC_MIN, .k = 1},
    {.name = PBY_STATISTIC_MIN_K, .k = 2}, {.name = PBY_STATISTIC_MODE, .k = 1},
};

Test(stable, the_radius_is_one_less_than_the_fewest_changes)
{
    int64_t x[BARS], radius;
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++)
            for (int code = 0; code < TALL * TALL * TALL; code++) {
                const pby_statistic *s = &statistics[i];
                unpack(x, code, TALL);
                cr_assert_eq(pby_statistic_radius(&radius, s, (pby_neighbours)relation, x, BARS, NULL),
                             PBY_OK);
                cr_assert_eq(radius, slow_radius(s, (pby_neighbours)relation, x),
                             "%s of %d %d %d, relation %d: %ld", pby_statistic_text(s->name), (int)x[0],
                             (int)x[1], (int)x[2], relation, (long)radius);
            }
}

Test(stable, jumps_are_as_far_as_the_definition_says)
{
    int64_t x[BARS], fast[BARS + 1], slow[BARS + 1];
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
        for (int code = 0; code < TALL * TALL * TALL; code++) {
            const pby_statistic *s = &statistics[i];
            if (s->name == PBY_STATISTIC_MIN || s->name == PBY_STATISTIC_MIN_K)
                continue;
            unpack(x, code, TALL);
            cr_assert_eq(pby_statistic_jumps(fast, s, x, BARS, NULL), PBY_OK);
            slow_jumps(slow, s, x);
            for (int d = 0; d <= BARS; d++)
                cr_assert_eq(fast[d], slow[d], "%s of %d %d %d at %d: %ld for %ld",
                             pby_statistic_text(s->name), (int)x[0], (int)x[1], (int)x[2], d, (long)fast[d],
                             (long)slow[d]);
        }
}

/* One record from (c, 0, 0) on a removal empties it: without the n the radius would be c. */
Test(stable, an_emptied_histogram_has_another_mode)
{
    const pby_statistic mode = {.name = PBY_STATISTIC_MODE};
    const int64_t x[] = {5, 0, 0};
    int64_t radius;
    cr_assert_eq(pby_statistic_radius(&radius, &mode, PBY_ADD_REMOVE, x, BARS, NULL), PBY_OK);
    cr_assert_eq(radius, 4);
}

Test(stable, what_has_no_radius_is_refused)
{
    const pby_statistic median = {.name = PBY_STATISTIC_MEDIAN}, max = {.name = PBY_STATISTIC_MAX, .k = 1},
                        min = {.name = PBY_STATISTIC_MIN, .k = 1};
    const int64_t x[] = {1, -1, 0}, full[] = {INT64_C(1) << 60, 1, 0};
    int64_t radius, far[BARS + 1];
    pby_error err;
    cr_assert_eq(pby_statistic_radius(&radius, &median, PBY_ADD_REMOVE, x, BARS, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "statistic 'median': expected max, max_k, min, min_k or mode");
    cr_assert_eq(pby_statistic_radius(&radius, &max, PBY_ADD_REMOVE, x, BARS, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "counts: expected no negative one, and a sum of at most 2^60");
    cr_assert_eq(pby_statistic_radius(&radius, &max, PBY_ADD_REMOVE, full, BARS, &err), PBY_BAD);
    cr_assert_eq(pby_statistic_radius(&radius, &max, PBY_LOCAL, full, BARS, &err), PBY_BAD);
    cr_assert_eq(pby_statistic_jumps(far, &min, full, BARS, &err), PBY_BAD);
    cr_assert_eq(pby_statistic_jumps(far, &max, x, PBY_STABLE_BARS + 1, &err), PBY_BAD);
}
