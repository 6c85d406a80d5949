/* SPDX-License-Identifier: MIT */
/* The search of one feature for the events that promise most. */
#ifndef PBY_AUDIT_CHOOSE_CHOOSE_SEARCH_H
#define PBY_AUDIT_CHOOSE_CHOOSE_SEARCH_H

#include "audit/choose/event.h"

/* Events are kept apart by how likely they are, two octaves to a band: what the best of one band promises
 * may be luck, and the best of another differs enough from it to be worth a part of the error. */
enum { PBY_BANDS = 13 };

/* An event in the making: the first `take` cells by likelihood ratio, or the range lo .. hi. */
struct pby_draft {
    double value;
    bool valid, range;
    bool pooled; /* both choosing parts ordered and weighed it, not one each */
    int slope;   /* -1 or 1: within a block the ratio was made to fall or rise with the key; else 0 */
    int accused;
    unsigned level;
    size_t take;
    uint64_t lo, hi;
};

struct pby_search {
    unsigned block_bits;   /* of the keys of the feature */
    bool sets, half_lines; /* which candidates are of a kind that is wanted */
    double factor, delta;  /* exp of the claimed epsilon, and the claimed delta */
    double z[2];           /* standard errors to expect of the judges, seen from one part and from both */
    double luck;           /* and those that the best of so many candidates may owe to luck */
    double seen[PBY_SIDES][2];
    struct pby_draft best[PBY_REFUTABLE][PBY_BANDS];
};

/* Finds the best candidates of a table, one for each question and band. */
pby_status pby_search_table(struct pby_search *s, const pby_frequencies *table, pby_error *err);

/* Makes the event of a candidate that the search found in the table of this feature. */
pby_status pby_search_event(pby_event *event, unsigned feature, const struct pby_draft *c,
                            const struct pby_search *s, const pby_frequencies *table, pby_error *err);

#endif
