#include "cli/key_kind.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const char pby_key_kinds_expected[] = "a number " PBY_NUMBER_LIMITS;

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
        return PBY_KEY_NAME;
    if (is_number(at, key))
        return PBY_KEY_NUMBER;
    if (is_point(at, key))
        return PBY_KEY_POINT;
    return is_beyond(key) ? PBY_KEY_BEYOND : PBY_KEY_NAME;
}

void pby_key_kinds_add(pby_key_kinds *kinds, pby_key_kind kind, uint64_t line)
{
    if (kind == PBY_KEY_BEYOND && kinds->count[kind] == 0)
        kinds->beyond = line;
    kinds->count[kind]++;
}

static uint64_t others(const pby_key_kinds *kinds, pby_key_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i <= PBY_KEY_BEYOND; i++)
        sum += i == kind ? 0 : kinds->count[i];
    return sum;
}

bool pby_key_kinds_numbers(const pby_key_kinds *kinds)
{
    return others(kinds, PBY_KEY_NUMBER) == 0;
}

bool pby_key_kinds_points(const pby_key_kinds *kinds)
{
    return kinds->count[PBY_KEY_POINT] > 0 && others(kinds, PBY_KEY_POINT) == 0;
}

bool pby_key_kinds_mixed(const pby_key_kinds *kinds)
{
    return kinds->count[PBY_KEY_NUMBER] > 0 && !pby_key_kinds_numbers(kinds);
}

uint64_t pby_key_kinds_beyond(const pby_key_kinds *kinds)
{
    return kinds->count[PBY_KEY_NAME] == 0 && kinds->count[PBY_KEY_POINT] == 0 ? kinds->beyond : 0;
}
