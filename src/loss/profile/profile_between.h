/* SPDX-License-Identifier: MIT */
/* The profile of a mechanism whose worst neighbours are not known: no less than that of some neighbours, and
 * no more than one that dominates all. Its answers reach from the one to the other. */
#ifndef PBY_LOSS_PROFILE_PROFILE_BETWEEN_H
#define PBY_LOSS_PROFILE_PROFILE_BETWEEN_H

#include "loss/profile/profile.h"

/* The contents of the two lists are moved out of them, also on failure. Profiles of `least` are asked one
 * after the other, until an answer is as narrow as the width, relative to its lower end. One far below the
 * upper end is only approximate, unless `sharp`. */
pby_status pby_profile_between(pby_profile **out, pby_profiles *least, pby_profiles *most, const fmpq_t width,
                               bool sharp, pby_error *err);

#endif
