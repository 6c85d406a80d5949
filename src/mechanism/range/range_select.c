/* SPDX-License-Identifier: MIT */
/* Which lengths of an interval are candidates, and in which order. */
#include "mechanism/range/range_select.h"
#include "number/scoped.h"

static int64_t sensitivity_of(const pby_mechanism *m)
{
    return pby_mechanism_integer(m, PBY_ROLE_SENSITIVITY);
}

/* As long as the two intervals have no point in common, shorter ones suppress more. */
static int64_t ordered_from(const pby_mechanism *m)
{
    const int64_t half = sensitivity_of(m) / 2;
    return half > 1 ? half : 1;
}

/* A bar that moves by all of D: where its intervals have no point in common, all that is published; otherwise
 * noise from -L to D - L - 1. */
static void floor_of(arb_t floor, const pby_mechanism *m, slong prec)
{
    const int64_t reach = pby_mechanism_integer(m, PBY_ROLE_MOST), all = sensitivity_of(m);
    PBY_ARB(beyond);
    pby_upper_tail(beyond, m, reach + 1, prec);
    if (2 * reach < all) {
        arb_mul_2exp_si(beyond, beyond, 1);
        arb_sub_ui(floor, beyond, 1, prec);
        arb_neg(floor, floor);
    } else if (all <= reach) {
        pby_upper_tail(floor, m, reach - all + 1, prec);
        arb_sub(floor, floor, beyond, prec);
    } else {
        pby_upper_tail(floor, m, all - reach, prec);
        arb_add(floor, floor, beyond, prec);
        arb_sub_ui(floor, floor, 1, prec);
        arb_neg(floor, floor);
    }
}

/* At most D bars differ, and each says something else only if its noise is beyond L. */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    const int64_t sensitivity = sensitivity_of(m);
    pby_decay(tail, m, pby_mechanism_integer(m, PBY_ROLE_MOST), sensitivity, prec);
    arb_mul_si(tail, tail, 2 * sensitivity, prec);
}

static const pby_integers lengths = {1, ordered_from, pby_horizon_sensitive, floor_of, tail_of};

const pby_select_row pby_range_selection = {
    .chosen = PBY_ROLE_MOST,
    .rising = true,
    .shares = true,
    .integers = &lengths,
    .monotone = "delta falls as L rises, at every epsilon, from half the sensitivity on",
    .recipe = PBY_RECIPE_CLAIMED,
    .source = "Thresh/Lemma 2, or Theorem 2, which is refuted; epsilon and delta shared by the uses",
    .never_zero = "the ends of an interval's reach betray the neighbour",
    .binds = PBY_SELECT_RATE,
};
