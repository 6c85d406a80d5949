/* SPDX-License-Identifier: MIT */
/* The reading of an odometer: what the releases so far come to where no limit was set, however each of them
 * was chosen and whenever it is read (docs/theory/filters.md).
 *
 * Level j is the filter of rho (5/4)^j / 8, and has the share 2 / (3 (|j| + 1) (|j| + 2)) of the delta
 * that is not kept for entries; the shares of all levels sum to 1. The reading is the epsilon that the
 * least level not below the sum of rhos has at its delta. */
#ifndef PBY_CERTIFICATE_LEDGER_ODOMETER_H
#define PBY_CERTIFICATE_LEDGER_ODOMETER_H

#include <gmp.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/enclosure.h"

enum { PBY_ODOMETER_LEVELS = 1000 };

/* Sets the rho and the share of the least level whose rho is at least r > 0; false above the last. */
bool pby_odometer_level(mpq_t rho, mpq_t share, mpq_srcptr r);

/* Sets *epsilon to what a sum of rhos, which may be 0, reads; +inf above the last level. delta is what all
 * levels share. */
PBY_CHECKED
pby_status pby_odometer_read(pby_enclosure *epsilon, mpq_srcptr sum, mpq_srcptr delta, unsigned digits,
                             pby_error *err);

#endif
