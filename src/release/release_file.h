/* SPDX-License-Identifier: MIT */
/* A release from a file to a file. */
#ifndef PBY_RELEASE_RELEASE_FILE_H
#define PBY_RELEASE_RELEASE_FILE_H

#include "release/run.h"

/* Refuses an output that is also read: a name given twice would cost a ledger, or the data. certificate and
 * ledger may be NULL. */
PBY_CHECKED
pby_status pby_release_apart(const pby_pipeline *p, const char *certificate, const char *ledger,
                             pby_error *err);

/* Everything is checked, then charged to the budget, then released; the output, with its receipt where both
 * are one object (pby_pipeline_object), appears whole or not at all. */
PBY_CHECKED
pby_status pby_release_file(const pby_pipeline *p, pby_error *err);

#endif
