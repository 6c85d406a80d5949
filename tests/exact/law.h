/* SPDX-License-Identifier: MIT */
/* Laws over few outcomes, in rationals. What a paper says of every law can be decided on all small ones: no
 * rounding, no sampling. exp(epsilon) is a rational x here, so that epsilon = log x and divergences are
 * rational too. */
#ifndef PBY_TESTS_EXACT_LAW_H
#define PBY_TESTS_EXACT_LAW_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t n;
    mpq_t *p;
} exact_law;

/* n outcomes, all of mass 0. */
void exact_init(exact_law *law, size_t n);
void exact_clear(exact_law *law);
void exact_set(exact_law *law, size_t i, unsigned long num, unsigned long den);
void exact_copy(exact_law *out, const exact_law *law);
bool exact_is_law(const exact_law *law);

/* The sum of max(0, p - x q): the delta of this order at epsilon = log x. */
void exact_hockey(mpq_t out, const exact_law *p, const exact_law *q, mpq_srcptr x);
/* The greater of both orders. */
void exact_delta(mpq_t out, const exact_law *p, const exact_law *q, mpq_srcptr x);
/* Total variation: the divergence at x = 1. */
void exact_variation(mpq_t out, const exact_law *p, const exact_law *q);
/* p <= x q at every outcome. */
bool exact_within(const exact_law *p, const exact_law *q, mpq_srcptr x);
/* The sum of p^order q^(1-order); false where it is infinite. The Renyi divergence is its logarithm over
 * order - 1. */
bool exact_moment(mpq_t out, const exact_law *p, const exact_law *q, unsigned long order);

/* Independent draws: outcome (i, j) of the product is i q->n + j. */
void exact_product(exact_law *out, const exact_law *p, const exact_law *q);
/* The law of map[outcome]. */
void exact_push(exact_law *out, const exact_law *p, const size_t *map);
/* The law of a draw from rows[i], i drawn from p. */
void exact_mix(exact_law *out, const exact_law *p, const exact_law *rows);

/* centre + G for two-sided geometric noise of ratio a, seen as first .. first + n - 1 with the tails heaped
 * on the ends. Two such laws whose centres lie strictly between the ends have the divergences of the
 * unclipped ones: tails have one ratio. */
void exact_geometric(exact_law *out, mpq_srcptr a, long centre, long first);

/* The next law of masses parts[i] / total in a fixed order; false behind the last. Begin with exact_first. */
void exact_first(unsigned long *parts, size_t n, unsigned long total);
bool exact_next(unsigned long *parts, size_t n);
void exact_parts(exact_law *law, const unsigned long *parts, unsigned long total);

#endif
