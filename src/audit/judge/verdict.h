/* SPDX-License-Identifier: MIT */
/* A verdict, inside the library. */
#ifndef PBY_AUDIT_JUDGE_VERDICT_H
#define PBY_AUDIT_JUDGE_VERDICT_H

#include "audit/choose/event.h"
#include "audit/judge/judge_profile.h"
#include "number/text.h"
#include "probity/enclosure.h"

/* One part in PBY_BAND_PARTS of the error is for the band around the profile. */
enum { PBY_BAND_PARTS = 10, PBY_VERDICT_DIGITS = 9, PBY_BARS = 48, PBY_REASON_SIZE = 256 };

typedef struct pby_judged {
    pby_event event;
    pby_evidence chosen, judged; /* its counts in the two halves */
    char *text, *ranges;         /* pby_event_text, pby_event_ranges */
    pby_event_kind kind;
} pby_judged;

/* A bar of the witness's histogram. */
typedef struct pby_witness_bar {
    uint64_t left, right; /* in the judging part */
    bool inside;          /* whether it belongs to the event */
    char text[64];
} pby_witness_bar;

struct pby_verdict {
    fmpq epsilon, delta, error; /* the claim, or the point of its curve at which it is judged */
    fmpq value;                 /* the claimed rho or mu, 0 where the claim is epsilon and delta */
    pby_question claimed;       /* PBY_ASK_RHO or PBY_ASK_MU of that value */
    uint64_t outputs[PBY_SIDES], judges[PBY_SIDES];
    uint64_t missing[PBY_SIDES]; /* outputs that were asked for and did not come */
    unsigned kinds;              /* of event that were judged */
    pby_judged event[PBY_EVENTS];
    size_t events;
    size_t witness[PBY_REFUTABLE]; /* the event that refutes the most epsilon, and the most delta */
    arb_t lower[PBY_REFUTABLE];    /* what it refutes, or -inf */
    char lower_text[PBY_REFUTABLE][PBY_DECIMAL_SIZE];
    bool refuted[PBY_REFUTABLE], violation;
    char reason[PBY_REASON_SIZE]; /* why it is inconclusive; "" if it is not */
    uint64_t
        enough; /* about how many outputs a side would not be too few; 0 if unknown, or if they are not */
    double least_visible, most_visible;
    pby_empirical profile;
    pby_witness_bar bar[PBY_BARS];
    size_t bars, left_out; /* cells that are in no bar, for lack of room */
};

/* Judges one claim, as pby_audit_judge does. */
PBY_CHECKED
pby_status pby_audit_judge_point(pby_verdict **out, const pby_audit *audit, mpq_srcptr epsilon,
                                 mpq_srcptr delta, mpq_srcptr error, pby_error *err);

/* A verdict on a claim, with nothing judged yet; NULL when there is no memory. */
pby_verdict *pby_verdict_new(mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error);

/* Fills in what follows from the events, their counts, the claim, the error and the numbers of outputs:
 * the lower bounds, the witnesses, the verdict, its reason, and what could have been seen. */
void pby_verdict_conclude(pby_verdict *verdict);

/* Why a verdict is inconclusive where outputs are missing. */
void pby_reason_missing(char reason[PBY_REASON_SIZE], const uint64_t missing[PBY_SIDES]);

/* "violation", "consistent" or "inconclusive". */
const char *pby_verdict_word(const pby_verdict *verdict);

/* The event that the verdict rests on. */
const pby_judged *pby_verdict_witness(const pby_verdict *verdict);

/* The histogram of the feature of the witness, in at most PBY_BARS bars. */
pby_status pby_verdict_bars(pby_verdict *verdict, const pby_audit *audit, pby_error *err);

#endif
