/* SPDX-License-Identifier: MIT */
/* The composition theorems that know of each use an epsilon and a delta, and no more. Their statements and
 * proofs are in docs/theory/composition.md. */
#ifndef PBY_LOSS_THEOREM_ADVANCED_H
#define PBY_LOSS_THEOREM_ADVANCED_H

#include "loss/compose/parts.h"
#include "loss/profile/profile.h"

/* The most uses that the optimal theorem, whose sum has half as many terms, is asked for. */
enum { PBY_OPTIMAL_TIMES_MAX = 10000000 };

/* The data of a theorem's profile. Refused when a mechanism's loss is unbounded. */
typedef struct pby_theorem {
    pby_profile base;
    pby_parts parts;
} pby_theorem;

pby_status pby_theorem_new(pby_profile **out, const pby_profile_class *class, pby_parts *parts,
                           pby_error *err);
void pby_theorem_free(pby_profile *p);

/* Refuses mechanisms whose losses have no end. */
pby_status pby_theorem_unbounded(pby_error *err);

/* The profiles of the theorems. The parts are moved out of `parts`, also on failure. */
pby_status pby_profile_basic(pby_profile **out, pby_parts *parts, pby_error *err);
pby_status pby_profile_advanced(pby_profile **out, pby_parts *parts, pby_error *err);
pby_status pby_profile_optimal(pby_profile **out, pby_parts *parts, pby_error *err);

#endif
