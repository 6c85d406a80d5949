/* SPDX-License-Identifier: MIT */
/* A group of records in front of a mechanism that samples them. */
#ifndef PBY_MECHANISM_SHARED_CROWD_H
#define PBY_MECHANISM_SHARED_CROWD_H

#include "mechanism/family.h"

/* Pairs of inputs of which one has so many records more, or PBY_CROWD_MOST if that is less, each of which
 * moves the query by the sensitivity in the same direction: with the records first, and without them first.
 * Each record is sampled by itself. *out is empty on entry and cleared by the caller; it stays empty where
 * noise and sample are not of a kind that is known here. */
enum { PBY_CROWD_MOST = 64 };
PBY_CHECKED
pby_status pby_crowd_pairs(pby_pairs *out, const pby_mechanism *m, unsigned long size, pby_error *err);

#endif
