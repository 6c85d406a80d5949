/* SPDX-License-Identifier: MIT */
#include "table/key/names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(names, numbered_in_the_order_of_their_first_coming)
{
    enum { N = 5000 };
    pby_names *names;
    char name[32];
    size_t number, size;
    cr_assert_eq(pby_names_new(&names, NULL), PBY_OK);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < N; i++) {
            size = (size_t)sprintf(name, "%zu", i * i);
            cr_assert_eq(pby_names_add(names, (const uint8_t *)name, size, &number, NULL), PBY_OK);
            cr_assert_eq(number, i);
        }
    cr_assert_eq(pby_names_count(names), N);
    for (size_t i = 0; i < N; i++) {
        const size_t length = (size_t)sprintf(name, "%zu", i * i);
        const uint8_t *bytes = pby_names_get(names, i, &size);
        cr_assert(size == length && memcmp(bytes, name, size) == 0);
        cr_assert_eq(pby_names_find(names, (const uint8_t *)name, length), i);
    }
    cr_assert_eq(pby_names_find(names, (const uint8_t *)"2", 1), PBY_NO_NAME);
    cr_assert_eq(pby_names_find(names, (const uint8_t *)"", 0), PBY_NO_NAME);
    cr_assert_eq(pby_names_add(names, (const uint8_t *)"", 0, &number, NULL), PBY_OK);
    cr_assert_eq(pby_names_find(names, (const uint8_t *)"", 0), N);
    pby_names_free(names);
}

/* NUL bytes are bytes, and a name longer than all the room is copied too. */
Test(names, any_bytes_of_any_length)
{
    static uint8_t many[100000];
    pby_names *names;
    size_t number, size;
    cr_assert_eq(pby_names_new(&names, NULL), PBY_OK);
    cr_assert_eq(pby_names_add(names, many, 1, &number, NULL), PBY_OK);
    cr_assert_eq(pby_names_add(names, many, 2, &number, NULL), PBY_OK);
    cr_assert_eq(pby_names_add(names, many, sizeof many, &number, NULL), PBY_OK);
    cr_assert_eq(number, 2);
    cr_assert_arr_eq(pby_names_get(names, 2, &size), many, sizeof many);
    cr_assert_eq(size, sizeof many);
    cr_assert_eq(pby_names_find(names, many, 2), 1);
    pby_names_free(names);
}
