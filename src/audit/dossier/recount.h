/* A verdict that was written down, held against the counts beside it. */
#ifndef PBY_AUDIT_DOSSIER_RECOUNT_H
#define PBY_AUDIT_DOSSIER_RECOUNT_H

#include <gmp.h>
#include <jansson.h>

#include "base/status.h"

/* PBY_NO unless the object is a verdict on (epsilon, delta) whose error is at most this one, whose events
 * spend no more than that, and whose counts refute what it says is refuted, by bounds that are computed
 * again. That the counts are those of the outputs is not asked here. */
PBY_CHECKED
pby_status pby_recount(const json_t *verdict, mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error,
                       pby_error *err);

#endif
