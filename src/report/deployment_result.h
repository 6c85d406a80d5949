/* SPDX-License-Identifier: MIT */
/* A deployment with the judgement of its claims: a document, of which anyone can have the claims judged
 * again. */
#ifndef PBY_REPORT_DEPLOYMENT_RESULT_H
#define PBY_REPORT_DEPLOYMENT_RESULT_H

#include "deployment/deployment.h"
#include "probity/report.h"

enum { PBY_DEPLOYMENT_RESULT_VERSION = 1 };

/* The document of this judgement, which is taken, for json_decref; not signed. */
PBY_CHECKED
pby_status pby_deployment_result(json_t **out, const pby_deployment *d, json_t *judgement, pby_error *err);

/* True if JSON (or NULL) says that it is such a document. */
bool pby_deployment_result_is(const json_t *root);

/* Judges every claim once more. PBY_NO with the reason where the document is not of the form, or says
 * anything else than comes out, or is not signed with the key, if one is given. *told is for free(3). */
PBY_CHECKED
pby_status pby_deployment_result_verify(char **told, const char *text, size_t length, const char *public_key,
                                        pby_report_form form, pby_error *err);

#endif
