/* SPDX-License-Identifier: MIT */
/* One cell of the reports, and what its count says (mechanism/shared/estimator.h has p and q).
 *
 * The truth t is how much of the cell all users are, from 0 to 1: a share, or a mean that is scaled. The n
 * reports are independent, and the chances that they are in the cell have the mean r = q + t (p - q).
 */
#ifndef PBY_ESTIMATE_ESTIMATE_CELL_H
#define PBY_ESTIMATE_ESTIMATE_CELL_H

#include "mechanism/shared/estimator.h"
#include "probity/experimental/estimate.h"

typedef struct pby_cell_question {
    pby_chances chances;
    pby_expsum_t gap; /* p - q over the norm */
    fmpq_t lo, width; /* the value is lo + width t */
    bool between;     /* users may be between 0 and 1 */
    uint64_t n, seen; /* reports, and those in the cell */
    fmpq_t error;     /* of this cell's interval, both ends together */
    unsigned digits;
} pby_cell_question;

/* *out is initialised. */
PBY_CHECKED
pby_status pby_cell_estimate(pby_estimate *out, const pby_cell_question *cell, pby_error *err);

/* The least and the greatest t that the count does not refute at the error, each rounded outwards: of these
 * users, and of the population that they are sampled from. Below 0 or above 1 where no truth is left. */
void pby_cell_users(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec);
void pby_cell_population(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec);

#endif
