/* The bars that passed, in an order that only their names decide.
 *
 * A mechanism that suppresses bars may show neither which nor how many there were, nor where they stood. So
 * what passed is gathered, sorted by the bytes of the names, and written in one form whatever form it was
 * read in: a name in quotes only where it needs them, a newline after each.
 */
#ifndef PBY_TABLE_SORT_PASSED_H
#define PBY_TABLE_SORT_PASSED_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/rows.h"
#include "table/sort/spread.h"

typedef struct pby_passed pby_passed;

/* For names that were all counted in the spread, whether they pass or not; with a spread of none, for any,
 * and slower. */
PBY_CHECKED
pby_status pby_passed_new(pby_passed **out, const pby_spread *spread, pby_error *err);

/* A bar that passed; the name is copied, and is none that came before. */
PBY_CHECKED
pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, int64_t count,
                          pby_error *err);

/* Writes them all, behind the name the columns (rows.h): none, the count, or a range that lies reach around
 * it; reach is 0 where there is none. */
PBY_CHECKED
pby_status pby_passed_write(pby_passed *passed, pby_rows *rows, const char *const *columns, int64_t reach,
                            pby_error *err);

/* NULL is allowed. */
void pby_passed_free(pby_passed *passed);

#endif
