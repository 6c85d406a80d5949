/* SPDX-License-Identifier: MIT */
#include "kernel/order.h"

int pby_precedes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
    size_t i = 0;
    /*@ loop invariant range: i <= n && i <= m;
        loop invariant same:  \forall integer j; 0 <= j < i ==> a[j] == b[j];
        loop assigns i;
        loop variant n - i; */
    while (i < n && i < m && a[i] == b[i])
        i++;
    if (i < m && (i == n || a[i] < b[i])) {
        /*@ assert here: Parts(a, n, b, m, i); */
        return 1;
    }
    /*@ assert nowhere: \forall integer k; !Parts(a, n, b, m, k); */
    return 0;
}

int pby_is_permutation(const uint64_t *order, uint32_t *seen, size_t n)
{
    /*@ loop invariant range: i <= n;
        loop invariant none:  \forall integer p; 0 <= p < i ==> seen[p] == n;
        loop assigns i, seen[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        seen[i] = (uint32_t)n;
    /*@ loop invariant range: i <= n;
        loop invariant below: \forall integer j; 0 <= j < i ==> order[j] < n;
        loop invariant place: \forall integer j; 0 <= j < i ==> seen[order[j]] == j;
        loop invariant known: \forall integer p; 0 <= p < n && seen[p] != n ==>
                                seen[p] < i && order[seen[p]] == p;
        loop assigns i, seen[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const uint64_t p = order[i];
        if (p >= n) {
            /*@ assert beyond: !Permutation(order, n); */
            return 0;
        }
        if (seen[p] != n) {
            /*@ assert again: 0 <= seen[p] < i && order[seen[p]] == order[i]; */
            /*@ assert twice: !Permutation(order, n); */
            return 0;
        }
        seen[p] = (uint32_t)i;
    }
    /*@ assert once: \forall integer i, j; 0 <= i < j < n ==> order[i] != order[j]; */
    /*@ loop invariant range: p <= n;
        loop invariant every: \forall integer q; 0 <= q < p ==> Has(order, n, q);
        loop assigns p;
        loop variant n - p; */
    for (size_t p = 0; p < n; p++)
        if (seen[p] == n) {
            /*@ assert never: !Has(order, n, p); */
            /*@ assert missing: !Permutation(order, n); */
            return 0;
        }
    /*@ assert permutation: Permutation(order, n); */
    return 1;
}

int pby_names_rise(const pby_bin_row *rows, const uint64_t *order, size_t n)
{
    /*@ loop invariant range: 1 <= i;
        loop invariant rise:  \forall integer j; 0 < j < i && j < n ==>
                                Precedes(rows[order[j - 1]].name, rows[order[j - 1]].size,
                                         rows[order[j]].name, rows[order[j]].size);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++) {
        const pby_bin_row *a = &rows[order[i - 1]], *b = &rows[order[i]];
        if (!pby_precedes(a->name, a->size, b->name, b->size))
            return 0;
    }
    return 1;
}
