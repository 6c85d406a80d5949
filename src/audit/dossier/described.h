/* SPDX-License-Identifier: MIT */
/* The deployment that a dossier is about: its file stands in the plan, its judgement in the dossier.
 *
 * An audit may take its claim from it by name. The plan in the dossier has the claim's numbers beside the
 * name, so that a result is bound to the numbers that it was judged by.
 */
#ifndef PBY_AUDIT_DOSSIER_DESCRIBED_H
#define PBY_AUDIT_DOSSIER_DESCRIBED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

typedef struct pby_deployment pby_deployment;

/* Reads the deployment of a plan; *out is NULL where the plan has none. A plan to be run here may name
 * a file, whose object then takes the place of the name. */
PBY_CHECKED
pby_status pby_described_read(pby_deployment **out, json_t *plan, bool here, pby_error *err);

/* Where the claim of an audit is one of the deployment's, writes its numbers and the deployment's neighbours
 * into the audit, if it is to be run here; whatever of them is there already must be the same. */
PBY_CHECKED
pby_status pby_described_claim(json_t *audit, const char *within, const pby_deployment *d, bool here,
                               pby_error *err);

/* The judgement of every claim, as JSON, with the digest of the file. */
PBY_CHECKED
pby_status pby_described_judge(json_t **out, pby_deployment *d, pby_error *err);

/* The number of claims that the published mechanisms do not keep, by a dossier. */
size_t pby_described_unkept(const json_t *dossier);

/* The sections of the page: what is deployed, and what its claims come to. Nothing without a deployment. */
void pby_described_page(FILE *out, const json_t *dossier);

/* Lists the parts of the deployment that no claim covers. */
void pby_described_uncovered(FILE *out, const json_t *dossier);

#endif
