/* The search of one family for one target. */
#ifndef PBY_SELECT_FRONTIER_H
#define PBY_SELECT_FRONTIER_H

#include "select/row.h"

typedef struct pby_frontier {
    const pby_row *row;
    const pby_target *target;
    char *given; /* "eps=1/4," or nothing: the parameters that are not chosen */
    mpq_t step;
    int64_t from, last; /* of integers; see select/row.h */
    bool by_recipe;     /* asks the paper's recipe in place of the exact law */
} pby_frontier;

/* Finds the step, and which of its multiples are candidates. */
pby_status pby_frontier_prepare(pby_frontier *f, pby_error *err);

/* The candidates next to the frontier, as multiples of the step; start is where it is expected, 0 for no
 * idea. */
pby_status pby_frontier_find(pby_edge *edge, const pby_frontier *f, int64_t start, pby_error *err);

/* The value and the spec of the i-th candidate. */
void pby_frontier_value(mpq_t value, const pby_frontier *f, int64_t i);
pby_status pby_frontier_spec(pby_spec **out, const pby_frontier *f, mpq_srcptr value, unsigned long uses,
                             pby_error *err);

#endif
