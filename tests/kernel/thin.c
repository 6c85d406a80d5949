/* SPDX-License-Identifier: MIT */
#include "kernel/thin.h"

#include <criterion/criterion.h>

Test(kernel_thin, ones_of_every_number_of_bits)
{
    const uint64_t bits[3] = {0xf0f0123456789abc, UINT64_MAX, 0x8000000000000001};
    size_t ones = 0;
    cr_assert_eq(pby_ones(bits, 0), 0);
    for (size_t m = 1; m <= 192; m++) {
        ones += bits[(m - 1) / 64] >> (m - 1) % 64 & 1;
        cr_assert_eq(pby_ones(bits, m), ones, "%zu bits", m);
    }
}

/* Against the comparison of numbers: records of three digits, the chance of three digits, all of them. */
Test(kernel_thin, a_record_is_seen_if_its_number_is_below_the_chance)
{
    for (int chance = 0; chance < 8; chance++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++) {
                int64_t seen = 0, left = 2;
                int record[2] = {a, b};
                size_t open = 2;
                for (int t = 2; t >= 0; t--) {
                    const int digit = chance >> t & 1;
                    int64_t ones = 0;
                    size_t kept = 0;
                    for (size_t i = 0; i < open; i++)
                        ones += record[i] >> t & 1;
                    for (size_t i = 0; i < open; i++)
                        if ((record[i] >> t & 1) == digit)
                            record[kept++] = record[i];
                    pby_thin(&seen, &left, digit, ones);
                    open = kept;
                    cr_assert_eq(left, (int64_t)open);
                }
                cr_assert_eq(seen, (a < chance) + (b < chance), "%d and %d below %d", a, b, chance);
            }
}

Test(kernel_thin, the_largest_counts)
{
    int64_t seen = 0, left = INT64_MAX;
    pby_thin(&seen, &left, 1, 0);
    cr_assert(seen == INT64_MAX && left == 0);
    seen = 1;
    left = INT64_MAX - 1;
    pby_thin(&seen, &left, 0, INT64_MAX - 1);
    cr_assert(seen == 1 && left == 0);
}
