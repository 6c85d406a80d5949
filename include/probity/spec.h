/* SPDX-License-Identifier: MIT */
/* A mechanism in one line of text with exact parameters.
 *
 *   stlap:eps=1/2,q=40          one mechanism
 *   100*geometric:eps=1/10      a hundred uses of it
 *
 * A spec holds one or more such uses, composed. The parameters are rationals (see
 * probity/rational.h); each family says which it takes, and a refusal names the parameter, its value
 * and what was expected.
 */
#ifndef PROBITY_SPEC_H
#define PROBITY_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_spec pby_spec;

/* Parses count texts, each of which holds one use or several with one space between two; none at all are
 * refused. */
PBY_CHECKED
pby_status pby_spec_parse(pby_spec **out, const char *const *texts, size_t count, pby_error *err)
    PBY_NONNULL(1);
void pby_spec_free(pby_spec *spec);

/* The canonical text: parameters in the family's order, rationals in lowest terms, defaults left out,
 * uses separated by one space. Two specs mean the same when their texts are equal. */
PBY_CHECKED
const char *pby_spec_text(const pby_spec *spec) PBY_NONNULL(1);

/* K of K*M, and 1 of M; 0 of several mechanisms. */
PBY_CHECKED
uint64_t pby_spec_uses(const pby_spec *spec) PBY_NONNULL(1);

/* Which inputs count as neighbours. */
typedef enum pby_neighbours {
    PBY_ADD_REMOVE, /* one record more or fewer */
    PBY_SUBSTITUTE, /* one record changed */
    PBY_LOCAL       /* any two values of one user, who trusts nobody with them */
} pby_neighbours;

PBY_CHECKED
pby_status pby_neighbours_parse(pby_neighbours *out, const char *name, const char *text, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
const char *pby_neighbours_text(pby_neighbours relation);

/* The relation that a spec is about if nothing else is said: local for mechanisms of one user's value,
 * add-remove for those of all records. Refused where the spec has some of either. */
PBY_CHECKED
pby_status pby_spec_neighbours(pby_neighbours *out, const pby_spec *spec, pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
