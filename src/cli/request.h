/* What `probity loss` is asked about: a spec, as a group sees it, itself or through a conversion. */
#ifndef PBY_CLI_REQUEST_H
#define PBY_CLI_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/loss.h"

typedef struct pby_request {
    pby_spec *spec;
    pby_spec *seen; /* what a group sees of it; the spec itself without one; NULL: by the group theorem */
    unsigned long group;
    const char *conversion; /* NULL for the mechanism itself */
    const char *theorem;    /* of composition, by name; NULL for the exact one */
    pby_composition composition;
    pby_neighbours relation;
    mpq_t at; /* the value of the option that asks, and its text */
    const char *at_text;
    bool infinite; /* the order inf */
    mpq_t width;   /* of an answer from a grid, relative; 1/100 where its text is NULL */
    const char *width_text;
    unsigned digits;
} pby_request;

/* Reads the width and the digits, either NULL for what is usual; without digits there are as many as the
 * width needs. */
PBY_CHECKED
pby_status pby_request_width(pby_request *r, const char *width, const char *digits, pby_error *err);

/* What is said of an answer that stays wider than asked for. */
const char *pby_request_wider(const pby_request *r);

/* What is told beside every answer: mechanism and neighbours, and group, conversion and width where there are
 * such. */
void pby_request_print(const pby_request *r);

/* The same as an object to which the answer is added; for json_decref, whether this succeeds or not. */
PBY_CHECKED
pby_status pby_request_json(json_t **out, const pby_request *r, pby_error *err);

/* The curve over range (LO:HI:N, or 0:2:201 for NULL): to the file plot unless that is NULL, and printed
 * as CSV or JSON unless a plot is all that is asked for (no range and no json). Enclosures that stay wider
 * than asked for are told in the JSON or else on standard error, and in the plot. */
PBY_CHECKED
pby_status pby_request_profile(const pby_request *r, const char *range, const char *plot, bool json,
                               pby_error *err);

#endif
