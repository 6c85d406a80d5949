/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of cells.h, by induction as loops. Nothing here runs. */
#include "acsl/cells.h"

/*@ ghost
  void lemma_draw_is(const uint64_t *t, size_t n, size_t i, uint64_t w)
  {
    size_t k = i + 1;
    /@ loop invariant range: i + 1 <= k <= n;
       loop invariant draw:  Draw(t, k, w) == i;
       loop assigns k;
       loop variant n - k; @/
    while (k < n) k++;
  }

  void lemma_draw_is_not(const uint64_t *t, size_t n, size_t i, uint64_t w)
  {
    size_t k = 1;
    /@ loop invariant range: 1 <= k <= n;
       loop invariant draw:  0 <= Draw(t, k, w) < k;
       loop invariant below: t[Draw(t, k, w)] <= w;
       loop invariant above: Draw(t, k, w) + 1 < k ==> w < t[Draw(t, k, w) + 1];
       loop assigns k;
       loop variant n - k; @/
    while (k < n) k++;
  }

  void lemma_draw_range(const uint64_t *t, size_t n, uint64_t w)
  {
    size_t k = 1;
    /@ loop invariant range: 1 <= k <= n;
       loop invariant cell:  0 <= Draw(t, k, w) < k;
       loop assigns k;
       loop variant n - k; @/
    while (k < n) k++;
  }

  void lemma_draw_next(const uint64_t *t, size_t n, size_t i, uint64_t w)
  {
    lemma_draw_range(t, i, w);
    /@ assert before: t[i] <= w ==> t[i - 1] <= w; @/
  }

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n;
     terminates \true;
     assigns \nothing;
     ensures exact: Hits(t, n, i, Words) == Hi(t, n, i) - t[i];
  @/
  void lemma_hits_of(const uint64_t *t, size_t n, size_t i)
  {
    uint64_t m = 0;
    /@ loop invariant below:  m <= t[i] ==> Hits(t, n, i, m) == 0;
       loop invariant within: t[i] <= m <= Hi(t, n, i) ==> Hits(t, n, i, m) == m - t[i];
       loop invariant above:  Hi(t, n, i) <= m ==> Hits(t, n, i, m) == Hi(t, n, i) - t[i];
       loop assigns m;
       loop variant UINT64_MAX - m; @/
    while (m < UINT64_MAX) {
      if (t[i] <= m && (i + 1 == n || m < t[i + 1])) lemma_draw_is(t, n, i, m);
      else lemma_draw_is_not(t, n, i, m);
      m++;
    }
    if (i + 1 == n) lemma_draw_is(t, n, i, m);
    else lemma_draw_is_not(t, n, i, m);
    /@ assert last: Hits(t, n, i, Words) == Hits(t, n, i, m) + (Draw(t, n, m) == i ? 1 : 0); @/
  }

  void lemma_hits(const uint64_t *t, size_t n)
  {
    size_t k = 0;
    /@ loop invariant range: k <= n;
       loop invariant exact: \forall integer i; 0 <= i < k ==>
                               Hits(t, n, i, Words) == Hi(t, n, i) - t[i];
       loop assigns k;
       loop variant n - k; @/
    while (k < n) {
      lemma_hits_of(t, n, k);
      k++;
    }
  }

  void lemma_cut(const uint64_t *t, size_t n)
  {
    size_t k = 1;
    /@ loop invariant range:  1 <= k <= n;
       loop invariant number: \forall integer w; 0 <= IsCut(t, k, w) <= 1;
       loop invariant cut:    \forall integer w; IsCut(t, k, w) == 1 <==> Cut(t, k, w);
       loop assigns k;
       loop variant n - k; @/
    while (k < n) k++;
  }

  void lemma_no_cut(const uint64_t *t, size_t n, size_t i, uint64_t w)
  {
    /@ assert left:  \forall integer j; 0 < j <= i ==> t[j] != w; @/
    /@ assert right: \forall integer j; i < j < n ==> t[j] != w; @/
  }

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n;
     terminates \true;
     assigns \nothing;
     ensures step: Decided(t, n, i, w + 1) ==
                   Decided(t, n, i, w) + ((i == 0 || t[i] < w) && w < Hi(t, n, i) ? 1 : 0);
  @/
  void lemma_decided_step(const uint64_t *t, size_t n, size_t i, uint64_t w)
  {
    lemma_cut(t, n);
    if (t[i] <= w && (i + 1 == n || w < t[i + 1])) {
      lemma_draw_is(t, n, i, w);
      if (i == 0 || t[i] < w) lemma_no_cut(t, n, i, w);
    } else {
      lemma_draw_is_not(t, n, i, w);
    }
  }

  /@ requires valid: \valid_read(t + (0 .. n - 1));
     requires table: Table(t, n);
     requires cell:  i < n;
     terminates \true;
     assigns \nothing;
     ensures law: Decided(t, n, i, Words) == Inside(t, n, i);
  @/
  void lemma_decided_of(const uint64_t *t, size_t n, size_t i)
  {
    uint64_t m = 0;
    /@ loop invariant count: Decided(t, n, i, m) ==
                             \max(0, \min(m, Hi(t, n, i)) - (i == 0 ? 0 : t[i] + 1));
       loop assigns m;
       loop variant UINT64_MAX - m; @/
    while (m < UINT64_MAX) {
      lemma_decided_step(t, n, i, m);
      m++;
    }
    lemma_decided_step(t, n, i, m);
    /@ assert last: m + 1 == Words; @/
  }

  void lemma_decided(const uint64_t *t, size_t n)
  {
    size_t k = 0;
    /@ loop invariant range: k <= n;
       loop invariant law:   \forall integer i; 0 <= i < k ==>
                               Decided(t, n, i, Words) == Inside(t, n, i);
       loop assigns k;
       loop variant n - k; @/
    while (k < n) {
      lemma_decided_of(t, n, k);
      k++;
    }
  }
*/
