/* SPDX-License-Identifier: MIT */
/* The sources that an audit has read, for its report: the kind, the name and the digest of each. */
#ifndef PBY_AUDIT_RUN_SOURCES_H
#define PBY_AUDIT_RUN_SOURCES_H

#include <jansson.h>

#include "io/digest.h"
#include "probity/audit.h"

typedef struct pby_source {
    const char *what, *name;
    pby_digest digest;
} pby_source;

typedef struct pby_sources {
    pby_source *row;
    size_t count;
} pby_sources;

void pby_sources_clear(pby_sources *sources);

/* The texts must outlive the sources. */
PBY_CHECKED
pby_status pby_sources_add(pby_sources *sources, const char *what, const char *name, const pby_digest *digest,
                           pby_error *err);

/* Adds a file with the digest of what it holds; a name that is no file is left out. */
PBY_CHECKED
pby_status pby_sources_add_file(pby_sources *sources, const char *what, const char *path, pby_error *err);

/* The rows as a report takes them, for free(3); NULL when there is no memory. */
pby_report_source *pby_sources_table(const pby_sources *sources);

/* The rows as a list of objects with what, name and sha256; NULL when there is no memory. */
json_t *pby_sources_object(const pby_sources *sources);

#endif
