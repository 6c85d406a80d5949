/* SPDX-License-Identifier: MIT */
/* Curves given by the lighter tail of their loss.
 *
 * A chance near 1 has lost what it lacks to 1, so that a law of the loss L is best known from both
 * ends: at each t either the weight of L > t or that of L <= t, whichever is not the heavier. Tails and
 * cells, each with its full relative precision, follow from that in one way for all such curves. */
#ifndef PBY_PAIR_SIDED_H
#define PBY_PAIR_SIDED_H

#include <stdbool.h>

#include "pair/pair.h"

typedef struct pby_sided pby_sided;

/* Which of the two laws of a pair. */
typedef enum pby_which { PBY_P, PBY_Q } pby_which;

/* Embedded as the first member of such a curve. */
struct pby_sided {
    pby_curve base;

    /* The weight of one side of t, under P or Q; returns whether that side is L > t. */
    bool (*side)(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec);

    /* The weight of both sides together; NULL where that is 1. */
    void (*total)(arb_t weight, const pby_sided *curve, slong prec);
};

/* The members of a pby_curve_class for such a curve. */
pby_status pby_sided_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                           pby_error *err);
pby_status pby_sided_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from, const fmpq_t step,
                           slong n, slong prec, pby_error *err);

#endif
