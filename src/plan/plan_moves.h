/* SPDX-License-Identifier: MIT */
/* Sensitivities of bounded rows: how far one user can move the cells of a grouping (docs/plan.md).
 *
 * A user has n_g rows of group g: at most m each, in at most k groups, C in all. Noise is independent in each
 * cell, so the loss is that of a list of coordinates: `count` of them move by `size`. The lists come from two
 * facts about additive log-concave noise (docs/theory/geometric.md): a greater move dominates a smaller one,
 * and one coordinate that moves by a sum dominates several that move by its parts. */
#ifndef PBY_PLAN_PLAN_MOVES_H
#define PBY_PLAN_PLAN_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/spec.h"

/* Bounds on a user's rows. k and m are at most C, and k at most the number of groups. */
typedef struct pby_plan_bounds {
    uint64_t rows, k, m, groups;
} pby_plan_bounds;

void pby_plan_bounds_cut(pby_plan_bounds *b);

/* The most rows of a user: min(C, k m). */
uint64_t pby_plan_bounds_total(const pby_plan_bounds *b);

/* count[i] coordinates move by size[i]; of the second part there may be none. */
typedef struct pby_plan_moves {
    unsigned parts;
    uint64_t count[2], size[2];
    bool reached; /* some user moves exactly so; else the list is an upper bound */
} pby_plan_moves;

/* Cells that move by n_g under add-remove. Under substitute by n_g - n'_g, the difference of two users. */
void pby_plan_moves_of(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation);

/* Cells that move by at most n_g under add-remove, up or down, and by n_g + n'_g under substitute. */
void pby_plan_moves_signed(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation);

/* pby_plan_moves_of the buckets of a histogram, of which each group has so many. */
void pby_plan_moves_buckets(pby_plan_moves *out, const pby_plan_bounds *b, uint64_t buckets,
                            pby_neighbours relation);

/* Cells that count users: each moves by at most 1, and at most k do. */
void pby_plan_moves_users(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation);

/* Choices of a group by its rows, so many one after the other: each moves no group's rows by more than
 * m, up under add-remove, either way under substitute. */
void pby_plan_moves_top(pby_plan_moves *out, const pby_plan_bounds *b, uint64_t choices);

/* The norms of what pby_plan_moves_of covers: cells that move, the greatest move, the sum of moves. */
typedef struct pby_plan_norms {
    uint64_t l0, most, l1, l2; /* l2 is the square of the norm */
} pby_plan_norms;
void pby_plan_norms_of(pby_plan_norms *out, const pby_plan_bounds *b, pby_neighbours relation);

#endif
