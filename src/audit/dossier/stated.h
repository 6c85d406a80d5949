/* SPDX-License-Identifier: MIT */
/* The members of a dossier that nobody can recompute: its author states them.
 *
 * All others are recomputed when it is verified. A document of version 2 lists the stated ones in its member
 * `stated`, by their paths, [] for every place of a list; documents of version 1 have no such list. */
#ifndef PBY_AUDIT_DOSSIER_STATED_H
#define PBY_AUDIT_DOSSIER_STATED_H

#include <jansson.h>
#include <stddef.h>

#include "audit/dossier/dossier_plan.h"

enum { PBY_DOSSIER_VERSION = 2 };

typedef struct pby_stated {
    const char *path, *meaning; /* the meaning is for the page */
} pby_stated;

/* The members that a result states, those that one about rho or mu states besides, those of a result about
 * canaries, those of a whole dossier, and those that a result of version 1 states besides. Each list ends
 * with a path that is NULL. */
extern const pby_stated pby_stated_result[], pby_stated_point[], pby_stated_canaries[], pby_stated_dossier[],
    pby_stated_once[];

/* The list of the result of an audit. */
const pby_stated *pby_stated_of(const pby_planned_audit *a);

/* The paths, then those of `more`, which may be NULL, as a list for json_decref; NULL when there is no
 * memory. */
json_t *pby_stated_list(const pby_stated *stated, const pby_stated *more);

/* PBY_NO unless the member `stated` of a document is this list. */
PBY_CHECKED
pby_status pby_stated_check(const json_t *document, const pby_stated *stated, const pby_stated *more,
                            pby_error *err);

/* PBY_NO unless a member is a date as an audit writes it. */
PBY_CHECKED
pby_status pby_stated_date(const json_t *document, const char *name, pby_error *err);

#endif
