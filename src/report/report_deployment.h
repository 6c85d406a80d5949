/* SPDX-License-Identifier: MIT */
/* The judgement of a deployment as lines or as JSON. */
#ifndef PBY_REPORT_REPORT_DEPLOYMENT_H
#define PBY_REPORT_REPORT_DEPLOYMENT_H

#include <stdio.h>

#include "deployment/deployment.h"
#include "probity/report.h"

typedef struct pby_deployment_counts {
    size_t hold, fail, open, uncovered;
} pby_deployment_counts;

/* The exit status of these: a claim that does not hold, else one that is open or something uncovered. */
int pby_deployment_status(const pby_deployment_counts *counts);

/* Names whom a model trusts: "nobody" of an empty list, and the given word where there is none. */
void pby_deployment_put_trusted(FILE *out, const json_t *model, const char *absent);

/* Judges every claim, and tells it: as one JSON object, for json_decref, and as text in a form, for free(3).
 * Either may be NULL. */
PBY_CHECKED
pby_status pby_deployment_judge(json_t **object, char **text, pby_deployment_counts *counts,
                                pby_deployment *d, pby_report_form form, pby_error *err);

#endif
