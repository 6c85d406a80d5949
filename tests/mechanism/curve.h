/* SPDX-License-Identifier: MIT */
/* Checks that every curve must pass, and pairs from text. A failure fails the running test. */
#ifndef PBY_TESTS_MECHANISM_CURVE_H
#define PBY_TESTS_MECHANISM_CURVE_H

#include "pair/pair.h"

/* The pairs of a spec of one mechanism, for add-remove neighbours. */
void pairs_of(pby_pairs *pairs, const char *spec);

/* On a grid of n cells from `from`, which holds all but 1e-20 of P and Q:
 *   cells are the differences of tails, and exact to the precision asked for at twice it;
 *   P and Q of a cell differ by a factor between the exponentials of its ends, as the loss does;
 *   P and Q of all cells are 1 within 1e-20;
 *   the Renyi divergences are those of the cells, within what a step can change;
 *   the tails of the reverse pair are those of the pair: Q(L <= t) is P(L >= -t). */
void check_curve(const char *spec, const char *from, const char *step, slong n);

/* The direct route gives the divergence that the tails give, to 30 digits, and is another one: tails that are
 * wrong by 2^-64 of P no longer agree with it, and do not move it. */
void check_direct(const char *spec, const char *epsilon);

#endif
