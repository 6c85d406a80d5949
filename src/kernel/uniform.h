/* SPDX-License-Identifier: MIT */
/* A number below n with every value equally likely, out of random words.
 *
 * The words are a buffer with a cursor: the caller owns the randomness, and a buffer that runs out
 * is a result, not a failure. An accepted word is the first at or after the cursor that is not among
 * the Words % n that would favour some values. */
#ifndef PBY_KERNEL_UNIFORM_H
#define PBY_KERNEL_UNIFORM_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/uniform.h"

/* 0 with *out below n and *at past the word used; or -1 with *at == len when no word was accepted:
 * refill the buffer and call again. */
/*@ requires some:   0 < n;
    requires valid:  \valid_read(words + (0 .. len - 1));
    requires place:  \valid(at) && \valid(out);
    requires apart:  \separated(at, out, words + (0 .. len - 1));
    requires cursor: *at <= len;
    terminates \true;
    assigns *at, *out;
    ensures cursor: \old(*at) <= *at <= len;
    ensures fair:   \forall integer r; 0 <= r < n ==> Ways(n, r, Words) == Words / n;
    behavior drawn:
      assumes found: \exists integer k; *at <= k < len && Accepted(words[k], n);
      ensures status: \result == 0;
      ensures range:  *out < n;
      ensures first:  FirstAccepted(words, \old(*at), *at - 1, n);
      ensures value:  *out == words[*at - 1] % n;
    behavior exhausted:
      assumes none: \forall integer k; *at <= k < len ==> !Accepted(words[k], n);
      ensures status: \result == -1;
      ensures used:   *at == len;
      ensures same:   *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
*/
int pby_uniform(const uint64_t *words, size_t len, size_t *at, uint64_t n, uint64_t *out);

#endif
