/* SPDX-License-Identifier: MIT */
/* The request for a release as a command line gives it. */
#ifndef PBY_RELEASE_RELEASE_REQUEST_H
#define PBY_RELEASE_RELEASE_REQUEST_H

#include "base/option.h"
#include "release/pipeline.h"

/* The pipeline points to the values beside it, so that this must not move once it is read. */
typedef struct pby_release_request {
    pby_pipeline pipeline;
    pby_arguments names;
    pby_statistic statistic;
    pby_key_names keys;
    pby_score_range range;
    pby_project along;
    pby_scatter *scatter;
    mpq_t step;
} pby_release_request;

void pby_release_request_init(pby_release_request *r);
void pby_release_request_clear(pby_release_request *r);

/* Reads all that stands beside the mechanism from parsed options, a row for each argument
 * (table/map/arguments.h), and `in`, the name of the input or NULL. A table of chances is read here. */
PBY_CHECKED
pby_status pby_release_request_read(pby_release_request *r, const pby_option *options, const char *in,
                                    pby_error *err);

#endif
