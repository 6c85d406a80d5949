/* SPDX-License-Identifier: MIT */
/* Members of a deployment, read strictly: a refusal names the place. */
#ifndef PBY_DEPLOYMENT_DEPLOYMENT_MEMBERS_H
#define PBY_DEPLOYMENT_DEPLOYMENT_MEMBERS_H

#include <jansson.h>

#include "deployment/deployment.h"

enum { PBY_PLACE_SIZE = 420, PBY_WITHIN_SHOWN = 80, PBY_NAME_SHOWN = 40 };

#define PBY_PLACE_EXPECTED "a member of a deployment (docs/deployment.schema.json)"

typedef enum pby_stated_range {
    PBY_STATED_ABOVE_ZERO,
    PBY_STATED_FROM_ZERO,
    PBY_STATED_BELOW_ONE,
    PBY_STATED_ABOVE_ONE,
    PBY_STATED_WHOLE
} pby_stated_range;

/* Sets text to where a member stands, for refusals: claims[2].rho. */
void pby_deployment_place(char text[PBY_PLACE_SIZE], const char *within, const char *name);

/* Refuses a member, with its value unless it is absent. */
PBY_CHECKED
pby_status pby_deployment_refuse(pby_error *err, const char *within, const char *name, const json_t *value,
                                 const char *expected);

/* Refuses an object with a member that is not known. */
PBY_CHECKED
pby_status pby_deployment_only(const json_t *object, const char *within, const char *const *known,
                               pby_error *err);

/* Read a member of an object that stands `within` another. *out is NULL, or stays what it is, if the member
 * is absent; anything else than what the name says is refused. */
PBY_CHECKED
pby_status pby_deployment_text(const char **out, const json_t *object, const char *within, const char *name,
                               pby_error *err);
PBY_CHECKED
pby_status pby_deployment_word(const char **out, const json_t *object, const char *within, const char *name,
                               const char *const *words, const char *expected, pby_error *err);
PBY_CHECKED
pby_status pby_deployment_texts(const json_t *object, const char *within, const char *name, pby_error *err);
PBY_CHECKED
pby_status pby_deployment_object(const json_t **out, const json_t *object, const char *name,
                                 const char *const *known, pby_error *err);
PBY_CHECKED
pby_status pby_deployment_flag(bool *out, bool *given, const json_t *object, const char *within,
                               const char *name, pby_error *err);
PBY_CHECKED
pby_status pby_deployment_number(pby_stated_number *out, const json_t *object, const char *within,
                                 const char *name, pby_stated_range r, pby_error *err);
PBY_CHECKED
pby_status pby_deployment_count(uint64_t *out, uint64_t fallback, const json_t *object, const char *within,
                                const char *name, pby_error *err);

#endif
