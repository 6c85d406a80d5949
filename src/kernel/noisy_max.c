/* SPDX-License-Identifier: MIT */
#include "kernel/noisy_max.h"

/* Returns the multiple of 2^64, -1, 0 or 1, to subtract from a + b so that it fits. */
/*@ terminates \true;
    assigns \nothing;
    ensures above: a + b > INT64_MAX ==> \result == 1;
    ensures below: a + b < INT64_MIN ==> \result == -1;
    ensures fits:  INT64_MIN <= a + b <= INT64_MAX ==> \result == 0;
*/
static int pby_turns(int64_t a, int64_t b)
{
    if (b > 0)
        return a > INT64_MAX - b ? 1 : 0;
    return a < INT64_MIN - b ? -1 : 0;
}

/* Returns a + b less that multiple. */
/*@ requires turns: -1 <= turns <= 1 && INT64_MIN <= a + b - turns * 18446744073709551616 <= INT64_MAX;
    terminates \true;
    assigns \nothing;
    ensures value: \result == a + b - turns * 18446744073709551616;
*/
static int64_t pby_rest(int64_t a, int64_t b, int turns)
{
    if (turns > 0)
        return (a - INT64_MAX - 1) + (b - INT64_MAX - 1);
    if (turns < 0)
        return (a - INT64_MIN) + (b - INT64_MIN);
    return a + b;
}

/* 1 when a + b < c + d, as integers, else 0. */
/*@ terminates \true;
    assigns \nothing;
    ensures yes: a + b < c + d ==> \result == 1;
    ensures no:  a + b >= c + d ==> \result == 0;
*/
static int pby_sum_below(int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int low = pby_turns(a, b), high = pby_turns(c, d);
    if (low != high)
        return low < high;
    return pby_rest(a, b, low) < pby_rest(c, d, high);
}

size_t pby_noisy_max(const int64_t *x, const int64_t *z, size_t n)
{
    size_t k = 0;
    /*@ loop invariant range:   1 <= i <= n;
        loop invariant largest: Largest(x, z, i, k);
        loop assigns i, k;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++)
        if (pby_sum_below(x[k], z[k], x[i], z[i]))
            k = i;
    return k;
}
