/* SPDX-License-Identifier: MIT */
/* One histogram, a statistic, and the law of its answer (docs/theory/given.md). */
#ifndef PBY_ACCURACY_GIVEN_H
#define PBY_ACCURACY_GIVEN_H

#include <arb.h>

#include "law/law.h"
#include "mechanism/family.h"
#include "probity/experimental/statistic.h"

typedef struct pby_given {
    const pby_statistic *statistic;
    const int64_t *x;
    mpq_srcptr at;
    size_t n;
    uint64_t records, may_go; /* all, and how many may be dropped */
    pby_law *law;
    bool occupied; /* whether empty bars get no noise */
    int64_t least; /* the threshold; 1 where there is none */
    int64_t reach;
    arb_ptr cdf;    /* of -reach - 1 to reach */
    arb_t tail;     /* P(|R| > reach) */
    arb_ptr chance; /* of each bar, and of none */
    slong prec;
} pby_given;

/* The law of the median or a quantile above 0 of bars with independent noise. */
PBY_CHECKED
pby_status pby_given_quantile(pby_given *g, pby_error *err);

/* True if dropping records makes bar i the quantile; n: none. */
bool pby_given_quantile_explained(const pby_given *g, size_t i);

/* The law of the answer of ptr or smooth, by add-remove neighbours. */
PBY_CHECKED
pby_status pby_given_steady(pby_given *g, const pby_mechanism *m, pby_error *err);

#endif
