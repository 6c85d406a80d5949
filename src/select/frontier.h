/* SPDX-License-Identifier: MIT */
/* The search of one family for one target. */
#ifndef PBY_SELECT_FRONTIER_H
#define PBY_SELECT_FRONTIER_H

#include "select/recipe.h"

/* The verdicts on some candidates; only the last PBY_MEMORY stay. */
enum { PBY_MEMORY = 32 };
typedef struct pby_memory {
    int64_t candidate[PBY_MEMORY];
    pby_decision verdict[PBY_MEMORY];
    size_t count;
} pby_memory;

typedef struct pby_frontier {
    const pby_family *family;
    const pby_select_row *row; /* the family's for what was given, or that of the rate or of the uses */
    const char *parameter;     /* the one that is chosen */
    const pby_family
        *bound;  /* of the family's row for what was given: what candidates are judged by, or NULL */
    bool counts; /* how many uses: no parameter is chosen */
    const pby_target *target;
    pby_mechanism given; /* the family, and the parameters that are not chosen */
    unsigned named;      /* a bit for each of these that has a value */
    mpq_t step;
    int64_t from, last; /* of integers; see mechanism/shared/selection.h */
    int64_t low,
        high; /* of a sampled mechanism and of uses: in steps, on either side of the change; else 0 */
    const char *monotone; /* the row's, where it holds */
    bool by_recipe;       /* asks the paper's recipe in place of the exact law, */
    bool by_other;        /* and of two recipes the other */
    uint64_t *asked;      /* how many candidates were asked */
    pby_memory *memory;   /* of the exact verdicts on multiples of the step */
} pby_frontier;

/* Finds the step, and which of its multiples are candidates. */
pby_status pby_frontier_prepare(pby_frontier *f, pby_error *err);

/* The paper's recipe for this target; NULL where there is none, and then by_recipe may not be set. */
pby_recipe *pby_frontier_recipe(const pby_frontier *f);

/* The candidates next to the frontier, as multiples of the step; start is where it is expected, 0 for no
 * idea. */
pby_status pby_frontier_find(pby_edge *edge, const pby_frontier *f, int64_t start, pby_error *err);

/* Where delta should fall as the candidates rise but no order is known: asks every one below the edge, if it
 * is one use, they are not too many and each is its own, and moves the edge to the least that is within.
 * f->monotone then says so. */
pby_status pby_frontier_scan(pby_edge *edge, pby_frontier *f, pby_error *err);

/* The value and the spec of the i-th candidate. */
void pby_frontier_value(mpq_t value, const pby_frontier *f, int64_t i);
pby_status pby_frontier_spec(pby_spec **out, const pby_frontier *f, mpq_srcptr value, unsigned long uses,
                             pby_error *err);

/* The spec that all uses of a candidate are judged as: themselves, or the one that the row gives. */
pby_status pby_frontier_judged(pby_spec **out, const pby_frontier *f, mpq_srcptr value, pby_error *err);

/* A lower limit of the deltas of all candidates, those beyond the last included. Without one, because none is
 * known or it is not above the target, *known is false. */
pby_status pby_frontier_least(mpfr_t least, bool *known, const pby_frontier *f, pby_error *err);

#endif
