/* SPDX-License-Identifier: MIT */
/* One release from its input to its output. */
#ifndef PBY_RELEASE_RUN_H
#define PBY_RELEASE_RUN_H

#include "io/spool.h"
#include "release/pipeline.h"
#include "table/store/store.h"

/* A release of the budget's spec that does what the pipeline asks for; *out is NULL where its mechanism does
 * not have that, or cannot be. */
PBY_CHECKED
pby_status pby_pipeline_begin(pby_release **out, const pby_pipeline *p, pby_error *err);

/* Everything is checked, then charged to the budget, then released into a spool. The release may be used
 * again. */
PBY_CHECKED
pby_status pby_pipeline_into(pby_spool *spool, const pby_pipeline *p, pby_release *release, pby_error *err);

/* As pby_pipeline_into, into a store. */
PBY_CHECKED
pby_status pby_pipeline_store(pby_store *store, const pby_pipeline *p, pby_release *release, pby_error *err);

/* A histogram that was read and checked once, to be released again and again. */
typedef struct pby_checked pby_checked;

/* *out is NULL where the mechanism reads something else than a histogram: points. */
PBY_CHECKED
pby_status pby_pipeline_check(pby_checked **out, const pby_pipeline *p, pby_release *release, pby_error *err);

/* NULL is allowed. */
void pby_checked_free(pby_checked *checked);

/* As pby_pipeline_into, of what was checked. An input that has changed meanwhile is PBY_FAILED. */
PBY_CHECKED
pby_status pby_pipeline_again(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                              pby_checked *checked, pby_error *err);

#endif
