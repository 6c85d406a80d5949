/* SPDX-License-Identifier: MIT */
/* Pairs of atoms whose potential is the greatest of some lines.
 *
 * A potential is convex, and the chances of one event bound it from below by a line: P(event) - x Q(event).
 * So the greatest of such lines, and of 1 - x and 0, is the potential of a pair that loses no more. */
#ifndef PBY_PAIR_TANGENTS_H
#define PBY_PAIR_TANGENTS_H

#include "pair/pair.h"

/* at + slope x, of which a convex polygon consists, by rising slopes. */
typedef struct pby_tangent {
    fmpq_t at, slope;
} pby_tangent;

typedef struct pby_tangents {
    pby_tangent *line;
    size_t count, room;
} pby_tangents;

/* False without memory; to be cleared either way. */
bool pby_tangents_init(pby_tangents *l, size_t room);
void pby_tangents_clear(pby_tangents *l);

/* Adds a line to the greatest of those before it. One that does not rise above the slopes so far, as rounding
 * may have it, is left out. There must be room for it. */
void pby_tangents_add(pby_tangents *l, const fmpq_t at, const fmpq_t slope);

/* The line 1 - x, on which every potential begins. */
void pby_tangents_first(pby_tangents *l);

/* Gives an empty pair the polygon for its potential: where two lines meet, an atom of the difference of their
 * slopes under Q and of their values at 0 under P; a level line above 0 is a mass of infinite loss. */
PBY_CHECKED
pby_status pby_tangents_pair(pby_pair *pair, const pby_tangents *l, pby_error *err);

#endif
