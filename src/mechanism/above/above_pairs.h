/* SPDX-License-Identifier: MIT */
/* The pairs of above threshold: those that dominate it, and those of some neighbours. */
#ifndef PBY_MECHANISM_ABOVE_ABOVE_PAIRS_H
#define PBY_MECHANISM_ABOVE_ABOVE_PAIRS_H

#include "mechanism/above/course.h"
#include "pair/pair.h"

/* The pairs of answers whose noise has that rate and which neighbours move by at most d. No loss of general
 * queries is above 4 rate d. Monotone queries have a pair for either direction; no loss of theirs is above 2
 * rate d, nor of a group, whose answers move within d of each other. */
PBY_CHECKED
pby_status pby_above_pairs_general(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err);
PBY_CHECKED
pby_status pby_above_pairs_monotone(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err);
PBY_CHECKED
pby_status pby_above_pairs_group(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err);

/* The ways in which neighbours move answers, by the sensitivity at most: each either way; all up from the one
 * without the record, or all down; or all up, or all down, in either order. */
typedef enum pby_above_moves { PBY_ABOVE_EITHER_WAY, PBY_ABOVE_RISING, PBY_ABOVE_TOGETHER } pby_above_moves;

/* The rate of two-sided geometric noise, or the variance of the discrete Gaussian; the other is NULL. */
typedef struct pby_above_noise {
    const fmpq *rate, *sigma2;
} pby_above_noise;

/* One use: questions and gap are 0 where there is no such limit (mechanism/shared/stream.h). */
typedef struct pby_above_use {
    pby_above_noise threshold, answer;
    int64_t sensitivity, tops, questions, gap;
    pby_above_moves moves;
} pby_above_use;

/* The i-th of the courses that tell neighbours apart: P is that of the first input. False beyond the last. */
bool pby_above_course(pby_course *course, pby_direction *direction, const pby_above_use *use, size_t i);

/* True if pairs of some neighbours are known: Gaussian noise must not be too wide to be summed. And these
 * pairs. */
bool pby_above_sums_up(const pby_above_use *use);
PBY_CHECKED
pby_status pby_above_pairs_attained(pby_pairs *out, const pby_above_use *use, pby_error *err);

/* Gives the pairs of pby_above_pairs_attained, and for every course that is gone through once all outputs
 * apart, in both orders: Renyi divergences see more than one event. */
PBY_CHECKED
pby_status pby_above_pairs_diverging(pby_pairs *out, const pby_above_use *use, pby_error *err);

#endif
