#include "audit/count/outcome.h"

#include <ctype.h>
#include <math.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 400, PATTERN_SIZE = 18 };

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

/* An integer of at most 15 digits, which is a double: what most outputs are, without strtod. */
static bool read_small(double *value, const char *text, size_t length)
{
    const bool negative = text[0] == '-';
    const size_t digits = length - negative;
    int64_t sum = 0;
    if (digits == 0 || digits > 15)
        return false;
    for (size_t i = negative; i < length; i++) {
        const unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        sum = 10 * sum + digit;
    }
    *value = negative ? -(double)sum : (double)sum;
    return true;
}

/* strtod takes more than we do: hexadecimal floats, nan, infinity, blanks. */
static bool read_decimal(double *value, const char *text, size_t length)
{
    char copy[NUMBER_SIZE + 1];
    if (length == 0 || length > NUMBER_SIZE)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strspn(copy, "+-.0123456789eE") != length)
        return false;
    char *end;
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value);
}

static void read_token(pby_token *token, const char *text, size_t length)
{
    while (length > 0 && isblank((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isblank((unsigned char)text[length - 1]))
        length--;
    *token = (pby_token){.kind = PBY_NUMBER};
    if (length == 0) {
        token->kind = PBY_EMPTY;
    } else if (!read_small(&token->value, text, length) && !read_decimal(&token->value, text, length) &&
               !read_pattern(&token->value, text, length)) {
        token->kind = PBY_WORD;
        token->hash = pby_audit_hash(text, length);
    }
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
        if (out->count < PBY_COORDINATES)
            read_token(&out->token[out->count++], text, (size_t)(comma - text));
        out->coordinates++;
        if (comma == end)
            return;
        text = comma + 1;
    }
}
