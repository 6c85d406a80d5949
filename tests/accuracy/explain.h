/* SPDX-License-Identifier: MIT */
/* Looking by trial for the part of a histogram that explains a statistic of a release. */
#ifndef PBY_TESTS_ACCURACY_EXPLAIN_H
#define PBY_TESTS_ACCURACY_EXPLAIN_H

#include "probity/experimental/accuracy.h"
#include "probity/experimental/statistic.h"

enum { EXPLAIN_BARS = 3, EXPLAIN_STATISTICS = 9, EXPLAIN_ANSWERS = 1 << EXPLAIN_BARS };

/* For each statistic and each answer: the fewest records that must go of x; -1 where no part of x has it. */
typedef struct explanation {
    pby_statistic statistic[EXPLAIN_STATISTICS];
    int64_t drop[EXPLAIN_STATISTICS][EXPLAIN_ANSWERS];
} explanation;

/* Every statistic, max_k and min_k with this k and quantile with 1/3. */
void list_statistics(pby_statistic *out, const char *k);

/* The bars that the answer is made of, as bits, and of range how far they are apart; a count below 0 is taken
 * for 0. */
size_t answer_of(const pby_statistic *statistic, const int64_t *y, size_t bars);

/* Goes through all parts of x. */
void explain(explanation *out, const char *k, const int64_t *x, size_t bars);

/* floor(alpha n): how many records may go. */
int64_t allowed_of(const pby_accuracy *a, uint64_t n);

/* The fewest that must go of one bar for it to be within beta of y; -1 where nothing helps. */
int64_t least_drop(int64_t x, int64_t y, int64_t beta);

#endif
