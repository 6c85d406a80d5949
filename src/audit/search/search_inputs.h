/* SPDX-License-Identifier: MIT */
/* Inputs that a search may try: vectors of integers in ranges, and which two of them are neighbours. */
#ifndef PBY_AUDIT_SEARCH_SEARCH_INPUTS_H
#define PBY_AUDIT_SEARCH_SEARCH_INPUTS_H

#include "probity/experimental/search.h"

typedef enum pby_input_form { PBY_INPUT_VALUES, PBY_INPUT_COUNTS, PBY_INPUT_RECORDS } pby_input_form;

/* The ways in which the right input of a pair differs from the left one. */
typedef enum pby_input_move {
    PBY_MOVE_ALL,    /* every number by at most 1 */
    PBY_MOVE_ONE,    /* one number by 1 */
    PBY_MOVE_SWAP,   /* one number up by 1, another down by 1 */
    PBY_MOVE_DROP,   /* one number is left out */
    PBY_MOVE_CHANGE, /* one number has another value */
} pby_input_move;

struct pby_inputs {
    pby_input_form form;
    pby_input_move move;
    size_t count; /* of numbers; the most, for records */
    int64_t from[PBY_INPUTS_LENGTH_MAX], to[PBY_INPUTS_LENGTH_MAX];
    char *key[PBY_INPUTS_LENGTH_MAX]; /* of bars; NULL without names */
    char **row;                       /* of records, which are then places in this list; NULL: integers */
    size_t rows, room;
};

/* Two inputs: the left one, and what is added to it. */
typedef struct pby_input_pair {
    const char *pattern;
    bool lasting; /* it stays in the search to its end: what is rare on it needs many outputs to be seen */
    size_t count; /* of numbers on the left */
    size_t gone;  /* the number that is left out on the right; count if none is */
    int64_t left[PBY_INPUTS_LENGTH_MAX], more[PBY_INPUTS_LENGTH_MAX];
} pby_input_pair;

/* True if the description has both inputs of a pair, and they are neighbours and differ. */
bool pby_input_pair_fits(const pby_input_pair *pair, const pby_inputs *inputs);

/* True if two pairs are the same two inputs, in any order. */
bool pby_input_pair_same(const pby_input_pair *a, const pby_input_pair *b);

/* One side as text, for free(3); NULL when there is no memory. */
char *pby_input_pair_text(const pby_input_pair *pair, const pby_inputs *inputs, pby_side side);

#endif
