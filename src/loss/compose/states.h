/* SPDX-License-Identifier: MIT */
/* A set of vectors of small integers, each known by the order in which it came. */
#ifndef PBY_LOSS_COMPOSE_STATES_H
#define PBY_LOSS_COMPOSE_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pby_states {
    int32_t *key;   /* count of them, `width` integers each */
    uint32_t *slot; /* 1 + the place of a key, 0 where there is none; a power of two of them */
    size_t width, count, most, slots;
} pby_states;

/* For at most `most` vectors; false without memory. Cleared by the caller, also then. */
bool pby_states_init(pby_states *s, size_t width, size_t most);
void pby_states_clear(pby_states *s);

/* The place of the vector, which is added where it is new; `most` where there is no room for it. */
size_t pby_states_add(pby_states *s, const int32_t *key);

/* The i-th vector. */
const int32_t *pby_states_at(const pby_states *s, size_t i);

#endif
