/* SPDX-License-Identifier: MIT */
/* The noise moves by as much as the truncated totals are apart: by at most LIMIT for each user who differs.
 */
#include "acsl/alignment.h"
#include "acsl/response.h"
#include "count.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(w) && \valid(a) && \valid(b);
    requires apart: \separated(w, a, b, x + (0 .. n - 1), y + (0 .. n - 1));
    requires few:       n <= USERS_MAX;
    requires fits:      -0x2000000000000000 <= z <= 0x2000000000000000;
    requires neighbour: Unlike(x, y, n) <= 1;
    terminates \true;
    assigns *w, *a, *b;
    ensures first:     *a == Total(x, n) + z;
    ensures second:    *b == Total(y, n) + *w;
    ensures same:      *a == *b;
    ensures injective: z == *w - (Total(x, n) - Total(y, n));
    ensures cost:      Apart(z, *w) <= LIMIT;
*/
void align_truncated_count(const int64_t *x, const int64_t *y, int64_t z, int64_t *w, size_t n, int64_t *a,
                           int64_t *b)
{
    const int64_t shown = truncated_count(x, n, z), rest = truncated_count(y, n, 0);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant near:  Apart(Total(x, i), Total(y, i)) <= LIMIT * Unlike(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    *a = shown;
    *b = shown;
    *w = shown - rest;
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: Total(x, i) == Total{Pre}(x, i) && Total(y, i) == Total{Pre}(y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}
