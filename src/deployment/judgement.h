/* SPDX-License-Identifier: MIT */
/* The judgement of a deployment's claims: it holds, it does not hold, or it is open. */
#ifndef PBY_DEPLOYMENT_JUDGEMENT_H
#define PBY_DEPLOYMENT_JUDGEMENT_H

#include "deployment/amount.h"
#include "deployment/deployment.h"

typedef enum pby_ruling {
    PBY_UNRULED,
    PBY_RULING,
    PBY_RULED_HOLDS,
    PBY_RULED_FAILS,
    PBY_RULED_OPEN
} pby_ruling;

typedef struct pby_judgement {
    pby_ruling verdict;
    char *text;   /* behind "holds: " and so on */
    char *beside; /* a line below, or NULL */
    bool has_ends;
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    bool given[PBY_DEPLOYMENT_LIST_MAX]; /* the claims that it rests on */
} pby_judgement;

/* Judges every claim; all[i] is cleared by the caller, whatever the status. */
PBY_CHECKED
pby_status pby_judge_claims(pby_judgement *all, pby_deployment *d, pby_error *err);
void pby_judgement_clear(pby_judgement *j);

/* Sets *yes if a guarantee implies a claim; *x is the loss of the worst mechanism that keeps the guarantee.
 * *yes is false where that is not known. */
PBY_CHECKED
pby_status pby_claim_implied(bool *yes, pby_amount *x, const pby_deployment *d,
                             const pby_deployment_claim *premise, mpq_srcptr number,
                             const pby_deployment_claim *claim, pby_error *err);

/* True if the first kind can imply the second at all. */
bool pby_claim_gives(pby_claim_kind premise, pby_claim_kind claim);

/* True if a mechanism is one of those that a claim is about. */
bool pby_claim_is_about(const pby_deployment_claim *c, size_t mechanism);

/* Half a unit of the last decimal that a number was published with; false of a fraction. */
bool pby_last_decimal(mpq_t half, const char *text, unsigned *decimals);

#endif
