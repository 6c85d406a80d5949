/* SPDX-License-Identifier: MIT */
/* Exact rationals as short texts. */
#ifndef PBY_NUMBER_TEXT_H
#define PBY_NUMBER_TEXT_H

#include <flint/fmpq.h>

#include "base/status.h"
#include "probity/enclosure.h"

/* The decimal that x is, where one of at most PBY_TEXT_DIGITS digits is: 0.1, 20, 1.5e-05. Otherwise the
 * fraction, 1/3; where that does not fit, the nearest decimal of so many digits. text holds PBY_DECIMAL_SIZE
 * bytes. x is a rational of FLINT, or of GMP. */
enum { PBY_TEXT_DIGITS = 30 };
void pby_rational_text(char *text, const fmpq_t x);
void pby_mpq_text(char *text, mpq_srcptr q);

/* pby_refuse of a value that is a rational, of FLINT or of GMP. */
pby_status pby_refuse_rational(pby_error *err, const char *name, const fmpq_t value, const char *expected);
pby_status pby_refuse_mpq(pby_error *err, const char *name, mpq_srcptr value, const char *expected);

#endif
