/* SPDX-License-Identifier: MIT */
/* A relation of two coordinates: a sum, difference, product or ratio that tells the sides apart.
 *
 * Noise that two coordinates share cancels in one of them, however wide it is, and no look at one coordinate
 * shows that. There are too many pairs to count them all; one is learned, from the ordering stage of the
 * sample, as the weights of the score are.
 */
#ifndef PBY_AUDIT_COUNT_RELATION_H
#define PBY_AUDIT_COUNT_RELATION_H

#include <stdbool.h>
#include <stddef.h>

#include "audit/count/outcome.h"
#include "base/status.h"

typedef enum pby_operation {
    PBY_SUM,
    PBY_DIFFERENCE,
    PBY_PRODUCT,
    PBY_RATIO,
    PBY_OPERATIONS /* and no relation */
} pby_operation;

/* Whole numbers, kept as doubles with the other numbers of a model. */
typedef struct pby_relation {
    double first, second; /* coordinates, from 0 on */
    double operation;
} pby_relation;

/* Learns from outcomes of both sides, the side of each told: the relation whose two empirical cdfs are the
 * furthest apart; none where no two coordinates are numbers on both. */
PBY_CHECKED
pby_status pby_relation_learn(pby_relation *relation, const pby_outcome *outcome, const int *side,
                              size_t count, pby_error *err);

/* Its value on an outcome; false where it has none. */
bool pby_relation_value(double *value, const pby_relation *relation, const pby_outcome *outcome);

/* "coordinate 3 + coordinate 9". */
enum { PBY_RELATION_NAME_SIZE = 64 };
void pby_relation_name(char name[PBY_RELATION_NAME_SIZE], const pby_relation *relation);

#endif
