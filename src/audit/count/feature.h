/* SPDX-License-Identifier: MIT */
/* Features: what is looked at in an output.
 *
 * A feature sends an output to a cell, by a rule that no data change; a set of cells of one feature is
 * an event. As any event is allowed, a feature needs no proof, only a description.
 *
 * The cell of an ordered feature is the bit pattern of a double, folded so that the order of keys is
 * the order of values; dropping low bits of the key joins neighbouring cells. In the key of the first
 * number its place stands above the value: all numbers at one place are a block of keys.
 */
#ifndef PBY_AUDIT_COUNT_FEATURE_H
#define PBY_AUDIT_COUNT_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/count/outcome.h"

enum {
    PBY_FEATURE_OUTPUT,   /* the text as a whole */
    PBY_FEATURE_PATTERN,  /* the text with every number replaced by # */
    PBY_FEATURE_FORM,     /* how its numbers are written: every digit a 0, one for those before the point */
    PBY_FEATURE_ORDER,    /* which of two coordinates is the greater, for every two */
    PBY_FEATURE_LENGTH,   /* how many coordinates */
    PBY_FEATURE_LARGEST,  /* which coordinate is the largest, */
    PBY_FEATURE_SMALLEST, /* and the smallest */
    PBY_FEATURE_SUM,
    PBY_FEATURE_MAX,
    PBY_FEATURE_MIN,
    PBY_FEATURE_RANGE,    /* max - min */
    PBY_FEATURE_DISTINCT, /* how many values among the coordinates */
    PBY_FEATURE_EMPTY,    /* how many suppressed coordinates */
    PBY_FEATURE_RUN,      /* how many coordinates repeat the first one before another comes */
    PBY_FEATURE_FIRST,    /* the first number and its place, behind words or nothing */
    PBY_FEATURE_SCORE,    /* the learned score */
    PBY_FEATURE_RELATION, /* the learned relation of two coordinates */
    PBY_FEATURE_VALUE,    /* of coordinate 1, 2, ...: its value */
    PBY_FEATURE_COORDINATES = 16,
    PBY_FEATURE_STEP = PBY_FEATURE_VALUE + PBY_FEATURE_COORDINATES, /* value of the next less its own */
    PBY_FEATURE_BIT_COORDINATES = 8,
    PBY_FEATURE_GRID = PBY_FEATURE_STEP +
                       PBY_FEATURE_COORDINATES, /* the k of the greatest 2^k that divides it */
    PBY_FEATURE_ZEROS = PBY_FEATURE_GRID + PBY_FEATURE_BIT_COORDINATES,   /* zeros that end its mantissa */
    PBY_FEATURE_SINGLE = PBY_FEATURE_ZEROS + PBY_FEATURE_BIT_COORDINATES, /* the grid of the nearest float */
    PBY_FEATURE_DIGIT = PBY_FEATURE_SINGLE +
                        PBY_FEATURE_BIT_COORDINATES, /* its last decimal digit as written */
    PBY_FEATURE_BITS = PBY_FEATURE_DIGIT + PBY_FEATURE_BIT_COORDINATES, /* the last 8 bits of its mantissa */
    PBY_FEATURES = PBY_FEATURE_BITS + PBY_FEATURE_BIT_COORDINATES
};

typedef struct pby_reading {
    unsigned feature;
    uint64_t key;
} pby_reading;

/* The cells of an output, at most PBY_FEATURES; a feature that has no say about it is left out, and so
 * is what must be learned. */
size_t pby_features_read(pby_reading *out, const pby_outcome *outcome);

/* The form of a text, or of as much of it as fits; returns its length. Signs in front of digits are left out,
 * as they are told by the values. */
enum { PBY_FORM_SIZE = 256 };
size_t pby_form(char form[PBY_FORM_SIZE], const char *text, size_t length);

bool pby_feature_ordered(unsigned feature);

/* True if it is learned, and told only of the outputs that are scored. */
bool pby_feature_learned(unsigned feature);

/* The number of bits of a key that name a block; 0 for a feature without blocks. */
unsigned pby_feature_block_bits(unsigned feature);

/* The block of a key of some level, counted from 1, or 0 where there are none; and the key without it, of a
 * level higher by the bits of the block. */
unsigned pby_key_block(unsigned feature, uint64_t key, unsigned level);
uint64_t pby_key_inside(unsigned feature, uint64_t key, unsigned level);

/* The number of cells that the table may hold before cells are joined (ordered) or the table is closed. */
size_t pby_feature_cap(unsigned feature);

/* True if its cells are described by a text. */
bool pby_feature_labelled(unsigned feature);

/* "coordinate 2", for people and in count files. */
enum { PBY_FEATURE_NAME_SIZE = 64 };
void pby_feature_name(char name[PBY_FEATURE_NAME_SIZE], unsigned feature);

/* The key of a value, and the least value whose key, cut by so many low bits, is this one. */
uint64_t pby_key_of(double value);
double pby_key_value(uint64_t key, unsigned level);

#endif
