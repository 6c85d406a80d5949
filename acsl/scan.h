/* SPDX-License-Identifier: MIT */
/* Fields of CSV: the bytes that may stand in one, and where it ends. */
#ifndef PBY_ACSL_SCAN_H
#define PBY_ACSL_SCAN_H

#include <stddef.h>
#include <stdint.h>

/*@ // The bytes of the UTF-8 character that this one begins; 0 if it begins none.
    logic integer Wanted(integer a) =
      a < 0x80 ? 1 : a < 0xc2 ? 0 : a < 0xe0 ? 2 : a < 0xf0 ? 3 : a <= 0xf4 ? 4 : 0;

    // The least and the greatest second byte behind a: no overlong form, no surrogate, none beyond U+10FFFF.
    logic integer Least(integer a) = a == 0xe0 ? 0xa0 : a == 0xf0 ? 0x90 : 0x80;
    logic integer Greatest(integer a) = a == 0xed ? 0x9f : a == 0xf4 ? 0x8f : 0xbf;

    // The first k bytes at p begin a character of more than k.
    logic boolean Begun(uint8_t *s, integer p, integer k) =
      1 <= k && k < Wanted(s[p]) && (k < 2 || (Least(s[p]) <= s[p + 1] && s[p + 1] <= Greatest(s[p]))) &&
      (k < 3 || (0x80 <= s[p + 2] && s[p + 2] <= 0xbf));

    // The bytes of the character at p; 0 if there is none.
    logic integer Character(uint8_t *s, integer p) =
      Wanted(s[p]) <= 1                                            ? Wanted(s[p])
      : s[p + 1] < Least(s[p]) || Greatest(s[p]) < s[p + 1]        ? 0
      : Wanted(s[p]) >= 3 && (s[p + 2] < 0x80 || 0xbf < s[p + 2])  ? 0
      : Wanted(s[p]) >= 4 && (s[p + 3] < 0x80 || 0xbf < s[p + 3])  ? 0
                                                                   : Wanted(s[p]);

    // UTF-8 as an automaton: 0 between characters; 1 to 3 where so many bytes are to follow; 4 to 7 behind
    // e0, ed, f0 and f4, which do not take any second byte; 8 where no character goes on.
    logic integer After(integer q, integer b) =
      q == 0   ? (b < 0x80 ? 0 : b < 0xc2 ? 8 : b < 0xe0 ? 1 : b == 0xe0 ? 4 : b == 0xed ? 5 : b < 0xf0 ? 2
                  : b == 0xf0 ? 6 : b < 0xf4 ? 3 : b == 0xf4 ? 7 : 8)
      : q <= 3 ? (0x80 <= b && b <= 0xbf ? q - 1 : 8)
      : q == 4 ? (0xa0 <= b && b <= 0xbf ? 1 : 8)
      : q == 5 ? (0x80 <= b && b <= 0x9f ? 1 : 8)
      : q == 6 ? (0x90 <= b && b <= 0xbf ? 2 : 8)
      : q == 7 ? (0x80 <= b && b <= 0x8f ? 2 : 8)
               : 8;

    // After for a field without quotes: no byte that ends one, or may not be in one, follows.
    logic integer AfterBare(integer q, integer b) =
      q == 0 && (b == 0 || b == '"' || b == ',' || b == '\n' || b == '\r') ? 8 : After(q, b);

    // And of a field in quotes, where 9 stands behind the first of two quotes that stand for one.
    logic integer AfterQuoted(integer q, integer b) =
      q == 9 ? (b == '"' ? 0 : 8) : q == 0 && b == '"' ? 9 : q == 0 && b == 0 ? 8 : After(q, b);

    // Where n bytes lead.
    logic integer Utf8(uint8_t *s, integer n) = n <= 0 ? 0 : After(Utf8(s, n - 1), s[n - 1]);
    logic integer Bare(uint8_t *s, integer from, integer n) =
      n <= 0 ? 0 : AfterBare(Bare(s, from, n - 1), s[from + n - 1]);
    logic integer Quoted(uint8_t *s, integer from, integer n) =
      n <= 0 ? 0 : AfterQuoted(Quoted(s, from, n - 1), s[from + n - 1]);

    predicate Plain(integer b) = b != 0 && b != '"' && b != ',' && b != '\n' && b != '\r';

    // The number of times that a byte stands among n.
    logic integer Times(uint8_t *s, integer from, integer n, integer b) =
      n <= 0 ? 0 : Times(s, from, n - 1, b) + (s[from + n - 1] == b ? 1 : 0);

    // The next line begins so many bytes behind p; -1 if this one goes on.
    logic integer LineEnd(uint8_t *s, integer p, integer end, integer last) =
      s[p] == '\n'                         ? 1
      : s[p] == '\r' && s[p + 1] == '\n'  ? 2
      : p == end && last != 0              ? 0
                                           : -1;

    predicate Digit(integer b) = '0' <= b <= '9';

    // The number that n digits write.
    logic integer Decimal(uint8_t *s, integer from, integer n) =
      n <= 0 ? 0 : 10 * Decimal(s, from, n - 1) + (s[from + n - 1] - '0');

    logic integer Tens(integer k) = k <= 0 ? 1 : 10 * Tens(k - 1);
*/

/*@ ghost
  /@ requires few: k <= 18;
     terminates \true;
     assigns \nothing;
     ensures next:  Tens(k + 1) == 10 * Tens(k);
     ensures small: 1 <= Tens(k) <= 1000000000000000000;
  @/
  void lemma_tens(size_t k);

  // Bytes that are others leave a number of times as it is.
  /@ requires size:  n + k <= SIZE_MAX;
     requires other: \forall integer i; from + n <= i < from + n + k ==> s[i] != b;
     terminates \true;
     assigns \nothing;
     ensures still: Times(s, from, n + k, b) == Times(s, from, n, b);
  @/
  void lemma_times(const uint8_t *s, size_t from, size_t n, size_t k, uint8_t b);

  // Two quotes leave text in quotes as it was, and count as two.
  /@ requires size:  from + n + 2 <= SIZE_MAX;
     requires text:  Quoted(s, from, n) == 0;
     requires both:  s[from + n] == '"' && s[from + n + 1] == '"';
     terminates \true;
     assigns \nothing;
     ensures text:   Quoted(s, from, n + 2) == 0;
     ensures quotes: Times(s, from, n + 2, '"') == Times(s, from, n, '"') + 2;
     ensures lines:  Times(s, from, n + 2, '\n') == Times(s, from, n, '\n');
  @/
  void lemma_quotes(const uint8_t *s, size_t from, size_t n);
*/

#endif
