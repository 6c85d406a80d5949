/* SPDX-License-Identifier: MIT */
/* Compositions of few outcomes, worked out outcome by outcome.
 *
 * Where every pair is a list of atoms and the uses are not too many, all that several uses can show is few
 * enough to be gone through: each outcome of each use moves the loss along an axis (loss/compose/axes.h), and
 * only where it has got to counts for what comes after. Parts of one pair come first: how often each of their
 * outcomes occurs is tallied, with a multinomial chance. From there on the recursion of
 * docs/theory/composition.md (2) goes through the choices, after every output. All of it is done in balls, so
 * that the answer has as many digits as are asked for, which no grid gives where the losses do not lie on
 * one. */
#ifndef PBY_LOSS_COMPOSE_FEW_H
#define PBY_LOSS_COMPOSE_FEW_H

#include "loss/compose/axes.h"
#include "loss/compose/parts.h"
#include "loss/compose/states.h"

/* The outcomes of a pair that both sides can give, and where each leads. */
typedef struct pby_few_pair {
    const pby_pair *pair;
    pby_pair_atom *outcome;
    size_t *axis;
    int32_t *steps;
    arb_ptr mass;   /* under P */
    arb_t infinite; /* P(L = inf) */
    size_t count;
} pby_few_pair;

typedef struct pby_few_part {
    pby_few_pair *pair;
    size_t count;
    uint64_t times;
} pby_few_part;

/* One direction. A state is a place on the axes and how many uses are left of each part that chooses. */
typedef struct pby_few_way {
    pby_axes axes;
    pby_few_part *part;
    size_t count;
    pby_states state;
    uint32_t
        *tally; /* the states that the tallies of the parts of one pair lead to, in the order of the walk */
    uint32_t *child; /* those that the outcomes of the choices lead to, state by state */
    size_t tallies, children, starts;
    arb_ptr loss;   /* of a step along each axis */
    arb_ptr weight; /* of each start */
    arb_ptr value;  /* of each state */
    arb_t infinite; /* the chance that a part of one pair gives itself away */
    slong prec;     /* that the balls above have, but for the values; 0 before */
} pby_few_way;

typedef struct pby_few {
    pby_few_way way[2];
    size_t count;
} pby_few;

/* NULL, with PBY_OK, where a part has a curve or the outcomes are too many. The parts must outlive it. */
pby_status pby_few_new(pby_few **out, const pby_parts *parts, pby_error *err);
void pby_few_free(pby_few *few);

/* A ball around delta that shrinks with prec, in the worse direction. */
void pby_few_delta(arb_t delta, pby_few *few, const fmpq_t epsilon, slong prec);

#endif
