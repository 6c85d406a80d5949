/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/shrink_upwards.c, on the code of that file. */
#include <criterion/criterion.h>

#include "kernel/histogram.h"

void align_wrong_shrink(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                        const int64_t *w, size_t n, int64_t bound);

#include "proofs/negative/shrink_upwards.c"

enum { BOUND = 4 };

/* One record more, noise 0 shifted to 1: the hypotheses hold and the outputs differ. */
Test(negative_shrink, the_empty_bar_shows_itself)
{
    const int64_t x[1] = {1}, y[1] = {0}, z[1] = {0}, w[1] = {1};
    int64_t a[1], b[1];
    align_wrong_shrink(a, b, x, y, z, w, 1, BOUND);
    cr_assert_eq(a[0], 1);
    cr_assert_eq(b[0], 0);
}

/* Under every law on 0 .. BOUND: a bar of one record never shows 0, an empty bar always does. The failure
 * set, noise that the shift carries out of the law, is the last value alone: for a law that gives it less
 * than everything, no epsilon and no such delta cover a chance of 1 against 0. */
Test(negative_shrink, every_noise_tells_the_inputs_apart)
{
    int failures = 0;
    for (int64_t k = 0; k <= BOUND; k++) {
        const int64_t x[1] = {1}, y[1] = {0}, z[1] = {k};
        int64_t a[1], b[1];
        wrong_shrink(a, x, z, 1, BOUND);
        wrong_shrink(b, y, z, 1, BOUND);
        cr_assert(a[0] > 0 && b[0] == 0);
        failures += k + 1 > BOUND;
    }
    cr_assert_eq(failures, 1);
}
