/* SPDX-License-Identifier: MIT */
/* Counts of reports: how many there are, and how many are in each cell (mechanism/shared/estimator.h). */
#ifndef PBY_ESTIMATE_REPORTS_H
#define PBY_ESTIMATE_REPORTS_H

#include "mechanism/shared/estimator.h"
#include "probity/experimental/estimate.h"

struct pby_reports {
    pby_mechanism mechanism;
    uint64_t count;
    uint64_t *cell;
    size_t cells;
};

#endif
