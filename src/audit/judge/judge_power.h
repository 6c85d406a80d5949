/* SPDX-License-Identifier: MIT */
/* Decides if a sample could have shown a violation at all.
 *
 * At a claim (E, D) the violation to be seen is an epsilon of T at the same delta: T is the lesser of 2E and
 * E + 1, and 1 where E is 0. Randomised response that fails outright with chance D has exactly the loss (T,
 * D), and everything with that loss is a post-processing of it, so nothing is easier to catch. Its one event,
 * "the answer tells left", misses an output on the left with chance q = (1 - D)/(1 + exp(T)), and takes one
 * in on the right with the same chance. A sample suffices where counts that come with a chance of at least
 * 1/2 refute the claim by one of the bounds that an audit uses. All of this is proved with balls
 * (docs/theory/audit.md): a sample that is said to suffice does.
 */
#ifndef PBY_AUDIT_JUDGE_JUDGE_POWER_H
#define PBY_AUDIT_JUDGE_JUDGE_POWER_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

/* The epsilon that must be seen at a claimed one. */
void pby_power_target(fmpq_t target, const fmpq_t epsilon);

/* True if so many judges on the two sides suffice, at the error of an audit. */
bool pby_power_suffices(uint64_t left, uint64_t right, const fmpq_t epsilon, const fmpq_t delta,
                        const fmpq_t error);

/* About how many outputs a side would, judges and others together, rounded up to two digits; 0 when that is
 * more than an audit may have. */
uint64_t pby_power_outputs(const fmpq_t epsilon, const fmpq_t delta, const fmpq_t error);

#endif
