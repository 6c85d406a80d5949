/* SPDX-License-Identifier: MIT */
/* The most that histograms of a class lose, against going through all of them. */
#include <criterion/criterion.h>

#include "accuracy/row.h"
#include "tests/accuracy/make.h"

static int64_t lost_of(int64_t x, const pby_bar_loss *loss)
{
    if (x > (int64_t)loss->small)
        return (int64_t)loss->large;
    return x > (int64_t)loss->kept ? x - (int64_t)loss->kept : 0;
}

/* Returns the most that is lost, over all ways to put n records into at most `bars` bars. */
static int64_t most_lost(int64_t n, int bars, const pby_bar_loss *loss)
{
    int64_t most = lost_of(n, loss);
    for (int64_t first = 1; first < n && bars > 1; first++) {
        const int64_t lost = lost_of(first, loss) + most_lost(n - first, bars - 1, loss);
        most = lost > most ? lost : most;
    }
    return most;
}

static void expect(int64_t n, int bars, const pby_bar_loss *loss)
{
    const pby_input_class inputs = {(uint64_t)n, (uint64_t)bars, NULL};
    mpq_t told, most;
    mpq_inits(told, most, NULL);
    pby_drop_of(told, &inputs, loss);
    mpq_set_si(most, most_lost(n, bars, loss), (unsigned long)n);
    mpq_canonicalize(most);
    cr_assert(mpq_equal(told, most), "%d records, %d bars, (%d, %d, %d): %s and not %s", (int)n, bars,
              (int)loss->small, (int)loss->kept, (int)loss->large, text_of_q(told), text_of_q(most));
    mpq_clears(told, most, NULL);
}

Test(drop, is_the_most_that_any_histogram_loses)
{
    for (int64_t n = 1; n <= 11; n++)
        for (int bars = 1; bars <= 4; bars++)
            for (uint64_t small = 0; small <= 4; small++) {
                for (uint64_t kept = 0; kept <= small; kept++)
                    expect(n, bars, &(pby_bar_loss){small, kept, 0});
                for (uint64_t large = 1; large <= small; large++)
                    expect(n, bars, &(pby_bar_loss){small, 0, large});
            }
}

/* More bars than 64 bits of records fill. */
Test(drop, does_not_overflow)
{
    const pby_input_class inputs = {UINT64_MAX, UINT64_MAX, NULL};
    mpq_t told;
    mpq_init(told);
    pby_drop_of(told, &inputs, &(pby_bar_loss){UINT64_C(1) << 61, 0, 0});
    cr_assert_str_eq(text_of_q(told), "1");
    pby_drop_of(told, &(pby_input_class){UINT64_MAX, 3, NULL}, &(pby_bar_loss){UINT64_C(1) << 61, 0, 0});
    cr_assert_str_eq(text_of_q(told), "4611686018427387904/18446744073709551615");
    mpq_clear(told);
}
