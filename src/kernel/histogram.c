/* SPDX-License-Identifier: MIT */
#include "kernel/histogram.h"

size_t pby_support(const int64_t *x, size_t n)
{
    size_t s = 0;
    /*@ loop invariant range: i <= n;
        loop invariant count: s == Support(x, i);
        loop invariant below: s <= i;
        loop assigns i, s;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        s += (size_t)(x[i] != 0);
    return s;
}

size_t pby_shrink(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t bound)
{
    (void)bound; /* the contract's, not the code's */
    size_t s = 0;
    /*@ ghost lemma_support(x, n); */
    /*@ loop invariant range: i <= n;
        loop invariant used:  s == Support{Pre}(x, i) <= i;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant empty: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) == 0 ==> y[j] == 0;
        loop invariant value: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                                y[j] == Clamped(\at(x[j], Pre) + noise[Support{Pre}(x, j)]);
        loop invariant never_up: \forall integer j; 0 <= j < i ==> 0 <= y[j] <= \at(x[j], Pre);
        loop invariant loss: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) - y[j] <= bound;
        loop assigns i, s, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t c = x[i];
        if (c == 0) {
            y[i] = 0;
            continue;
        }
        const int64_t v = c + noise[s];
        y[i] = v > 0 ? v : 0;
        s++;
    }
    return s;
}

/*@ terminates \true;
    assigns \nothing;
    ensures value: \result == Saturated(a + b);
*/
static int64_t pby_saturating_add(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b)
        return INT64_MIN;
    return a + b;
}

void pby_perturb(int64_t *y, const int64_t *x, size_t n, const int64_t *noise)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==>
                                y[j] == Saturated(\at(x[j], Pre) + noise[j]);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = pby_saturating_add(x[i], noise[i]);
}
