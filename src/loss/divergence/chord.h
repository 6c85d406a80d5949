/* SPDX-License-Identifier: MIT */
/* Bounds K(a) / (a (a-1)) from above, for a convex K that is 0 at a = 1 and known at two orders. */
#ifndef PBY_LOSS_DIVERGENCE_CHORD_H
#define PBY_LOSS_DIVERGENCE_CHORD_H

#include <arb.h>
#include <flint/fmpq.h>

/* x = max(x, the upper end of ball); an undecided ball has no upper end. */
void pby_raise_upper(arf_t x, const arb_t ball, slong prec);

/* Raises bound to one on the quotient over all orders from x to y, 1 <= x < y, where K is kx and ky, and
 * K'' is at least 2 bend >= 0 between them.
 *
 * K lies under its chord, and by bend (a-x)(y-a) further down. Less bend a (a-1), that is a line
 * s (a - c). The line over a (a-1) has its greatest value at the ends, or, if c >= 1 and s > 0, at
 * c + sqrt(c (c-1)) when that lies between them; there it is s / (2 c - 1 + 2 sqrt(c (c-1))). From x = 1
 * on K(1) = 0 makes the line s (a - 1), and the quotient s / a. */
void pby_chord_bound(arf_t bound, const fmpq_t x, const fmpq_t y, const arb_t kx, const arb_t ky,
                     const arf_t bend, slong prec);

/* The half of K'' on average between three orders x < m < y: (K[m,y] - K[x,m]) / (y - x). */
void pby_chord_bend(arb_t half, const fmpq_t x, const fmpq_t m, const fmpq_t y, const arb_t kx,
                    const arb_t km, const arb_t ky, slong prec);

#endif
