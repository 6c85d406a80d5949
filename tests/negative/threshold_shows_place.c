/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/threshold_shows_place.c, on the code of that file. */
#include <criterion/criterion.h>

#include "kernel/threshold.h"
#include "tests/negative/geometric.h"

void align_wrong_threshold(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                           size_t n, int64_t threshold);

#include "proofs/negative/threshold_shows_place.c"

enum { THRESHOLD = 2 };

/* One key more, noise 0: the hypotheses hold, nothing surfaces, and the outputs differ. */
Test(negative_threshold, the_mark_shows_the_key)
{
    const int64_t x[1] = {1}, y[1] = {0}, z[1] = {0};
    int64_t a[1], b[1];
    cr_assert(x[0] + z[0] < THRESHOLD, "nothing surfaces");
    align_wrong_threshold(a, b, x, y, z, 1, THRESHOLD);
    cr_assert_eq(a[0], 0);
    cr_assert_eq(b[0], PBY_SUPPRESSED);
}

/* The mark has chance 2/3 with the key and none without it, while the failure set pays for 1/3: no epsilon
 * covers it. Every noise below -LAST leaves the mark, as -LAST does. */
Test(negative_threshold, no_epsilon_covers_the_mark)
{
    enum { LAST = 40 };
    const int64_t x[1] = {1}, y[1] = {0};
    fmpq_t with, without, paid, mass;
    fmpq_init(with);
    fmpq_init(without);
    fmpq_init(paid);
    fmpq_init(mass);
    for (int64_t k = -LAST; k <= LAST; k++) {
        const int64_t z[1] = {k};
        int64_t a[1], b[1];
        align_wrong_threshold(a, b, x, y, z, 1, THRESHOLD);
        if (k == -LAST)
            geometric_below(mass, k);
        else
            geometric_mass(mass, k);
        if (a[0] == 0)
            fmpq_add(with, with, mass);
        if (b[0] == 0)
            fmpq_add(without, without, mass);
    }
    geometric_below(paid, THRESHOLD - 2);
    fmpq_sub_si(paid, paid, 3);
    fmpq_neg(paid, paid); /* of noise with which the key surfaces */
    cr_assert(fmpq_is_zero(without));
    cr_assert(fmpq_equal_si(with, 2) && fmpq_equal_si(paid, 1), "of 3");
    fmpq_clear(mass);
    fmpq_clear(paid);
    fmpq_clear(without);
    fmpq_clear(with);
}
