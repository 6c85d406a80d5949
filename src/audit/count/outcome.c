/* SPDX-License-Identifier: MIT */
#include "audit/count/outcome.h"

#include <ctype.h>
#include <math.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 400, PATTERN_SIZE = 18, DIGITS = 15 };

uint64_t pby_audit_hash(const void *bytes, size_t length)
{
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "probity audit 1";
    unsigned char out[crypto_shorthash_BYTES];
    uint64_t hash;
    crypto_shorthash(out, bytes, length, key);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

static bool read_pattern(double *value, const char *text, size_t length)
{
    if (length != PATTERN_SIZE || text[0] != '0' || (text[1] | 0x20) != 'x')
        return false;
    uint64_t bits = 0;
    for (size_t i = 2; i < length; i++) {
        const int c = (unsigned char)text[i];
        if (!isxdigit(c))
            return false;
        bits = bits << 4 | (uint64_t)(isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    memcpy(value, &bits, sizeof bits);
    return isfinite(*value);
}

/* A number of at most 15 digits, as most outputs are, without strtod: the digits are a double, and so is the
 * power of ten, so that the one division rounds as strtod does. */
static bool read_small(double *value, const char *text, size_t length)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = text[0] == '-';
    size_t digits = 0, point = length;
    int64_t sum = 0;
    if (length - negative > DIGITS + 1)
        return false;
    for (size_t i = negative; i < length; i++) {
        const unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit <= 9) {
            sum = 10 * sum + digit;
            digits++;
        } else if (text[i] == '.' && point == length)
            point = i;
        else
            return false;
    }
    if (digits == 0 || digits > DIGITS)
        return false;
    const double size = point == length ? (double)sum : (double)sum / power[length - point - 1];
    *value = negative ? -size : size;
    return true;
}

static const char in_decimals[] = "+-.0123456789eE";

/* strtod takes more than we do: hexadecimal floats, nan, infinity, blanks. */
static bool read_decimal(double *value, const char *text, size_t length)
{
    char copy[NUMBER_SIZE + 1];
    if (length == 0 || length > NUMBER_SIZE)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strspn(copy, in_decimals) != length)
        return false;
    char *end;
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value);
}

static bool read_number(double *value, const char *text, size_t length)
{
    return read_small(value, text, length) || read_decimal(value, text, length) ||
           read_pattern(value, text, length);
}

/* ---- coordinates ------------------------------------------------------------------------------ */

static void put(pby_outcome *out, pby_token token)
{
    if (out->count < PBY_COORDINATES)
        out->token[out->count++] = token;
    out->coordinates++;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && isblank((unsigned char)**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && isblank((unsigned char)(*text)[*length - 1]))
        --*length;
}

static void put_word(pby_outcome *out, const char *text, size_t length)
{
    trim(&text, &length);
    if (length > 0)
        put(out, (pby_token){
                     .kind = PBY_WORD, .text = text, .length = length, .hash = pby_audit_hash(text, length)});
}

static bool in_number(char c)
{
    return c != '\0' && strchr(in_decimals, c) != NULL;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next number of a text that stands apart from letters, digits and signs: the "-2.5" of "a: -2.5}", and
 * nothing of "k1" or "2024-01-05". Its length, or 0. */
static size_t find_number(double *value, const char **at, const char *end)
{
    const char *p = *at;
    while (p < end) {
        const char *start = p;
        while (p < end && (in_number(*p) || in_name(*p)))
            p++;
        const size_t length = (size_t)(p - start);
        size_t plain = 0;
        while (plain < length && in_number(start[plain]))
            plain++;
        if (length > 0 && plain == length &&
            (read_small(value, start, length) || read_decimal(value, start, length))) {
            *at = start;
            return length;
        }
        p += length == 0;
    }
    return 0;
}

/* True if it only separates two numbers. */
static bool separates(const char *text, size_t length)
{
    trim(&text, &length);
    return length == 0 || (length == 1 && *text == ';');
}

/* A field that is not a number: a word, or the numbers in it and the words around them. */
static void read_words(pby_outcome *out, const char *text, size_t length)
{
    const char *const end = text + length, *rest = text, *at = text;
    double value;
    for (size_t digits; (digits = find_number(&value, &at, end)) > 0; rest = at += digits) {
        if (rest == text || !separates(rest, (size_t)(at - rest)))
            put_word(out, rest, (size_t)(at - rest));
        put(out, (pby_token){.kind = PBY_NUMBER, .text = at, .length = digits, .value = value});
    }
    put_word(out, rest, (size_t)(end - rest));
}

static void read_field(pby_outcome *out, const char *text, size_t length)
{
    pby_token token = {.kind = PBY_NUMBER};
    trim(&text, &length);
    token.text = text;
    token.length = length;
    if (length == 0)
        token.kind = PBY_EMPTY;
    if (length == 0 || read_number(&token.value, text, length))
        put(out, token);
    else
        read_words(out, text, length);
}

void pby_outcome_read(pby_outcome *out, const char *text, size_t length)
{
    out->text = text;
    out->length = length;
    out->coordinates = out->count = 0;
    const char *const end = text + length;
    for (;;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        if (comma == NULL)
            comma = end;
        read_field(out, text, (size_t)(comma - text));
        if (comma == end)
            return;
        text = comma + 1;
    }
}
