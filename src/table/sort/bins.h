/* SPDX-License-Identifier: MIT */
/* Rows in bins: gathered in any order, read again bin by bin.
 *
 * A row is packed behind the last one of its bin: a name of nine bytes and a count of three digits take
 * twelve bytes. So rows that come in disorder are written near each other if they belong together, which is
 * most of the work of sorting many.
 */
#ifndef PBY_TABLE_SORT_BINS_H
#define PBY_TABLE_SORT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/order.h"
#include "probity/status.h"

typedef struct pby_bins pby_bins;

/* count > 0 empty bins, numbered from 0. */
PBY_CHECKED
pby_status pby_bins_new(pby_bins **out, size_t count, pby_error *err);

/* The name is copied. */
PBY_CHECKED
pby_status pby_bins_add(pby_bins *bins, size_t bin, const uint8_t *name, size_t size, int64_t count,
                        pby_error *err);

/* All rows of a bin, in the order in which they came, until the next bin is read. */
PBY_CHECKED
pby_status pby_bins_read(pby_bins *bins, size_t bin, const pby_bin_row **rows, size_t *n, pby_error *err);

/* Gives all memory back to the system, which clears it before anybody sees it. NULL is allowed. */
void pby_bins_free(pby_bins *bins);

#endif
