/* SPDX-License-Identifier: MIT */
/* Counts how often users did something, where no user counts for more than LIMIT times. */
#ifndef COUNT_H
#define COUNT_H

#include <stddef.h>
#include <stdint.h>

#define LIMIT     10
#define USERS_MAX 1000000

/*@ logic integer Truncated(integer k) = k < 0 ? 0 : k < LIMIT ? k : LIMIT;

    logic integer Total(int64_t *x, integer n) = n <= 0 ? 0 : Total(x, n - 1) + Truncated(x[n - 1]);
*/

/* The truncated total of n users and the noise z. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    requires few:   n <= USERS_MAX;
    requires fits:  -0x4000000000000000 <= z <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: \result == Total(x, n) + z;
    ensures bound:  0 <= \result - z <= n * LIMIT;
*/
int64_t truncated_count(const int64_t *x, size_t n, int64_t z);

#endif
