#include "cli/place.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pby_key_kind place(const char *key)
{
    mpq_t at;
    mpq_init(at);
    const pby_key_kind what = pby_key_kind_of(at, key);
    mpq_clear(at);
    return what;
}

Test(place, numbers_points_and_names)
{
    static const char *const numbers[] = {"1", "-2.5", "+1/3", ".5", "1e-10000"};
    static const char *const points[] = {"1 2", "-1/2 0.5 3e0"};
    static const char *const names[] = {"",   "x", "1 ", " 1", "1  2", "1 x",       "new york", "1/0",  "1/2e5",
                                        "e5", ".", "-",  "1e", "1e5x", "1e99999 2", "0x10",     "1_000"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cr_assert_eq(place(numbers[i]), PBY_PLACE_NUMBER, "%s", numbers[i]);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        cr_assert_eq(place(points[i]), PBY_PLACE_POINT, "%s", points[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert_eq(place(names[i]), PBY_PLACE_NAME, "%s", names[i]);
}

Test(place, numbers_beyond_what_is_read)
{
    static const char *const beyond[] = {"1e10001", "-1.5E+99999999999999999999", ".5e-10001"};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        cr_assert_eq(place(beyond[i]), PBY_PLACE_BEYOND, "%s", beyond[i]);
    char digits[4200];
    memset(digits, '7', 4097);
    digits[4097] = '\0';
    cr_assert_eq(place(digits), PBY_PLACE_BEYOND);
    cr_assert_eq(place(digits + 1), PBY_PLACE_NUMBER);
    digits[5] = '.';
    cr_assert_eq(place(digits), PBY_PLACE_NUMBER);
    memcpy(digits + 4090, "/7777777777", 12);
    digits[5] = '7';
    cr_assert_eq(place(digits), PBY_PLACE_BEYOND);
    strcat(digits, "x");
    cr_assert_eq(place(digits), PBY_PLACE_NAME);
}

/* What keys are together, on the lines 1, 2, 3, ... */
static pby_places all(const char *const *keys)
{
    pby_places places = {.beyond = 0};
    for (size_t i = 0; keys[i] != NULL; i++)
        pby_places_add(&places, place(keys[i]), i + 1);
    return places;
}

#define ALL(...) all((const char *const[]){__VA_ARGS__, NULL})

Test(place, together)
{
    pby_places p = ALL("1", "2");
    cr_assert(pby_places_numbers(&p) && !pby_places_points(&p) && !pby_places_mixed(&p) && pby_places_beyond(&p) == 0);
    p = ALL("1 1", "2 1");
    cr_assert(!pby_places_numbers(&p) && pby_places_points(&p) && !pby_places_mixed(&p));
    p = ALL("1", "x");
    cr_assert(!pby_places_numbers(&p) && !pby_places_points(&p) && pby_places_mixed(&p));
    p = ALL("1 1", "x");
    cr_assert(!pby_places_points(&p) && !pby_places_mixed(&p));
    p = ALL("1", "1e99999", "1e99998");
    cr_assert_eq(pby_places_beyond(&p), 2);
    p = ALL("1", "1e99999", "x");
    cr_assert_eq(pby_places_beyond(&p), 0, "the name decides");
    p = all((const char *const[]){NULL});
    cr_assert(pby_places_numbers(&p) && !pby_places_points(&p) && !pby_places_mixed(&p));
}
