/* SPDX-License-Identifier: MIT */
/* Refusals about the unit of privacy: a user's records, or one record. */
#ifndef PBY_RELEASE_CHECK_RECORDS_H
#define PBY_RELEASE_CHECK_RECORDS_H

#include "release/input_kind.h"

/* Refuses a ledger or a certificate of another unit of privacy than the input's, and mechanisms for which raw
 * records move the counts further than they take them to. release is NULL of a kind of parts, whose distances
 * are checked apart. */
PBY_CHECKED
pby_status pby_check_unit(const pby_pipeline *p, const pby_input_kind *kind, const pby_release *release,
                          pby_error *err);

#endif
