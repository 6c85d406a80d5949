/* SPDX-License-Identifier: MIT */
/* Releases for an audit: the data of one file released again and again, by the code that `probity release`
 * runs.
 *
 * Each is one output: what would be published, its lines joined by commas. No budget is charged and nothing
 * is written to a file, so the data must be made up. */
#ifndef PBY_AUDIT_RUN_RELEASES_H
#define PBY_AUDIT_RUN_RELEASES_H

#include <stddef.h>

#include "probity/spec.h"
#include "probity/status.h"

typedef struct pby_releases pby_releases;

/* Refuses standard input, which cannot be read twice, and a spec that has no release for such neighbours. A
 * mechanism that answers queries needs the file of their table, and its spec may leave out the digest; NULL
 * for all others. */
PBY_CHECKED
pby_status pby_releases_open(pby_releases **out, const char *spec, const char *queries,
                             pby_neighbours neighbours, const char *in, pby_error *err);

/* One release; the text belongs to the releases until the next one. */
PBY_CHECKED
pby_status pby_releases_next(pby_releases *r, const char **text, size_t *length, pby_error *err);

/* NULL is allowed. */
void pby_releases_close(pby_releases *r);

#endif
