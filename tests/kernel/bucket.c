/* SPDX-License-Identifier: MIT */
#include "kernel/bucket.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

Test(kernel_bucket, every_small_point)
{
    for (int64_t width = 1; width < 12; width++)
        for (int64_t x = 0; x < 100; x++) {
            const int64_t i = pby_bucket(x, width);
            cr_assert(i * width <= x && x < (i + 1) * width);
        }
    cr_assert_eq(pby_bucket(INT64_MAX, INT64_MAX), 1);
    cr_assert_eq(pby_bucket(INT64_MAX - 1, INT64_MAX), 0);
    cr_assert_eq(pby_bucket(INT64_MAX, 1), INT64_MAX);
}

/* The places of all cubes are 0, 1, ... with the last coordinate running fastest. */
Test(kernel_bucket, places)
{
    size_t want = 0;
    for (int64_t a = 0; a < 4; a++)
        for (int64_t b = 0; b < 4; b++)
            for (int64_t c = 0; c < 4; c++) {
                const int64_t cell[3] = {a, b, c};
                cr_assert_eq(pby_place(cell, 3, 4), want++);
            }
    cr_assert_eq(pby_place(NULL, 0, 4), 0);
}

Test(kernel_bucket, counts_keep_the_mass)
{
    enum { BARS = 9, RECORDS = 100 };
    uint64_t state = 41;
    for (int round = 0; round < 100; round++) {
        int64_t y[BARS], model[BARS], mass = 0;
        size_t place[RECORDS];
        for (size_t i = 0; i < BARS; i++)
            model[i] = y[i] = (int64_t)(stream_next(&state) % 5);
        for (size_t i = 0; i < BARS; i++)
            mass += y[i];
        for (size_t j = 0; j < RECORDS; j++) {
            place[j] = stream_next(&state) % BARS;
            model[place[j]]++;
        }
        pby_count(y, BARS, place, RECORDS);
        for (size_t i = 0; i < BARS; i++) {
            cr_assert_eq(y[i], model[i]);
            mass -= y[i];
        }
        cr_assert_eq(mass, -RECORDS);
    }
}
