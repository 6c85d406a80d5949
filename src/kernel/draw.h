/* SPDX-License-Identifier: MIT */
/* Draws in bulk from a cut table.
 *
 * A word that is no cut decides its cell at once. A word equal to a cut (chance 2^-64 a cut) does
 * not: the law's cdf lies within that word, and only more digits of it and more words can tell. A word in the
 * cell of a tail says only that the value lies beyond the body. So a block is drawn, the places of such words
 * are listed, the caller settles these, and puts what it found in their places (kernel/settle.h). How long a
 * draw takes depends on its words; kernel/silent.h has draws that do not show them. */
#ifndef PBY_KERNEL_DRAW_H
#define PBY_KERNEL_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/guide.h"
#include "acsl/settle.h"

/* Draws out[k] = first + (the cell of words[k]) for every k. 1 when all words are decided, 0 when one is a
 * cut. The decided words that lead to cell i are exactly those strictly inside it. g is the table's guide. */
/*@ requires size:  n <= Pow2(depth) && n <= UINT32_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (0 .. m - 1)) &&
                    \valid_read(g + (0 .. Slots));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. n - 1)) &&
                    \separated(out + (0 .. m - 1), words + (0 .. m - 1)) &&
                    \separated(out + (0 .. m - 1), g + (0 .. Slots));
    requires table: Table(t, n);
    requires guide: Guide(g, t, n);
    requires fits:  first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[0 .. m - 1];
    ensures draw:  \forall integer k; 0 <= k < m ==> out[k] == first + Draw(t, n, words[k]);
    ensures range: \forall integer k; 0 <= k < m ==> first <= out[k] <= first + n - 1;
    ensures law:   \forall integer i; 0 <= i < n ==> Decided(t, n, i, Words) == Inside(t, n, i);
    behavior all:
      assumes none: \forall integer k; 0 <= k < m ==> !Cut(t, n, words[k]);
      ensures done: \result == 1;
    behavior undecided:
      assumes some: \exists integer k; 0 <= k < m && Cut(t, n, words[k]);
      ensures stop: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_draw_cells(const uint64_t *t, size_t n, unsigned depth, const uint32_t *g, const uint64_t *words,
                   size_t m, int64_t first, int64_t *out);

/* Lists the places of what is open among values that were drawn so: of a word that is a cut, and of a value
 * outside lo .. hi, which is that of a tail. They are in order, and there are no others; returns how many. */
/*@ requires size:  n <= UINT32_MAX && m <= UINT32_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (0 .. m - 1)) &&
                    \valid_read(value + (0 .. m - 1));
    requires place: \valid(open + (0 .. m - 1));
    requires apart: \separated(open + (0 .. m - 1), t + (0 .. n - 1)) &&
                    \separated(open + (0 .. m - 1), words + (0 .. m - 1)) &&
                    \separated(open + (0 .. m - 1), value + (0 .. m - 1));
    requires table: Table(t, n);
    requires draw:  \forall integer k; 0 <= k < m ==> value[k] == first + Draw(t, n, words[k]);
    terminates \true;
    assigns open[0 .. m - 1];
    ensures count:  \result <= m;
    ensures rising: Rising(open, \result);
    ensures open:   \forall integer j; 0 <= j < \result ==>
                      open[j] < m && Open(t, n, words[open[j]], value[open[j]], lo, hi);
    ensures all:    \forall integer k; 0 <= k < m && Open(t, n, words[k], value[k], lo, hi) ==>
                      \exists integer j; 0 <= j < \result && open[j] == k;
*/
size_t pby_open(uint32_t *open, const uint64_t *t, size_t n, const uint64_t *words, const int64_t *value,
                size_t m, int64_t first, int64_t lo, int64_t hi);

#endif
