/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of silent_halves.h. Nothing here runs. */
#include "acsl/silent_halves.h"

/*@ ghost
  void lemma_counted(const uint64_t *t, size_t n)
  {
    /@ loop invariant range:  1 <= j <= n;
       loop invariant passed: \forall integer i, h; 1 <= i <= j ==> 0 <= Passed(t, i, h) < i;
       loop invariant met:    \forall integer i, h; 1 <= i <= j ==> 0 <= Met(t, i, h) < i;
       loop assigns j;
       loop variant n - j; @/
    for (size_t j = 1; j < n; j++) {
      /@ assert passed: \forall integer h; Passed(t, j + 1, h) ==
                           Passed(t, j, h) + (Lead(t[j]) < h ? 1 : 0); @/
      /@ assert met: \forall integer h; Met(t, j + 1, h) == Met(t, j, h) + (Lead(t[j]) == h ? 1 : 0); @/
    }
  }

  void lemma_leads(const uint64_t *t, size_t n, size_t i)
  {
    lemma_counted(t, n);
    /@ loop invariant range: 1 <= j <= i;
       loop invariant all:   \forall integer h; j > 1 && Lead(t[j - 1]) < h ==> Passed(t, j, h) == j - 1;
       loop invariant draw:  \forall integer w; 0 <= w < Words && Met(t, j, Lead(w)) == 0 ==>
                               Passed(t, j, Lead(w)) == Draw(t, j, w);
       loop invariant open:  \forall integer h; Met(t, j, h) == 0 <==>
                               (\forall integer x; 0 < x < j ==> Lead(t[x]) != h);
       loop assigns j;
       loop variant i - j; @/
    for (size_t j = 1; j < i; j++) {
      /@ assert order: Lead(t[j - 1]) <= Lead(t[j]); @/
      /@ assert passed: \forall integer h; Passed(t, j + 1, h) ==
                           Passed(t, j, h) + (Lead(t[j]) < h ? 1 : 0); @/
      /@ assert met: \forall integer h; Met(t, j + 1, h) == Met(t, j, h) + (Lead(t[j]) == h ? 1 : 0); @/
      /@ assert fewer: \forall integer h; Met(t, j + 1, h) == 0 ==> Met(t, j, h) == 0 && Lead(t[j]) != h; @/
      /@ assert below: \forall integer w; Lead(t[j]) < Lead(w) ==> t[j] <= w; @/
      /@ assert above: \forall integer w; 0 <= w < Words && Lead(t[j]) > Lead(w) ==> t[j] > w; @/
      /@ assert next: \forall integer w; Draw(t, j + 1, w) == (t[j] <= w ? j : Draw(t, j, w)); @/
    }
    /@ loop invariant range: i <= j <= n;
       loop invariant top:   i < n ==> \forall integer x; i <= x < j ==> Lead(t[x]) == 2147483647;
       loop invariant draw:  \forall integer w; 0 <= w < Words && Met(t, i, Lead(w)) == 0 ==>
                               Passed(t, i, Lead(w)) == Draw(t, j, w);
       loop assigns j;
       loop variant n - j; @/
    for (size_t j = i; j < n; j++) {
      /@ assert order: t[i - 1] <= t[j]; @/
      /@ assert lead: Lead(t[j]) == 2147483647; @/
      /@ assert behind: i > 1; @/
      /@ assert lower: \forall integer w; 0 <= w < Words && Met(t, i, Lead(w)) == 0 ==>
                          Lead(w) < 2147483647; @/
      /@ assert above: \forall integer w; 0 <= w < Words && Met(t, i, Lead(w)) == 0 ==> t[j] > w; @/
      /@ assert next: \forall integer w; Draw(t, j + 1, w) == (t[j] <= w ? j : Draw(t, j, w)); @/
    }
    /@ assert all: \forall integer h; h <= 2147483647 && Met(t, i, h) == 0 ==>
                     \forall integer x; 0 < x < n ==> Lead(t[x]) != h; @/
  }
*/
