/* SPDX-License-Identifier: MIT */
/* Counts the records of a table that look alike.
 *
 *     pby_anonymity *found;
 *     pby_anonymity_csv(&found, "people.csv", "zip,born,sex", err);
 *     printf("%llu-anonymous\n", (unsigned long long)pby_anonymity_least(found));
 *     pby_anonymity_free(found);
 *
 * Records that agree in all the chosen columns, the quasi-identifiers, are a class. A table is k-anonymous if
 * no class has fewer than k records. This is no privacy guarantee, and these numbers describe the data
 * themselves: to publish them is not private either.
 */
#ifndef PROBITY_EXPERIMENTAL_ANONYMITY_H
#define PROBITY_EXPERIMENTAL_ANONYMITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_anonymity pby_anonymity;

/* The classes of a table of records, a record a line; path NULL is standard input. The first line names the
 * columns. quasi chooses up to eight of them, separated by commas as CSV has them. Fields are compared byte
 * by byte: nothing is normalised. The table is held in memory, and refused beyond 2^30 bytes; what is wrong
 * in it is refused by its line and column, and without its text. */
PBY_CHECKED
pby_status pby_anonymity_csv(pby_anonymity **out, const char *path, const char *quasi, pby_error *err)
    PBY_NONNULL(1, 3);

void pby_anonymity_free(pby_anonymity *found);

PBY_CHECKED
uint64_t pby_anonymity_records(const pby_anonymity *found) PBY_NONNULL(1);
PBY_CHECKED
uint64_t pby_anonymity_classes(const pby_anonymity *found) PBY_NONNULL(1);

/* The records of the smallest class; 0 of a table without records. */
PBY_CHECKED
uint64_t pby_anonymity_least(const pby_anonymity *found) PBY_NONNULL(1);

/* The number of different sizes, and one of them, the least first: the records of such a class, and the
 * number of classes that have it. False where there is no such. */
PBY_CHECKED
size_t pby_anonymity_sizes(const pby_anonymity *found) PBY_NONNULL(1);
PBY_CHECKED
bool pby_anonymity_size_at(uint64_t *records, uint64_t *classes, const pby_anonymity *found, size_t i)
    PBY_NONNULL(1, 2, 3);

/* The columns as they were chosen. */
PBY_CHECKED
size_t pby_anonymity_columns(const pby_anonymity *found) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_anonymity_column(const pby_anonymity *found, size_t i) PBY_NONNULL(1);

PBY_END_API

#endif
