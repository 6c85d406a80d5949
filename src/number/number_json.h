/* SPDX-License-Identifier: MIT */
/* Exact rationals, distances and enclosures as JSON; NULL when there is no memory. */
#ifndef PBY_NUMBER_NUMBER_JSON_H
#define PBY_NUMBER_NUMBER_JSON_H

#include <jansson.h>

#include "probity/enclosure.h"
#include "probity/experimental/accuracy.h"

/* Strings: "3", "0.04", "1/3" (see pby_exact_text), "inf". */
json_t *pby_exact_json(mpq_srcptr q);
json_t *pby_distance_json(const pby_distance *x);

/* {"lo": "1.4401e-05", "hi": "1.4402e-05"} */
json_t *pby_json_enclosure(const pby_enclosure *x, unsigned digits);

#endif
