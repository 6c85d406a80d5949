/* SPDX-License-Identifier: MIT */
/* The noise of the winner is raised by 2: it loses at most 1, and the others gain at most 1. */
#include "acsl/alignment.h"
#include "best.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1));
    requires some:      0 < n;
    requires scores:    Scored(x, n) && Scored(y, n);
    requires fits:      \forall integer i; 0 <= i < n ==> 0 <= z[i] <= 0x2000000000000000;
    requires neighbour: Voter(x, y, n);
    terminates \true;
    assigns *a, *b, w[0 .. n - 1];
    ensures first:     Best(x, z, n, *a);
    ensures second:    Best(y, w, n, *b);
    ensures same:      *a == *b;
    ensures injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? 2 : 0);
    ensures raised:    \forall integer i; 0 <= i < n ==> z[i] <= w[i] <= z[i] + 2;
    ensures cost:      Distance(z, w, n) <= 2;
*/
void align_noisy_best(const struct candidate *x, const struct candidate *y, const int64_t *z, int64_t *w,
                      size_t n, size_t *a, size_t *b)
{
    const size_t first = noisy_best(x, n, z);
    *a = first;
    /*@ loop invariant range:  i <= n;
        loop invariant raised: \forall integer j; 0 <= j < i ==> w[j] == z[j] + (j == first ? 2 : 0);
        loop assigns i, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        w[i] = z[i] + (i == first ? 2 : 0);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant cost:  Distance(z, w, i) == (i <= first ? 0 : 2);
         loop invariant won:   \forall integer j; 0 <= j < i ==>
                                 y[j].score + w[j] - (x[j].score + z[j]) <= (j == first ? 3 : 1);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    /*@ assert best: Best(x, z, n, first); */
    /*@ assert wins: Best(y, w, n, first); */
    *b = noisy_best(y, n, w);
}
