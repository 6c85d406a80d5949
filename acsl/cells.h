/* SPDX-License-Identifier: MIT */
/* Cells: a table t[0 .. n-1] of left ends cuts the words [0, 2^64) into n cells; cell i is
 * [t[i], Hi(t, n, i)), and may be empty. t[0] is 0, and t[1 .. n-1] are the cuts. */
#ifndef PBY_ACSL_CELLS_H
#define PBY_ACSL_CELLS_H

#include "acsl/words.h"

/*@ predicate Sorted(uint64_t *t, integer n) =
      \forall integer i, j; 0 <= i <= j < n ==> t[i] <= t[j];

    predicate Table(uint64_t *t, integer n) = 0 < n && t[0] == 0 && Sorted(t, n);

    logic integer Hi(uint64_t *t, integer n, integer i) = i + 1 < n ? t[i + 1] : Words;

    // The sampler as mathematics: the last cell whose left end is not above w.
    logic integer Draw(uint64_t *t, integer n, integer w) =
      n <= 1 ? 0 : (t[n - 1] <= w ? n - 1 : Draw(t, n - 1, w));

    // The number of words below m that lead to cell i.
    logic integer Hits(uint64_t *t, integer n, integer i, integer m) =
      m <= 0 ? 0 : Hits(t, n, i, m - 1) + (Draw(t, n, m - 1) == i ? 1 : 0);

    // A word equal to a cut does not decide its cell: the cdf lies somewhere within the word.
    predicate Cut(uint64_t *t, integer n, integer w) =
      \exists integer i; 0 < i < n && t[i] == w;

    // Cut as a number, which can be counted with: 1 when w is a cut, else 0.
    logic integer IsCut(uint64_t *t, integer n, integer w) =
      n <= 1 ? 0 : (t[n - 1] == w ? 1 : IsCut(t, n - 1, w));

    // The number of decided words below m that lead to cell i.
    logic integer Decided(uint64_t *t, integer n, integer i, integer m) =
      m <= 0 ? 0
             : Decided(t, n, i, m - 1) +
               (IsCut(t, n, m - 1) == 0 && Draw(t, n, m - 1) == i ? 1 : 0);

    // The number of words strictly inside cell i; its left end is outside when that is a cut.
    logic integer Inside(uint64_t *t, integer n, integer i) =
      i == 0 ? Hi(t, n, 0) : (t[i] < Hi(t, n, i) ? Hi(t, n, i) - t[i] - 1 : 0);

    // The first m of out are the cells of the words, counted from first.
    predicate Drawn(int64_t *out, integer first, uint64_t *t, integer n, uint64_t *words, integer m) =
      \forall integer k; 0 <= k < m ==>
        out[k] == first + Draw(t, n, words[k]) && first <= out[k] <= first + n - 1;

    // A search that has narrowed u down to the cells lo .. lo + len - 1.
    predicate Narrowed(uint64_t *t, integer n, integer lo, integer len, integer u) =
      0 <= lo < lo + len <= n && t[lo] <= u && (lo + len < n ==> u < t[lo + len]);
*/

/*@ ghost
  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n && t[i] <= w < Hi(t, n, i);
     terminates \true;
     assigns \nothing;
     ensures draw: Draw(t, n, w) == i;
  @/
  void lemma_draw_is(const uint64_t *t, size_t n, size_t i, uint64_t w);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n && !(t[i] <= w < Hi(t, n, i));
     terminates \true;
     assigns \nothing;
     ensures draw: Draw(t, n, w) != i;
  @/
  void lemma_draw_is_not(const uint64_t *t, size_t n, size_t i, uint64_t w);

  // One cut more: the cell moves on when the word has reached it.
  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cut:   1 <= i < n;
     terminates \true;
     assigns \nothing;
     ensures next: Draw(t, i + 1, w) == Draw(t, i, w) + (t[i] <= w ? 1 : 0);
     ensures cell: 0 <= Draw(t, i, w) < i;
  @/
  void lemma_draw_next(const uint64_t *t, size_t n, size_t i, uint64_t w);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires some:  0 < n;
     terminates \true;
     assigns \nothing;
     ensures cell: 0 <= Draw(t, n, w) < n;
  @/
  void lemma_draw_range(const uint64_t *t, size_t n, uint64_t w);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires some:  0 < n;
     terminates \true;
     assigns \nothing;
     ensures number: \forall integer w; 0 <= IsCut(t, n, w) <= 1;
     ensures cut:    \forall integer w; IsCut(t, n, w) == 1 <==> Cut(t, n, w);
  @/
  void lemma_cut(const uint64_t *t, size_t n);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n && (i == 0 || t[i] < w) && w < Hi(t, n, i);
     terminates \true;
     assigns \nothing;
     ensures decided: !Cut(t, n, w);
  @/
  void lemma_no_cut(const uint64_t *t, size_t n, size_t i, uint64_t w);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     terminates \true;
     assigns \nothing;
     ensures exact: \forall integer i; 0 <= i < n ==> Hits(t, n, i, Words) == Hi(t, n, i) - t[i];
  @/
  void lemma_hits(const uint64_t *t, size_t n);

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     terminates \true;
     assigns \nothing;
     ensures law: \forall integer i; 0 <= i < n ==> Decided(t, n, i, Words) == Inside(t, n, i);
  @/
  void lemma_decided(const uint64_t *t, size_t n);
*/

#endif
