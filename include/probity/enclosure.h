/* SPDX-License-Identifier: MIT */
/* An enclosure: two numbers that surround the true value.
 *
 * lo <= truth <= hi always holds; either end may be infinite. Decimals are rounded outwards: lo down
 * and hi up, so that what is printed surrounds the truth as well.
 */
#ifndef PROBITY_ENCLOSURE_H
#define PROBITY_ENCLOSURE_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_enclosure {
    mpfr_t lo, hi;
} pby_enclosure;

void pby_enclosure_init(pby_enclosure *x) PBY_NONNULL(1);
void pby_enclosure_clear(pby_enclosure *x) PBY_NONNULL(1);

enum {
    PBY_DIGITS_DEFAULT = 9, /* significant digits of an answer, if left out */
    PBY_DIGITS_MAX = 1000,  /* the most that may be asked for */
    PBY_DECIMAL_SIZE = PBY_DIGITS_MAX + 32
};

/* Writes x with that many significant digits, rounded down (lower) or up, into text, which
 * holds PBY_DECIMAL_SIZE bytes: 0, 1.4401e-05, 0.3125, 2, inf, -inf. Trailing zeros are left out.
 * Magnitudes from 1e-4 up to 1e+digits are written without an exponent. */
void pby_decimal(char *text, mpfr_srcptr x, unsigned digits, bool lower) PBY_NONNULL(1, 2);

/* An enclosure as two decimals, for callers that do not share MPFR's types: what every function gives whose
 * name ends in _text and that encloses something. */
typedef struct pby_decimals {
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
} pby_decimals;

/* lo rounded down and hi rounded up to that many significant digits; 0: PBY_DIGITS_DEFAULT. */
void pby_decimals_set(pby_decimals *out, const pby_enclosure *x, unsigned digits) PBY_NONNULL(1, 2);

PBY_END_API

#endif
