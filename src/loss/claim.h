/* SPDX-License-Identifier: MIT */
/* The paper's claim for delta, held against the exact delta. */
#ifndef PBY_LOSS_CLAIM_H
#define PBY_LOSS_CLAIM_H

#include "mechanism/family.h"
#include "probity/enclosure.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

/* The claim at the parameters asked for. */
typedef enum pby_here { PBY_HERE_UNDECIDED, PBY_HERE_HOLDS, PBY_HERE_FAILS } pby_here;

/* The statement behind pby_loss_claimed, which found a claim. */
const pby_statement *pby_claim_statement(const pby_spec *spec);

/* By the two enclosures as they are printed with so many digits: the claim holds if the upper end of delta is
 * not above the lower end of the claim, and fails if the lower end of delta is above the upper end of the
 * claim. Enclosures that overlap decide nothing, unless exact arithmetic shows that no pair of the mechanism
 * exceeds the claim. */
pby_status pby_claim_here(pby_here *here, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                          const pby_enclosure *delta, const pby_enclosure *claimed, unsigned digits,
                          pby_error *err);

#endif
