/* SPDX-License-Identifier: MIT */
/* Branch and bound over orders, the search behind loss/divergence/divergence_zcdp.h.
 *
 * The orders from 1 on are covered by spans. Of each an upper bound of the quotient (D_a - xi) / a is known,
 * and every evaluation raises what the supremum is known to reach. A span whose bound is below that is let
 * go; the one with the greatest bound is cut in two. */
#ifndef PBY_LOSS_DIVERGENCE_BRANCH_H
#define PBY_LOSS_DIVERGENCE_BRANCH_H

#include "loss/divergence/spectrum.h"

/* Orders from x to y, or from x on; k is K there, of the parts that are not in closed form. */
typedef struct pby_span {
    fmpq_t x, y;
    bool open;
    arb_t kx, ky;
    arf_t bend;  /* K'' is at least twice that */
    arf_t bound; /* the quotient is nowhere greater */
} pby_span;

typedef struct pby_branch {
    const pby_spectrum *s;
    pby_direction way;
    fmpq_t xi;     /* what is left of the xi asked for when the line has taken its own */
    arb_t base;    /* the rho of the line and of the closed parts */
    arb_t limit;   /* D_inf - xi of the others */
    arb_t range;   /* how far apart their losses are */
    arf_t reached; /* rho is at least that */
    pby_span *span;
    size_t count, room;
    unsigned work;
    slong prec, bits; /* bits is what the divergences must be good for */
    bool weak;        /* one of them was not */
    pby_error *err;
} pby_branch;

void pby_branch_init(pby_branch *s, const pby_spectrum *spectrum, const fmpq_t xi, pby_error *err);
void pby_branch_clear(pby_branch *s);

/* Lets all spans go, before a round at another precision or in another direction. */
void pby_branch_restart(pby_branch *s);

/* Covers the orders from 1 on; limit and range are set. */
pby_status pby_branch_start(pby_branch *s);

/* The span with the greatest bound; those that cannot hold rho are let go. */
size_t pby_branch_widest(pby_branch *s);

/* Cuts span i in two: an open one at twice its start. */
pby_status pby_branch_split(pby_branch *s, size_t i);

/* True if a ball is good for so many bits. */
bool pby_branch_narrow(const arb_t ball, slong bits);

#endif
