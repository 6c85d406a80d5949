/* SPDX-License-Identifier: MIT */
/* A class of counting queries as a table: what each query answers about one record of each kind.
 *
 * The first line names the columns: that of the kinds of record, and the queries. A row is KIND,ANSWER,...: a
 * name as in a histogram, and a rational from 0 to 1 for each query, such as 1, 1/3 or 0.25. The table is
 * public; a refusal tells the place of a field. Refused: a kind that occurs twice, and denominators whose
 * least common multiple is beyond 10^9. */
#ifndef PBY_TABLE_ANSWER_QUERIES_H
#define PBY_TABLE_ANSWER_QUERIES_H

#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include "io/digest.h"
#include "probity/status.h"
#include "table/key/names.h"

typedef struct pby_queries {
    pby_names *kinds;
    size_t count;  /* of the queries */
    fmpz *answer;  /* of query f on kind u, times grain, at u count + f */
    fmpz_t grain;  /* the least common denominator */
    fmpz_t spread; /* grain times the most that a query's answers differ by */
    pby_digest digest;
} pby_queries;

PBY_CHECKED
pby_status pby_queries_read(pby_queries **out, const char *path, pby_error *err);

/* NULL is allowed. */
void pby_queries_free(pby_queries *q);

#endif
