/* SPDX-License-Identifier: MIT */
/* The bars that passed, in an order that only their names decide.
 *
 * A mechanism that suppresses bars may show neither which nor how many there were, nor where they stood. So
 * what passed is gathered, sorted by the bytes of the names, and written in one form whatever form it was
 * read in.
 */
#ifndef PBY_TABLE_SORT_PASSED_H
#define PBY_TABLE_SORT_PASSED_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/sort/spread.h"

typedef struct pby_passed pby_passed;

/* For names that were all counted in the spread, whether they pass or not; with a spread of none, for any,
 * and slower. A bar has a count for each use. */
PBY_CHECKED
pby_status pby_passed_new(pby_passed **out, const pby_spread *spread, size_t uses, pby_error *err);

/* A bar that passed in some use; name and counts are copied, and the name is none that came before. */
PBY_CHECKED
pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, const int64_t *counts,
                          pby_error *err);

/* Called for each bar, in the order of the names. */
typedef pby_status pby_passed_row(void *to, const uint8_t *name, size_t size, const int64_t *counts,
                                  pby_error *err);
PBY_CHECKED
pby_status pby_passed_each(pby_passed *passed, pby_passed_row *row, void *to, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_passed_free(pby_passed *passed);

#endif
