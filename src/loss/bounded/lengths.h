/* SPDX-License-Identifier: MIT */
/* The intervals that the losses of several uses lie in, and a step that divides them. */
#ifndef PBY_LOSS_BOUNDED_LENGTHS_H
#define PBY_LOSS_BOUNDED_LENGTHS_H

#include "mechanism/family.h"

/* units, or units log(base) where base is not 0; so many times. */
typedef struct pby_length {
    fmpq_t units, base;
    uint64_t times;
} pby_length;

typedef struct pby_lengths {
    pby_length *length; /* all different */
    size_t count;
} pby_lengths;

/* Empty, with PBY_OK, where a family of the spec has no length. */
pby_status pby_lengths_of_spec(pby_lengths *out, const pby_spec *spec, pby_error *err);
void pby_lengths_clear(pby_lengths *all);

/* The number of uses in all. */
uint64_t pby_lengths_times(const pby_lengths *all);

/* A ball around a length. */
void pby_length_ball(arb_t ball, const pby_length *length, slong prec);

/* A ball around the sum over all uses, or over the squares. */
void pby_lengths_sum(arb_t ball, const pby_lengths *all, slong prec);
void pby_lengths_squares(arb_t ball, const pby_lengths *all, slong prec);

/* The sign of the sum less a rational. */
int pby_lengths_cmp(const pby_lengths *all, const fmpq_t x);

/* A step of which the shortest length is about `parts`: where all are multiples of one that is not much
 * shorter, it divides that. At most 1/8. */
typedef struct pby_step {
    fmpq_t units, base;
} pby_step;

void pby_step_init(pby_step *step, const pby_lengths *all, slong parts);
void pby_step_clear(pby_step *step);
void pby_step_ball(arb_t ball, const pby_step *step, slong prec);

/* The number of steps of a length, rounded up or down; -1 if they are too many. */
slong pby_length_steps(const pby_length *length, const pby_step *step, bool up);

#endif
