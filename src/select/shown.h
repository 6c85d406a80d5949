/* SPDX-License-Identifier: MIT */
/* A limit that holds for every mechanism: counts that none can show (docs/theory/partition.md). */
#ifndef PBY_SELECT_SHOWN_H
#define PBY_SELECT_SHOWN_H

#include <gmp.h>
#include <stdint.h>

#include "base/status.h"

/* The least count that a mechanism can show with a chance of 1/2 or more in an open universe, if it is
 * (epsilon, delta)-private, both above 0, and one record moves a bar by at most `sensitivity`. */
PBY_CHECKED
pby_status pby_least_shown(uint64_t *count, mpq_srcptr epsilon, mpq_srcptr delta, uint64_t sensitivity,
                           pby_error *err);

#endif
