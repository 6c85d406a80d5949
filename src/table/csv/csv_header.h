/* SPDX-License-Identifier: MIT */
/* Writes the header of a histogram again, in front of the released rows. */
#ifndef PBY_TABLE_CSV_CSV_HEADER_H
#define PBY_TABLE_CSV_CSV_HEADER_H

#include <stdint.h>

/* A copied header grows by at most so many bytes. */
enum { PBY_HEADER_MORE = 5 };

/* Copies a header, if it is there, from .. end - 1 being all that stands before a row. A byte order mark is
 * left out: most readers would take it for a part of the first name. Of the header the second name becomes
 * count, within its quotes. The keys are public where this is used, and so the first one is, but a count that
 * is no number, and so makes a header of its row, is not. The NUL byte behind all that was read is at
 * nul: a row is read up to one. Returns the end of the copy. */
uint8_t *pby_put_header(uint8_t *out, const uint8_t *from, const uint8_t *end, const uint8_t *nul);

#endif
