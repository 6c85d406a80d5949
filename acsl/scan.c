/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of scan.h, by induction as loops. Nothing here runs. */
#include "acsl/scan.h"

/*@ ghost
  void lemma_tens(size_t k)
  {
    size_t i = 0;
    /@ loop invariant range: i <= k;
       loop invariant some:  1 <= Tens(i);
       loop assigns i;
       loop variant k - i; @/
    while (i < k) {
      /@ assert step: Tens(i + 1) == 10 * Tens(i); @/
      i++;
    }
    /@ loop invariant range: k <= i <= 18;
       loop invariant order: 1 <= Tens(k) <= Tens(i);
       loop assigns i;
       loop variant 18 - i; @/
    while (i < 18) {
      /@ assert step: Tens(i + 1) == 10 * Tens(i); @/
      i++;
    }
    /@ assert three: Tens(3) == 1000; @/
    /@ assert six: Tens(6) == 1000000; @/
    /@ assert nine: Tens(9) == 1000000000; @/
    /@ assert twelve: Tens(12) == 1000000000000; @/
    /@ assert fifteen: Tens(15) == 1000000000000000; @/
    /@ assert all: Tens(18) == 1000000000000000000; @/
  }

  void lemma_times(const uint8_t *s, size_t from, size_t n, size_t k, uint8_t b)
  {
    size_t i = 0;
    /@ loop invariant range: i <= k;
       loop invariant still: Times(s, from, n + i, b) == Times(s, from, n, b);
       loop assigns i;
       loop variant k - i; @/
    while (i < k) {
      /@ assert step: Times(s, from, n + i + 1, b) ==
                        Times(s, from, n + i, b) + (s[from + n + i] == b ? 1 : 0); @/
      i++;
    }
  }

  void lemma_quotes(const uint8_t *s, size_t from, size_t n)
  {
    /@ assert first:  Quoted(s, from, n + 1) == AfterQuoted(Quoted(s, from, n), s[from + n]); @/
    /@ assert second: Quoted(s, from, n + 2) == AfterQuoted(Quoted(s, from, n + 1), s[from + n + 1]); @/
    /@ assert opened: Times(s, from, n + 1, '"') == Times(s, from, n, '"') + 1; @/
    /@ assert closed: Times(s, from, n + 2, '"') == Times(s, from, n + 1, '"') + 1; @/
    lemma_times(s, from, n, 2, '\n');
  }
*/
