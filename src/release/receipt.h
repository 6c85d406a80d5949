/* SPDX-License-Identifier: MIT */
/* The receipt that `probity release --json` prints: by which right it was released, what stood in front of
 * the mechanism and behind it, what the budget is now, and the digest of a file. It holds nothing that the
 * release, the certificate and the arguments do not hold. */
#ifndef PBY_RELEASE_RECEIPT_H
#define PBY_RELEASE_RECEIPT_H

#include "base/json.h"
#include "release/run.h"

/* The object, once the pipeline has run to a file and has learned what it tells. */
PBY_CHECKED
pby_status pby_receipt_json(json_t **out, const pby_pipeline *p, pby_error *err);

/* Adds the same, without a file, to an object in a spool that has a member and lacks its end. */
PBY_CHECKED
pby_status pby_receipt_append(pby_spool *spool, const pby_pipeline *p, pby_error *err);

#endif
