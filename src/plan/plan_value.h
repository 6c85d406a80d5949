/* SPDX-License-Identifier: MIT */
/* Values of a plan's tables, and the one line that refuses one: NAME: KEY 'VALUE': expected ... */
#ifndef PBY_PLAN_PLAN_VALUE_H
#define PBY_PLAN_PLAN_VALUE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "plan/toml.h"

enum { PBY_PLAN_PATH = 640 };

typedef struct pby_plan_reader {
    const char *name;   /* of the plan, in refusals */
    const char *folder; /* where files of groups are looked for, "" or up to a slash; NULL: nowhere */
    const pby_toml *root;
    bool sealed; /* out of a certificate: groups are a count and a digest */
    pby_error *err;
} pby_plan_reader;

/* A table of the plan. */
typedef struct pby_plan_place {
    const pby_plan_reader *reader;
    const char *path; /* NULL of the root */
    const pby_toml *table;
} pby_plan_place;

/* NAME: PATH.KEY, for a refusal; cut where it is too long. */
void pby_plan_key(char text[PBY_PLAN_PATH], const pby_plan_place *place, const char *key);

pby_status pby_plan_refuse(const pby_plan_place *place, const char *key, const pby_toml *value,
                           const char *expected);

/* The refusals of a key that is not there: in a table, and by its whole path. */
pby_status pby_plan_refuse_key(const pby_plan_place *place, const char *key, const char *expected);
pby_status pby_plan_refuse_missing(const pby_plan_reader *r, const char *path, const char *expected);

/* Refuses a place that is no table, and a key of it that is not in the list, which ends with NULL. */
PBY_CHECKED
pby_status pby_plan_keys(const pby_plan_place *place, const char *const *known);

/* Values that stay as they are where the key is left out; a number must be there. */
PBY_CHECKED
pby_status pby_plan_integer(uint64_t *out, const pby_plan_place *place, const char *key, uint64_t least,
                            uint64_t most);
PBY_CHECKED
pby_status pby_plan_positive(mpq_t out, const pby_plan_place *place, const char *key);
PBY_CHECKED
pby_status pby_plan_number(mpq_t out, const pby_plan_place *place, const char *key);

/* A text that is not empty, for free(3); NULL where it is left out and may be. */
PBY_CHECKED
pby_status pby_plan_name(char **out, const pby_plan_place *place, const char *key, bool required);

PBY_CHECKED
pby_status pby_plan_copy(char **out, const char *text, pby_error *err);

#endif
