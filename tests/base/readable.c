/* SPDX-License-Identifier: MIT */
#include "base/readable.h"

#include <criterion/criterion.h>
#include <stddef.h>

Test(readable, ascii_is_what_a_typewriter_prints)
{
    cr_assert(pby_readable_ascii(""));
    cr_assert(pby_readable_ascii(" !~azAZ09"));
    cr_assert_not(pby_readable_ascii(NULL));
    for (int c = 1; c < 256; c++) {
        const char text[] = {'x', (char)c, '\0'};
        cr_assert_eq(pby_readable_ascii(text), c >= ' ' && c <= '~', "%d", c);
    }
}

Test(readable, every_control_character_is_found)
{
    for (int c = 1; c < 0x80; c++) {
        const char text[] = {'x', (char)c, 'y', '\0'};
        const bool ends = c == '\n' || c == '\t', control = c < ' ' || c == 0x7f;
        cr_assert_eq(pby_readable(text, false), !control, "%d", c);
        cr_assert_eq(pby_readable(text, true), !control || ends, "%d", c);
    }
    for (int c = 0x80; c < 0xc0; c++) { /* U+0080 to U+00BF */
        const char text[] = {(char)0xc2, (char)c, '\0'};
        cr_assert_eq(pby_readable(text, true), c >= 0xa0, "%d", c);
    }
    cr_assert(pby_readable("\xc3\x89t\xc3\xa9 \xe2\x82\xac", false));
    cr_assert(pby_readable("\xc2", false), "the rest is for what reads UTF-8");
}
