/* SPDX-License-Identifier: MIT */
/* The two inputs of an audit of releases: whether they are neighbours, as the mechanism takes them. */
#ifndef PBY_AUDIT_RUN_NEIGHBOURING_H
#define PBY_AUDIT_RUN_NEIGHBOURING_H

#include "audit/run/audit_run.h"

/* Refuses the same file twice: of outputs, and of inputs that are files. */
PBY_CHECKED
pby_status pby_audit_apart(const pby_audit_request *r, pby_error *err);

/* Refuses inputs of releases that are no neighbours by the relation: a mechanism that keeps its claim would
 * be convicted by them, or pass by the same data twice. Both can be released. */
PBY_CHECKED
pby_status pby_audit_neighbouring(const pby_audit_request *r, pby_error *err);

#endif
