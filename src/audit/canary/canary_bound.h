/* SPDX-License-Identifier: MIT */
/* Decides which claims the guesses of one run refute.
 *
 * Among m canaries, r were guessed and c of these guesses were right. Three bounds say which epsilon, or
 * which mu, that refutes with an error of at most `error`; the proofs are in docs/theory/canaries.md.
 *
 *   exact        what (epsilon, delta)-privacy says about the number of correct guesses, by linear
 *                programming
 *   gaussian     the bound of the trade-off curve of mu-Gaussian privacy: it refutes mu, not epsilon
 *   independent  the guesses of an epsilon-private mechanism are right no more often than r coins of
 *                randomised response; the term that was published for delta is not proved, and too small for
 *                errors near 1
 *
 * A guess in doubles steers the search; a proof with balls decides.
 */
#ifndef PBY_AUDIT_CANARY_CANARY_BOUND_H
#define PBY_AUDIT_CANARY_CANARY_BOUND_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

#include "probity/experimental/canary.h"

typedef struct pby_canary_bound {
    const char *name;
    /* About whether the guesses refute the parameter at this delta and error. */
    bool (*guess)(const pby_canary_guesses *g, double parameter, double delta, double error);
    /* True if they are proved to. */
    bool (*refutes)(const pby_canary_guesses *g, const arb_t parameter, const fmpq_t delta,
                    const fmpq_t error);
} pby_canary_bound;

extern const pby_canary_bound pby_canary_exact, pby_canary_gaussian, pby_canary_independent;

/* The greatest parameter that one of n lists of guesses is proved to refute, each with this error, and which
 * of them; an exact dyadic number, or -inf when not even 0 is refuted. */
void pby_canary_greatest(arb_t parameter, size_t *which, const pby_canary_bound *bound,
                         const pby_canary_guesses *g, size_t n, const fmpq_t delta, const fmpq_t error);

/* The epsilon of a mu-Gaussian mechanism at delta, from below: -inf where it has none above 0, and inf at
 * delta 0. mu is exact. */
PBY_CHECKED
pby_status pby_canary_gaussian_epsilon(arb_t epsilon, const arb_t mu, const fmpq_t delta, pby_error *err);

#endif
