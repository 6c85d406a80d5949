/* SPDX-License-Identifier: MIT */
/* The loss of a spec, inside the library. */
#ifndef PBY_LOSS_LOSS_H
#define PBY_LOSS_LOSS_H

#include "loss/compose/compose.h"
#include "loss/profile/profile.h"
#include "mechanism/family.h"
#include "probity/loss.h"

/* The profiles of a spec: its delta at any epsilon is the greatest of theirs. The one place where a spec
 * becomes something to ask for its loss. */
pby_status pby_loss_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                             pby_error *err);

/* Makes the profiles with a width for those on a grid (loss/compose/compose.h); it must outlive them. */
pby_status pby_loss_profiles_within(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    const fmpq *width, pby_error *err);

/* The dominating pairs of a spec of one mechanism, or the fewer that are enough for it alone
 * (mechanism/family.h). Refused where their outcomes are too many to be written out. */
pby_status pby_loss_pairs(pby_pairs *out, const pby_spec *spec, pby_neighbours relation, bool alone,
                          pby_error *err);

/* A Renyi divergence, rho or mu, which have no grid: at an order (NULL: infinity), at xi (NULL: 0), or none.
 * approximate may be NULL, and is not set for mu. */
PBY_CHECKED
pby_status pby_loss_divergence(pby_enclosure *answer, pby_approximate *approximate, pby_question question,
                               const pby_spec *spec, pby_neighbours relation, mpq_srcptr at, unsigned digits,
                               pby_error *err);

/* The least upper bound of mu that is known: a number of its own, enclosed; +inf where there is none. */
PBY_CHECKED
pby_status pby_loss_mu_above(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                             pby_error *err);

/* The root of the sum of the squares of bounds of every use's mu, for any list and without a grid; +inf where
 * one use has none that is known. */
PBY_CHECKED
pby_status pby_loss_mu_added(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                             pby_error *err);

/* True if an answer is wider than asked for: than width, and than what one of so many digits may be, relative
 * to its smaller end. */
bool pby_loss_exceeds(const arb_t ball, const fmpq_t width, unsigned digits);

/* delta(epsilon) by the direct route: every outcome by itself, in balls, or where they are thousands every
 * run of equal ratio. What a certificate is checked with. */
pby_status pby_loss_delta_direct(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, unsigned digits, pby_error *err);

#endif
