/* SPDX-License-Identifier: MIT */
/* Joins that are not empty are aligned as counts are. If one of them is empty the noise stays: the other has
 * one key, and the alignment fails where the noise lifts it over the threshold. */
#include "acsl/alignment.h"
#include "acsl/response.h"
#include "join.h"

/*@ logic integer Shift(integer of_x, integer of_y) = of_x == 0 ? 0 : of_y == 0 ? 0 : of_x - of_y;
 */

/* The size of the join. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    requires few:   n <= KEYS_MAX;
    terminates \true;
    assigns \nothing;
    ensures size: \result == Size(x, n) && 0 <= \result <= n;
*/
static int64_t size_of(const int64_t *x, size_t n)
{
    int64_t size = 0;
    /*@ loop invariant range: i <= n;
        loop invariant size:  size == Size(x, i) && 0 <= size <= i;
        loop assigns i, size;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        size += x[i] == BOTH ? 1 : 0;
    return size;
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(w) && \valid(a) && \valid(b);
    requires apart: \separated(w, a, b, x + (0 .. n - 1), y + (0 .. n - 1));
    requires few:       n <= KEYS_MAX;
    requires fits:      -0x2000000000000000 <= z <= 0x2000000000000000;
    requires neighbour: Unlike(x, y, n) <= 1;
    terminates \true;
    assigns *w, *a, *b;
    ensures first:     *a == Shown(Size(x, n), z, threshold);
    ensures second:    *b == Shown(Size(y, n), *w, threshold);
    ensures fits:      z - 1 <= *w <= z + 1;
    ensures same:      z < threshold - 1 ==> *a == *b;
    ensures injective: z == *w - Shift(Size(x, n), Size(y, n));
    ensures cost:      Apart(z, *w) <= 1;
    ensures fails:     *a != *b ==> z >= threshold - 1;
*/
void align_join_size(const int64_t *x, const int64_t *y, int64_t z, int64_t *w, size_t n, int64_t threshold,
                     int64_t *a, int64_t *b)
{
    const int64_t of_x = size_of(x, n), of_y = size_of(y, n);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant near:  Apart(Size(x, i), Size(y, i)) <= Unlike(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    const int64_t moved = of_x == 0 || of_y == 0 ? z : z + of_x - of_y;
    const int64_t first = join_size(x, n, threshold, z), second = join_size(y, n, threshold, moved);
    *w = moved;
    *a = first;
    *b = second;
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: Size(x, i) == Size{Pre}(x, i) && Size(y, i) == Size{Pre}(y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}
