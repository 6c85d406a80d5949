/* SPDX-License-Identifier: MIT */
#include "kernel/response.h"

void pby_respond(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t k)
{
    /*@ loop invariant index: 0 <= i <= n;
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == Turned(\at(x[j], Pre), noise[j], k);
        loop invariant range: \forall integer j; 0 <= j < i ==> 0 <= y[j] <= k - 1;
        loop invariant rest:  \forall integer j; i <= j < n ==> x[j] == \at(x[j], Pre);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++) {
        const int64_t s = x[i] + noise[i];
        y[i] = s - k * (int64_t)(s >= k);
    }
}
