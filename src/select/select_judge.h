/* SPDX-License-Identifier: MIT */
/* Decides if a delta is within a target. */
#ifndef PBY_SELECT_SELECT_JUDGE_H
#define PBY_SELECT_SELECT_JUDGE_H

#include "probity/select.h"
#include "probity/spec.h"
#include "select/select_bisect.h"

/* By the exact sign of delta - target where a mechanism has it; by enclosures of more and more digits
 * otherwise; by finer and finer grids for a composition on a grid. A rho by its exact value, or by
 * enclosures. A mu by its exact value, or by the least upper bound that is known of it: one beyond the target
 * need not exceed it. */
pby_status pby_judge_exact(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                           pby_error *err);

/* An enclosure of delta, or of rho or mu where that is the target, that shows the verdict, where one can be
 * had. */
pby_status pby_judge_loss(pby_enclosure *loss, const pby_spec *spec, const pby_target *target,
                          pby_error *err);

/* The number that a loss may not exceed, its name, and the loss of a candidate that it is about. */
mpq_srcptr pby_target_most(const pby_target *target);
const char *pby_target_name(const pby_target *target);
pby_enclosure *pby_candidate_loss(pby_candidate *c, const pby_target *target);

/* A number that is known by an enclosure, against a target. */
pby_decision pby_judge_enclosure(const pby_enclosure *x, mpq_srcptr target);

#endif
