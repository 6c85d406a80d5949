/* SPDX-License-Identifier: MIT */
/* The size of a small database that answers so many queries within alpha, and the error of the one that is
 * released ([Survey] Algorithm 8 and Theorem 6.11, corrected: docs/theory/smalldb.md). */
#ifndef PBY_ACCURACY_SMALLDB_SIZE_H
#define PBY_ACCURACY_SMALLDB_SIZE_H

#include <flint/fmpq.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/enclosure.h"

enum { PBY_SMALLDB_SIZE_MOST = 1000000 };

/* The least size with 2 queries exp(-2 size alpha^2) < 1, 0 < alpha <= 1: some database of so many records is
 * then within alpha of the data for all queries. A size above PBY_SMALLDB_SIZE_MOST is refused. */
PBY_CHECKED
pby_status pby_smalldb_size(uint64_t *size, uint64_t queries, const fmpq_t alpha, pby_error *err);

/* log(queries)/alpha^2, the size that is printed. */
PBY_CHECKED
pby_status pby_smalldb_printed_size(pby_enclosure *size, uint64_t queries, const fmpq_t alpha,
                                    unsigned digits, pby_error *err);

/* A release of a database of `size` records for data of `records` records. The score of a database is
 * weighted by exp(rate score). */
typedef struct pby_smalldb {
    uint64_t kinds, queries, size, records;
    fmpq_t alpha, rate;
    fmpq_t beta; /* the chance that the error is larger, above 0 and below 1 */
} pby_smalldb;

typedef enum pby_smalldb_bound {
    PBY_SMALLDB_SHARP, /* of the worst data with N databases: log((N - 1)(1 - beta)/beta)/(rate records) */
    PBY_SMALLDB_CORRECTED, /* log(N/beta)/(rate records) */
    PBY_SMALLDB_PRINTED,   /* (log(kinds) log(queries)/alpha^2 + log(1/beta))/(rate records) */
    PBY_SMALLDB_BOUNDS
} pby_smalldb_bound;

/* alpha more than that, which the worst average answer is off by at most but for beta. */
PBY_CHECKED
pby_status pby_smalldb_error(pby_enclosure *error, const pby_smalldb *x, pby_smalldb_bound bound,
                             unsigned digits, pby_error *err);

#endif
