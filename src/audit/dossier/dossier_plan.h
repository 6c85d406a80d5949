/* SPDX-License-Identifier: MIT */
/* The plan of a dossier: the claims to judge, how to run what they are about, and how many outputs to spend.
 *
 * One JSON object (docs/audit.schema.json). Its error is that of the whole dossier: the audits share it
 * equally, so that claims that all hold are refuted, any of them, with a chance of at most that error.
 */
#ifndef PBY_AUDIT_DOSSIER_DOSSIER_PLAN_H
#define PBY_AUDIT_DOSSIER_DOSSIER_PLAN_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/dossier/described.h"
#include "audit/dossier/planned_canaries.h"
#include "audit/judge/claimed_curve.h"
#include "probity/spec.h"
#include "probity/status.h"

/* One claim and its audit. The texts belong to the plan; what is not given is NULL. */
typedef struct pby_planned_audit {
    const json_t *entry;
    const char *name; /* of files: small letters, digits and hyphens */
    const char *mechanism, *source;
    mpq_t epsilon, delta;          /* the claim; of one in rho or mu the point that steers a search */
    mpq_t value;                   /* the claimed rho or mu, */
    pby_divergence_claim claimed;  /* which has that value, or NULL where the claim is epsilon and delta */
    const char *command, *release; /* one of the two, or neither where the outputs stand in files, */
    pby_planned_canaries canaries; /* or where these are judged */
    const char *input[2], *search; /* two inputs or files of outputs, or a description of inputs, */
    unsigned long pairs;           /* of which so many pairs are tried; 0: as many as usual */
    uint64_t outputs;              /* of a side; 0: as many as the files have */
    const char *columns;           /* of the files that are judged; NULL: all */
    const char *features;
    pby_neighbours neighbours;
    bool keep;         /* the outputs */
    unsigned patience; /* seconds that the command may say nothing; 0: as many as usual */
} pby_planned_audit;

typedef struct pby_audit_plan {
    json_t *root;
    bool here; /* it is to be run on this machine */
    const char *title, *scope;
    pby_deployment *deployment; /* that it is about; NULL: not described */
    mpq_t error, share;         /* of all audits, and of each */
    pby_planned_audit *audit;
    size_t audits;
} pby_audit_plan;

/* Reads a plan and checks all that can be known without running it. Files that it names are looked for only
 * where it is to be run here; the root then gets the deployment and the numbers of claims that it names. */
PBY_CHECKED
pby_status pby_audit_plan_new(pby_audit_plan **out, json_t *root, bool here, pby_error *err);
void pby_audit_plan_free(pby_audit_plan *plan);

/* The digest of what an audit is asked: its entry, and its share of the error. */
enum { PBY_PLAN_DIGEST_SIZE = 7 + 64 + 1 };
PBY_CHECKED
pby_status pby_audit_plan_digest(char digest[PBY_PLAN_DIGEST_SIZE], const pby_audit_plan *plan,
                                 const pby_planned_audit *a, pby_error *err);

#endif
