/* SPDX-License-Identifier: MIT */
/* Randomised response: an answer moves on by its noise, around a circle of k answers. */
#ifndef PBY_KERNEL_RESPONSE_H
#define PBY_KERNEL_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/response.h"

/* y[i] is the answer that lies noise[i] behind x[i] on the circle 0, 1, ..., k-1, 0, ...; y may be x itself.
 * No branch and no address depends on an answer or on the noise. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. n - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. n - 1));
    requires circle: 1 <= k <= INT64_MAX / 2;
    requires answers: Within(x, n, 0, k - 1);
    requires moves:   Within(noise, n, 0, k - 1);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == Turned(\old(x[i]), noise[i], k);
    ensures range: Within(y, n, 0, k - 1);
*/
void pby_respond(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t k);

#endif
