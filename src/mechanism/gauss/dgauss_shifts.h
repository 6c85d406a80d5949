/* SPDX-License-Identifier: MIT */
/* The integer vectors by which neighbours may move a query of many coordinates: those whose squared length is
 * at most norm2, with at most `dimensions` coordinates that are not 0.
 *
 * Signs and order do not matter, and a vector none of whose coordinates is greater than that of another is
 * dominated by it, so that the maximal ones are enough: finitely many (docs/theory/dgauss.md). */
#ifndef PBY_MECHANISM_GAUSS_DGAUSS_SHIFTS_H
#define PBY_MECHANISM_GAUSS_DGAUSS_SHIFTS_H

#include "law/inner.h"

enum { PBY_SHIFTS_MAX = 64 };

typedef struct pby_shifts {
    pby_shift shift[PBY_SHIFTS_MAX];
    size_t count;
} pby_shifts;

/* All maximal ones; false where there are more than PBY_SHIFTS_MAX. */
bool pby_shifts_all(pby_shifts *out, ulong norm2, ulong dimensions);

/* The greatest squared length that any has: at most norm2, and less where norm2 is no sum of so many squares.
 */
ulong pby_shifts_longest(ulong norm2, ulong dimensions);

/* A few of them, or of vectors that are not much smaller: as long as can be in one coordinate; in ones and
 * twos; in ones; and all coordinates alike. */
void pby_shifts_some(pby_shifts *out, ulong norm2, ulong dimensions);

#endif
