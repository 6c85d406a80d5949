/* SPDX-License-Identifier: MIT */
/* Permute-and-flip: how it chooses (docs/theory/permuteflip.md). */
#ifndef PBY_MECHANISM_PERMUTEFLIP_PERMUTEFLIP_H
#define PBY_MECHANISM_PERMUTEFLIP_PERMUTEFLIP_H

#include "mechanism/chooser.h"

extern const pby_chooser_class pby_flip_chooser;

#endif
