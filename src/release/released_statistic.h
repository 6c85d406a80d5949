/* SPDX-License-Identifier: MIT */
/* A statistic of a histogram that has been released: post-processing, which costs nothing. */
#ifndef PBY_RELEASE_RELEASED_STATISTIC_H
#define PBY_RELEASE_RELEASED_STATISTIC_H

#include "io/spool.h"
#include "release/pipeline.h"
#include "table/store/store.h"

/* Writes the pipeline's statistic of what was released, behind the last step of the spec if it has one. */
PBY_CHECKED
pby_status pby_released_statistic(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                                  pby_store *released, pby_error *err);

#endif
