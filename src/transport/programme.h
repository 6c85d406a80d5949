/* SPDX-License-Identifier: MIT */
/* Linear programmes in exact rationals: maximise cost x where A x = b and x >= 0.
 *
 *     pby_programme_init(&p, rows, columns, err);
 *     fmpq_set(pby_programme_at(&p, row, column), ...);     column `columns` is b; all begin as 0
 *     pby_programme_start(&p, &possible, err);              some x, if there is one
 *     pby_programme_best(best, &p, cost, err);              as often as one likes, from where it stands
 *
 * By the simplex method with Bland's rule, which ends. */
#ifndef PBY_TRANSPORT_PROGRAMME_H
#define PBY_TRANSPORT_PROGRAMME_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct pby_programme {
    size_t rows, columns;
    size_t width;  /* of a row: the columns, one for each row that x need not satisfy at first, and b */
    fmpq *a;       /* rows of width */
    size_t *basis; /* the column of each row; NULL before the start */
} pby_programme;

/* To be cleared whether this succeeds or not. */
pby_status pby_programme_init(pby_programme *p, size_t rows, size_t columns, pby_error *err);
void pby_programme_clear(pby_programme *p);

fmpq *pby_programme_at(pby_programme *p, size_t row, size_t column);

/* Finds some x; *possible is false where there is none. Rows that say nothing more are dropped. */
pby_status pby_programme_start(pby_programme *p, bool *possible, pby_error *err);

/* The greatest cost, which has an entry for each column; refused where there is none. To be called behind a
 * start that was possible. */
pby_status pby_programme_best(fmpq_t best, pby_programme *p, const fmpq *cost, pby_error *err);

#endif
