/* SPDX-License-Identifier: MIT */
/* The subject of a question about loss: a spec, as a group sees it, itself or through a conversion. */
#ifndef PBY_REPORT_REQUEST_H
#define PBY_REPORT_REQUEST_H

#include "probity/loss.h"
#include "report/sheet.h"

typedef struct pby_request {
    const pby_spec *spec;
    const pby_loss_asked *asked;
    pby_spec *group_spec; /* what a group sees of it, where it has a spec of its own; for pby_spec_free */
    const pby_spec *seen; /* the one above, or the spec itself without a group; NULL: by the group theorem */
    unsigned long group;
    pby_composition composition;
    mpq_t width; /* of an answer from a grid, relative */
    unsigned digits;
} pby_request;

/* Reads what is asked, but for the value. Only delta and epsilon have a group theorem for every family, which
 * `theorem` allows. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_request_read(pby_request *r, const pby_spec *spec, const pby_loss_asked *asked, bool theorem,
                            pby_error *err);
void pby_request_clear(pby_request *r);

/* delta or epsilon at one value, from what is seen or by the group theorem. */
PBY_CHECKED
pby_status pby_request_ask(pby_enclosure *answer, bool *wider, const pby_request *r, pby_question question,
                           mpq_srcptr at, pby_error *err);

/* Prints the lines beside every answer: mechanism and neighbours, and group, conversion and width where there
 * are such. */
void pby_request_tell(pby_sheet *s, const pby_request *r);

/* The sentence about an answer that stays wider than asked for. */
const char *pby_request_wider(const pby_request *r);

#endif
