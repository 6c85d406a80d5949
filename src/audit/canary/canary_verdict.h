/* SPDX-License-Identifier: MIT */
/* A verdict by canaries, inside the library. */
#ifndef PBY_AUDIT_CANARY_CANARY_VERDICT_H
#define PBY_AUDIT_CANARY_CANARY_VERDICT_H

#include <arb.h>
#include <flint/fmpq.h>
#include <jansson.h>

#include "audit/canary/canary_scores.h"
#include "probity/enclosure.h"
#include "probity/experimental/canary.h"

enum { PBY_CANARY_DIGITS = 9, PBY_CANARY_TEXT = 256 };

struct pby_canary_verdict {
    bool claimed; /* whether there is a claim to judge */
    fmpq epsilon, delta, error;
    arb_t lower; /* the greatest refuted epsilon, or -inf */
    char lower_text[PBY_DECIMAL_SIZE];
    bool violation;
    char reason[PBY_CANARY_TEXT], warning[PBY_CANARY_TEXT];
    json_t *evidence; /* the fields that only this kind of canaries has */
    const char *method;
};

/* A verdict on a claim, or on none where epsilon is none, with nothing judged yet. Refuses numbers out of
 * range. */
PBY_CHECKED
pby_status pby_canary_verdict_new(pby_canary_verdict **out, pby_value epsilon, pby_value delta,
                                  pby_value error, pby_error *err);

/* Sets *out to the verdict if the status is PBY_OK; otherwise frees it and sets *out to NULL. */
PBY_CHECKED
pby_status pby_canary_verdict_end(pby_canary_verdict **out, pby_canary_verdict *v, pby_status status);

/* Sets what is refuted, and with it whether the claim is. */
void pby_canary_verdict_settle(pby_canary_verdict *v, const arb_t lower);

/* A lower bound as text, "0" where it is not above 0. */
void pby_canary_decimal(char text[PBY_DECIMAL_SIZE], const arb_t lower);

/* The verdict on one run, from its counts. */
PBY_CHECKED
pby_status pby_canary_tally_judge(pby_canary_verdict **out, const pby_canary_tally *tally, pby_value epsilon,
                                  pby_value delta, pby_value error, pby_error *err);

/* "violation", "consistent" or "inconclusive", of a claim. */
const char *pby_canary_verdict_word(const pby_canary_verdict *verdict);

/* For json_decref; NULL when there is no memory. */
json_t *pby_canary_verdict_object(const pby_canary_verdict *verdict);

#endif
