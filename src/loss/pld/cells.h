/* SPDX-License-Identifier: MIT */
/* The law of the privacy loss L = log(P(o)/Q(o)) of a pair, read off at the points of a grid.
 *
 * A divergence depends on a pair only through its potential D(x) = sum of max(0, P(o) - x Q(o)), which is P(L
 * > log x) - x Q(L > log x). The tails below give it at every grid point, and the lines that support it
 * there. */
#ifndef PBY_LOSS_PLD_CELLS_H
#define PBY_LOSS_PLD_CELLS_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

#include "pair/pair.h"

/* At point i = 0 .. 2n, the loss t = (low + i/2) step - offset: p[i] = P(L > t) and q[i] = exp(t) Q(L > t).
 * Outcomes that Q cannot give have infinite loss, and count in p alone. */
typedef struct pby_tails {
    arb_ptr p, q;
    arb_t edge_p, edge_q; /* the same just below the last point: p at t, q times the last point's exp(t) */
    arb_t infinite;       /* P(L = inf) */
    bool *busy; /* whether there is a loss above point 2i and not above point 2i + 2, i = 0 .. n - 1 */
    fmpq_t offset;
    slong low, n;
    bool dense; /* no loss has a chance of its own */
} pby_tails;

/* The grid points that bracket the loss: P(L > high step) and P(L <= low step) are at most 2^-bits, or zero
 * when the finite losses are bounded (a loss of infinity is not counted). Refused when they are more
 * than PBY_GRID_MAX apart. */
pby_status pby_loss_range(slong *low, slong *high, const pby_pair *pair, const fmpq_t step, slong bits,
                          pby_error *err);

/* The bits by which a division by exp(step) - 1 magnifies an error. */
slong pby_step_places(const fmpq_t step);

enum { PBY_GRID_MAX = 1 << 24 };

/* The most memory that a composition may take. */
enum { PBY_MEMORY_MAX_MIB = 2048 };

/* Refused when the tails of count pairs on a grid of n steps need more than PBY_MEMORY_MAX_MIB at so many
 * bits. */
pby_status pby_tails_fit(slong n, size_t count, slong bits, pby_error *err);

/* Tails on low .. high, every ball of radius at most 2^-bits, of the losses raised by the offset; NULL for
 * none, which atoms must have. */
pby_status pby_tails_init(pby_tails *tails, const pby_pair *pair, const fmpq_t step, const fmpq *offset,
                          slong low, slong high, slong bits, pby_error *err);
void pby_tails_clear(pby_tails *tails);

/* An offset for a dense pair. Where most of its losses lie closer together than the step, their common loss
 * is a point of the grid once it is raised by the offset, or slightly more; elsewhere any offset is as good.
 */
pby_status pby_loss_offset(fmpq_t offset, const pby_pair *pair, const fmpq_t step, slong low, slong high,
                           pby_error *err);

/* ---- of atoms ---- */

/* As pby_loss_range, but false where that refuses; the finite losses of atoms are bounded. */
bool pby_atoms_range(slong *low, slong *high, const pby_pair *pair, const fmpq_t step);

/* The masses in the half cells, p[i] and q[i] those of the loss above point i and not above point i+1, and
 * all above the last point in the last. */
void pby_atoms_cells(pby_tails *tails, const pby_pair *pair, const fmpq_t half, slong prec);

/* The edge at t, without the exponential. */
void pby_atoms_edge(pby_tails *tails, const pby_pair *pair, const fmpq_t t, slong prec);

#endif
