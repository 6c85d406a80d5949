/* SPDX-License-Identifier: MIT */
#include "table/key/positions.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The line that is told of keys on the lines 1, 2, 3, ... */
static uint64_t again(const char *const *keys, size_t n)
{
    pby_positions *p = NULL;
    uint64_t line = 99;
    cr_assert_eq(pby_positions_new(&p, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(pby_positions_add(p, (const uint8_t *)keys[i], strlen(keys[i]), i + 1, NULL), PBY_OK);
    cr_assert_eq(pby_positions_again(p, &line, NULL), PBY_OK);
    pby_positions_free(p);
    return line;
}

#define AGAIN(...) \
    again((const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *))

Test(positions, spellings_of_one_number)
{
    cr_assert_eq(AGAIN("1", "2", "1.0"), 3);
    cr_assert_eq(AGAIN("1/2", "0.5"), 2);
    cr_assert_eq(AGAIN("-3", "-30e-1"), 2);
    cr_assert_eq(AGAIN("0", "-0"), 2);
    cr_assert_eq(AGAIN("1", "2", "2/1", "1.0"), 3, "the first is told");
    cr_assert_eq(AGAIN("1", "-1", "1/10", "10"), 0);
    cr_assert_eq(again(NULL, 0), 0);
}

/* One word makes words of them all, wherever it stands. */
Test(positions, words_are_no_numbers)
{
    cr_assert_eq(AGAIN("1", "1.0", "one"), 0);
    cr_assert_eq(AGAIN("one", "1", "1.0"), 0);
    cr_assert_eq(AGAIN("1", "", "1.0"), 0);
}

Test(positions, what_the_keys_are)
{
    pby_positions *p = NULL;
    uint64_t line;
    cr_assert_eq(pby_positions_new(&p, NULL), PBY_OK);
    cr_assert_eq(pby_positions_add(p, (const uint8_t *)"1 2", 3, 1, NULL), PBY_OK);
    cr_assert_eq(pby_positions_add(p, (const uint8_t *)"3 4", 3, 2, NULL), PBY_OK);
    cr_assert(pby_key_kinds_points(pby_positions_kinds(p)));
    cr_assert_eq(pby_positions_add(p, (const uint8_t *)"word", 4, 3, NULL), PBY_OK);
    cr_assert_not(pby_key_kinds_points(pby_positions_kinds(p)));
    cr_assert_eq(pby_positions_again(p, &line, NULL), PBY_OK);
    cr_assert_eq(line, 0);
    pby_positions_free(p);
}

/* More keys than wait in a queue at once. */
Test(positions, many)
{
    enum { N = 5000 };
    for (uint64_t twice = 0; twice < 2; twice++) {
        pby_positions *p = NULL;
        uint64_t line;
        char key[32];
        cr_assert_eq(pby_positions_new(&p, NULL), PBY_OK);
        for (uint64_t i = 1; i <= N; i++) {
            const bool again = twice > 0 && i % 1000 == 0;
            const int size = snprintf(key, sizeof key, again ? "%u.0" : "%u", (unsigned)(again ? i / 2 : i));
            cr_assert_eq(pby_positions_add(p, (const uint8_t *)key, (size_t)size, i, NULL), PBY_OK);
        }
        cr_assert_eq(pby_positions_again(p, &line, NULL), PBY_OK);
        cr_assert_eq(line, twice * 1000);
        pby_positions_free(p);
    }
}
