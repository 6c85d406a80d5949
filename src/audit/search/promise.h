/* SPDX-License-Identifier: MIT */
/* Estimates from a few outputs the bound that many will show. */
#ifndef PBY_AUDIT_SEARCH_PROMISE_H
#define PBY_AUDIT_SEARCH_PROMISE_H

#include <gmp.h>

#include "probity/audit.h"

/* About the epsilon that `outputs` of a side will show on the same inputs, as far as the outputs counted so
 * far let one hope: a number to compare pairs of inputs by, each chance taken back by `doubt` standard
 * errors. Far below 0 where none is in sight. */
PBY_CHECKED
pby_status pby_audit_promise(double *promise, const pby_audit *audit, uint64_t outputs, double doubt,
                             mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error, pby_error *err);

#endif
