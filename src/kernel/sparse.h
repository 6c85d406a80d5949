/* SPDX-License-Identifier: MIT */
/* Above threshold, and the sparse vector: which answers of a long list are large, said of a few.
 *
 * The thresholds carry noise already, one for every positive answer. Only the places of the positive answers
 * leave; that there are at most c of them is what the privacy of the rest is paid with. For queries that each
 * move by at most D, thresholds with noise of rate a and answers with noise of rate b: c D (a + 2 b). */
#ifndef PBY_KERNEL_SPARSE_H
#define PBY_KERNEL_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/noisy.h"

/* 1 when a + b >= t, as integers, else 0. */
/*@ terminates \true;
    assigns \nothing;
    ensures yes: a + b >= t ==> \result == 1;
    ensures no:  a + b < t ==> \result == 0;
*/
static inline int pby_reaches(int64_t a, int64_t b, int64_t t)
{
    if (b >= 0)
        return t < INT64_MIN + b || a >= t - b;
    return t <= INT64_MAX + b && a >= t - b;
}

/* The first place from `from` on at which x[i] + z[i] reaches the threshold t, n when there is none. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires begin: from <= n;
    terminates \true;
    assigns \nothing;
    ensures range: from <= \result <= n;
    ensures below: Under(x, z, from, \result, t);
    ensures first: \result < n ==> t <= x[\result] + z[\result];
*/
size_t pby_above(const int64_t *x, const int64_t *z, size_t from, size_t n, int64_t t);

/* The places at[0], at[1], ... of the answers that reach the threshold, t[j] up to the j-th of them. Halts
 * after the c-th: what comes later is answered neither way. Returns how many there are. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) &&
                    \valid_read(t + (0 .. c - 1));
    requires place: \valid(at + (0 .. c - 1));
    requires apart: \separated(at + (0 .. c - 1), x + (0 .. n - 1)) &&
                    \separated(at + (0 .. c - 1), z + (0 .. n - 1)) &&
                    \separated(at + (0 .. c - 1), t + (0 .. c - 1));
    terminates \true;
    assigns at[0 .. c - 1];
    ensures halt:  \result <= c;
    ensures place: \forall integer j; 0 <= j < \result ==> From(at, j) <= at[j] < n;
    ensures below: \forall integer j; 0 <= j < \result ==> Under(x, z, From(at, j), at[j], t[j]);
    ensures above: \forall integer j; 0 <= j < \result ==> t[j] <= x[at[j]] + z[at[j]];
    ensures rest:  \result < c ==> Under(x, z, From(at, \result), n, t[\result]);
*/
size_t pby_sparse(size_t *at, const int64_t *x, const int64_t *z, size_t n, const int64_t *t, size_t c);

#endif
