/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_header.h"

#include <criterion/criterion.h>
#include <string.h>

static void becomes(const char *header, const char *expected)
{
    uint8_t out[128];
    const uint8_t *from = (const uint8_t *)header;
    const uint8_t *end = pby_put_header(out, from, from + strlen(header), from + strlen(header));
    cr_assert_eq((size_t)(end - out), strlen(expected), "%s", header);
    cr_assert_eq(memcmp(out, expected, strlen(expected)), 0, "%s", header);
    cr_assert_leq(strlen(expected), strlen(header) + PBY_HEADER_MORE);
}

Test(csv_header, keeps_all_but_the_second_name)
{
    becomes("k,n\n", "k,count\n");
    becomes("k,n\r\n", "k,count\r\n");
    becomes("\"a, \"\"b\"\"\",\"not, \"\"known\"\"\"\n", "\"a, \"\"b\"\"\",\"count\"\n");
    becomes("\xef\xbb\xbfk,the number of visits\n", "k,count\n");
    becomes("\xef\xbb\xbf", "");
    becomes("", "");
}
