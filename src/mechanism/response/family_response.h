/* SPDX-License-Identifier: MIT */
/* Randomised response of two answers, for the families that end in it: the first two parameters are eps and
 * odds, one of which is given. */
#ifndef PBY_MECHANISM_RESPONSE_H
#define PBY_MECHANISM_RESPONSE_H

#include "mechanism/shared/estimator.h"
#include "mechanism/shared/selection.h"

/* Functions of the families rr and krr, each named after the member of pby_family that it is. */
PBY_CHECKED
pby_status pby_response_check(const pby_mechanism *m, pby_error *err);
PBY_CHECKED
pby_status pby_response_law(pby_law **out, const pby_mechanism *m, pby_error *err);
PBY_CHECKED
pby_status pby_response_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err);
bool pby_response_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec);
PBY_CHECKED
pby_status pby_response_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                const int64_t *answers, int64_t *given, size_t n, pby_error *err);
void pby_response_chances(pby_chances *out, const pby_mechanism *m);

extern const pby_select_row pby_response_selection;

#endif
