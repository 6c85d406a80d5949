#include "kernel/rank.h"

#include <criterion/criterion.h>

Test(kernel_rank, what_is_missing_below_and_above)
{
    const int64_t x[4] = {2, 0, 5, 1};
    int64_t g[4];
    static const int64_t below[4] = {1, 1, -4, -5}, above[4] = {-4, -2, -2, 3};
    pby_rank_below(g, x, 4, 3);
    cr_assert_arr_eq(g, below, sizeof g);
    pby_rank_above(g, x, 4, 4);
    cr_assert_arr_eq(g, above, sizeof g);
    pby_rank_below(NULL, NULL, 0, 1);
    pby_rank_above(NULL, NULL, 0, 1);
}

/* Every shift, also beyond the last bar, against the definition on a copy. */
Test(kernel_rank, values_are_raised_from_ahead_and_from_behind)
{
    static const int64_t x[7] = {3, -1, 4, -1, 5, -9, 2};
    for (size_t n = 0; n <= 7; n++)
        for (size_t shift = 1; shift <= 9; shift++)
            for (int64_t more = 0; more < 9; more++) {
                int64_t ahead[7], behind[7];
                for (size_t i = 0; i < 7; i++)
                    ahead[i] = behind[i] = x[i];
                pby_rank_ahead(ahead, n, shift, more);
                pby_rank_behind(behind, n, shift, more);
                for (size_t i = 0; i < 7; i++) {
                    int64_t want = x[i];
                    if (i < n && i + shift < n && x[i + shift] + more > want)
                        want = x[i + shift] + more;
                    cr_assert_eq(ahead[i], want);
                    want = i < n && i >= shift && x[i - shift] + more > x[i] ? x[i - shift] + more : x[i];
                    cr_assert_eq(behind[i], want);
                }
            }
}

Test(kernel_rank, both_sides_add_up_to_the_cap)
{
    int64_t a[4] = {-7, 2, 2, INT32_MAX};
    const int64_t b[4] = {-1, -1, 1, INT32_MAX};
    static const int64_t want[4] = {0, 10, 15, 20};
    pby_rank_both(a, b, 4, 4, 5);
    cr_assert_arr_eq(a, want, sizeof a);
}

Test(kernel_rank, a_score_spreads_by_one_a_bar)
{
    int64_t f[6] = {4, 9, 0, 9, 9, 1};
    static const int64_t up[6] = {4, 5, 0, 1, 2, 1}, down[6] = {2, 1, 0, 1, 2, 1};
    pby_rank_rise(f, 6);
    cr_assert_arr_eq(f, up, sizeof f);
    pby_rank_fall(f, 6);
    cr_assert_arr_eq(f, down, sizeof f);
    pby_rank_rise(NULL, 0);
    pby_rank_fall(NULL, 0);
}
