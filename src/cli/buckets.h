/* `probity select buckethist`: the q that suffices, and with it how wide the buckets should be. */
#ifndef PBY_CLI_BUCKETS_H
#define PBY_CLI_BUCKETS_H

#include <jansson.h>

#include "probity/select.h"

/* Texts of the options; NULL where one was not given. */
typedef struct pby_buckets_asked {
    const char *records, *bound, *dimension, *alpha, *beta;
} pby_buckets_asked;

/* The refusal of such options for another family than buckethist. */
PBY_CHECKED
pby_status pby_buckets_none(const pby_buckets_asked *asked, pby_error *err);

/* The plan for a stlap that was chosen, for a beta, for an alpha, or the frontier between the two: added to
 * the object, or printed when that is NULL. */
PBY_CHECKED
pby_status pby_buckets_answer(const pby_choice *stlap, const pby_buckets_asked *asked, json_t *object,
                              pby_error *err);

/* The one spec of buckets that an alpha or a beta chooses; refused with neither. */
PBY_CHECKED
pby_status pby_buckets_spec(pby_spec **out, const pby_choice *stlap, const pby_buckets_asked *asked,
                            pby_error *err);

#endif
