/* SPDX-License-Identifier: MIT */
#include "table/key/key_kind.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

const char pby_key_kinds_expected[] = "a number " PBY_NUMBER_LIMITS;

static bool is_number(mpq_t at, const char *text)
{
    return pby_rational_parse(at, "key", text, NULL) == PBY_OK;
}

/* Room for one number more, which is counted. */
static mpq_ptr add_coordinate(pby_coordinates *c)
{
    if (c->count == c->room) {
        const size_t room = c->room == 0 ? 64 : 2 * c->room;
        __mpq_struct *at = reallocarray(c->at, room, sizeof *at);
        if (at == NULL)
            return NULL;
        c->at = at;
        c->room = room;
    }
    mpq_init(c->at + c->count);
    return c->at + c->count++;
}

static void keep_coordinates(pby_coordinates *c, size_t count)
{
    while (c->count > count)
        mpq_clear(c->at + --c->count);
}

void pby_coordinates_clear(pby_coordinates *c)
{
    keep_coordinates(c, 0);
    free(c->at);
}

pby_status pby_key_point(size_t *dimension, pby_coordinates *out, const char *key, pby_error *err)
{
    *dimension = 0;
    if (strchr(key, ' ') == NULL)
        return PBY_OK;
    char *copy = strdup(key), *rest = copy, *number;
    const size_t before = out->count;
    bool numbers = true, memory = copy != NULL;
    while (memory && numbers && (number = strsep(&rest, " ")) != NULL) {
        mpq_ptr at = add_coordinate(out);
        memory = at != NULL;
        numbers = memory && is_number(at, number);
    }
    if (copy != NULL)
        sodium_memzero(copy, strlen(key));
    free(copy);
    if (memory && numbers)
        *dimension = out->count - before;
    else
        keep_coordinates(out, before);
    return memory ? PBY_OK : pby_no_memory(err);
}

static bool is_point(const char *key)
{
    pby_coordinates at = {.count = 0};
    size_t dimension = 0;
    const pby_status status = pby_key_point(&dimension, &at, key, NULL);
    pby_coordinates_clear(&at);
    return status == PBY_OK && dimension > 0;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* Expects a key that is no number; returns true if only its digits are too many or its exponent
 * is too large. Without an exponent, few digits are a number, or else a fraction over zero. */
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
    if (is_point(key))
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
