/* SPDX-License-Identifier: MIT */
/* Piecewise linear potentials on a grid, above or below that of a pair (loss/pld/cells.h).
 *
 * Between losses that a pair has, its potential is linear in exp(loss), so that only the points at the ends
 * of a cell with some loss in it are looked at: a pair of few atoms has few of them however fine the grid is.
 * That the chords between the points lie above the potential, or below it, does not rest on this; that they
 * lie close to it does.
 */
#ifndef PBY_LOSS_PLD_POTENTIAL_H
#define PBY_LOSS_PLD_POTENTIAL_H

#include "loss/pld/cells.h"

/* Bits beyond those of the masses that a potential from below stays under the pair's. */
enum { PBY_POTENTIAL_MARGIN = 8 };

/* exp(loss) = 0, as a point. */
enum { PBY_ZERO = -1 };

typedef struct pby_potential {
    arb_ptr value; /* at the points, of 0 .. n */
    arb_t at_zero;
    slong *point; /* increasing from 0 to n, points of them */
    slong *bend;  /* the first is PBY_ZERO, the others are points; from the last one on the potential is
                     constant */
    slong points, bends, n, low, prec;
    const fmpq *step;
    arb_t unit; /* exp(step) - 1 */
} pby_potential;

/* The points that the tails of count pairs on one grid ask for; no values yet, and no bend but the first. */
void pby_potential_init(pby_potential *u, const pby_tails *tails, size_t count, const fmpq_t step,
                        slong prec);
void pby_potential_clear(pby_potential *u);

/* gap = exp(d step) - 1 */
void pby_potential_gap(arb_t gap, const pby_potential *u, slong d);

/* The P-mass at point b of the potential that bends there, coming from a and going to c (beyond n: to no
 * other bend). */
void pby_potential_mass(arb_t mass, const pby_potential *u, slong a, slong b, slong c);

/* Values and bends that lie above the potential of each of count pairs; or below that of a pair once its
 * losses are raised by slack, by 2^-bits less. */
void pby_potential_above(pby_potential *u, const pby_tails *tails, size_t count);
void pby_potential_below(pby_potential *u, const pby_tails *tails, const fmpq_t slack, slong bits);

/* Gives these values without bends, and the points that they need, for tails that are dense. */
void pby_potential_gather(pby_potential *u, const pby_tails *tails, const fmpq_t slack, slong bits);

#endif
