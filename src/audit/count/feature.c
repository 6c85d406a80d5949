/* SPDX-License-Identifier: MIT */
#include "audit/count/feature.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CAP_OUTPUT = 1 << 16,
    CAP_FINE = 1 << 14,
    CAP_COARSE = 1 << 12,
    ORDER_MOST = 8, /* coordinates whose order is written in 2 bits for every two */
    MANTISSA = 52,
    EXPONENT = 0x7ff,
    BIAS = 1023,
    SINGLE_MOST = 15, /* characters of a float with its nine digits, as in -1.23456789e-05 */
    PLACE_BITS = 6    /* for PBY_COORDINATES places */
};

static const uint64_t middle = UINT64_C(1) << 63;

/* The magnitude's bits, which grow with it, counted up and down from the middle. */
uint64_t pby_key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & middle ? middle - (bits ^ middle) : middle + bits;
}

double pby_key_value(uint64_t key, unsigned level)
{
    double value;
    key = level >= 64 ? 0 : key << level;
    const uint64_t bits = key < middle ? middle - key : key - middle;
    memcpy(&value, &bits, sizeof value);
    value = isfinite(value) ? value : INFINITY;
    return key < middle ? -value : value;
}

bool pby_feature_ordered(unsigned feature)
{
    return feature > PBY_FEATURE_ORDER && feature < PBY_FEATURE_BITS;
}

bool pby_feature_learned(unsigned feature)
{
    return feature == PBY_FEATURE_SCORE || feature == PBY_FEATURE_RELATION;
}

bool pby_feature_labelled(unsigned feature)
{
    return feature == PBY_FEATURE_OUTPUT || feature == PBY_FEATURE_PATTERN || feature == PBY_FEATURE_FORM;
}

unsigned pby_feature_block_bits(unsigned feature)
{
    return feature == PBY_FEATURE_FIRST ? PLACE_BITS : 0;
}

/* Returns the number of bits of a key below the block; 64 for a feature without blocks. */
static unsigned bits_below(unsigned feature, unsigned level)
{
    const unsigned bits = pby_feature_block_bits(feature);
    return bits == 0 ? 64 : level + bits >= 64 ? 0 : 64 - bits - level;
}

unsigned pby_key_block(unsigned feature, uint64_t key, unsigned level)
{
    const unsigned below = bits_below(feature, level);
    return below == 64 ? 0 : (unsigned)(key >> below) + 1;
}

uint64_t pby_key_inside(unsigned feature, uint64_t key, unsigned level)
{
    const unsigned below = bits_below(feature, level);
    return below == 64 ? key : key & ((UINT64_C(1) << below) - 1);
}

size_t pby_feature_cap(unsigned feature)
{
    if (feature == PBY_FEATURE_OUTPUT)
        return CAP_OUTPUT;
    return feature == PBY_FEATURE_VALUE || pby_feature_learned(feature) ? CAP_FINE : CAP_COARSE;
}

static const char *const names[PBY_FEATURE_VALUE] = {"output",
                                                     "pattern",
                                                     "form",
                                                     "order of the coordinates",
                                                     "number of coordinates",
                                                     "place of the largest",
                                                     "place of the smallest",
                                                     "sum",
                                                     "largest",
                                                     "smallest",
                                                     "range",
                                                     "number of distinct values",
                                                     "number suppressed",
                                                     "first run",
                                                     "first number",
                                                     "learned score",
                                                     "learned relation"};

void pby_feature_name(char name[PBY_FEATURE_NAME_SIZE], unsigned feature)
{
    static const struct {
        unsigned first;
        const char *format;
    } families[] = {{PBY_FEATURE_BITS, "last 8 bits of coordinate %u"},
                    {PBY_FEATURE_DIGIT, "last digit of coordinate %u"},
                    {PBY_FEATURE_SINGLE, "log2 of the grid of coordinate %u as a float"},
                    {PBY_FEATURE_ZEROS, "zeros ending the mantissa of coordinate %u"},
                    {PBY_FEATURE_GRID, "log2 of the grid of coordinate %u"},
                    {PBY_FEATURE_STEP, "step after coordinate %u"},
                    {PBY_FEATURE_VALUE, "coordinate %u"}};
    if (feature < PBY_FEATURE_VALUE) {
        snprintf(name, PBY_FEATURE_NAME_SIZE, "%s", names[feature]);
        return;
    }
    size_t i = 0;
    while (feature < families[i].first)
        i++;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(name, PBY_FEATURE_NAME_SIZE, families[i].format, feature - families[i].first + 1);
#pragma GCC diagnostic pop
}

/* ---- reading ---------------------------------------------------------------------------------- */

struct readings {
    pby_reading *out;
    size_t count;
};

static void put(struct readings *r, unsigned feature, uint64_t key)
{
    r->out[r->count++] = (pby_reading){feature, key};
}

static void put_value(struct readings *r, unsigned feature, double value)
{
    if (isfinite(value))
        put(r, feature, pby_key_of(value));
}

static bool same(const pby_token *a, const pby_token *b)
{
    return a->kind == b->kind &&
           (a->kind == PBY_EMPTY || (a->kind == PBY_NUMBER ? a->value == b->value : a->hash == b->hash));
}

/* The pattern of one number, which most outputs are: the hash below of {1, PBY_NUMBER}. */
static const uint64_t one_number = UINT64_C(0x54614bc2eb2c89d2);

/* A hash of the kinds of the coordinates, and of the words among them. */
static uint64_t pattern(const pby_outcome *o)
{
    if (o->coordinates == 1 && o->token[0].kind == PBY_NUMBER)
        return one_number;
    uint64_t code[PBY_COORDINATES + 1];
    code[0] = o->coordinates;
    for (size_t i = 0; i < o->count; i++)
        code[i + 1] = o->token[i].kind == PBY_WORD ? o->token[i].hash | 3 : (uint64_t)o->token[i].kind;
    return pby_audit_hash(code, (o->count + 1) * sizeof *code);
}

static uint64_t order(const pby_outcome *o)
{
    const size_t n = o->count < ORDER_MOST ? o->count : ORDER_MOST;
    uint64_t code = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const pby_token *a = &o->token[j], *b = &o->token[i];
            const bool numbers = a->kind == PBY_NUMBER && b->kind == PBY_NUMBER;
            code = code << 2 | (numbers ? (a->value < b->value ? 1u : a->value > b->value ? 2u : 3u) : 0u);
        }
    return code;
}

size_t pby_form(char form[PBY_FORM_SIZE], const char *text, size_t length)
{
    size_t count = 0;
    bool digits = false, decimals = false;
    for (size_t i = 0; i < length && count < PBY_FORM_SIZE; i++) {
        const bool digit = '0' <= text[i] && text[i] <= '9',
                   sign = text[i] == '-' && i + 1 < length &&
                          (text[i + 1] == '.' || ('0' <= text[i + 1] && text[i + 1] <= '9'));
        if (!sign && (!digit || !digits || decimals))
            form[count++] = digit ? '0' : text[i];
        decimals = digit ? decimals : text[i] == '.';
        digits = digit;
    }
    return count;
}

/* A plain integer has nothing to tell. */
static void read_form(struct readings *r, const pby_outcome *o)
{
    char form[PBY_FORM_SIZE];
    const size_t length = pby_form(form, o->text, o->length);
    if (length != 1 || form[0] != '0')
        put(r, PBY_FEATURE_FORM, pby_audit_hash(form, length));
}

struct bits {
    uint64_t all;
    int grid, zeros; /* as in a normal number, with the highest bit first */
};

static struct bits bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t unit = UINT64_C(1) << MANTISSA, mantissa = bits & (unit - 1);
    const int exponent = (int)(bits >> MANTISSA & EXPONENT); /* 0: a subnormal, whose mantissa has no unit */
    const int least = (exponent == 0 ? 1 : exponent) - BIAS - MANTISSA;
    const int zeros = __builtin_ctzll(exponent == 0 ? mantissa : mantissa | unit);
    return (struct bits){bits, least + zeros,
                         exponent == 0 ? zeros + __builtin_clzll(mantissa) - (63 - MANTISSA) : zeros};
}

/* Bits of one number: its grid and its mantissa. Digits that are few enough may be those of a float, whose
 * bits are not those of the nearest double. */
static void read_bits(struct readings *r, unsigned i, const pby_token *t)
{
    if (t->value == 0)
        return;
    const struct bits bits = bits_of(t->value);
    put_value(r, PBY_FEATURE_GRID + i, bits.grid);
    put_value(r, PBY_FEATURE_ZEROS + i, bits.zeros);
    put(r, PBY_FEATURE_BITS + i, bits.all & 0xff);
    const double single = t->length > SINGLE_MOST || fabs(t->value) > FLT_MAX ? t->value
                                                                              : (double)(float)t->value;
    if (single != t->value && single != 0)
        put_value(r, PBY_FEATURE_SINGLE + i, bits_of(single).grid);
}

/* The last digit in front of an exponent; a bit pattern has none. */
static void read_digit(struct readings *r, unsigned i, const pby_token *t)
{
    size_t end = 0;
    while (end < t->length && t->text[end] != 'e' && t->text[end] != 'E' && t->text[end] != 'x')
        end++;
    if (end > 0 && '0' <= t->text[end - 1] && t->text[end - 1] <= '9' &&
        (end == t->length || t->text[end] != 'x'))
        put_value(r, PBY_FEATURE_DIGIT + i, t->text[end - 1] - '0');
}

static void read_coordinates(struct readings *r, const pby_outcome *o)
{
    for (unsigned i = 0; i < o->count && i < PBY_FEATURE_COORDINATES; i++) {
        const pby_token *t = &o->token[i];
        if (t->kind != PBY_NUMBER)
            continue;
        put_value(r, PBY_FEATURE_VALUE + i, t->value);
        if (i + 1 < o->count && t[1].kind == PBY_NUMBER)
            put_value(r, PBY_FEATURE_STEP + i, t[1].value - t->value);
        if (i < PBY_FEATURE_BIT_COORDINATES) {
            read_bits(r, i, t);
            read_digit(r, i, t);
        }
    }
}

/* Where a mechanism that answers with words stops and gives a number; one at the first place is coordinate 1.
 */
static void read_first(struct readings *r, const pby_outcome *o)
{
    uint64_t place = 0;
    while (place < o->count && o->token[place].kind != PBY_NUMBER)
        place++;
    if (0 < place && place < o->count)
        put(r, PBY_FEATURE_FIRST,
            place << (64 - PLACE_BITS) | pby_key_of(o->token[place].value) >> PLACE_BITS);
}

static double count_distinct(const pby_outcome *o)
{
    size_t distinct = 0;
    for (size_t i = 0; i < o->count; i++) {
        size_t j = 0;
        while (j < i && !same(&o->token[i], &o->token[j]))
            j++;
        distinct += j == i;
    }
    return (double)distinct;
}

/* Order statistics and counts over all coordinates. */
static void read_whole(struct readings *r, const pby_outcome *o)
{
    const pby_token *most = NULL, *least = NULL;
    double sum = 0;
    size_t empty = 0, run = 1;
    for (size_t i = 0; i < o->count; i++) {
        const pby_token *t = &o->token[i];
        empty += t->kind == PBY_EMPTY;
        run += run == i && same(&o->token[0], t);
        if (t->kind != PBY_NUMBER)
            continue;
        sum += t->value;
        most = most == NULL || t->value > most->value ? t : most;
        least = least == NULL || t->value < least->value ? t : least;
    }
    put_value(r, PBY_FEATURE_EMPTY, (double)empty);
    put_value(r, PBY_FEATURE_RUN, (double)run);
    put_value(r, PBY_FEATURE_DISTINCT, count_distinct(o));
    if (most == NULL)
        return;
    put_value(r, PBY_FEATURE_LARGEST, (double)(most - o->token + 1));
    put_value(r, PBY_FEATURE_SMALLEST, (double)(least - o->token + 1));
    put_value(r, PBY_FEATURE_SUM, sum);
    put_value(r, PBY_FEATURE_MAX, most->value);
    put_value(r, PBY_FEATURE_MIN, least->value);
    put_value(r, PBY_FEATURE_RANGE, most->value - least->value);
    put(r, PBY_FEATURE_ORDER, order(o));
}

size_t pby_features_read(pby_reading *out, const pby_outcome *o)
{
    struct readings r = {out, 0};
    put(&r, PBY_FEATURE_OUTPUT, pby_audit_hash(o->text, o->length));
    put(&r, PBY_FEATURE_PATTERN, pattern(o));
    read_form(&r, o);
    put_value(&r, PBY_FEATURE_LENGTH, (double)o->coordinates);
    if (o->count > 1) {
        read_whole(&r, o);
        read_first(&r, o);
    }
    read_coordinates(&r, o);
    return r.count;
}
