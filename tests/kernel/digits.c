/* SPDX-License-Identifier: MIT */
#include "kernel/digits.h"

#include <criterion/criterion.h>

/* Every number of up to three digits out of some, against powers of 256. */
Test(kernel_digits, digits_are_a_number)
{
    static const int64_t some[] = {0, 1, 17, 255};
    for (int code = 0; code < 256; code++) {
        int64_t digit[3], value = some[code >> 6];
        const int64_t top = value;
        for (int i = 0; i < 3; i++)
            digit[i] = some[code >> (2 * i) & 3];
        cr_assert_eq(pby_number(&value, digit, 3), 1);
        cr_assert_eq(value, top * 16777216 + digit[0] * 65536 + digit[1] * 256 + digit[2], "code %d", code);
    }
    int64_t value = 42;
    cr_assert_eq(pby_number(&value, NULL, 0), 1);
    cr_assert_eq(value, 42);
}

/* 2^62 - 1 is the most; beyond it nothing is changed, whichever digit is the one too many. */
Test(kernel_digits, a_number_too_large_is_none)
{
    const int64_t all[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    int64_t value = 63;
    cr_assert_eq(pby_number(&value, all, 7), 1);
    cr_assert_eq(value, INT64_MAX / 2);
    cr_assert_eq(pby_number(&value, all, 1), 0);
    cr_assert_eq(value, INT64_MAX / 2);
    value = 64;
    for (size_t n = 7; n <= 8; n++) {
        cr_assert_eq(pby_number(&value, all, n), 0);
        cr_assert_eq(value, 64);
    }
    cr_assert_eq(pby_number(&value, all, 6), 1);
    cr_assert_eq(value, 65 * ((int64_t)1 << 48) - 1);
}
