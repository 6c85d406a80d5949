/* SPDX-License-Identifier: MIT */
/* Sums of exponentials: c1 exp(r1) + ... + cn exp(rn), all c and r rational.
 *
 * Every mass of a Laplace-like law is a quotient of two such sums, and sums, products and multiples
 * of such sums are again such sums. What makes them worth a type of their own: by the theorem of
 * Lindemann and Weierstrass the exponentials of distinct rationals are linearly independent over
 * the rationals, so a sum in which equal exponents have been gathered is zero only when it has no
 * term. The sign of a sum is therefore always decided: zero by its form, and otherwise by raising
 * the precision, which must end.
 *
 * A sum is kept with its exponents strictly decreasing and no coefficient zero: two sums are equal
 * exactly when they have the same terms. Outputs may be inputs.
 */
#ifndef PBY_NUMBER_EXPSUM_H
#define PBY_NUMBER_EXPSUM_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

typedef struct {
    fmpq *coefficient, *exponent; /* n in use, room for alloc */
    slong n, alloc;
} pby_expsum_struct;
typedef pby_expsum_struct pby_expsum_t[1];

void pby_expsum_init(pby_expsum_t x);
void pby_expsum_clear(pby_expsum_t x);
void pby_expsum_zero(pby_expsum_t x);
void pby_expsum_one(pby_expsum_t x);
void pby_expsum_set(pby_expsum_t x, const pby_expsum_t y);
void pby_expsum_swap(pby_expsum_t x, pby_expsum_t y);

/* x += c exp(r) */
void pby_expsum_add_term(pby_expsum_t x, const fmpq_t c, const fmpq_t r);
void pby_expsum_add_term_si(pby_expsum_t x, slong c, const fmpq_t r);

/* x = y + z, x = y - z, x = y z, x = c exp(r) y */
void pby_expsum_add(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z);
void pby_expsum_sub(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z);
void pby_expsum_mul(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z);
void pby_expsum_mul_term(pby_expsum_t x, const pby_expsum_t y, const fmpq_t c, const fmpq_t r);

bool pby_expsum_is_zero(const pby_expsum_t x);
bool pby_expsum_equal(const pby_expsum_t x, const pby_expsum_t y);

/* If x = c exp(r) y for some rationals c and r, and y is not zero, finds them. */
bool pby_expsum_proportional(fmpq_t c, fmpq_t r, const pby_expsum_t x, const pby_expsum_t y);

/* -1, 0 or 1, always right. */
int pby_expsum_sign(const pby_expsum_t x);

/* A ball around x, good to about prec bits unless terms cancel. */
void pby_expsum_get_arb(arb_t ball, const pby_expsum_t x, slong prec);

#endif
