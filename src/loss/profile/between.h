/* The profile of a mechanism whose worst neighbours are not known: no less than that of some neighbours, and
 * no more than one that dominates all. Its answers reach from the one to the other. */
#ifndef PBY_LOSS_PROFILE_BETWEEN_H
#define PBY_LOSS_PROFILE_BETWEEN_H

#include "loss/profile/profile.h"

/* What the two lists hold is moved out of them, also on failure. */
pby_status pby_profile_between(pby_profile **out, pby_profiles *least, pby_profiles *most, pby_error *err);

#endif
