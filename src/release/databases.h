/* SPDX-License-Identifier: MIT */
/* A small synthetic database, chosen by the exponential mechanism among all of one size: SmallDB.
 *
 * The candidates are the multisets y of `size` records of the kinds of a public table of queries. With S_f
 * the sum of a query f over records, x the data and n their number, the score of y is
 *
 *     -max over f of |S_f(x) - n S_f(y)/size|,
 *
 * n times how far the worst average answer is off. One record more or fewer, or changed, moves a score by no
 * more than the answers of one query differ (docs/theory/smalldb.md). Records of other kinds are not counted.
 */
#ifndef PBY_RELEASE_DATABASES_H
#define PBY_RELEASE_DATABASES_H

#include <gmp.h>

#include "mechanism/family.h"
#include "probity/spec.h"
#include "table/answer/queries.h"

enum { PBY_DATABASES_MAX = 1000000 };

/* One use of a mechanism that answers queries, in text that may leave out the size and the table: then they
 * are `size`, unless that is 0, and the table of that path. A size beside one in the text is refused;
 * argument is what named the table. */
PBY_CHECKED
pby_status pby_databases_spec(pby_spec **out, const char *text, const char *queries, const char *argument,
                              unsigned long size, pby_error *err);

/* Refuses a mechanism whose sensitivity is less than a record may move a score by: the spread of the answers.
 */
PBY_CHECKED
pby_status pby_databases_spread(const pby_mechanism *m, const pby_queries *q, pby_error *err);

/* Counts the multisets of so many records of so many kinds; 0 beyond PBY_DATABASES_MAX. */
uint64_t pby_databases_count(uint64_t kinds, uint64_t size);

/* Told of every multiset in turn: the kinds of its records, not falling, and its score. */
typedef pby_status pby_database_taker(void *what, const size_t *record, mpq_srcptr score, pby_error *err);

/* All multisets, for data of so many records of each kind. What the taker answers ends it unless it is
 * PBY_OK.
 */
PBY_CHECKED
pby_status pby_databases_walk(const pby_queries *q, const fmpz *data, size_t size, pby_database_taker *take,
                              void *what, pby_error *err);

#endif
