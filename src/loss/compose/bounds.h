/* SPDX-License-Identifier: MIT */
/* Bounds from both sides on several numbers at once. */
#ifndef PBY_LOSS_COMPOSE_BOUNDS_H
#define PBY_LOSS_COMPOSE_BOUNDS_H

#include <arf.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct pby_bounds {
    arf_ptr lower, upper; /* count of each */
    size_t count;
} pby_bounds;

/* Nothing is known: -inf .. inf. */
void pby_bounds_init(pby_bounds *bounds, size_t count);
void pby_bounds_clear(pby_bounds *bounds);

/* Narrows *bounds to the intersection with *more; returns false if they contradict each other. */
bool pby_bounds_meet(pby_bounds *bounds, const pby_bounds *more);

/* The bounds on the greater of two numbers, one by one. */
void pby_bounds_max(pby_bounds *bounds, const pby_bounds *more);

/* By which factor upper - lower exceeds width times the smaller of the two in size: 1 when it does not, 0
 * when there is no telling, because they differ in sign or by more than a million times too much. */
ulong pby_bounds_excess(const pby_bounds *bounds, size_t i, const fmpq_t width);

#endif
