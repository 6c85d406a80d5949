/* SPDX-License-Identifier: MIT */
#include "table/arrow/column.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/row/csv_row.h"
#include "table/row/decimal.h"

enum { VIEW = 16, INLINE_MAX = 12 }; /* bytes of a view, and of a text that stands in its view */

static const char negative_length[] = "lengths and offsets from 0 on, and within the array";
static const char few_buffers[] = "as many buffers as its format has";
static const char bad_offsets[] = "offsets from 0 on that do not fall";
static const char no_bytes[] = "bytes behind its offsets";

bool pby_arrow_type_parse(pby_arrow_type *type, const char *format)
{
    static const struct {
        const char *format;
        pby_arrow_type type;
    } known[] = {
        {"u", {PBY_ARROW_TEXT, 0}},     {"U", {PBY_ARROW_LONG, 0}},     {"vu", {PBY_ARROW_VIEWS, 0}},
        {"c", {PBY_ARROW_SIGNED, 1}},   {"C", {PBY_ARROW_UNSIGNED, 1}}, {"s", {PBY_ARROW_SIGNED, 2}},
        {"S", {PBY_ARROW_UNSIGNED, 2}}, {"i", {PBY_ARROW_SIGNED, 4}},   {"I", {PBY_ARROW_UNSIGNED, 4}},
        {"l", {PBY_ARROW_SIGNED, 8}},   {"L", {PBY_ARROW_UNSIGNED, 8}}, {"f", {PBY_ARROW_FLOATING, 4}},
        {"g", {PBY_ARROW_FLOATING, 8}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].format, format) == 0) {
            *type = known[i].type;
            return true;
        }
    return false;
}

/* ---- numbers in memory, which need not be aligned ------------------------------------------------ */

static int64_t load_signed(const uint8_t *at, unsigned width)
{
    int8_t x1;
    int16_t x2;
    int32_t x4;
    int64_t x8;
    switch (width) {
    case 1:
        memcpy(&x1, at, 1);
        return x1;
    case 2:
        memcpy(&x2, at, 2);
        return x2;
    case 4:
        memcpy(&x4, at, 4);
        return x4;
    default:
        memcpy(&x8, at, 8);
        return x8;
    }
}

static uint64_t load_unsigned(const uint8_t *at, unsigned width)
{
    const uint64_t x = (uint64_t)load_signed(at, width);
    return width == 8 ? x : x & (((uint64_t)1 << (8 * width)) - 1);
}

static double load_floating(const uint8_t *at, unsigned width)
{
    float x4;
    double x8;
    if (width == 4) {
        memcpy(&x4, at, 4);
        return (double)x4;
    }
    memcpy(&x8, at, 8);
    return x8;
}

/* ---- an array ----------------------------------------------------------------------------------- */

/* Eight bytes at a time: no byte is 0, none has its highest bit. */
static bool is_plain(const uint8_t *at, uint64_t size)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t seen = 0, word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        seen |= word | (word - ones);
    }
    for (; size > 0; at++, size--)
        seen |= *at == 0 ? high : *at;
    return (seen & high) == 0;
}

static int64_t offset_at(const pby_arrow_values *v, uint64_t i)
{
    const unsigned width = v->type.kind == PBY_ARROW_TEXT ? 4 : 8;
    return load_signed(v->offsets + i * width, width);
}

/* An array without values may lack all buffers. */
static const char *check_offsets(pby_arrow_values *v)
{
    if (v->length == 0)
        return NULL;
    if (v->offsets == NULL)
        return few_buffers;
    int64_t before = offset_at(v, v->from);
    const int64_t first = before;
    bool falls = before < 0;
    for (uint64_t i = 1; i <= v->length; i++) {
        const int64_t next = offset_at(v, v->from + i);
        falls = falls || next < before;
        before = next;
    }
    if (falls)
        return bad_offsets;
    if (before > first && v->data == NULL)
        return no_bytes;
    v->plain = before == first || is_plain(v->data + first, (uint64_t)(before - first));
    return NULL;
}

static const char *check_views(pby_arrow_values *v, const struct ArrowArray *a)
{
    if (a->n_buffers < 3)
        return few_buffers;
    v->data = a->buffers[1];
    v->pieces = a->buffers + 2;
    v->piece_count = (uint64_t)a->n_buffers - 3;
    v->sizes = a->buffers[a->n_buffers - 1];
    return (v->length > 0 && v->data == NULL) || (v->piece_count > 0 && v->sizes == NULL) ? few_buffers
                                                                                          : NULL;
}

static const char *check_buffers(pby_arrow_values *v, const struct ArrowArray *a)
{
    if (a->n_buffers < 0 || (a->n_buffers > 0 && a->buffers == NULL))
        return few_buffers;
    if (v->type.kind == PBY_ARROW_VIEWS)
        return check_views(v, a);
    const bool text = pby_arrow_is_text(v->type);
    if (a->n_buffers != (text ? 3 : 2))
        return few_buffers;
    v->offsets = text ? a->buffers[1] : NULL;
    v->data = a->buffers[text ? 2 : 1];
    if (text)
        return check_offsets(v);
    return v->length > 0 && v->data == NULL ? few_buffers : NULL;
}

const char *pby_arrow_values_of(pby_arrow_values *v, pby_arrow_type type, const struct ArrowArray *a,
                                uint64_t from, uint64_t length)
{
    const uint64_t most = INT64_MAX / VIEW;
    *v = (pby_arrow_values){.type = type, .length = length};
    if (a == NULL || a->length < 0 || a->offset < 0 || (uint64_t)a->length > most ||
        (uint64_t)a->offset > most || from > (uint64_t)a->length || length > (uint64_t)a->length - from)
        return negative_length;
    v->from = (uint64_t)a->offset + from;
    const char *expected = check_buffers(v, a);
    if (expected == NULL && a->null_count != 0)
        v->valid = a->buffers[0];
    return expected;
}

/* ---- a row -------------------------------------------------------------------------------------- */

static bool is_null(const pby_arrow_values *v, uint64_t row)
{
    const uint64_t i = v->from + row;
    return v->valid != NULL && (v->valid[i / 8] >> i % 8 & 1) == 0;
}

static const char *text_of_view(const pby_arrow_values *v, uint64_t row, const uint8_t **text, size_t *size)
{
    const uint8_t *view = v->data + (v->from + row) * VIEW;
    const int64_t length = load_signed(view, 4);
    *size = (size_t)length;
    *text = view + 4;
    if (length < 0)
        return negative_length;
    if (length <= INLINE_MAX)
        return NULL;
    const int64_t piece = load_signed(view + 8, 4), offset = load_signed(view + 12, 4);
    if (piece < 0 || (uint64_t)piece >= v->piece_count || offset < 0 ||
        length > load_signed(v->sizes + 8 * (uint64_t)piece, 8) - offset || v->pieces[piece] == NULL)
        return "views within their buffers";
    *text = (const uint8_t *)v->pieces[piece] + offset;
    return NULL;
}

static const char *text_at(const pby_arrow_values *v, uint64_t row, const uint8_t **text, size_t *size)
{
    static const uint8_t none[1];
    const char *expected = NULL;
    if (v->type.kind == PBY_ARROW_VIEWS)
        expected = text_of_view(v, row, text, size);
    else {
        const int64_t begin = offset_at(v, v->from + row);
        *size = (size_t)(offset_at(v, v->from + row + 1) - begin);
        *text = *size == 0 ? none : v->data + begin;
    }
    if (expected != NULL || (*size <= PBY_ROW_KEY_MAX && (v->plain || is_plain(*text, *size))))
        return expected;
    expected = pby_csv_row_key_expected(*text, *size);
    return expected == NULL && memchr(*text, 0, *size) != NULL ? "no NUL byte" : expected;
}

/* The shortest digits that are read as the same number, with a point whatever the locale's is. */
static void put_floating(char digits[PBY_ARROW_DIGITS], double x, bool single)
{
    for (int n = single ? 6 : 15; n <= (single ? 9 : 17); n++) {
        snprintf(digits, PBY_ARROW_DIGITS, "%.*g", n, x);
        const double back = strtod(digits, NULL);
        if (single ? (float)back >= (float)x && (float)back <= (float)x : back >= x && back <= x)
            break;
    }
    const char *point = localeconv()->decimal_point;
    char *at = strstr(digits, point);
    if (at == NULL || strcmp(point, ".") == 0)
        return;
    *at = '.';
    memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
}

static void put_value(const pby_arrow_values *v, uint64_t row, char digits[PBY_ARROW_DIGITS])
{
    const unsigned width = v->type.width;
    const uint8_t *at = v->data + (v->from + row) * width;
    int64_t x;
    if (v->type.kind == PBY_ARROW_FLOATING)
        put_floating(digits, load_floating(at, width), width == 4);
    else if (pby_arrow_integer(v, row, &x))
        *pby_put_number((uint8_t *)digits, x) = '\0';
    else
        snprintf(digits, PBY_ARROW_DIGITS, "%" PRIu64, load_unsigned(at, width));
}

static const char *word_at(const pby_arrow_column *c, uint64_t row, const uint8_t **text, size_t *size)
{
    int64_t place;
    if (!pby_arrow_integer(&c->values, row, &place) || place < 0 || (uint64_t)place >= c->words.length)
        return "a place in its dictionary";
    return is_null(&c->words, (uint64_t)place) ? NULL : text_at(&c->words, (uint64_t)place, text, size);
}

const char *pby_arrow_text(const pby_arrow_column *c, uint64_t row, const uint8_t **text, size_t *size,
                           char digits[PBY_ARROW_DIGITS])
{
    *text = NULL;
    *size = 0;
    if (is_null(&c->values, row))
        return NULL;
    if (c->coded)
        return word_at(c, row, text, size);
    if (pby_arrow_is_text(c->values.type))
        return text_at(&c->values, row, text, size);
    put_value(&c->values, row, digits);
    *text = (const uint8_t *)digits;
    *size = strlen(digits);
    return NULL;
}

bool pby_arrow_integer(const pby_arrow_values *v, uint64_t row, int64_t *x)
{
    const uint8_t *at = v->data + (v->from + row) * v->type.width;
    if (is_null(v, row))
        return false;
    *x = v->type.kind == PBY_ARROW_SIGNED ? load_signed(at, v->type.width)
                                          : (int64_t)load_unsigned(at, v->type.width);
    return v->type.kind == PBY_ARROW_SIGNED || *x >= 0;
}
