/* SPDX-License-Identifier: MIT */
/* The harnesses share noise for every bar, packed for the kernel, and a test that it is within its law. */
#ifndef PBY_PROOFS_ALIGNMENT_NOISE_H
#define PBY_PROOFS_ALIGNMENT_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/alignment.h"

/* Packs the noise of the occupied bars, and returns their number. The noise of an empty bar is not read: the
 * release is the same as if it had not been drawn. */
/*@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(x + (0 .. n - 1));
    requires place: \valid(noise + (0 .. n - 1));
    requires apart: \separated(noise + (0 .. n - 1), z + (0 .. n - 1)) &&
                    \separated(noise + (0 .. n - 1), x + (0 .. n - 1));
    requires bound: Within(z, n, lo, hi);
    terminates \true;
    assigns noise[0 .. n - 1];
    ensures used:   \result == Support(x, n) <= n;
    ensures packed: Packed(noise, z, x, n);
    ensures place:  \forall integer i; 0 <= i < n ==> x[i] != 0 ==> 0 <= Support(x, i) < \result;
    ensures within: Within(noise, \result, lo, hi);
*/
size_t align_pack(int64_t *noise, const int64_t *z, const int64_t *x, size_t n, int64_t lo, int64_t hi);

/* 1 when every entry is from lo to hi, else 0. */
/*@ requires valid: \valid_read(w + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures yes: \result == 1 ==> Within(w, n, lo, hi);
    ensures no:  \result != 1 ==> \result == 0 && \exists integer i; 0 <= i < n && !(lo <= w[i] <= hi);
*/
int align_within(const int64_t *w, size_t n, int64_t lo, int64_t hi);

#endif
