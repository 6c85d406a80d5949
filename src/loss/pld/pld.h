/* SPDX-License-Identifier: MIT */
/* Privacy-loss distributions on a grid, in integers.
 *
 * A pld stands for a pair of measures: P-mass mass[i] 2^-bits, and exp(-l) times as much under Q, at
 * every loss l = (low + i) grain step, and P-mass infinite 2^-bits that Q does not have. Its potential
 * D(x) = sum of max(0, P - x Q) is convex and bends at grid points only. An upper pld has a potential
 * nowhere below that of the pair it was made from, a lower one nowhere above it; products keep that
 * (docs/theory/composition.md), and so does every rounding below, up in an upper pld and down in a
 * lower one.
 */
#ifndef PBY_LOSS_PLD_PLD_H
#define PBY_LOSS_PLD_PLD_H

#include <arb.h>
#include <flint/fmpq.h>
#include <flint/fmpz_poly.h>
#include <stdbool.h>
#include <stdint.h>

#include "loss/pld/cells.h"

typedef struct pby_pld {
    fmpz_poly_t mass;
    fmpz_t infinite;
    slong low, bits;
    slong grain; /* a power of two: 1 but where a power has gone over to coarser grids */
    bool upper;
} pby_pld;

void pby_pld_init(pby_pld *pld, slong bits, bool upper);
void pby_pld_clear(pby_pld *pld);
void pby_pld_swap(pby_pld *a, pby_pld *b);

/* The unit of the product: all mass at loss zero. */
void pby_pld_one(pby_pld *pld);

/* From the tails of one or more pairs on the same grid: an upper pld that dominates each of them, or a
 * lower pld that the first of them dominates once its losses are raised by slack > 0, so that a product of
 * k such is below the truth at losses that are raised by k slack. The slack lets a loss that lies on
 * the grid stay there, whatever the balls around it say. */
pby_status pby_pld_from_tails(pby_pld *pld, const pby_tails *tails, size_t count, const fmpq_t step,
                              const fmpq_t slack, pby_error *err);

/* Refused when a product whose factors have so many losses together would need more than PBY_MEMORY_MAX_MIB.
 */
pby_status pby_product_fits(slong losses, slong bits, pby_error *err);

/* c = a b; c is neither a nor b. A factor of few terms, as the masses of a coin, is taken term by term. */
void pby_poly_mul(fmpz_poly_t c, const fmpz_poly_t a, const fmpz_poly_t b);

/* c = a b, both of the same bits, side and grain. c is neither a nor b. Refused as above. */
pby_status pby_pld_mul(pby_pld *c, const pby_pld *a, const pby_pld *b, pby_error *err);

/* Cuts both ends as long as what is cut weighs no more than `budget` at each: the top becomes infinite
 * (upper) or is dropped (lower), the bottom is raised to the first point kept (upper) or dropped. */
void pby_pld_trim(pby_pld *pld, const fmpz_t budget);

/* Moves the pld to a grid of twice the step, to the same pair or to one above or below it: for about half of
 * the losses, each moved by a step of h, the mean moves by h^2/2. The step is that of grain 1. */
void pby_pld_coarsen(pby_pld *pld, const fmpq_t step);

/* When a power may go over to coarser grids. At the power n a grain of g becomes one of 2 g where g^2 <= n
 * ease: then no such change moves the mean loss of a use by more than step^2 ease / 2. */
typedef struct pby_coarser {
    const fmpq *step, *ease;
} pby_coarser;

/* pld = base^times; what is trimmed on the way weighs at most 2^(log_budget - bits) in all, at each end. The
 * base has grain 1; so has the power where coarser is NULL, and otherwise long powers have as much as they
 * may. Refused where a product on the way is, before the long ones are worked out. */
pby_status pby_pld_power(pby_pld *pld, const pby_pld *base, uint64_t times, const pby_coarser *coarser,
                         slong log_budget, pby_error *err);

/* The potential at exp(epsilon) for each of count epsilons, as balls. One pass where they increase. */
void pby_pld_deltas(arb_ptr delta, const pby_pld *pld, const fmpq_t step, const fmpq *epsilon, size_t count);

/* A bound on the least epsilon with potential at most delta: from above for an upper pld, from below for
 * a lower one; -inf or inf where there is none. */
void pby_pld_epsilon(arf_t epsilon, const pby_pld *pld, const fmpq_t step, const fmpq_t delta);

#endif
