/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of uniform.h, by induction as loops. Nothing here runs. */
#include "acsl/uniform.h"

/*@ ghost
  // A number is its quotient and its remainder, and no other pair is.
  /@ requires some:  0 < n;
     requires rest:  0 <= c < n;
     requires parts: w == q * n + c;
     terminates \true;
     assigns \nothing;
     ensures rest: w % n == c;
  @/
  void lemma_remainder(uint64_t n, uint64_t q, uint64_t c, uint64_t w)
  {
    /@ assert apart: (w / n - q) * n == c - w % n; @/
    /@ assert same:  w / n == q; @/
  }

  void lemma_surplus(uint64_t n)
  {
    const uint64_t q = UINT64_MAX / n, c = UINT64_MAX % n;
    /@ assert parts: UINT64_MAX == q * n + c; @/
    if (c + 1 == n) {
      /@ assert whole: Words == (q + 1) * n; @/
      /@ assert apart: (Words / n - q - 1) * n == -(Words % n); @/
      /@ assert same:  Words / n == q + 1 && Words % n == 0; @/
      /@ assert turn:  (c + 1) % n == 0; @/
    } else {
      /@ assert whole: Words == q * n + c + 1; @/
      /@ assert apart: (Words / n - q) * n == c + 1 - Words % n; @/
      /@ assert same:  Words / n == q && Words % n == c + 1; @/
      /@ assert turn:  (c + 1) % n == c + 1; @/
    }
  }

  // Below m = p n + c there are p + (r < c) words that are r modulo n; r < Surplus(n) of them
  // were turned away.
  void lemma_fair(uint64_t n)
  {
    const uint64_t surplus = (UINT64_MAX % n + 1) % n;
    lemma_surplus(n);
    /@ assert surplus: surplus == Surplus(n); @/
    uint64_t m = 0, p = 0, c = surplus;
    /@ loop invariant range: 0 <= m <= surplus;
       loop invariant none:  \forall integer r; 0 <= r < n ==> Ways(n, r, m) == 0;
       loop assigns m;
       loop variant surplus - m; @/
    while (m < surplus) m++;
    /@ loop invariant range: surplus <= m && p <= m;
       loop invariant parts: m == p * n + c && 0 <= c < n;
       loop invariant count: \forall integer r; 0 <= r < n ==>
                               Ways(n, r, m) == p + (r < c ? 1 : 0) - (r < surplus ? 1 : 0);
       loop assigns m, p, c;
       loop variant UINT64_MAX - m; @/
    while (m < UINT64_MAX) {
      lemma_remainder(n, p, c, m);
      /@ assert step: \forall integer r; 0 <= r < n ==>
                        Ways(n, r, m + 1) == Ways(n, r, m) + (c == r ? 1 : 0); @/
      c++;
      m++;
      /@ assert next: \forall integer r; 0 <= r < n ==>
                        Ways(n, r, m) == p + (r < c ? 1 : 0) - (r < surplus ? 1 : 0); @/
      if (c == n) {
        /@ assert turn: \forall integer r; 0 <= r < n ==>
                          Ways(n, r, m) == p + 1 - (r < surplus ? 1 : 0); @/
        c = 0;
        p++;
        /@ assert fresh: \forall integer r; 0 <= r < n ==>
                           Ways(n, r, m) == p - (r < surplus ? 1 : 0); @/
      }
      /@ assert ahead:  \forall integer r; c <= r < n ==>
                          Ways(n, r, m) == p - (r < surplus ? 1 : 0); @/
      /@ assert passed: \forall integer r; 0 <= r < c ==>
                          Ways(n, r, m) == p + 1 - (r < surplus ? 1 : 0); @/
    }
    lemma_remainder(n, p, c, m);
    /@ assert step: \forall integer r; 0 <= r < n ==>
                      Ways(n, r, Words) == Ways(n, r, m) + (c == r ? 1 : 0); @/
    /@ assert whole: Words == (Words / n) * n + surplus; @/
    if (c + 1 == n) {
      /@ assert full: (Words / n - p - 1) * n == -surplus; @/
      /@ assert same: Words / n == p + 1 && surplus == 0; @/
    } else {
      /@ assert part: (Words / n - p) * n == c + 1 - surplus; @/
      /@ assert same: Words / n == p && surplus == c + 1; @/
    }
  }
*/
