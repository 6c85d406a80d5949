/* SPDX-License-Identifier: MIT */
/* The law of J = <v, X>: X discrete Gaussian noise of parameter s on every coordinate, v an integer vector.
 *
 * E exp(u J) <= exp(u^2 |v|^2 s/2), so that P(J >= m) <= exp(-m^2/(2 |v|^2 s)): J is listed up to a reach,
 * and the chance of all that is left out on the way is bounded (docs/theory/dgauss.md). */
#ifndef PBY_LAW_INNER_H
#define PBY_LAW_INNER_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

/* An integer vector up to order, signs and zeros: values from the greatest on, each with how often it occurs.
 */
enum { PBY_SHIFT_VALUES = 32 };

typedef struct pby_shift {
    size_t count;
    ulong value[PBY_SHIFT_VALUES], times[PBY_SHIFT_VALUES];
} pby_shift;

/* The sum of all squares, and the number of coordinates. */
ulong pby_shift_norm2(const pby_shift *v);
ulong pby_shift_coordinates(const pby_shift *v);

typedef struct pby_inner {
    arb_ptr mass; /* of -reach, ..., reach, without what was left out */
    slong reach;
    mag_t missing; /* at least the chance of what was left out */
} pby_inner;

/* The greatest reach that is listed. */
enum { PBY_INNER_MAX = 1 << 20 };

/* Leaves out events of chance 2 exp(-nats) each. False, and nothing to clear, where the reach would be too
 * great. */
bool pby_inner_init(pby_inner *law, const pby_shift *v, const fmpq_t s, ulong nats, slong prec);
void pby_inner_clear(pby_inner *law);

/* P(J <= c), good to about prec bits of the lighter side if nats allow for it. */
void pby_inner_below(arb_t chance, const pby_inner *law, const fmpz_t c, slong prec);

/* A bound of P(J <= -x) for x >= 0 that needs no list. */
void pby_inner_tail(mag_t most, const pby_shift *v, const fmpq_t s, const fmpz_t x);

#endif
