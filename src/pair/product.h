/* SPDX-License-Identifier: MIT */
/* Products of pairs, kept small on the way. */
#ifndef PBY_PAIR_PRODUCT_H
#define PBY_PAIR_PRODUCT_H

#include "pair/pair.h"

/* The unit of the product: one outcome, of chance 1 on both sides. */
pby_status pby_pair_one(pby_pair *pair, pby_error *err);

/* pair = the product of pair and factor, atoms of equal ratio merged wherever they stand. */
pby_status pby_pair_multiply(pby_pair *pair, const pby_pair *factor, pby_error *err);

/* The number of terms that the sums of a pair have in all, which decides the time and memory of a product. */
size_t pby_pair_terms(const pby_pair *pair);

#endif
