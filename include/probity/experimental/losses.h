/* SPDX-License-Identifier: MIT */
/* Losses as enclosures, a function for each question, and specs between groups.
 *
 * pby_loss_ask (probity/loss.h) answers all of these questions and is the stable one.
 */
#ifndef PROBITY_EXPERIMENTAL_LOSSES_H
#define PROBITY_EXPERIMENTAL_LOSSES_H

#include <gmp.h>
#include <stdbool.h>

#include "probity/loss.h"
#include "probity/status.h"

PBY_BEGIN_API

/* ---- one question ------------------------------------------------------------------------------ */

void pby_approximate_init(pby_approximate *x) PBY_NONNULL(1);
void pby_approximate_clear(pby_approximate *x) PBY_NONNULL(1);

/* ---- several values at once -------------------------------------------------------------------- */

/* Short forms of pby_loss. */
PBY_CHECKED
pby_status pby_loss_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                          mpq_srcptr epsilon, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 4);
PBY_CHECKED
pby_status pby_loss_epsilon(pby_enclosure *epsilon, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr delta, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 4);

/* Gives the delta that the mechanism's paper claims at this epsilon, for comparison. The source names the
 * statement; *source is NULL when the paper claims nothing here. */
PBY_CHECKED
pby_status pby_loss_claimed(pby_enclosure *delta, const char **source, const pby_spec *spec,
                            pby_neighbours relation, mpq_srcptr epsilon, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 5);

/* ---- Renyi divergences and zCDP --------------------------------------------------------------- */

/* The Renyi divergence of an order from 1 on, the worst over neighbours; order NULL is infinity. Order 1
 * is the relative entropy. The divergences of a composition add. For rdp and zcdp it is what they
 * promise, inf where they promise nothing. approximate may be NULL. */
PBY_CHECKED
pby_status pby_loss_renyi(pby_enclosure *renyi, pby_approximate *approximate, const pby_spec *spec,
                          pby_neighbours relation, mpq_srcptr order, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 3);

/* The least rho >= 0 with D_a <= xi + rho a for every order a > 1; xi >= 0. The search stops after a
 * fixed number of evaluations; the enclosure is then wider than asked for, and as right. approximate may be
 * NULL. */
PBY_CHECKED
pby_status pby_loss_zcdp(pby_enclosure *rho, pby_approximate *approximate, const pby_spec *spec,
                         pby_neighbours relation, mpq_srcptr xi, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 3, 5);

/* The least mu for which it is mu-Gaussian differentially private: no test tells two neighbours apart better
 * than the best test tells N(mu, 1) from N(0, 1) (docs/theory/gdp.md). The upper end is inf where no bound is
 * known, as of losses that may be infinite. */
PBY_CHECKED
pby_status pby_loss_mu(pby_enclosure *mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                       pby_error *err) PBY_NONNULL(1, 2);

/* ---- conversions ------------------------------------------------------------------------------ */

/* Asks a conversion by name in place of the mechanism itself. The answer is an upper bound on what the
 * mechanism loses: the enclosure surrounds the value of the conversion's formula, so that its upper
 * end is safe and its lower end says nothing about the mechanism. Refused: a name that is not
 * listed, and a spec or a question that the conversion has no answer to. */
PBY_CHECKED
pby_status pby_loss_convert(pby_enclosure *answer, const char *name, pby_question question,
                            const pby_spec *spec, pby_neighbours relation, mpq_srcptr value, unsigned digits,
                            pby_error *err) PBY_NONNULL(1, 2, 4);

/* ---- composition theorems --------------------------------------------------------------------- */

/* Asks a composition theorem for delta at an epsilon (PBY_ASK_DELTA) or for epsilon at a delta
 * (PBY_ASK_EPSILON). The enclosure surrounds the value of the theorem's formula: its upper end bounds the
 * loss, its lower end says nothing about the mechanisms. Where the theorem promises nothing, delta is
 * 1 and epsilon inf. */
PBY_CHECKED
pby_status pby_loss_composed(pby_enclosure *answer, pby_composition by, pby_question question,
                             const pby_spec *spec, pby_neighbours relation, mpq_srcptr value, unsigned digits,
                             pby_error *err) PBY_NONNULL(1, 4, 6);

/* ---- groups ----------------------------------------------------------------------------------- */

/* The spec of the same mechanism between inputs that are at most `size` neighbours apart, size from 1 to
 * PBY_GROUP_MAX. For a mechanism with a sensitivity that is multiplied, and so are the dimensions of range,
 * while the bars of threshold then move both ways; by the group theorems for pure, rdp and zcdp
 * (docs/theory/groups.md). A local mechanism stays as it is. Refused for other families. A mechanism's
 * post-processing needs no such function: nothing computed from an output alone loses more than the
 * output, whichever loss is asked for. */
enum { PBY_GROUP_MAX = 1000000 };
PBY_CHECKED
pby_status pby_spec_group(pby_spec **out, const pby_spec *spec, unsigned long size, pby_error *err)
    PBY_NONNULL(1, 2);

/* delta(epsilon) between inputs that are at most `size` neighbours apart. From the spec above where there is
 * one; otherwise between what some such inputs lose and the group theorem, delta(e) (1 + exp(e) + ... +
 * exp((size-1) e)) at e = epsilon/size, at most 1. *wider, unless NULL, tells that the two ends stay apart by
 * more than 1/100 of the lesser, and by more than the digits widen the enclosure. */
PBY_CHECKED
pby_status pby_loss_group_delta(pby_enclosure *delta, bool *wider, const pby_spec *spec,
                                pby_neighbours relation, unsigned long size, mpq_srcptr epsilon,
                                unsigned digits, pby_error *err) PBY_NONNULL(1, 3, 6);

/* The least epsilon whose delta is not above that given, likewise: from the epsilon of some such inputs to
 * one at which the theorem allows that delta, or to infinity where it allows it at none. */
PBY_CHECKED
pby_status pby_loss_group_epsilon(pby_enclosure *epsilon, bool *wider, const pby_spec *spec,
                                  pby_neighbours relation, unsigned long size, mpq_srcptr delta,
                                  unsigned digits, pby_error *err) PBY_NONNULL(1, 3, 6);

PBY_END_API

#endif
