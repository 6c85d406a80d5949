/* SPDX-License-Identifier: MIT */
/* Raising the precision until a question about a real number is decided.
 *
 * A pby_real is a number known only by its enclosures: asked with more bits, it answers with a
 * smaller ball. The working loop starts at PBY_PRECISION_FIRST bits and doubles until the answer
 * separates, so that the last round costs about as much as all the earlier ones. Beyond
 * PBY_PRECISION_MAX bits it gives up with PBY_FAILED and never guesses.
 */
#ifndef PBY_NUMBER_BALL_H
#define PBY_NUMBER_BALL_H

#include <arb.h>
#include <flint/fmpq.h>

#include "base/status.h"
#include "probity/enclosure.h"

enum { PBY_PRECISION_FIRST = 128, PBY_PRECISION_MAX = 1 << 18 };

typedef pby_status (*pby_real)(arb_t ball, const void *what, slong prec, pby_error *err);

/* A ball around f(what) whose relative width gives that many significant digits. An exact ball, zero and the
 * infinities included, is always narrow enough; one that is nearer to 0 than 2^-1024 is, if no precision
 * makes it narrower. */
pby_status pby_enclose(arb_t ball, pby_real f, const void *what, unsigned digits, pby_error *err);

/* The sign of f(what) - level: -1, 0 (only when both are known exactly) or 1. */
pby_status pby_compare(int *sign, pby_real f, const void *what, const fmpq_t level, pby_error *err);

/* The ends of a ball, rounded outwards, with room for that many significant digits. */
void pby_enclosure_set_arb(pby_enclosure *x, const arb_t ball, unsigned digits);

/* pby_enclose with the ends of the ball. */
pby_status pby_enclosure_real(pby_enclosure *x, pby_real f, const void *what, unsigned digits,
                              pby_error *err);

/* Cuts off what lies outside [0, 1], of the enclosure of a chance: the truth lies within, if not every ball
 * around it. */
void pby_enclosure_keep_in_unit(pby_enclosure *chance);

/* The bits that so many significant decimal digits need, with three to spare; beyond PBY_DIGITS_MAX those of
 * that many. */
slong pby_bits_for_digits(unsigned digits);

/* The precision of balls that so many digits are taken from at once: with as many bits again for what
 * cancels. */
slong pby_precision_for_digits(unsigned digits);

/* out = exp(x) */
void pby_exp_fmpq(arb_t out, const fmpq_t x, slong prec);

/* out = exp(x) - 1 with its full relative precision, however close to zero x is: arb_expm1 keeps some 30 bits
 * of it where the exponent of x does not fit a word. */
void pby_expm1(arb_t out, const arb_t x, slong prec);

/* chance = 1 - (1 - chance)^times: that it happens once at least in so many independent trials. */
void pby_once_of(arb_t chance, ulong times, slong prec);

/* A ball becomes its lower end, or its upper one, exactly. */
void pby_to_lower_end(arb_t x, slong prec);
void pby_to_upper_end(arb_t x, slong prec);

/* x = max(x, y), which arb_max does not keep exact where one of them is an infinity. */
void pby_raise_to(arb_t x, const arb_t y, slong prec);

#endif
