/* SPDX-License-Identifier: MIT */
/* A deployment that is described in a file: its mechanisms as published, and its claims.
 *
 * docs/deployment.md has the members. What is absent was not published; what cannot be computed is open.
 */
#ifndef PBY_DEPLOYMENT_DEPLOYMENT_H
#define PBY_DEPLOYMENT_DEPLOYMENT_H

#include <flint/fmpq.h>
#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/spec.h"

enum {
    PBY_DEPLOYMENT_SIZE_MAX = 1 << 22,
    PBY_DEPLOYMENT_LIST_MAX = 256 /* of mechanisms, claims and members of a list */
};

typedef enum pby_claim_kind {
    PBY_CLAIM_PURE,
    PBY_CLAIM_APPROX,
    PBY_CLAIM_ZCDP,
    PBY_CLAIM_RENYI,
    PBY_CLAIM_GDP
} pby_claim_kind;

/* Places in a list of mechanisms or claims. */
typedef struct pby_places {
    size_t *at;
    size_t count;
    bool given;
} pby_places;

/* A number of a claim and the text that it was published as. */
typedef struct pby_stated_number {
    const char *text; /* NULL: not stated */
    mpq_t value;
} pby_stated_number;

/* The most that one unit adds in one use: to so many groups, to each so much, in all so much. */
typedef struct pby_contribution {
    bool given, enforced;
    pby_stated_number groups, per_group, total, value;
} pby_contribution;

typedef struct pby_deployed {
    const char *name, *law;
    pby_spec *spec; /* of one use; NULL: not published */
    uint64_t times;
    pby_contribution bounds;
    pby_places from; /* claims that its numbers were derived from */
} pby_deployed;

typedef struct pby_deployment_claim {
    const char *name, *by;
    pby_claim_kind kind;
    pby_stated_number epsilon, delta, rho, xi, order, mu;
    pby_places about; /* not given: all mechanisms */
    pby_places parts, follows;
    bool each, entity;
} pby_deployment_claim;

typedef struct pby_deployment {
    json_t *root; /* all texts are its own */
    const char *name, *entity, *period, *model;
    bool has_relation, overlapping, has_adaptive, adaptive;
    pby_neighbours relation;
    uint64_t periods; /* 0: not published */
    pby_deployed *mechanism;
    size_t mechanisms;
    pby_deployment_claim *claim;
    size_t claims;
    pby_places *parallel;
    size_t parallels;
} pby_deployment;

/* The words of a kind, and the number that it is compared by. */
const char *pby_claim_kind_text(pby_claim_kind kind);
pby_stated_number *pby_claim_number(pby_deployment_claim *claim);

/* Reads a file strictly: a member that is not known, a text that is not what it should be, and a name that
 * nothing has are refused. */
PBY_CHECKED
pby_status pby_deployment_read(pby_deployment **out, const char *text, size_t length, pby_error *err);

/* Reads what stands in another document, by the same rules. */
PBY_CHECKED
pby_status pby_deployment_of_json(pby_deployment **out, const json_t *value, pby_error *err);
void pby_deployment_free(pby_deployment *d);

#endif
