/* SPDX-License-Identifier: MIT */
#include "table/key/key_kind.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pby_key_kind kind(const char *key)
{
    mpq_t at;
    mpq_init(at);
    const pby_key_kind what = pby_key_kind_of(at, key);
    mpq_clear(at);
    return what;
}

Test(key_kind, numbers_points_and_names)
{
    static const char *const numbers[] = {"1", "-2.5", "+1/3", ".5", "1e-10000"};
    static const char *const points[] = {"1 2", "-1/2 0.5 3e0"};
    static const char *const names[] = {"",         "x",    "1 ",        " 1",   "1  2", "1 x",
                                        "new york", "1/0",  "1/2e5",     "e5",   ".",    "-",
                                        "1e",       "1e5x", "1e99999 2", "0x10", "1_000"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cr_assert_eq(kind(numbers[i]), PBY_KEY_NUMBER, "%s", numbers[i]);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        cr_assert_eq(kind(points[i]), PBY_KEY_POINT, "%s", points[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert_eq(kind(names[i]), PBY_KEY_NAME, "%s", names[i]);
}

/* One behind the other; what is no point leaves none of its numbers behind. */
Test(key_kind, coordinates_of_points)
{
    pby_coordinates c = {.count = 0};
    size_t dimension;
    cr_assert_eq(pby_key_point(&dimension, &c, "1 -1/2 3e1", NULL), PBY_OK);
    cr_assert_eq(dimension, 3);
    static const char *const others[] = {"1 2 x", "1  2", " 1", "1 ", "1", "", "cat dog"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert_eq(pby_key_point(&dimension, &c, others[i], NULL), PBY_OK);
        cr_assert_eq(dimension, 0, "%s", others[i]);
        cr_assert_eq(c.count, 3, "%s", others[i]);
    }
    for (size_t i = 1; i <= 100; i++) {
        cr_assert_eq(pby_key_point(&dimension, &c, "7 8", NULL), PBY_OK);
        cr_assert_eq(dimension, 2);
        cr_assert_eq(c.count, 3 + 2 * i);
    }
    cr_assert_eq(mpq_cmp_si(c.at + 1, -1, 2), 0);
    cr_assert_eq(mpq_cmp_si(c.at + 2, 30, 1), 0);
    cr_assert_eq(mpq_cmp_si(c.at + 202, 8, 1), 0);
    pby_coordinates_clear(&c);
}

Test(key_kind, numbers_beyond_what_is_read)
{
    static const char *const beyond[] = {"1e10001", "-1.5E+99999999999999999999", ".5e-10001"};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        cr_assert_eq(kind(beyond[i]), PBY_KEY_BEYOND, "%s", beyond[i]);
    char digits[4200];
    memset(digits, '7', 4097);
    digits[4097] = '\0';
    cr_assert_eq(kind(digits), PBY_KEY_BEYOND);
    cr_assert_eq(kind(digits + 1), PBY_KEY_NUMBER);
    digits[5] = '.';
    cr_assert_eq(kind(digits), PBY_KEY_NUMBER);
    memcpy(digits + 4090, "/7777777777", 12);
    digits[5] = '7';
    cr_assert_eq(kind(digits), PBY_KEY_BEYOND);
    strcat(digits, "x");
    cr_assert_eq(kind(digits), PBY_KEY_NAME);
}

/* Returns the kinds of keys on the lines 1, 2, 3, ... */
static pby_key_kinds all(const char *const *keys)
{
    pby_key_kinds kinds = {.beyond = 0};
    for (size_t i = 0; keys[i] != NULL; i++)
        pby_key_kinds_add(&kinds, kind(keys[i]), i + 1);
    return kinds;
}

#define ALL(...) all((const char *const[]){__VA_ARGS__, NULL})

Test(key_kind, together)
{
    pby_key_kinds p = ALL("1", "2");
    cr_assert(pby_key_kinds_numbers(&p) && !pby_key_kinds_points(&p) && !pby_key_kinds_mixed(&p));
    cr_assert_eq(pby_key_kinds_beyond(&p), 0);
    p = ALL("1 1", "2 1");
    cr_assert(!pby_key_kinds_numbers(&p) && pby_key_kinds_points(&p) && !pby_key_kinds_mixed(&p));
    p = ALL("1", "x");
    cr_assert(!pby_key_kinds_numbers(&p) && !pby_key_kinds_points(&p) && pby_key_kinds_mixed(&p));
    p = ALL("1 1", "x");
    cr_assert(!pby_key_kinds_points(&p) && !pby_key_kinds_mixed(&p));
    p = ALL("1", "1e99999", "1e99998");
    cr_assert_eq(pby_key_kinds_beyond(&p), 2);
    p = ALL("1", "1e99999", "x");
    cr_assert_eq(pby_key_kinds_beyond(&p), 0, "the name decides");
    p = all((const char *const[]){NULL});
    cr_assert(pby_key_kinds_numbers(&p) && !pby_key_kinds_points(&p) && !pby_key_kinds_mixed(&p));
}
