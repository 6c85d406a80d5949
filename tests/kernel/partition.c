/* SPDX-License-Identifier: MIT */
#include "kernel/partition.h"

#include <criterion/criterion.h>

Test(kernel_partition, every_count_and_noise)
{
    enum { BOUND = 5 };
    for (int64_t count = 0; count <= BOUND + 2; count++)
        for (int64_t r = -BOUND; r <= 0; r++) {
            int64_t x[3] = {count, 0, BOUND + 1}, y[3];
            const int64_t noise[2] = {count > 0 ? r : -BOUND, -BOUND};
            const size_t used = pby_present(y, x, 3, noise, BOUND);
            cr_assert_eq(used, count > 0 ? 2 : 1);
            cr_assert_eq(y[0], count > 0 && count + r > 0 ? 1 : PBY_SUPPRESSED);
            cr_assert_eq(y[1], PBY_SUPPRESSED, "an empty bar is never shown");
            cr_assert_eq(y[2], 1, "more than the bound is always shown");
            pby_present(x, x, 3, noise, BOUND);
            cr_assert(x[0] == y[0] && x[1] == y[1] && x[2] == y[2], "in place");
        }
}
