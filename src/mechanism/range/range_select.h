/* SPDX-License-Identifier: MIT */
/* The row by which L of range is chosen. */
#ifndef PBY_MECHANISM_RANGE_RANGE_SELECT_H
#define PBY_MECHANISM_RANGE_RANGE_SELECT_H

#include "mechanism/shared/selection.h"

extern const pby_select_row pby_range_selection;

#endif
