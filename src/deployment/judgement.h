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

#endif
