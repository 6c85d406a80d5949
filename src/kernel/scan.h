/* SPDX-License-Identifier: MIT */
/* Fields of CSV, found in bytes that anybody may have written. What they say in words is table/row/csv_row.h.
 *
 * The bytes are s[0 .. end - 1], and s[end] is a NUL byte, which saves a test of the bound for each byte.
 * last says that the input ends at end; if it does not, what depends on later bytes is PBY_SCAN_MORE. */
#ifndef PBY_KERNEL_SCAN_H
#define PBY_KERNEL_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/scan.h"

enum {
    PBY_SCAN_FOUND,
    PBY_SCAN_MORE,
    PBY_SCAN_LONG,   /* more than PBY_SCAN_MOST bytes without the escapes */
    PBY_SCAN_OPEN,   /* no closing quote */
    PBY_SCAN_NUL,    /* a NUL byte */
    PBY_SCAN_QUOTE,  /* a quote in a field that does not begin with one */
    PBY_SCAN_RETURN, /* a carriage return before anything but a newline, outside of quotes */
    PBY_SCAN_UTF8    /* no UTF-8 */
};

enum { PBY_SCAN_MOST = 1048576, PBY_SCAN_DIGITS = 19 };

/* A text: from begin to stop - 1, without its quotes. Of what is refused, stop is the place at fault. */
typedef struct pby_scan {
    size_t begin, stop;
    size_t escapes;  /* how many "" there are in it */
    size_t newlines; /* within it */
    size_t next;     /* behind it, and behind its closing quote */
} pby_scan;

/*@ // What becomes of a field without quotes at the first place p that is no part of it; -1 at any other.
    logic integer BareCode(uint8_t *s, integer begin, integer p, integer end, integer last) =
      s[p] == ',' || LineEnd(s, p, end, last) >= 0
          ? (p - begin <= PBY_SCAN_MOST ? PBY_SCAN_FOUND : PBY_SCAN_LONG)
      : last == 0 && (p == end || (s[p] == '\r' && p + 1 == end) || Begun(s, p, end - p))
          ? (p - begin <= PBY_SCAN_MOST ? PBY_SCAN_MORE : PBY_SCAN_LONG)
      : s[p] == 0            ? PBY_SCAN_NUL
      : s[p] == '"'          ? PBY_SCAN_QUOTE
      : s[p] == '\r'         ? PBY_SCAN_RETURN
      : Character(s, p) == 0 ? PBY_SCAN_UTF8
                             : -1;

    // The same of a field in quotes, with so many escapes before p.
    logic integer QuotedCode(uint8_t *s, integer begin, integer escapes, integer p, integer end,
                             integer last) =
      last == 0 && (p == end || (s[p] == '"' && p + 1 == end) || Begun(s, p, end - p))
          ? (p - begin - escapes <= PBY_SCAN_MOST ? PBY_SCAN_MORE : PBY_SCAN_OPEN)
      : s[p] == '"' ? (s[p + 1] == '"'                           ? -1
                       : p - begin - escapes <= PBY_SCAN_MOST    ? PBY_SCAN_FOUND
                                                                 : PBY_SCAN_LONG)
      : p == end             ? PBY_SCAN_OPEN
      : s[p] == 0            ? PBY_SCAN_NUL
      : Character(s, p) == 0 ? PBY_SCAN_UTF8
                             : -1;
*/

/* The field at `at`, which is quoted if it begins with a quote. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  at <= end < SIZE_MAX;
    requires place: \valid(f) && \separated(f, s + (0 .. end));
    terminates \true;
    assigns *f;
    ensures begin:    f->begin == at + (s[at] == '"' ? 1 : 0);
    ensures range:    f->begin <= f->stop <= end;
    ensures bare:     s[at] != '"' ==> Bare(s, f->begin, f->stop - f->begin) == 0 && f->escapes == 0 &&
                                         f->newlines == 0 &&
                                         \result == BareCode(s, f->begin, f->stop, end, last);
    ensures quoted:   s[at] == '"' ==> Quoted(s, f->begin, f->stop - f->begin) == 0 &&
                                         \result == QuotedCode(s, f->begin, f->escapes, f->stop, end, last);
    ensures escapes:  s[at] == '"' ==> 2 * f->escapes == Times(s, f->begin, f->stop - f->begin, '"');
    ensures newlines: s[at] == '"' ==> f->newlines == Times(s, f->begin, f->stop - f->begin, '\n');
    ensures next:     f->next == f->stop + (s[at] == '"' && \result == PBY_SCAN_FOUND ? 1 : 0) <= end;
    ensures code:     PBY_SCAN_FOUND <= \result <= PBY_SCAN_UTF8;
*/
int pby_scan_field(pby_scan *f, const uint8_t *s, size_t at, size_t end, int last);

/* The number of bytes that end the line at `at`: 0 to 2; or that it goes on, or that later bytes decide. */
enum { PBY_SCAN_LINE_ON = -1, PBY_SCAN_LINE_CUT = -2 };

/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  at <= end < SIZE_MAX;
    terminates \true;
    assigns \nothing;
    ensures ends:  LineEnd(s, at, end, last) >= 0 ==> \result == LineEnd(s, at, end, last) <= end - at;
    ensures more:  \result == PBY_SCAN_LINE_CUT <==>
                     last == 0 && (at == end || (s[at] == '\r' && at + 1 == end));
    ensures code:  PBY_SCAN_LINE_CUT <= \result <= 2;
    ensures other: \result >= 0 ==> LineEnd(s, at, end, last) >= 0;
*/
int pby_scan_line_end(const uint8_t *s, size_t at, size_t end, int last);

/* The digits at `at`, at most PBY_SCAN_DIGITS of them: the number that they write. Returns where they end. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  at <= end < SIZE_MAX;
    requires place: \valid(value) && \separated(value, s + (0 .. end));
    terminates \true;
    assigns *value;
    ensures range:  at <= \result <= end && \result - at <= PBY_SCAN_DIGITS;
    ensures digits: \forall integer i; at <= i < \result ==> Digit(s[i]);
    ensures all:    \result - at == PBY_SCAN_DIGITS || !Digit(s[\result]);
    ensures value:  *value == Decimal(s, at, \result - at);
*/
size_t pby_scan_digits(uint64_t *value, const uint8_t *s, size_t at, size_t end);

/* Counts the UTF-8 among n bytes: all, or those before the first that begins no character among them. */
/*@ requires bytes: \valid_read(s + (0 .. n - 1)) && n < SIZE_MAX;
    terminates \true;
    assigns \nothing;
    ensures whole: 0 <= \result <= n && Utf8(s, \result) == 0;
    ensures stop:  \result == n || Character(s, \result) == 0 || \result + Wanted(s[\result]) > n;
*/
size_t pby_scan_utf8(const uint8_t *s, size_t n);

#endif
