#include "cli/place.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"

const char pby_places_expected[] = "a number of at most 4096 digits and with an exponent of at most 10000 in size";

static bool is_number(mpq_t at, const char *text)
{
    return pby_rational_parse(at, "key", text, NULL) == PBY_OK;
}

static bool is_point(mpq_t scratch, const char *key)
{
    if (strchr(key, ' ') == NULL)
        return false;
    char *copy = strdup(key), *rest = copy, *number;
    bool numbers = copy != NULL;
    while (numbers && (number = strsep(&rest, " ")) != NULL)
        numbers = is_number(scratch, number);
    if (copy != NULL)
        sodium_memzero(copy, strlen(key));
    free(copy);
    return numbers;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* Of a key that is no number: whether it is one but for its digits or its exponent. Without an exponent, few digits are
 * a number, or else a fraction over zero. */
static bool is_beyond(const char *key)
{
    const char *at = key + (*key == '-' || *key == '+');
    size_t digits = digits_at(at), more;
    at += digits;
    if (*at == '/') {
        more = digits_at(at + 1);
        return digits > 0 && more > 0 && at[1 + more] == '\0' && digits + more > PBY_RATIONAL_DIGITS_MAX;
    }
    if (*at == '.') {
        more = digits_at(++at);
        digits += more;
        at += more;
    }
    if (digits == 0 || (*at != 'e' && *at != 'E'))
        return digits > PBY_RATIONAL_DIGITS_MAX && *at == '\0';
    at += 1 + (at[1] == '-' || at[1] == '+');
    more = digits_at(at);
    return more > 0 && at[more] == '\0';
}

pby_key_kind pby_key_kind_of(mpq_t at, const char *key)
{
    if (strchr("0123456789.+-", key[0]) == NULL)
        return PBY_PLACE_NAME;
    if (is_number(at, key))
        return PBY_PLACE_NUMBER;
    if (is_point(at, key))
        return PBY_PLACE_POINT;
    return is_beyond(key) ? PBY_PLACE_BEYOND : PBY_PLACE_NAME;
}

void pby_places_add(pby_places *places, pby_key_kind place, uint64_t line)
{
    if (place == PBY_PLACE_BEYOND && places->count[place] == 0)
        places->beyond = line;
    places->count[place]++;
}

static uint64_t others(const pby_places *places, pby_key_kind place)
{
    uint64_t sum = 0;
    for (size_t i = 0; i <= PBY_PLACE_BEYOND; i++)
        sum += i == place ? 0 : places->count[i];
    return sum;
}

bool pby_places_numbers(const pby_places *places)
{
    return others(places, PBY_PLACE_NUMBER) == 0;
}

bool pby_places_points(const pby_places *places)
{
    return places->count[PBY_PLACE_POINT] > 0 && others(places, PBY_PLACE_POINT) == 0;
}

bool pby_places_mixed(const pby_places *places)
{
    return places->count[PBY_PLACE_NUMBER] > 0 && !pby_places_numbers(places);
}

uint64_t pby_places_beyond(const pby_places *places)
{
    return places->count[PBY_PLACE_NAME] == 0 && places->count[PBY_PLACE_POINT] == 0 ? places->beyond : 0;
}
