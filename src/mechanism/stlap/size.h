/* SPDX-License-Identifier: MIT */
/* The shifted truncated Laplace histogram whose threshold is a share of its input's size, q = tau |x|.
 *
 * One record more moves q, and with q the noise of every bar. Between an input of n records and one of
 * n + 1, a bar that holds the record goes from x + R_n to x + 1 + R_(n+1), every other from x + R_n to
 * x + R_(n+1), where R_m has the law of q = tau m, and what is below zero becomes zero. The clamping is one
 * map on both sides, so that a bar with more records shows no less, and one of reach(n + 1) records or more,
 * reach(n) in the bar that gets the record, shows all: it is full. Where n records fill all bars, full bars
 * are worst; where they do not, the worst of all inputs is found by listing them, as long as they are few,
 * and is enclosed otherwise (docs/theory/stlap-size.md).
 */
#ifndef PBY_MECHANISM_STLAP_SIZE_H
#define PBY_MECHANISM_STLAP_SIZE_H

#include <stdint.h>

#include "law/law.h"
#include "pair/pair.h"

typedef struct pby_stlap_size {
    const fmpq *eps, *tau;
    int64_t n, bars;
} pby_stlap_size;

/* The law of the noise on data of so many records, and the most that it takes off a bar. */
pby_status pby_stlap_size_law(pby_law **out, const pby_stlap_size *s, int64_t records, pby_error *err);
int64_t pby_stlap_size_reach(const pby_stlap_size *s, int64_t records);

/* One bar of x records with the noise of one law against y records with that of another; merged. */
pby_status pby_stlap_bar(pby_pair *pair, const pby_law *one, int64_t x, const pby_law *other, int64_t y,
                         pby_error *err);

/* The pairs of a bar that goes from x records of n to y of n + 1, and back. Merged. */
pby_status pby_stlap_size_bar(pby_pairs *out, const pby_stlap_size *s, int64_t x, int64_t y, pby_error *err);

/* The number of bars that n records can fill beside the one that gets the record. */
int64_t pby_stlap_size_filled(const pby_stlap_size *s);

/* The pairs of all bars together where n records fill them, one in each direction. *small is false, and out
 * empty, where their outcomes are too many. */
pby_status pby_stlap_full(pby_pairs *out, bool *small, const pby_stlap_size *s, pby_error *err);

/* The pairs where n records do not fill all bars: a pair in each direction for every way of spreading them.
 * *few is false, and out empty, where the ways or the outcomes are too many. */
pby_status pby_stlap_inputs(pby_pairs *out, bool *few, const pby_stlap_size *s, pby_error *err);

/* The factors of a product that no input is worse than, and how many of each some input has; as a family's
 * part. */
pby_status pby_stlap_part(pby_pairs *out, uint64_t *times, uint64_t *reached, const pby_stlap_size *s,
                          size_t i, pby_error *err);

/* Inputs that may be worse than the full bars that are reached: the i-th factor of the c-th, as a family's
 * witness. */
pby_status pby_stlap_witness(pby_pairs *out, uint64_t *times, const pby_stlap_size *s, size_t c, size_t i,
                             pby_error *err);

/* One record that changes from a bar to another: the pairs at n records and at n + 1, which are both
 * released. Refused where a size does not fill two bars and has too many ways to spread its records over
 * them. */
pby_status pby_stlap_trade(pby_pairs *out, const pby_stlap_size *s, pby_error *err);

/* all *= factor; or *small becomes false, where the product would have too many terms. */
pby_status pby_stlap_multiply(pby_pair *all, bool *small, const pby_pair *factor, pby_error *err);

#endif
