/* SPDX-License-Identifier: MIT */
/* The order of rows by the bytes of their names. */
#ifndef PBY_TABLE_SORT_SORT_ORDER_H
#define PBY_TABLE_SORT_SORT_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "table/sort/bins.h"

/* Brings order[0 .. n-1], the places in rows of rows whose names have their first common bytes in common,
 * into the order of the names, a shorter one before those that it begins. spare has room for n. The names
 * differ, and each place is below 2^32. */
void pby_passed_sort(uint64_t *order, uint64_t *spare, size_t n, const pby_bin_row *rows, size_t common);

#endif
