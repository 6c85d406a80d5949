/* SPDX-License-Identifier: MIT */
/* Losses of atoms as whole numbers along axes.
 *
 * The first axis has the losses that are rational, as multiples of their greatest common divisor; every other
 * loss has an axis of its own, which those that equal it or are its negative share. Both are decided exactly,
 * on sums of exponentials, so that outcomes of several uses whose losses are known to be equal meet in one
 * place. */
#ifndef PBY_LOSS_COMPOSE_AXES_H
#define PBY_LOSS_COMPOSE_AXES_H

#include "pair/pair.h"

enum { PBY_AXES_MAX = 24 };

/* An atom of a pair. */
typedef struct pby_pair_atom {
    const pby_pair *pair;
    size_t atom;
} pby_pair_atom;

typedef struct pby_axes {
    fmpq_t unit;
    pby_pair_atom of[PBY_AXES_MAX]; /* from 1 on: an outcome whose loss this axis counts */
    size_t count;
} pby_axes;

void pby_axes_init(pby_axes *axes);
void pby_axes_clear(pby_axes *axes);

/* Makes the unit divide a loss that is rational. To be done for all outcomes, each of which both sides can
 * give, before they are placed. */
void pby_axes_divide(pby_axes *axes, const pby_pair_atom *outcome);

/* The axis of an outcome and how many steps its loss goes along it; false where the axes are too many, or the
 * steps. */
bool pby_axes_place(size_t *axis, int32_t *steps, pby_axes *axes, const pby_pair_atom *outcome);

/* A ball around the loss of one step. */
void pby_axis_loss(arb_t loss, const pby_axes *axes, size_t axis, slong prec);

#endif
