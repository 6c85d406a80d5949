/* SPDX-License-Identifier: MIT */
/* Decides which claims the counts of one event refute.
 *
 * An event was seen x times in n outputs on the accused side and y times in m on the other. The claim
 * (epsilon, delta) says P(E) <= exp(epsilon) Q(E) + delta. Two ways to refute it with an error of at
 * most `error`, one of them fixed before these counts are seen:
 *
 *   split   a part of the error for the Clopper-Pearson lower bound of P(E), the rest for the upper
 *           bound of Q(E)
 *   joint   for every q that Q(E) may be: the tails P[Bin(n, exp(epsilon) q + delta) >= x] and
 *           P[Bin(m, q) <= y] are independent p-values, and their product is at most c with a chance of
 *           at most c (1 - log c); the claim falls when every q falls
 *
 * Both are proved with balls; see docs/theory/audit.md. Refuting (epsilon, delta) refutes every pair
 * below it, so that the greatest refuted epsilon for a delta is a bound on the truth.
 */
#ifndef PBY_AUDIT_BOUND_BOUND_H
#define PBY_AUDIT_BOUND_BOUND_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pby_evidence {
    uint64_t n, x; /* the accused side: outputs, and those in the event */
    uint64_t m, y; /* the other */
} pby_evidence;

typedef struct pby_share {
    fmpq_t error;   /* above 0, below 1 */
    unsigned split; /* 0 for the joint bound; else 1 .. PBY_SPLITS-1 parts in PBY_SPLITS go to P */
} pby_share;

enum { PBY_SPLITS = 64 };

/* Clopper-Pearson: lower <= P(E), or P(E) <= upper, each but for a chance of at most `error`. The
 * results are exact dyadic numbers. n >= 1. */
void pby_clopper_lower(arb_t lower, uint64_t n, uint64_t x, const fmpq_t error);
void pby_clopper_upper(arb_t upper, uint64_t n, uint64_t x, const fmpq_t error);

/* The greatest epsilon >= 0 at this delta, and the greatest delta >= 0 at this epsilon, that the
 * evidence was shown to refute, as exact dyadic numbers; -inf when that is not even 0. */
void pby_refuted_epsilon(arb_t epsilon, const pby_evidence *e, const fmpq_t delta, const pby_share *share);
void pby_refuted_delta(arb_t delta, const pby_evidence *e, const fmpq_t epsilon, const pby_share *share);

/* About the same, in doubles. */
double pby_guess_epsilon(const pby_evidence *e, double delta, const pby_share *share);
double pby_guess_delta(const pby_evidence *e, double epsilon, const pby_share *share);

/* True if the joint bound proves that the evidence refutes (epsilon, delta). */
bool pby_joint_refutes(const pby_evidence *e, const arb_t epsilon, const arb_t delta, const fmpq_t error);

/* About log of the largest product of the two tails over q, less log c: negative when refuted. */
double pby_joint_guess(const pby_evidence *e, double epsilon, double delta, double log_c);

/* About the log of the c with c (1 - log c) = error. */
double pby_joint_level(double error);

#endif
