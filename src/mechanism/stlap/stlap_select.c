/* SPDX-License-Identifier: MIT */
/* Which q of the shifted truncated Laplace law are candidates, and in which order: of stlap and of
 * buckethist. */
#include "mechanism/shared/selection.h"
#include "number/scoped.h"

/* From 3 on the two ends of the law lie on either side of its middle. */
static int64_t ordered_from(const pby_mechanism *m)
{
    (void)m;
    return 3;
}

static int64_t last(const pby_mechanism *m, const pby_target *target)
{
    return pby_horizon(m, target, 2);
}

/* The lowest outcome is a half cell: (exp(eps/2) - 1)/(2 (exp(eps q/2) - 1)). */
static void half_cell(arb_t floor, const pby_mechanism *m, slong prec)
{
    PBY_ARB(all);
    pby_decay(floor, m, -1, 2, prec);
    pby_decay(all, m, -pby_mechanism_integer(m, PBY_ROLE_LOSES), 2, prec);
    arb_sub_ui(floor, floor, 1, prec);
    arb_sub_ui(all, all, 1, prec);
    arb_div(floor, floor, all, prec);
    arb_mul_2exp_si(floor, floor, -1);
}

/* A law on a longer interval, given that of the shorter one about the same middle, is the shorter one's; it
 * leaves that with a chance of at most exp(-eps q/2). A record is in one bar, a changed one in two. */
static void tail(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    pby_decay(tail, m, pby_mechanism_integer(m, PBY_ROLE_LOSES), 2, prec);
    arb_mul_2exp_si(tail, tail, relation == PBY_SUBSTITUTE);
}

const pby_integers pby_integers_stlap = {2, ordered_from, last, half_cell, tail};
