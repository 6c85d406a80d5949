/* SPDX-License-Identifier: MIT */
#include "tests/select/fill.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void fill(char text[TEXT_SIZE], const char *pattern, unsigned long i)
{
    const char *at = strchr(pattern, '#');
    cr_assert_not_null(at);
    snprintf(text, TEXT_SIZE, "%.*s%lu%s", (int)(at - pattern), pattern, i, at + 1);
}
