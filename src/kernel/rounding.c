/* SPDX-License-Identifier: MIT */
#include "kernel/rounding.h"

/* claims: Survey/Lemma 7.8 */
void pby_round_up(int64_t *y, const int64_t *x, size_t n, const int64_t *offset, int64_t m)
{
    /*@ ghost lemma_tops((size_t)m); */
    /*@ loop invariant index: 0 <= i <= n;
        loop invariant value: \forall integer j; 0 <= j < i ==>
                                y[j] == (\at(x[j], Pre) + offset[j] >= m ? 1 : 0);
        loop invariant rest:  \forall integer j; i <= j < n ==> x[j] == \at(x[j], Pre);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        y[i] = (int64_t)(x[i] + offset[i] >= m);
}
