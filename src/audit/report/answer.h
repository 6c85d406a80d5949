/* A verdict as a JSON object. */
#ifndef PBY_AUDIT_REPORT_ANSWER_H
#define PBY_AUDIT_REPORT_ANSWER_H

#include <jansson.h>

#include "probity/audit.h"

/* For json_decref; NULL when there is no memory. */
json_t *pby_verdict_object(const pby_verdict *verdict);

#endif
