/* SPDX-License-Identifier: MIT */
/* The decision of a row of the ledger of claims: the comparison that the row stands or falls with.
 *
 * A test passes its deciding comparison through one of these functions, with the rows that it decides
 * ("Key/Statement", several apart by "; "), and asserts the result. `make claims` reads which rows were
 * decided and by which numbers. `make claims MUTATE=1` names one row at a time in CLAIMS_MUTATE: the bound of
 * that row is then on the other side of the value that was computed, so the result is the opposite one, and
 * the test must fail. */
#ifndef PBY_TESTS_CLAIMS_DECIDE_H
#define PBY_TESTS_CLAIMS_DECIDE_H

#include <arb.h>
#include <gmp.h>
#include <stdbool.h>

/* Every row that the comment above the running test names. */
#define CLAIMS_ALL     "*"

#define CLAIMS_CHECKED __attribute__((warn_unused_result))

/* found <= bound, found < bound and found == bound. */
CLAIMS_CHECKED bool claims_le(const char *rows, mpq_srcptr found, mpq_srcptr bound);
CLAIMS_CHECKED bool claims_lt(const char *rows, mpq_srcptr found, mpq_srcptr bound);
CLAIMS_CHECKED bool claims_eq(const char *rows, mpq_srcptr found, mpq_srcptr bound);

/* Compares enclosures; true only if certain. Enclosures of equal numbers overlap. */
CLAIMS_CHECKED bool claims_le_arb(const char *rows, const arb_t found, const arb_t bound);
CLAIMS_CHECKED bool claims_lt_arb(const char *rows, const arb_t found, const arb_t bound);
CLAIMS_CHECKED bool claims_eq_arb(const char *rows, const arb_t found, const arb_t bound);

/* found <= bound cannot be excluded: for enclosures of which one reaches the other. */
CLAIMS_CHECKED bool claims_may_le_arb(const char *rows, const arb_t found, const arb_t bound);

/* Compares doubles, for sums in floating point with a margin that the test adds to the bound. */
CLAIMS_CHECKED bool claims_le_d(const char *rows, double found, double bound);

/* Compares numbers as text, letter by letter. */
CLAIMS_CHECKED bool claims_eq_text(const char *rows, const char *found, const char *expected);

CLAIMS_CHECKED bool claims_le_si(const char *rows, long found, long bound);
CLAIMS_CHECKED bool claims_eq_si(const char *rows, long found, long bound);

/* A decision that is no comparison of two numbers, such as one about sets; it is told by its source text. */
CLAIMS_CHECKED bool claims_decide(const char *rows, const char *text, bool holds);
#define claims_is(rows, holds) claims_decide(rows, #holds, holds)

#endif
