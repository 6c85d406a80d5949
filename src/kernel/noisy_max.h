/* SPDX-License-Identifier: MIT */
/* Report noisy max: which answer is the largest once noise is added, and nothing of how large it is.
 *
 * For queries that each move by at most D and noise of rate a, the place costs 2 D a; D a where all rise or
 * all fall. */
#ifndef PBY_KERNEL_NOISY_MAX_H
#define PBY_KERNEL_NOISY_MAX_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/noisy.h"

/* The place of the largest x[i] + z[i], the first among equals. The sums are compared as integers. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires some:  0 < n;
    terminates \true;
    assigns \nothing;
    ensures largest: Largest(x, z, n, \result);
*/
size_t pby_noisy_max(const int64_t *x, const int64_t *z, size_t n);

#endif
