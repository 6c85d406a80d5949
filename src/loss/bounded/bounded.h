/* SPDX-License-Identifier: MIT */
/* Uses of mechanisms of bounded range, composed to the width asked for.
 *
 * The losses of each use lie in an interval of known length, and every pair of losses t and t - length is
 * that of some neighbours, or the limit of such; of a loose family it is a bound alone, and so is what comes
 * of it here. So the worst composition is known: the recursion of
 * loss/bounded/values.h, from above and from below, on grids that are refined until the two are as close as
 * they should be. Mechanisms of several lengths may be used in any order, which too may depend on outputs. */
#ifndef PBY_LOSS_BOUNDED_BOUNDED_H
#define PBY_LOSS_BOUNDED_BOUNDED_H

#include "loss/profile/profile.h"
#include "mechanism/family.h"

/* The profile of a spec whose families all have a length; NULL, with PBY_OK, where one has none or where the
 * uses are too many. The width is as in loss/compose/compose.h. */
pby_status pby_profile_of_bounded(pby_profile **out, const pby_spec *spec, pby_neighbours relation,
                                  const fmpq *width, pby_error *err);

/* A ball around delta at epsilon that tells it from a level, or is as narrow as the width; *known is false
 * where there is no profile. Takes little time where delta is far from the level. */
pby_status pby_bounded_near(bool *known, arb_t ball, const pby_spec *spec, pby_neighbours relation,
                            const fmpq_t epsilon, const fmpq_t level, const fmpq_t width, pby_error *err);

#endif
