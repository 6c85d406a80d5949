/* SPDX-License-Identifier: MIT */
/* The page of a dossier: one HTML file that needs nothing from outside and can be printed. */
#ifndef PBY_AUDIT_DOSSIER_DOSSIER_PAGE_H
#define PBY_AUDIT_DOSSIER_DOSSIER_PAGE_H

#include <jansson.h>

#include "base/status.h"

/* The number of claims of a dossier by outcome. */
typedef struct pby_dossier_sum {
    size_t claims, refuted, consistent, inconclusive, not_run;
    size_t unkept; /* claims of the deployment that the mechanisms that it states do not keep */
} pby_dossier_sum;

pby_dossier_sum pby_dossier_count(const json_t *dossier);

/* The page of a dossier that was checked, for free(3). */
PBY_CHECKED
pby_status pby_dossier_page(char **page, const json_t *dossier, pby_error *err);

#endif
