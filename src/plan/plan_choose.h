/* SPDX-License-Identifier: MIT */
/* The noise of a plan: the budget is shared out among the quantities, and the scale of all noise is the least
 * whose exact composed loss is within it.
 *
 * Shares and candidates are heuristics: no claim rests on them. Only the loss of the whole list decides, and
 * it is enclosed. */
#ifndef PBY_PLAN_PLAN_CHOOSE_H
#define PBY_PLAN_PLAN_CHOOSE_H

#include "plan/plan_quantity.h"
#include "probity/enclosure.h"

typedef struct pby_plan_choice {
    pby_plan_quantities quantities; /* with their noise */
    unsigned *share;                /* of each quantity, in thousandths; 0 where its error was asked for */
    mpq_t scale;                    /* t; 0 where delta is 0 */
    mpq_t cost;                     /* the weighted sum of relative errors, by which candidates compare */
    double estimate;                /* of the cost, before the search; no claim rests on it */
    pby_spec *once, *all;           /* the list of one release, and of all */
    pby_enclosure loss;             /* delta at epsilon of all releases, or their rho or mu */
} pby_plan_choice;

/* PBY_NO where the errors that were asked for leave no budget, or exceed it; the text says so. To be cleared
 * whether this succeeds or not. */
PBY_CHECKED
pby_status pby_plan_choose(pby_plan_choice *out, const pby_release_plan *plan, pby_error *err);

/* Chooses as pby_plan_choose does, with one family for all quantities, to show what that would cost. */
PBY_CHECKED
pby_status pby_plan_choose_family(pby_plan_choice *out, const pby_release_plan *plan, pby_plan_family family,
                                  pby_error *err);

/* Estimates the cost of a plan, by normal and exponential tails, without a search; of a pure budget it
 * is exact. For comparing plans: no claim rests on it. */
PBY_CHECKED
pby_status pby_plan_estimate(double *cost, const pby_release_plan *plan, pby_error *err);

/* The family of the first quantity that has a choice of them; geometric where none has. */
pby_plan_family pby_plan_choice_family(const pby_plan_choice *c);
void pby_plan_choice_clear(pby_plan_choice *c);

/* Sets the noise of a quantity with a share of the budget, in thousandths, at a scale. sigma2 is rounded up,
 * eps down, to 4 digits. */
void pby_plan_set_noise(pby_plan_quantity *q, unsigned share, mpq_srcptr scale);

#endif
