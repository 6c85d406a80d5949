/* SPDX-License-Identifier: MIT */
/* Tells `make claims` the value that a counterexample found and the one that the paper promised; it compares
 * both with the row. */
#ifndef PBY_TESTS_CLAIMS_REPORT_H
#define PBY_TESTS_CLAIMS_REPORT_H

#include <arb.h>
#include <gmp.h>

/* row is "Key/Statement", or "Key/Statement (part)". Nothing is told unless CLAIMS_REPORT names a file. */
void claims_tell(const char *row, mpq_srcptr found, mpq_srcptr promised);
void claims_tell_arb(const char *row, const arb_t found, const arb_t promised);

/* "[lo, hi]" in twelve digits, rounded outwards; free it by mpfr_free_str. */
char *claims_enclosure(const arb_t x);

#endif
