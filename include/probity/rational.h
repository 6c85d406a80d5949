/* SPDX-License-Identifier: MIT */
/* Exact rationals out of text.
 *
 * Accepted, with an optional sign in front:
 *
 *   42            an integer
 *   7/3           a fraction of two integers
 *   0.1  .5  2.   a decimal: one tenth, exactly
 *   5e-30  1.5E3  scientific notation, exactly
 *
 * Refused: empty text, white space, NaN, infinities, hexadecimal, a zero denominator, more than
 * PBY_RATIONAL_DIGITS_MAX digits in all, an exponent beyond PBY_RATIONAL_EXPONENT_MAX in size.
 */
#ifndef PROBITY_RATIONAL_H
#define PROBITY_RATIONAL_H

#include <gmp.h>

#include "probity/status.h"

PBY_BEGIN_API

enum { PBY_RATIONAL_DIGITS_MAX = 4096, PBY_RATIONAL_EXPONENT_MAX = 10000 };

/* Sets q, which must be initialised, to the value of text in lowest terms. A refusal names the
 * argument by name and leaves q as it was. */
PBY_CHECKED
pby_status pby_rational_parse(mpq_t q, const char *name, const char *text, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* A rational in full: an exact decimal, or a fraction where there is none. For free(3). What is exact comes
 * out of the functions whose names end in _text like this. */
PBY_CHECKED
pby_status pby_rational_print(char **text, mpq_srcptr q, pby_error *err) PBY_NONNULL(1, 2);

/* A number that a caller gives in a struct: a text, or a rational where that is NULL. Both NULL: none. */
typedef struct pby_value {
    const char *text;
    mpq_srcptr rational;
} pby_value;

PBY_END_API

#endif
