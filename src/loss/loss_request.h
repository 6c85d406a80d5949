/* SPDX-License-Identifier: MIT */
/* A question about loss, read: its numbers, and the spec as a group sees it. */
#ifndef PBY_LOSS_LOSS_REQUEST_H
#define PBY_LOSS_LOSS_REQUEST_H

#include "probity/loss.h"

typedef struct pby_request {
    const pby_spec *spec;
    const pby_loss_request *asked;
    pby_spec *group_spec; /* what a group sees of it, where it has a spec of its own; for pby_spec_free */
    const pby_spec *seen; /* the one above, or the spec itself without a group; NULL: by the group theorem */
    unsigned long group;
    pby_composition composition;
    mpq_t width; /* of an answer from a grid, relative */
    unsigned digits;
} pby_request;

/* Reads what is asked, but for the value. Only delta and epsilon have a group theorem for every family. To be
 * cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_request_read(pby_request *r, const pby_spec *spec, const pby_loss_request *asked,
                            pby_error *err);
void pby_request_clear(pby_request *r);

/* The name of the number that goes with a question, NULL where none does, and that of its answer. */
const char *pby_question_given(pby_question question);
const char *pby_question_answer(pby_question question);

/* The value that goes with the question; *at is a, or NULL for the order inf and for mu. */
PBY_CHECKED
pby_status pby_request_value(mpq_srcptr *at, mpq_t a, const pby_request *r, pby_error *err);

/* delta at one epsilon, or epsilon at one delta, from what is seen or by the group theorem. */
PBY_CHECKED
pby_status pby_request_ask(pby_enclosure *answer, bool *wider, const pby_request *r, mpq_srcptr at,
                           pby_error *err);

/* The answer as it was asked for, but for the claim and the decimals. */
PBY_CHECKED
pby_status pby_request_answer(pby_answer *answer, const pby_request *r, mpq_srcptr at, pby_error *err);

/* Returns true if a paper's claim stands beside the answer: delta, of the mechanism itself. */
bool pby_request_has_claim(const pby_request *r);

#endif
