/* SPDX-License-Identifier: MIT */
/* Estimates from the reports of a local mechanism.
 *
 * Reports are counted in cells. A user's report is in a cell with chance p if the cell is hers, with chance q
 * < p if it is not, and with a chance between them where she may be in between. So the count of a cell,
 * divided by the reports, less q and over p - q, is an unbiased estimate of how much of it all users are.
 */
#ifndef PBY_MECHANISM_SHARED_ESTIMATOR_H
#define PBY_MECHANISM_SHARED_ESTIMATOR_H

#include "mechanism/family.h"
#include "number/expsum.h"

/* p and q over a common norm. */
typedef struct pby_chances {
    pby_expsum_t p, q, norm;
} pby_chances;

struct pby_estimator {
    /* The number of cells, and the first that is estimated. */
    size_t (*cells)(const pby_mechanism *m);
    size_t first;

    /* The number of cells that are estimated from there on, 0 where only candidates are
     * (estimate/candidates.h). NULL where all are. */
    size_t (*estimated)(const pby_mechanism *m);

    /* The cells of one report are drawn apart, so that none is what others leave. */
    bool apart;

    /* A report, of those that need not be whole numbers, the cell that it is in: adds 1 to each cell that it
     * is in, and tells whether the mechanism can have produced it. NULL where a report is the number of its
     * one cell, from 0 on. */
    bool (*count)(uint64_t *cell, const pby_mechanism *m, const char *report);

    /* Writes the text that a refusal of a report expects into size bytes. NULL with `count`. */
    void (*expected)(char *text, size_t size, const pby_mechanism *m);

    /* Adds to what is initialised and 0. */
    void (*chances)(pby_chances *out, const pby_mechanism *m);

    /* Where a user may be between: the least and the greatest value that she has. Then there is one estimate,
     * of the mean of all values. NULL where she is or is not. */
    void (*range)(fmpq_t lo, fmpq_t hi, const pby_mechanism *m);
};

void pby_chances_init(pby_chances *c, const pby_mechanism *m);
void pby_chances_clear(pby_chances *c);

#endif
