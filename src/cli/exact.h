/* Exact rationals and distances in answers: 3, 0.04, 1/3, inf (see pby_exact_text). */
#ifndef PBY_CLI_EXACT_H
#define PBY_CLI_EXACT_H

#include <jansson.h>

#include "probity/accuracy.h"

/* As JSON strings; NULL when there is no memory. */
json_t *pby_exact_json(mpq_srcptr q);
json_t *pby_distance_json(const pby_distance *x);

/* One aligned line. */
PBY_CHECKED
pby_status pby_print_exact(const char *name, mpq_srcptr q, pby_error *err);
PBY_CHECKED
pby_status pby_print_distance(const char *name, const pby_distance *x, pby_error *err);

#endif
