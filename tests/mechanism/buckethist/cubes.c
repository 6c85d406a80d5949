/* SPDX-License-Identifier: MIT */
#include "mechanism/buckethist/cubes.h"

#include <criterion/criterion.h>
#include <stdint.h>

#include "tests/kernel/stream.h"

/* Each cube once and in order, and each point with the number of a cube that it may have been in. */
static void number(uint64_t mask, size_t n)
{
    pby_cubes cubes = {.points = 0};
    uint64_t state = 5, sum = 0, again = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t place = (size_t)(stream_next(&state) & mask);
        sum += place;
        cr_assert_eq(pby_cubes_note(&cubes, place, NULL), PBY_OK);
    }
    cr_assert_eq(pby_cubes_number(&cubes, NULL), PBY_OK);
    for (size_t i = 1; i < cubes.count; i++)
        cr_assert_lt(cubes.place[i - 1], cubes.place[i]);
    for (size_t i = 0; i < n; i++) {
        cr_assert_lt(cubes.point[i], cubes.count);
        again += cubes.place[cubes.point[i]];
    }
    cr_assert_eq(again, sum, "as many points in each cube as were noted, or the sums differ");
    state = 5;
    for (size_t i = 0; i < n; i++) {
        const size_t place = (size_t)(stream_next(&state) & mask);
        size_t lo = 0, hi = cubes.count;
        while (hi - lo > 1) {
            const size_t mid = lo + (hi - lo) / 2;
            *(cubes.place[mid] <= place ? &lo : &hi) = mid;
        }
        cr_assert_eq(cubes.place[lo], place);
    }
    pby_cubes_clear(&cubes);
}

Test(cubes, are_numbered_in_order)
{
    number(UINT64_MAX, 5000);
    number(255, 5000);
    number(1, 100);
    number(0, 100);
    number(UINT64_MAX << 60, 100);
    number(UINT64_MAX, 1);
    number(UINT64_MAX, 0);
}
