/* SPDX-License-Identifier: MIT */
/* A dossier: the audits of a plan, run one after the other, and one page about all of them.
 *
 * In the folder of a dossier:
 *     plan.json        the plan, written by whoever asks
 *     journal.txt      a line for each start and each end of an audit
 *     results/         NAME.json for each audit that has a verdict
 *     outputs/NAME/    the outputs of an audit that keeps them
 *     dossier.json     the plan and all results, one document, signed if a key was given
 *     dossier.html     the page, made of dossier.json and nothing else
 *
 * A run that was killed is begun again by the same call: audits that have a result are not run again, one
 * that was interrupted starts from its beginning, on new outputs, and the dossier says so.
 */
#ifndef PBY_AUDIT_DOSSIER_DOSSIER_H
#define PBY_AUDIT_DOSSIER_DOSSIER_H

#include <jansson.h>

#include "base/observer.h"
#include "probity/report.h"
#include "probity/status.h"

typedef struct pby_dossier_request {
    const char *folder;
    const char *secret; /* the text of the key to sign with, or NULL */
    pby_report_form form;
    pby_observer observer;
} pby_dossier_request;

/* Runs what has no result yet, and writes the dossier and its page. *text tells of it, for free(3). The
 * status is PBY_NO where a claim is refuted, else PBY_INCONCLUSIVE where one could not be judged; *text is
 * set then, too. PBY_BAD for a plan or a results folder that cannot be used: nothing is run then. */
PBY_CHECKED
pby_status pby_dossier_run(char **text, const pby_dossier_request *q, pby_error *err);

/* The largest dossier.json that is read, in bytes. */
enum { PBY_DOSSIER_SIZE_MAX = 1 << 28 };

/* True if JSON (or NULL) says that it is a dossier. */
bool pby_dossier_is(const json_t *root);

/* PBY_NO unless dossier.json is as it was written, signed by public_key (NULL: or not at all), covers its
 * plan, and every verdict follows from its counts; and, where the path is that of a file, the page beside it
 * is the one that belongs to it. *report tells what was checked, for free(3). */
PBY_CHECKED
pby_status pby_dossier_verify(char **report, const char *text, size_t length, const char *path,
                              const char *public_key, pby_report_form form, pby_error *err);

/* Checks that an object is a dossier all of whose parts belong together. */
PBY_CHECKED
pby_status pby_dossier_check(const json_t *dossier, pby_error *err);

#endif
