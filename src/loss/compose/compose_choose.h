/* SPDX-License-Identifier: MIT */
/* Which pair each use is up against, in a composition on one grid in one direction. */
#ifndef PBY_LOSS_COMPOSE_COMPOSE_CHOOSE_H
#define PBY_LOSS_COMPOSE_COMPOSE_CHOOSE_H

#include "loss/adaptive/menu.h"
#include "loss/compose/bounds.h"
#include "loss/compose/tailed.h"

/* All parts on the grid, and what is asked of them. */
typedef struct pby_round {
    pby_tailed *tailed;
    size_t *choice; /* for a lower bound: the pair of each part that is kept in every use */
    size_t count;
    const pby_asked *asked;
    const pby_grid *grid;
    slong bits, log_budget;
    fmpq_t slack, share; /* of all lower plds together, and of one */
    fmpq_t offset;       /* by which all losses together are raised, where parts have offsets */
    fmpq *raised;        /* what is asked at, raised by the slack and the offset */
    fmpq *shifted;       /* what is asked at, raised by the offset alone */
    arb_ptr ball;        /* room for the answers */
} pby_round;

/* The product of all parts, or of those alone that have one pair: of the plds that dominate all pairs of a
 * part when upper, of the pairs chosen otherwise. Only that of all parts may have a grain. */
pby_status pby_round_multiply(pby_pld *pld, const pby_round *r, bool all, pby_error *err);

/* Keeps in out what is read off where it is a better bound from the side of the pld or the values; true if
 * some is. */
bool pby_round_read_pld(arf_ptr out, const pby_pld *pld, pby_round *r);
void pby_round_read_values(arf_ptr out, const pby_values *v, pby_round *r);

/* Lower bounds by choices that are made once, unless free ones can be had for hardly more; and by choices
 * after every output, from both sides, where that leaves the bounds apart. upper is the product of all parts.
 */
pby_status pby_round_choose(pby_bounds *bounds, const pby_pld *upper, pby_round *r, pby_error *err);

#endif
