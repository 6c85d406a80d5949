/* SPDX-License-Identifier: MIT */
#include "kernel/threshold.h"

/* The noisy count, if it is published. */
/*@ requires count: 0 <= count;
    requires some:  1 <= threshold;
    terminates \true;
    assigns \nothing;
    ensures value: \result == Passed(Saturated(count + noise), threshold);
*/
static inline int64_t pby_pass(int64_t count, int64_t noise, int64_t threshold)
{
    const int64_t v = noise > INT64_MAX - count ? INT64_MAX : count + noise;
    return v >= threshold ? v : PBY_SUPPRESSED;
}

size_t pby_threshold(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t threshold)
{
    size_t s = 0;
    /*@ ghost lemma_support(x, n); */
    /*@ loop invariant range: i <= n;
        loop invariant used:  s == Support{Pre}(x, i) <= i;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant empty: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) == 0 ==> y[j] == Suppressed;
        loop invariant value: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                                y[j] ==
                                  Passed(Saturated(\at(x[j], Pre) + noise[Support{Pre}(x, j)]), threshold);
        loop invariant none_below: \forall integer j; 0 <= j < i ==> y[j] == Suppressed || threshold <= y[j];
        loop assigns i, s, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t c = x[i];
        if (c == 0) {
            y[i] = PBY_SUPPRESSED;
            continue;
        }
        y[i] = pby_pass(c, noise[s], threshold);
        s++;
    }
    return s;
}

void pby_one_more(int64_t *y, const int64_t *x, size_t n)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == \at(x[j], Pre) + 1;
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

void pby_one_less(int64_t *y, size_t n)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}(y, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==>
                                y[j] == (\at(y[j], Pre) == Suppressed ? Suppressed : \at(y[j], Pre) - 1);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = y[i] == PBY_SUPPRESSED ? PBY_SUPPRESSED : y[i] - 1;
}
