/* SPDX-License-Identifier: MIT */
/* Definitions for the silent functions, beside cells and histograms. */
#ifndef PBY_ACSL_SILENT_H
#define PBY_ACSL_SILENT_H

#include "acsl/cells.h"
#include "acsl/histogram.h"

/*@ // After the cuts below i: out[k] is the last cell, less the cuts seen above words[k].
    predicate Scanned(int64_t *out, uint64_t *t, integer n, integer i, uint64_t *words, integer m,
                      integer first) =
      \forall integer k; 0 <= k < m ==> out[k] == first + n - i + Draw(t, i, words[k]);

    predicate Absent(integer cut, uint64_t *words, integer m) =
      \forall integer k; 0 <= k < m ==> words[k] != cut;

    // No word is one of the cuts from .. to - 1.
    predicate Missed(uint64_t *t, integer from, integer to, uint64_t *words, integer m) =
      \forall integer i; from <= i < to ==> Absent(t[i], words, m);

    // The most that a magnitude may be for one more digit to fit.
    logic integer Widest = 9007199254740992;

    // A magnitude with one more digit: 0 is apart, the others are counted from 1.
    logic integer Appended(integer v, integer base, integer digit) =
      v == 0 ? 0 : (v - 1) * base + digit + 1;

    logic integer Halved(integer w, integer times) = times <= 0 ? w : Halved(w, times - 1) / 2;

    // The k-th bit, the lowest of a word first.
    logic integer Bit(uint64_t *bits, integer k) = Halved(bits[k / 64], k % 64) % 2;

    logic integer Signed(integer v, integer bit) = bit == 0 ? v : -v;
*/

/*@ ghost
  /@ requires order: from <= mid <= to;
     terminates \true;
     assigns \nothing;
     ensures both: Missed(t, from, to, words, m) <==> Missed(t, from, mid, words, m) &&
                     Missed(t, mid, to, words, m);
  @/
  void lemma_missed(const uint64_t *t, size_t from, size_t mid, size_t to, const uint64_t *words, size_t m);

  /@ terminates \true;
     assigns \nothing;
     ensures shifted: \forall integer j; 0 <= j < 64 ==> (w >> j) == Halved(w, j);
  @/
  void lemma_shifted(uint64_t w);
*/

#endif
