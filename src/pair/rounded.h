/* SPDX-License-Identifier: MIT */
/* Pairs of outcomes whose chances are known by balls. */
#ifndef PBY_PAIR_ROUNDED_H
#define PBY_PAIR_ROUNDED_H

#include "pair/pair.h"

/* On an empty pair: n outcomes of the chances p and q, rounded so that no divergence is above that of the
 * true ones. The outcomes come out in the order of their ratios, and some may be merged. */
PBY_CHECKED
pby_status pby_pair_of_balls(pby_pair *pair, arb_srcptr p, arb_srcptr q, size_t n, pby_error *err);

#endif
