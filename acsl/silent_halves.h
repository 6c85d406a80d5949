/* SPDX-License-Identifier: MIT */
/* The leading 32 digits of words as signed numbers, and what they decide. */
#ifndef PBY_ACSL_SILENT_HALVES_H
#define PBY_ACSL_SILENT_HALVES_H

#include "acsl/cells.h"
#include "acsl/halves.h"

/*@ // The leading half of a word, and its other half, less 2^31: vectors compare numbers with a sign.
    logic integer Lead(integer w) = w / HalfSpan - 2147483648;

    logic integer Trail(integer w) = w % HalfSpan - 2147483648;

    // The cuts below cell i that lead with less than h, and those that lead with h.
    logic integer Passed(uint64_t *t, integer i, integer h) =
      i <= 1 ? 0 : Passed(t, i - 1, h) + (Lead(t[i - 1]) < h ? 1 : 0);

    logic integer Met(uint64_t *t, integer i, integer h) =
      i <= 1 ? 0 : Met(t, i - 1, h) + (Lead(t[i - 1]) == h ? 1 : 0);

    // After the cuts below cell i.
    predicate Counted(int32_t *cell, int32_t *open, uint64_t *t, integer i, int32_t *half, integer m) =
      \forall integer k; 0 <= k < m ==> cell[k] == Passed(t, i, half[k]) && open[k] == Met(t, i, half[k]);

    predicate Among(int32_t *open, integer m, integer a, integer b) =
      \forall integer k; 0 <= k < m && open[k] != 0 ==> k == a || k == b;

    // One of any three places is not open.
    predicate AtMostTwo(int32_t *open, integer m) =
      \forall integer i, j, k; 0 <= i < j < k < m ==> open[i] == 0 || open[j] == 0 || open[k] == 0;
*/

/*@ ghost
  /@ requires some: 0 < n;
     requires valid: \valid_read(t + (0 .. n - 1));
     terminates \true;
     assigns \nothing;
     ensures passed: \forall integer i, h; 1 <= i <= n ==> 0 <= Passed(t, i, h) < i;
     ensures met:    \forall integer i, h; 1 <= i <= n ==> 0 <= Met(t, i, h) < i;
  @/
  void lemma_counted(const uint64_t *t, size_t n);

  // A half that no cut leads with decides; nor do the cuts matter that lead with the last half, but for one.
  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cuts:  1 <= i <= n;
     requires last:  i == n || Lead(t[i - 1]) == 2147483647;
     terminates \true;
     assigns \nothing;
     ensures draw:    \forall integer w; 0 <= w < Words && Met(t, i, Lead(w)) == 0 ==>
                        Passed(t, i, Lead(w)) == Draw(t, n, w);
     ensures decided: \forall integer w; 0 <= w < Words && Met(t, i, Lead(w)) == 0 ==> !Cut(t, n, w);
     ensures open:    \forall integer h; h <= 2147483647 ==>
                        (Met(t, i, h) != 0 <==> \exists integer j; 0 < j < n && Lead(t[j]) == h);
  @/
  void lemma_leads(const uint64_t *t, size_t n, size_t i);
*/

#endif
