/* SPDX-License-Identifier: MIT */
/* The recursion of loss/bounded/values.h on one grid, from both sides. */
#ifndef PBY_LOSS_BOUNDED_BOUNDED_ROUND_H
#define PBY_LOSS_BOUNDED_BOUNDED_ROUND_H

#include "loss/bounded/lengths.h"
#include "loss/bounded/values.h"

/* V of all uses on one grid: [0] from below, [1] from above. */
typedef struct pby_bounded_round {
    pby_step step;
    slong half, limbs;
    pby_window window[2];
    mp_limb_t *values[2];
} pby_bounded_round;

/* The question of a round: the parts of the shortest length, the loss that must lie in the window, 0 or
 * above, and the bits of the least delta that must be told from 0. */
typedef struct pby_bounded_aim {
    slong parts, resolution;
    const fmpq *reach;
} pby_bounded_aim;

/* Sets the grid, and returns its work in products of words; UINT64_MAX where it is too much for the memory.
 * Then the values. Cleared in either case. */
uint64_t pby_bounded_plan(pby_bounded_round *r, const pby_lengths *all, const pby_bounded_aim *aim);
pby_status pby_bounded_run(pby_bounded_round *r, const pby_lengths *all, pby_error *err);
void pby_bounded_clear(pby_bounded_round *r);

/* Bounds on delta at epsilon, which lies in the window; and on the least epsilon at a delta above 0. What is
 * not known is -inf or inf. */
void pby_bounded_delta(arf_t lower, arf_t upper, const pby_bounded_round *r, const fmpq_t epsilon);
void pby_bounded_epsilon(arf_t lower, arf_t upper, const pby_bounded_round *r, const fmpq_t delta);

#endif
