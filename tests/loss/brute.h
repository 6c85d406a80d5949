/* SPDX-License-Identifier: MIT */
/* Direct enumeration: laws as plain lists of masses from their definitions, and the hockey-stick
 * divergence as a plain sum over outcomes. Shares nothing with the library but Arb. A law without end is
 * cut where less than 1e-35 is left, so that results are compared within 1e-30. */
#ifndef PBY_TESTS_LOSS_BRUTE_H
#define PBY_TESTS_LOSS_BRUTE_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

enum { BRUTE_PREC = 256 };

typedef struct brute {
    slong lo, n; /* the values lo .. lo + n - 1 */
    arb_ptr mass;
} brute;

void brute_geometric(brute *law, const fmpq_t rate);
void brute_dgauss(brute *law, const fmpq_t sigma2);
void brute_stlap(brute *law, const fmpq_t eps, const fmpq_t q);
void brute_clip(brute *law, slong bound); /* in place */
void brute_clear(brute *law);

/* out = the sum over o of max(0, P(o) - exp(e) Q(o)), Q the law shifted. */
void brute_hockey_stick(arb_t out, const brute *law, slong shift, const fmpq_t epsilon);

/* Likewise for the product of the pairs of two shifts. */
void brute_hockey_stick_twice(arb_t out, const brute *law, slong one, slong two, const fmpq_t epsilon);

/* True if the two are within 1e-30 of each other. */
bool brute_close(const arb_t x, const arb_t y);

#endif
