/* SPDX-License-Identifier: MIT */
/* One column of a batch of Arrow's: its type, and what stands in a row of it.
 *
 * The formats that are read: text (u, U, vu), integers of 1, 2, 4 and 8 bytes, floating point of 4 and 8, and
 * integers that are places in a dictionary of texts. */
#ifndef PBY_TABLE_ARROW_COLUMN_H
#define PBY_TABLE_ARROW_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/arrow.h"
#include "probity/status.h"

enum { PBY_ARROW_DIGITS = 32 }; /* bytes of any number as text */

typedef enum pby_arrow_kind {
    PBY_ARROW_TEXT,     /* offsets of 4 bytes */
    PBY_ARROW_LONG,     /* of 8 */
    PBY_ARROW_VIEWS,    /* pieces of several buffers */
    PBY_ARROW_SIGNED,   /* integers */
    PBY_ARROW_UNSIGNED, /* likewise */
    PBY_ARROW_FLOATING
} pby_arrow_kind;

typedef struct pby_arrow_type {
    pby_arrow_kind kind;
    unsigned width; /* bytes of a number; 0 of text */
} pby_arrow_type;

/* False of a format that is not read. */
bool pby_arrow_type_parse(pby_arrow_type *type, const char *format);

static inline bool pby_arrow_is_text(pby_arrow_type type)
{
    return type.kind <= PBY_ARROW_VIEWS;
}

static inline bool pby_arrow_is_integer(pby_arrow_type type)
{
    return type.kind == PBY_ARROW_SIGNED || type.kind == PBY_ARROW_UNSIGNED;
}

/* Values one behind the other. */
typedef struct pby_arrow_values {
    pby_arrow_type type;
    uint64_t from, length;     /* the first that counts, and how many do */
    const uint8_t *valid;      /* a bit for each from 0 on; NULL: none is null */
    const uint8_t *data;       /* numbers, or bytes of text, or views */
    const uint8_t *offsets;    /* of text */
    const void *const *pieces; /* of views: their buffers, */
    const uint8_t *sizes;      /* their sizes, of 8 bytes each, */
    uint64_t piece_count;      /* and their number */
    bool plain;                /* no text of them has a NUL byte or one beyond ASCII */
} pby_arrow_values;

/* Checks what can be checked of an array, of which `length` values from the `from`-th on are wanted. Returns
 * what was expected in its place, or NULL. The array must outlive the values. */
const char *pby_arrow_values_of(pby_arrow_values *values, pby_arrow_type type, const struct ArrowArray *array,
                                uint64_t from, uint64_t length);

typedef struct pby_arrow_column {
    pby_arrow_values values;
    bool coded;             /* the values are places in words */
    pby_arrow_values words; /* a text each */
} pby_arrow_column;

/* The text in a row, which may stand in digits; NULL in *text for a null. Returns what was expected in its
 * place, or NULL. */
const char *pby_arrow_text(const pby_arrow_column *column, uint64_t row, const uint8_t **text, size_t *size,
                           char digits[PBY_ARROW_DIGITS]);

/* The integer in a row of a column of integers; false where it is null or beyond INT64_MAX. */
bool pby_arrow_integer(const pby_arrow_values *values, uint64_t row, int64_t *x);

#endif
