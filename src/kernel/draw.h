/* Draws in bulk from a cut table.
 *
 * A word that is no cut decides its cell at once. A word equal to a cut (chance 2^-64 a cut) does
 * not: the law's cdf lies within that word, and only more digits of it and more words can tell. The
 * draw stops there and says so; the caller settles that one word and calls again after it. How long a
 * draw takes depends on its words; kernel/silent.h has draws that do not show them. */
#ifndef PBY_KERNEL_DRAW_H
#define PBY_KERNEL_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/guide.h"

/* Draws out[k] = first + (the cell of words[k]) for k = 0, 1, ... up to the first undecided word,
 * and returns how many were decided: m when all were, else the place of a word that is a cut. What
 * stands in out from there on is unspecified. The decided words that lead to cell i are exactly those
 * strictly inside it. g is the table's guide. */
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
    ensures count:   \result <= m;
    ensures draw:    \forall integer k; 0 <= k < \result ==> out[k] == first + Draw(t, n, words[k]);
    ensures range:   \forall integer k; 0 <= k < \result ==> first <= out[k] <= first + n - 1;
    ensures decided: \forall integer k; 0 <= k < \result ==> !Cut(t, n, words[k]);
    ensures law:     \forall integer i; 0 <= i < n ==> Decided(t, n, i, Words) == Inside(t, n, i);
    behavior all:
      assumes none: \forall integer k; 0 <= k < m ==> !Cut(t, n, words[k]);
      ensures done: \result == m;
    behavior undecided:
      assumes some: \exists integer k; 0 <= k < m && Cut(t, n, words[k]);
      ensures stop: \result < m && Cut(t, n, words[\result]);
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_draw_cells(const uint64_t *t, size_t n, unsigned depth, const uint32_t *g, const uint64_t *words,
                      size_t m, int64_t first, int64_t *out);

#endif
