/* SPDX-License-Identifier: MIT */
/* The line of a published claim: its value, its source, and the two verdicts on it. */
#ifndef PBY_REPORT_LOSS_CLAIMED_H
#define PBY_REPORT_LOSS_CLAIMED_H

#include "loss/claim.h"
#include "report/sheet.h"

typedef struct pby_claimed {
    pby_enclosure delta;
    const char *source; /* NULL where the paper claims nothing */
    const pby_statement *statement;
    pby_here here; /* held against the exact delta */
} pby_claimed;

void pby_claimed_init(pby_claimed *x);
void pby_claimed_clear(pby_claimed *x);

/* Asks for the claim and holds it against the exact delta, which is known. */
pby_status pby_claimed_ask(pby_claimed *x, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                           const pby_enclosure *delta, unsigned digits, pby_error *err);

/* "holds here", "fails here" or "undecided here", and behind it that the statement is refuted in general. */
const char *pby_claimed_words(const pby_claimed *x);

/* The line under the name, unless there is no claim, and the member `claimed` of JSON. */
void pby_claimed_tell(pby_sheet *s, const pby_claimed *x, const char *name, unsigned digits);

#endif
