/* SPDX-License-Identifier: MIT */
/* The kind of a key (a name, or a number or a point that has a place), and the kinds of all keys of a
 * histogram. */
#ifndef PBY_TABLE_KEY_KEY_KIND_H
#define PBY_TABLE_KEY_KEY_KIND_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/rational.h"

typedef enum pby_key_kind {
    PBY_KEY_NAME,
    PBY_KEY_NUMBER, /* as probity/rational.h reads it */
    PBY_KEY_POINT,  /* two numbers or more with a space between, as a release writes the centre of a cube */
    PBY_KEY_BEYOND  /* written as a number, of more digits or with a larger exponent than are read */
} pby_key_kind;

/* Sets at, which must be initialised, to the position of a number; of any other key it is left with some
 * value. */
pby_key_kind pby_key_kind_of(mpq_t at, const char *key);

/* Numbers one behind the other; all zero before the first. */
typedef struct pby_coordinates {
    __mpq_struct *at;
    size_t count, room;
} pby_coordinates;

void pby_coordinates_clear(pby_coordinates *c);

/* Appends the coordinates of a key that is a point to *out and sets *dimension to their number; sets it to 0
 * for any other key. */
PBY_CHECKED
pby_status pby_key_point(size_t *dimension, pby_coordinates *out, const char *key, pby_error *err);

/* All keys so far; all zero before the first. */
typedef struct pby_key_kinds {
    uint64_t count[PBY_KEY_BEYOND + 1]; /* of each kind */
    uint64_t beyond;                    /* the line of the first that is beyond */
} pby_key_kinds;

void pby_key_kinds_add(pby_key_kinds *kinds, pby_key_kind kind, uint64_t line);

/* True if bars stand at their positions: every key is a number. */
bool pby_key_kinds_numbers(const pby_key_kinds *kinds);

/* True if every key is a point, and there is one: then there is no order. */
bool pby_key_kinds_points(const pby_key_kinds *kinds);

/* True if bars stand in the order of the rows although some keys are numbers. */
bool pby_key_kinds_mixed(const pby_key_kinds *kinds);

/* The line of the first key that alone, by being beyond what is read, would take the order of the numbers
 * away: 0 if there is none, or a key is not written as a number at all. Such a key is refused. */
uint64_t pby_key_kinds_beyond(const pby_key_kinds *kinds);

/* The limits of the numbers that are read, and the text of a refusal where one is beyond them. */
#define PBY_NUMBER_LIMITS "of at most 4096 digits and with an exponent of at most 10000 in size"
_Static_assert(PBY_RATIONAL_DIGITS_MAX == 4096 && PBY_RATIONAL_EXPONENT_MAX == 10000,
               "as PBY_NUMBER_LIMITS says");
extern const char pby_key_kinds_expected[];

#endif
