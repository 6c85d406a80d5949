/* SPDX-License-Identifier: MIT */
/* The loss of the mechanisms that a claim of a deployment is about. */
#ifndef PBY_DEPLOYMENT_DEPLOYED_LOSS_H
#define PBY_DEPLOYMENT_DEPLOYED_LOSS_H

#include "deployment/amount.h"
#include "deployment/deployment.h"

typedef struct pby_deployed_question {
    const pby_deployment *d;
    const pby_deployment_claim *c;
    pby_neighbours relation;
    uint64_t factor; /* of every use: the periods */
    bool lawful;     /* only uses whose law is published and reached */
    int effort;
} pby_deployed_question;

/* Asks with more effort while that may decide; *sign as pby_amount_compare of x, the loss, and what is
 * claimed. *some is false where no use counts. */
PBY_CHECKED
pby_status pby_deployed_decide(int *sign, pby_amount *x, bool *some, pby_deployed_question *a,
                               pby_error *err);

/* The relations that every spec of the claim is about. */
unsigned pby_deployed_relations(const pby_deployment *d, const pby_deployment_claim *c);

/* True if a mechanism is one of those that a claim is about. */
bool pby_claim_is_about(const pby_deployment_claim *c, size_t mechanism);

/* True if the list has this place. */
bool pby_places_have(const pby_places *list, size_t at);

/* A refusal or a lack of precision leaves a claim open; anything else is the machine's. */
bool pby_claim_stays_open(pby_status status, const pby_error *why);

#endif
