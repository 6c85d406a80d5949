/* SPDX-License-Identifier: MIT */
/* Distances out of text. */
#ifndef PBY_TRANSPORT_DISTANCE_H
#define PBY_TRANSPORT_DISTANCE_H

#include "probity/experimental/accuracy.h"

/* A rational from 0 on, or "inf"; what else is refused by the name. */
PBY_CHECKED
pby_status pby_distance_parse(pby_distance *x, const char *name, const char *text, pby_error *err);

#endif
