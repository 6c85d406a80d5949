/* SPDX-License-Identifier: MIT */
/* Fields of CSV, against a reader of one byte at a time on every short text. */
#include "kernel/scan.h"

#include <criterion/criterion.h>
#include <string.h>

enum { LENGTH = 5 };

/* The bytes of the character at p, by its number: 0 if it is none, -1 if the text ends within it. */
static int character(const uint8_t *s, size_t p, size_t end)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t a = s[p];
    if (a < 0x80)
        return 1;
    const int size = a >= 0xf8 ? 0 : a >= 0xf0 ? 4 : a >= 0xe0 ? 3 : a >= 0xc0 ? 2 : 0;
    uint32_t low = a & (0x7fu >> size), high = low;
    for (int i = 1; i < size; i++) {
        const bool here = p + (size_t)i < end;
        if (here && (s[p + (size_t)i] & 0xc0) != 0x80)
            return 0;
        low = low << 6 | (here ? s[p + (size_t)i] & 0x3fu : 0);
        high = high << 6 | (here ? s[p + (size_t)i] & 0x3fu : 0x3fu);
    }
    if (size == 0 || high < least[size] || low > 0x10ffff || (low >= 0xd800 && high <= 0xdfff))
        return 0;
    return p + (size_t)size > end ? -1 : size;
}

struct outcome {
    int code;
    size_t begin, stop, escapes, newlines;
};

static struct outcome bare(const uint8_t *s, size_t end, int last)
{
    struct outcome o = {0};
    for (;;) {
        const uint8_t b = s[o.stop], *at = s + o.stop;
        const bool here = o.stop < end;
        if ((!here && last) || (here && (b == ',' || b == '\n' || (b == '\r' && at[1] == '\n'))))
            return o.code = PBY_SCAN_FOUND, o;
        if (!here || (b == '\r' && o.stop + 1 == end && !last))
            return o.code = PBY_SCAN_MORE, o;
        const int k = character(s, o.stop, end);
        o.code = b == 0                      ? PBY_SCAN_NUL
                 : b == '"'                  ? PBY_SCAN_QUOTE
                 : b == '\r'                 ? PBY_SCAN_RETURN
                 : k == 0 || (k < 0 && last) ? PBY_SCAN_UTF8
                 : k < 0                     ? PBY_SCAN_MORE
                                             : PBY_SCAN_FOUND;
        if (o.code != PBY_SCAN_FOUND)
            return o;
        o.stop += (size_t)k;
    }
}

static struct outcome quoted(const uint8_t *s, size_t end, int last)
{
    struct outcome o = {.begin = 1, .stop = 1};
    for (;;) {
        const uint8_t b = s[o.stop];
        if (o.stop == end || (b == '"' && o.stop + 1 == end)) {
            o.code = !last ? PBY_SCAN_MORE : o.stop == end ? PBY_SCAN_OPEN : PBY_SCAN_FOUND;
            return o;
        }
        if (b == '"' && s[o.stop + 1] != '"')
            return o.code = PBY_SCAN_FOUND, o;
        const int k = b == '"' ? 2 : character(s, o.stop, end);
        if (b == 0 || k == 0 || k < 0) {
            o.code = b == 0 ? PBY_SCAN_NUL : k < 0 && !last ? PBY_SCAN_MORE : PBY_SCAN_UTF8;
            return o;
        }
        o.escapes += b == '"';
        o.newlines += b == '\n';
        o.stop += (size_t)k;
    }
}

static void compare(const uint8_t *s, size_t end, int last)
{
    pby_scan f;
    const struct outcome o = s[0] == '"' && end > 0 ? quoted(s, end, last) : bare(s, end, last);
    const int code = pby_scan_field(&f, s, 0, end, last);
    cr_assert(code == o.code && f.begin == o.begin && f.stop == o.stop && f.escapes == o.escapes &&
                  f.newlines == o.newlines && f.next == o.stop + (o.begin == 1 && code == PBY_SCAN_FOUND),
              "%.*s: %d at %zu, not %d at %zu", (int)end, (const char *)s, code, f.stop, o.code, o.stop);
}

/* All texts of at most five of these bytes, as the whole input and as its beginning. */
Test(kernel_scan, every_short_text)
{
    static const uint8_t bytes[] = {'a', ',', '"', '\n', '\r', '\0', ' ', 0xc3, 0xa9};
    for (size_t n = 0; n <= LENGTH; n++) {
        size_t digits[LENGTH] = {0}, i = 0;
        while (i < n || n == 0) {
            uint8_t s[LENGTH + 1] = {0};
            for (size_t j = 0; j < n; j++)
                s[j] = bytes[digits[j]];
            compare(s, n, 0);
            compare(s, n, 1);
            for (i = 0; i < n && ++digits[i] == sizeof bytes; i++)
                digits[i] = 0;
            if (n == 0)
                break;
        }
    }
}

/* Every first and second byte, at the ends of what may follow. */
Test(kernel_scan, every_character)
{
    static const uint8_t third[] = {0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0};
    for (unsigned a = 0x80; a < 0x100; a++)
        for (unsigned b = 0; b < 0x100; b++)
            for (size_t c = 0; c < sizeof third; c++)
                for (size_t d = 0; d < sizeof third; d++) {
                    const uint8_t s[] = {(uint8_t)a, (uint8_t)b, third[c], third[d], 0};
                    for (size_t end = 1; end <= 4; end++) {
                        uint8_t t[6] = {0}, q[7] = {'"'};
                        memcpy(t, s, end);
                        memcpy(q + 1, s, end);
                        for (int last = 0; last < 2; last++) {
                            compare(t, end, last);
                            compare(q, end + 1, last);
                        }
                        size_t p = 0;
                        while (p < end && character(t, p, end) > 0)
                            p += (size_t)character(t, p, end);
                        cr_assert_eq(pby_scan_utf8(s, end), p); /* the rest stands behind */
                    }
                }
}

/* A field has at most PBY_SCAN_MOST bytes, of which an escape is one. */
Test(kernel_scan, the_longest_field)
{
    static uint8_t s[2 * PBY_SCAN_MOST + 8];
    pby_scan f;
    memset(s, 'a', PBY_SCAN_MOST + 1);
    cr_assert_eq(pby_scan_field(&f, s, 0, PBY_SCAN_MOST + 1, 0), PBY_SCAN_LONG);
    cr_assert_eq(pby_scan_field(&f, s, 0, PBY_SCAN_MOST + 1, 1), PBY_SCAN_LONG);
    s[PBY_SCAN_MOST] = '\0';
    cr_assert_eq(pby_scan_field(&f, s, 0, PBY_SCAN_MOST, 0), PBY_SCAN_MORE);
    cr_assert_eq(pby_scan_field(&f, s, 0, PBY_SCAN_MOST, 1), PBY_SCAN_FOUND);
    memset(s, '"', 2 * PBY_SCAN_MOST + 2);
    cr_assert_eq(pby_scan_field(&f, s, 0, 2 * PBY_SCAN_MOST + 2, 1), PBY_SCAN_FOUND);
    cr_assert_eq(f.escapes, PBY_SCAN_MOST);
    s[2 * PBY_SCAN_MOST + 1] = 'a';
    s[2 * PBY_SCAN_MOST + 2] = '"';
    cr_assert_eq(pby_scan_field(&f, s, 0, 2 * PBY_SCAN_MOST + 3, 1), PBY_SCAN_LONG);
    s[2 * PBY_SCAN_MOST + 2] = '\0'; /* its contract asks for one behind the bytes */
    cr_assert_eq(pby_scan_field(&f, s, 0, 2 * PBY_SCAN_MOST + 2, 0), PBY_SCAN_OPEN);
}

Test(kernel_scan, lines_and_digits)
{
    static const struct {
        const char *text;
        size_t at, end;
        int more, last;
    } lines[] = {{"\n", 0, 1, 1, 1},
                 {"a\r\n", 1, 3, 2, 2},
                 {"", 0, 0, PBY_SCAN_LINE_CUT, 0},
                 {"\r", 0, 1, PBY_SCAN_LINE_CUT, PBY_SCAN_LINE_ON},
                 {"\ra", 0, 2, PBY_SCAN_LINE_ON, PBY_SCAN_LINE_ON},
                 {",", 0, 1, PBY_SCAN_LINE_ON, PBY_SCAN_LINE_ON}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const uint8_t *s = (const uint8_t *)lines[i].text;
        cr_assert_eq(pby_scan_line_end(s, lines[i].at, lines[i].end, 0), lines[i].more, "%zu", i);
        cr_assert_eq(pby_scan_line_end(s, lines[i].at, lines[i].end, 1), lines[i].last, "%zu", i);
    }
    static const struct {
        const char *text;
        size_t digits;
        uint64_t value;
    } numbers[] = {{"", 0, 0},
                   {"/", 0, 0},
                   {":", 0, 0},
                   {"0071x", 4, 71},
                   {"9999999999999999999", 19, UINT64_C(9999999999999999999)},
                   {"00000000000000000001", 19, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t value = 7;
        const size_t size = strlen(numbers[i].text);
        cr_assert_eq(pby_scan_digits(&value, (const uint8_t *)numbers[i].text, 0, size), numbers[i].digits);
        cr_assert_eq(value, numbers[i].value);
    }
}
