/* SPDX-License-Identifier: MIT */
/* The counts of an audit as JSON values: what pby_audit_write writes and pby_audit_read reads. */
#ifndef PBY_AUDIT_COUNT_COUNTS_H
#define PBY_AUDIT_COUNT_COUNTS_H

#include <jansson.h>

#include "probity/audit.h"
#include "probity/experimental/auditing.h"

/* NULL when there is no memory. */
json_t *pby_audit_counted(const pby_audit *audit);

/* Refused: what no audit writes, NULL among that. */
PBY_CHECKED
pby_status pby_audit_of_counts(pby_audit **out, const json_t *counts, pby_error *err);

#endif
