/* SPDX-License-Identifier: MIT */
#include "kernel/scan.h"

/*@ terminates \true;
    assigns \nothing;
    ensures wanted: \result == Wanted(a) <= 4;
*/
static size_t pby_wanted(uint8_t a)
{
    return a < 0x80 ? 1 : a < 0xc2 ? 0 : a < 0xe0 ? 2 : a < 0xf0 ? 3 : a <= 0xf4 ? 4 : 0;
}

/*@ terminates \true;
    assigns \nothing;
    ensures fits: \result != 0 <==> Least(a) <= b <= Greatest(a);
*/
static int pby_second(uint8_t a, uint8_t b)
{
    return (a == 0xe0   ? 0xa0
            : a == 0xf0 ? 0x90
                        : 0x80) <= b &&
           b <= (a == 0xed   ? 0x9f
                 : a == 0xf4 ? 0x8f
                             : 0xbf);
}

/* The bytes of the character that begins here; 0 if none does. A NUL byte ends the bytes, or they are as many
 * as its first one asks for. */
/*@ requires bytes: \valid_read(s + (0 .. end - 1)) && p < end < SIZE_MAX;
    requires ends:  (\valid_read(s + end) && s[end] == 0) || p + Wanted(s[p]) <= end;
    terminates \true;
    assigns \nothing;
    ensures size:  \result == Character(s, p);
    ensures range: \result <= 4 && p + \result <= end;
    ensures one:   \result == 1 ==> After(0, s[p]) == 0;
    ensures two:   \result == 2 ==> After(After(0, s[p]), s[p + 1]) == 0;
    ensures three: \result == 3 ==> After(After(After(0, s[p]), s[p + 1]), s[p + 2]) == 0;
    ensures four:  \result == 4 ==> After(After(After(After(0, s[p]), s[p + 1]), s[p + 2]), s[p + 3]) == 0;
    ensures high:  \result >= 2 ==> \forall integer i; p <= i < p + \result ==> s[i] >= 0x80;
    ensures low:   \result == 1 <==> s[p] < 0x80;
*/
static size_t pby_character(const uint8_t *s, size_t p, size_t end)
{
    const size_t wanted = pby_wanted(s[p]);
    (void)end;
    if (wanted <= 1)
        return wanted;
    if (!pby_second(s[p], s[p + 1]))
        return 0;
    if (wanted >= 3 && (s[p + 2] < 0x80 || s[p + 2] > 0xbf))
        return 0;
    if (wanted >= 4 && (s[p + 3] < 0x80 || s[p + 3] > 0xbf))
        return 0;
    /*@ assert bytes: s[p] >= 0x80 && s[p + 1] >= 0x80 && (wanted >= 3 ==> s[p + 2] >= 0x80) &&
                      (wanted >= 4 ==> s[p + 3] >= 0x80); */
    /*@ assert two:   \forall integer i; p <= i < p + 2 ==> s[i] >= 0x80; */
    /*@ assert three: wanted >= 3 ==> \forall integer i; p <= i < p + 3 ==> s[i] >= 0x80; */
    /*@ assert four:  wanted >= 4 ==> \forall integer i; p <= i < p + 4 ==> s[i] >= 0x80; */
    /*@ assert all:   \forall integer i; p <= i < p + wanted ==> s[i] >= 0x80; */
    return wanted;
}

/* Returns 1 if a character begins here and the bytes end within it. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires place: p <= end < SIZE_MAX;
    terminates \true;
    assigns \nothing;
    ensures begun: \result != 0 <==> Begun(s, p, end - p);
*/
static int pby_begun(const uint8_t *s, size_t p, size_t end)
{
    const size_t k = end - p;
    if (k == 0 || k >= pby_wanted(s[p]))
        return 0;
    if (k >= 2 && !pby_second(s[p], s[p + 1]))
        return 0;
    return k < 3 || (0x80 <= s[p + 2] && s[p + 2] <= 0xbf);
}

/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires place: begin <= p <= end < SIZE_MAX;
    requires here:  !Plain(s[p]) || Character(s, p) == 0;
    terminates \true;
    assigns \nothing;
    ensures code:  \result == BareCode(s, begin, p, end, last);
    ensures range: PBY_SCAN_FOUND <= \result <= PBY_SCAN_UTF8;
*/
static int pby_bare_code(const uint8_t *s, size_t begin, size_t p, size_t end, int last)
{
    const int fits = p - begin <= PBY_SCAN_MOST;
    if (s[p] == ',' || pby_scan_line_end(s, p, end, last) >= 0)
        return fits ? PBY_SCAN_FOUND : PBY_SCAN_LONG;
    if (last == 0 && (p == end || (s[p] == '\r' && p + 1 == end) || pby_begun(s, p, end) != 0))
        return fits ? PBY_SCAN_MORE : PBY_SCAN_LONG;
    return s[p] == 0      ? PBY_SCAN_NUL
           : s[p] == '"'  ? PBY_SCAN_QUOTE
           : s[p] == '\r' ? PBY_SCAN_RETURN
                          : PBY_SCAN_UTF8;
}

/* Returns 1 if the bytes end before it is known if p ends the text in quotes. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires place: p <= end < SIZE_MAX;
    terminates \true;
    assigns \nothing;
    ensures cut: \result != 0 <==> p == end || (s[p] == '"' && p + 1 == end) || Begun(s, p, end - p);
*/
static int pby_quoted_cut(const uint8_t *s, size_t p, size_t end)
{
    return p == end || (s[p] == '"' && p + 1 == end) || pby_begun(s, p, end) != 0;
}

/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires place: begin <= p <= end < SIZE_MAX;
    requires few:   escapes <= p - begin;
    requires here:  s[p] == 0 || (s[p] == '"' && s[p + 1] != '"') || Character(s, p) == 0;
    terminates \true;
    assigns \nothing;
    ensures code:  \result == QuotedCode(s, begin, escapes, p, end, last);
    ensures found: \result == PBY_SCAN_FOUND ==> p < end;
    ensures range: PBY_SCAN_FOUND <= \result <= PBY_SCAN_UTF8;
*/
static int pby_quoted_code(const uint8_t *s, size_t begin, size_t escapes, size_t p, size_t end, int last)
{
    const int fits = p - begin - escapes <= PBY_SCAN_MOST;
    /*@ assert quote: s[p] == '"' ==> s[p + 1] != '"' && Character(s, p) == 1; */
    /*@ assert other: s[p] != '"' && s[p] != 0 ==> Character(s, p) == 0; */
    if (last == 0 && pby_quoted_cut(s, p, end) != 0)
        return fits ? PBY_SCAN_MORE : PBY_SCAN_OPEN;
    if (s[p] == '"')
        return fits ? PBY_SCAN_FOUND : PBY_SCAN_LONG;
    return p == end ? PBY_SCAN_OPEN : s[p] == 0 ? PBY_SCAN_NUL : PBY_SCAN_UTF8;
}

/* The first loop runs over the bytes from - to DEL, letters and digits among them, all of which are plain. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  begin <= end < SIZE_MAX;
    terminates \true;
    assigns \nothing;
    ensures range: begin <= \result <= end;
    ensures text:  Bare(s, begin, \result - begin) == 0;
    ensures stop:  !Plain(s[\result]) || Character(s, \result) == 0;
*/
static size_t pby_bare_stop(const uint8_t *s, size_t begin, size_t end)
{
    size_t p = begin;
    /*@ loop invariant range: begin <= p <= end;
        loop invariant text:  Bare(s, begin, p - begin) == 0;
        loop assigns p;
        loop variant end - p; */
    for (;;) {
        /*@ loop invariant range: \at(p, LoopEntry) <= p <= end;
            loop invariant text:  Bare(s, begin, p - begin) == 0;
            loop assigns p;
            loop variant end - p; */
        while ('-' <= s[p] && s[p] <= 0x7f) {
            /*@ assert next: Bare(s, begin, p - begin + 1) == AfterBare(Bare(s, begin, p - begin), s[p]); */
            p++;
        }
        if (s[p] == 0 || s[p] == '"' || s[p] == ',' || s[p] == '\n' || s[p] == '\r')
            break;
        const size_t k = pby_character(s, p, end);
        if (k == 0)
            break;
        /*@ assert first: Bare(s, begin, p - begin + 1) == After(0, s[p]); */
        /*@ assert second: k >= 2 ==> Bare(s, begin, p - begin + 2) == After(After(0, s[p]), s[p + 1]); */
        /*@ assert third: k >= 3 ==> Bare(s, begin, p - begin + 3) ==
                              After(After(After(0, s[p]), s[p + 1]), s[p + 2]); */
        /*@ assert fourth: k >= 4 ==> Bare(s, begin, p - begin + 4) ==
                              After(After(After(After(0, s[p]), s[p + 1]), s[p + 2]), s[p + 3]); */
        /*@ assert of_one: k == 1 ==> Bare(s, begin, p - begin + k) == 0; */
        /*@ assert of_two: k == 2 ==> Bare(s, begin, p - begin + k) == 0; */
        /*@ assert of_three: k == 3 ==> Bare(s, begin, p - begin + k) == 0; */
        /*@ assert of_four: k == 4 ==> Bare(s, begin, p - begin + k) == 0; */
        /*@ assert whole: Bare(s, begin, p - begin + k) == 0; */
        p += k;
    }
    return p;
}

/* The bytes of the character in quotes that begins at p and is no quote; 0 if none begins there. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  begin <= p < end < SIZE_MAX;
    requires other: s[p] != 0 && s[p] != '"';
    requires text:  Quoted(s, begin, p - begin) == 0;
    terminates \true;
    assigns \nothing;
    ensures size:     \result == Character(s, p) && p + \result <= end;
    ensures text:     Quoted(s, begin, p - begin + \result) == 0;
    ensures quotes:   Times(s, begin, p - begin + \result, '"') == Times(s, begin, p - begin, '"');
    ensures line:     s[p] == '\n' ==> Times(s, begin, p - begin + \result, '\n') ==
                        Times(s, begin, p - begin, '\n') + 1;
    ensures lines:    s[p] != '\n' ==> Times(s, begin, p - begin + \result, '\n') ==
                        Times(s, begin, p - begin, '\n');
*/
static size_t pby_quoted_other(const uint8_t *s, size_t begin, size_t p, size_t end)
{
    const size_t k = pby_character(s, p, end);
    (void)begin;
    /*@ assert first: Quoted(s, begin, p - begin + 1) == AfterQuoted(Quoted(s, begin, p - begin), s[p]); */
    /*@ assert one: Quoted(s, begin, p - begin + 1) == After(0, s[p]); */
    /*@ assert second: k >= 2 ==> Quoted(s, begin, p - begin + 2) == After(After(0, s[p]), s[p + 1]); */
    /*@ assert third: k >= 3 ==> Quoted(s, begin, p - begin + 3) ==
                          After(After(After(0, s[p]), s[p + 1]), s[p + 2]); */
    /*@ assert fourth: k >= 4 ==> Quoted(s, begin, p - begin + 4) ==
                          After(After(After(After(0, s[p]), s[p + 1]), s[p + 2]), s[p + 3]); */
    /*@ assert of_one: k == 1 ==> Quoted(s, begin, p - begin + k) == 0; */
    /*@ assert of_two: k == 2 ==> Quoted(s, begin, p - begin + k) == 0; */
    /*@ assert of_three: k == 3 ==> Quoted(s, begin, p - begin + k) == 0; */
    /*@ assert of_four: k == 4 ==> Quoted(s, begin, p - begin + k) == 0; */
    /*@ ghost lemma_times(s, begin, p - begin, k, '"'); */
    /*@ ghost if (s[p] != '\n') lemma_times(s, begin, p - begin, k, '\n'); */
    /*@ assert alone: s[p] == '\n' ==> k == 1; */
    /*@ assert line: s[p] == '\n' ==>
                       Times(s, begin, p - begin + 1, '\n') == Times(s, begin, p - begin, '\n') + 1; */
    return k;
}

/* The bytes of the character in quotes that begins at p, where a doubled quote is one; 0 where the text ends,
 * or no character begins. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires size:  begin <= p <= end < SIZE_MAX;
    requires text:  Quoted(s, begin, p - begin) == 0;
    terminates \true;
    assigns \nothing;
    ensures none:     \result == 0 <==> s[p] == 0 || (s[p] == '"' && s[p + 1] != '"') ||
                                        Character(s, p) == 0;
    ensures size:     \result != 0 ==> \result == (s[p] == '"' ? 2 : Character(s, p));
    ensures range:    p + \result <= end;
    ensures text:     \result > 0 ==> Quoted(s, begin, p - begin + \result) == 0;
    ensures quotes:   \result > 0 ==> Times(s, begin, p - begin + \result, '"') ==
                        Times(s, begin, p - begin, '"') + (s[p] == '"' ? 2 : 0);
    ensures newlines: \result > 0 ==> Times(s, begin, p - begin + \result, '\n') ==
                        Times(s, begin, p - begin, '\n') + (s[p] == '\n' ? 1 : 0);
*/
static size_t pby_quoted_character(const uint8_t *s, size_t begin, size_t p, size_t end)
{
    if (s[p] == 0)
        return 0;
    if (s[p] != '"')
        return pby_quoted_other(s, begin, p, end);
    if (s[p + 1] != '"')
        return 0;
    /*@ ghost lemma_quotes(s, begin, p - begin); */
    return 2;
}

/* Reads a field in quotes, from f->begin on. */
/*@ requires bytes: \valid_read(s + (0 .. end)) && s[end] == 0;
    requires place: \valid(f) && \separated(f, s + (0 .. end));
    requires size:  f->begin <= end < SIZE_MAX;
    terminates \true;
    assigns f->stop, f->escapes, f->newlines;
    ensures range:    f->begin <= f->stop <= end;
    ensures text:     Quoted(s, f->begin, f->stop - f->begin) == 0;
    ensures escapes:  2 * f->escapes == Times(s, f->begin, f->stop - f->begin, '"') <= f->stop - f->begin;
    ensures newlines: f->newlines == Times(s, f->begin, f->stop - f->begin, '\n');
    ensures stop:     s[f->stop] == 0 || (s[f->stop] == '"' && s[f->stop + 1] != '"') ||
                        Character(s, f->stop) == 0;
*/
static void pby_quoted_stop(pby_scan *f, const uint8_t *s, size_t end)
{
    const size_t begin = f->begin;
    size_t p = begin, escapes = 0, newlines = 0;
    /*@ loop invariant range:    begin <= p <= end;
        loop invariant text:     Quoted(s, begin, p - begin) == 0;
        loop invariant escapes:  2 * escapes == Times(s, begin, p - begin, '"') <= p - begin;
        loop invariant newlines: newlines == Times(s, begin, p - begin, '\n') <= p - begin;
        loop assigns p, escapes, newlines;
        loop variant end - p; */
    for (;;) {
        /*@ loop invariant range:    \at(p, LoopEntry) <= p <= end;
            loop invariant text:     Quoted(s, begin, p - begin) == 0;
            loop invariant escapes:  2 * escapes == Times(s, begin, p - begin, '"') <= p - begin;
            loop invariant newlines: newlines == Times(s, begin, p - begin, '\n') <= p - begin;
            loop assigns p;
            loop variant end - p; */
        while ('#' <= s[p] && s[p] <= 0x7f) {
            /*@ assert next: Quoted(s, begin, p - begin + 1) ==
                               AfterQuoted(Quoted(s, begin, p - begin), s[p]); */
            /*@ ghost lemma_times(s, begin, p - begin, 1, '"'); */
            /*@ ghost lemma_times(s, begin, p - begin, 1, '\n'); */
            p++;
        }
        const size_t k = pby_quoted_character(s, begin, p, end);
        if (k == 0)
            break;
        escapes += s[p] == '"';
        newlines += s[p] == '\n';
        p += k;
    }
    f->stop = p;
    f->escapes = escapes;
    f->newlines = newlines;
}

int pby_scan_field(pby_scan *f, const uint8_t *s, size_t at, size_t end, int last)
{
    if (s[at] != '"') {
        f->begin = at;
        f->escapes = 0;
        f->newlines = 0;
        f->next = pby_bare_stop(s, at, end);
        f->stop = f->next;
        return pby_bare_code(s, at, f->stop, end, last);
    }
    f->begin = at + 1;
    pby_quoted_stop(f, s, end);
    const int code = pby_quoted_code(s, f->begin, f->escapes, f->stop, end, last);
    f->next = f->stop + (code == PBY_SCAN_FOUND);
    return code;
}

int pby_scan_line_end(const uint8_t *s, size_t at, size_t end, int last)
{
    if (s[at] == '\n')
        return 1;
    if (s[at] == '\r' && s[at + 1] == '\n')
        return 2;
    if (at == end)
        return last != 0 ? 0 : PBY_SCAN_LINE_CUT;
    return s[at] == '\r' && at + 1 == end && last == 0 ? PBY_SCAN_LINE_CUT : PBY_SCAN_LINE_ON;
}

size_t pby_scan_digits(uint64_t *value, const uint8_t *s, size_t at, size_t end)
{
    uint64_t sum = 0;
    size_t k = 0;
    (void)end;
    /*@ loop invariant range:  k <= PBY_SCAN_DIGITS && k <= end - at;
        loop invariant digits: \forall integer i; at <= i < at + k ==> Digit(s[i]);
        loop invariant value:  sum == Decimal(s, at, k);
        loop invariant small:  sum < Tens(k);
        loop assigns k, sum;
        loop variant PBY_SCAN_DIGITS - k; */
    while (k < PBY_SCAN_DIGITS && '0' <= s[at + k] && s[at + k] <= '9') {
        /*@ ghost lemma_tens(k); */
        /*@ assert next: Decimal(s, at, k + 1) == 10 * Decimal(s, at, k) + (s[at + k] - '0'); */
        const uint64_t digit = s[at + k] - (uint64_t)'0';
        /*@ assert digit: digit <= 9; */
        /*@ assert small: sum <= 999999999999999999; */
        /*@ assert fits:  10 * sum <= 9999999999999999990; */
        sum = 10 * sum + digit;
        k++;
    }
    *value = sum;
    /*@ assert end:   at + k <= end; */
    /*@ assert value: *value == Decimal(s, at, k); */
    return at + k;
}

size_t pby_scan_utf8(const uint8_t *s, size_t n)
{
    size_t p = 0;
    /*@ loop invariant range: p <= n;
        loop invariant text:  Utf8(s, p) == 0;
        loop assigns p;
        loop variant n - p; */
    while (p < n && pby_wanted(s[p]) <= n - p) {
        const size_t k = pby_character(s, p, n);
        if (k == 0)
            break;
        /*@ assert first:  Utf8(s, p + 1) == After(Utf8(s, p), s[p]); */
        /*@ assert second: k >= 2 ==> Utf8(s, p + 2) == After(Utf8(s, p + 1), s[p + 1]); */
        /*@ assert third:  k >= 3 ==> Utf8(s, p + 3) == After(Utf8(s, p + 2), s[p + 2]); */
        /*@ assert fourth: k >= 4 ==> Utf8(s, p + 4) == After(Utf8(s, p + 3), s[p + 3]); */
        /*@ assert whole: Utf8(s, p + k) == 0; */
        p += k;
    }
    return p;
}
