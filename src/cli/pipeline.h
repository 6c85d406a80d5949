/* One release from its input to its output: a map in front, the mechanism, a statistic behind. */
#ifndef PBY_CLI_PIPELINE_H
#define PBY_CLI_PIPELINE_H

#include <stdbool.h>

#include "cli/budget.h"
#include "cli/spool.h"
#include "probity/release.h"
#include "probity/statistic.h"

typedef struct pby_pipeline {
    const pby_budget *budget;
    const char *in, *out; /* NULL: standard input, standard output */
    bool json;            /* to be told as an object (receipt.h) */
    bool timing_safe;
    const char *filter, *group;     /* a table of keys (universe.h); NULL: none; not both */
    int64_t limit;                  /* of a count, INT64_MAX without one */
    const pby_statistic *statistic; /* to be written in the place of the histogram; NULL: the histogram */
} pby_pipeline;

/* Everything is checked, then charged to the budget, then released; the output appears whole or not at all. */
PBY_CHECKED pby_status pby_pipeline_run(const pby_pipeline *p, pby_error *err);

/* Its middle, with a release of the budget's spec that may be used again: what would be written goes into a spool. */
PBY_CHECKED pby_status pby_pipeline_into(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                                         pby_error *err);

#endif
