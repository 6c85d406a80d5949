/* SPDX-License-Identifier: MIT */
/* Candidates and their scores, read from CSV.
 *
 * A row is CANDIDATE,SCORE: a name as in a histogram, and a number as probity/rational.h reads it, exactly,
 * in quotes or not. A UTF-8 byte order mark may stand in front, and csv_row.h says when the first line is a
 * header. Candidates are public, scores are secret: a refusal tells the place of a row and never what its
 * score is. Refused: a candidate that occurs twice, a score that is no such number, and an input without a
 * candidate. */
#ifndef PBY_TABLE_SCORED_H
#define PBY_TABLE_SCORED_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/table.h"

typedef struct pby_scored pby_scored;

/* Called for each candidate in the order of the rows. PBY_BAD is told as a fault of that row's score. */
typedef pby_status pby_score_taker(void *what, mpq_srcptr score, pby_error *err);

/* Reads it all; path NULL is standard input. What a score is expected to be is for refusals. Of the scores
 * nothing is kept. */
PBY_CHECKED
pby_status pby_scored_read(pby_scored **out, const char *path, pby_score_taker *take, void *what,
                           const char *expected, pby_error *err);

/* Reads a table in the way of pby_scored_read: CSV as it stands, or rows in memory, whose counts are the
 * scores. */
PBY_CHECKED
pby_status pby_scored_table(pby_scored **out, pby_table *table, pby_score_taker *take, void *what,
                            const char *expected, pby_error *err);

/* A candidate by its number, and what the header calls them; NULL without a header. */
const uint8_t *pby_scored_name(const pby_scored *scored, uint64_t number, size_t *size);
const uint8_t *pby_scored_header(const pby_scored *scored, size_t *size);

/* NULL is allowed. */
void pby_scored_free(pby_scored *scored);

#endif
