/* SPDX-License-Identifier: MIT */
#include "table/row/field_digits.h"

#include <criterion/criterion.h>
#include <string.h>

static bool has(const char *text)
{
    return pby_has_digit((const uint8_t *)text, strlen(text));
}

/* The first and the last of ten, and both neighbours of them, in two, three and four bytes. */
Test(digits, of_many_scripts)
{
    static const char *const digits[] = {"0",
                                         "x9",
                                         "\xd9\xa0",
                                         "\xd9\xa9",
                                         "\xdb\xb0",
                                         "\xe0\xa5\xa6",
                                         "\xe0\xa5\xaf",
                                         "\xef\xbc\x90",
                                         "\xef\xbc\x99",
                                         "\xc3\xa9\xef\xbc\x93",
                                         "\xf0\x9f\xaf\xb0",
                                         "\xf0\x9d\x9f\xbf"};
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        cr_assert(has(digits[i]), "%s", digits[i]);
    static const char *const others[] = {"",
                                         "/:",
                                         "\xd9\x9f",
                                         "\xd9\xaa",
                                         "\xc3\xa9t\xc3\xa9",
                                         "\xc2\xbd",
                                         "\xe0\xa5\xa5",
                                         "\xe0\xa5\xb0",
                                         "\xef\xbc\x8f",
                                         "\xef\xbc\x9a",
                                         "\xe4\xb8\x80",
                                         "\xf0\x9d\x9f\x8d",
                                         "\xf0\x9f\xaf\xba"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(has(others[i]), "%s", others[i]);
}
