/* SPDX-License-Identifier: MIT */
/* Pairs of bounded range: all privacy losses lie in one interval of length eps.
 *
 * The exponential mechanism's loss takes any two values t and t - eps, 0 <= t <= eps, on some neighbours with
 * two candidates. With Q-mass q(t) = (exp(-t) - exp(-eps))/(1 - exp(-eps)) of the first, the potential of
 * that pair is
 *
 *     D_t(x) = (exp(t) - x) q(t)      for exp(t - eps) <= x <= exp(t),
 *
 * 1 - x below and 0 above. Every neighbours' potential is at most that of some t
 * (docs/theory/exponential.md). A curve stands for the pairs with t in [from, to]: its potential is the
 * greatest of theirs at every x, which t = (log x + eps)/2, moved into the interval, has. For from = to it is
 * one of these pairs, which some neighbours have. */
#ifndef PBY_MECHANISM_EXPONENTIAL_EXPONENTIAL_CURVE_H
#define PBY_MECHANISM_EXPONENTIAL_EXPONENTIAL_CURVE_H

#include "pair/pair.h"

/* 0 <= from <= to <= eps. */
pby_status pby_bounded_curve(pby_curve **out, const fmpq_t eps, const fmpq_t from, const fmpq_t to,
                             pby_error *err);

#endif
