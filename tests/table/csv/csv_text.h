/* SPDX-License-Identifier: MIT */
/* A histogram written as it was read, for tests of what makes one. */
#ifndef PBY_TESTS_TABLE_CSV_TEXT_H
#define PBY_TESTS_TABLE_CSV_TEXT_H

#include "table/csv/csv.h"

/* Scans the histogram, writes all of it, by chunks of two rows, and asserts what it is. */
void csv_is(pby_csv *csv, const char *expected);

#endif
