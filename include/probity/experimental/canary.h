/* SPDX-License-Identifier: MIT */
/* Auditing by canaries: records that an auditor plants in the training data of a mechanism.
 *
 *     pby_canaries *c;
 *     pby_canaries_new(&c, err);
 *     while (more)
 *         pby_canaries_add(c, included, score, strlen(score), err);   one score for each canary
 *     pby_canary_verdict *v;
 *     if (pby_canaries_judge(&v, c, pby_value_text(NULL), pby_value_text("1e-6"), pby_value_text("0.05"),
 *                            err) == PBY_OK)
 *         puts(pby_canary_verdict_epsilon_lower(v));
 *
 * One run: each canary was included or left out by a coin of its own, fair and independent of everything
 * else; the mechanism ran once; and a guesser that did not see the coins scored every canary. Many runs: the
 * mechanism ran many times with and without one canary, independently, and a guesser said each time whether
 * it was there. Neighbouring datasets differ by one canary (add-remove). See docs/canaries.md.
 */
#ifndef PROBITY_EXPERIMENTAL_CANARY_H
#define PROBITY_EXPERIMENTAL_CANARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "probity/value.h"

PBY_BEGIN_API

/* The most canaries of one run. */
#define PBY_CANARIES_MAX (UINT64_C(1) << 27)

/* The scores of the canaries of one run. */
typedef struct pby_canaries pby_canaries;

PBY_CHECKED
pby_status pby_canaries_new(pby_canaries **out, pby_error *err) PBY_NONNULL(1);
void pby_canaries_free(pby_canaries *canaries);

/* Adds a canary with its score, an integer or a decimal: the higher, the likelier it was included. */
PBY_CHECKED
pby_status pby_canaries_add(pby_canaries *canaries, bool included, const char *score, size_t length,
                            pby_error *err) PBY_NONNULL(1, 3);

/* The guesses of one run: the number of canaries, the number of guesses, which was fixed before the coins
 * fell, and the number of correct guesses. */
typedef struct pby_canary_guesses {
    uint64_t correct, made, canaries;
} pby_canary_guesses;

/* The guesses of many runs: with the canary included, and with the canary left out. */
typedef struct pby_canary_runs {
    uint64_t true_positive, false_negative; /* included: guessed so, or not */
    uint64_t false_positive, true_negative; /* left out */
} pby_canary_runs;

typedef struct pby_canary_verdict pby_canary_verdict;

/* Finds the epsilon that the canaries show at this delta, 0 <= delta < 1, with an error of at most `error`, 0
 * < error < 1/2; and a verdict on the claim (epsilon, delta) unless epsilon is none. */
PBY_CHECKED
pby_status pby_canaries_judge(pby_canary_verdict **out, const pby_canaries *canaries, pby_value epsilon,
                              pby_value delta, pby_value error, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_canary_guesses_judge(pby_canary_verdict **out, const pby_canary_guesses *guesses,
                                    pby_value epsilon, pby_value delta, pby_value error, pby_error *err)
    PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_canary_runs_judge(pby_canary_verdict **out, const pby_canary_runs *runs, pby_value epsilon,
                                 pby_value delta, pby_value error, pby_error *err) PBY_NONNULL(1, 2);
void pby_canary_verdict_free(pby_canary_verdict *verdict);

/* Returns true if the claim is refuted; and says why it could not be judged ("" otherwise): the canaries were
 * too few, or were not included by fair coins. */
PBY_CHECKED
bool pby_canary_verdict_violation(const pby_canary_verdict *verdict) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_canary_verdict_reason(const pby_canary_verdict *verdict) PBY_NONNULL(1);

/* Returns the reason to doubt the assumptions: far more canaries on one side than fair coins give. ""
 * otherwise. */
PBY_CHECKED
const char *pby_canary_verdict_warning(const pby_canary_verdict *verdict) PBY_NONNULL(1);

/* The greatest epsilon refuted at the delta, a decimal rounded down; "0" when none is. */
PBY_CHECKED
const char *pby_canary_verdict_epsilon_lower(const pby_canary_verdict *verdict) PBY_NONNULL(1);

/* All of it as lines for people, and as JSON text; free it with free(3). */
PBY_CHECKED
pby_status pby_canary_verdict_lines(char **text, const pby_canary_verdict *verdict, pby_error *err)
    PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_canary_verdict_json(char **text, const pby_canary_verdict *verdict, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
