/* SPDX-License-Identifier: MIT */
#include "table/row/decimal.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/kernel/stream.h"

/* As printf writes it, and not a byte behind. */
static void check_number(int64_t value)
{
    char expected[32];
    uint8_t out[PBY_DIGITS + 1];
    const int length = snprintf(expected, sizeof expected, "%" PRId64, value);
    memset(out, '?', sizeof out);
    cr_assert_eq(pby_put_number(out, value), out + length, "%s", expected);
    cr_assert_arr_eq(out, expected, (size_t)length, "%s", expected);
    for (size_t i = (size_t)length; i < sizeof out; i++)
        cr_assert_eq(out[i], '?', "%s", expected);
}

Test(decimal, numbers_of_any_length)
{
    check_number(0);
    check_number(INT64_MAX);
    check_number(INT64_MIN);
    for (int64_t power = 10; power <= INT64_MAX / 10; power *= 10)
        for (int64_t value = power - 1; value <= power + 1; value++) {
            check_number(value);
            check_number(-value);
        }
}

Test(decimal, random_numbers)
{
    uint64_t stream = 21;
    for (int i = 0; i < 100000; i++)
        check_number((int64_t)stream_next(&stream) >> stream_next(&stream) % 64);
}
