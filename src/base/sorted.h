/* SPDX-License-Identifier: MIT */
/* Arrays of numbers in ascending order. */
#ifndef PBY_BASE_SORTED_H
#define PBY_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Comparisons for qsort(3). */
int pby_compare_int64(const void *a, const void *b);
int pby_compare_uint64(const void *a, const void *b);

/* Returns the number of elements below x. */
size_t pby_sorted_below_int64(const int64_t *sorted, size_t n, int64_t x);
size_t pby_sorted_below_uint64(const uint64_t *sorted, size_t n, uint64_t x);

#endif
