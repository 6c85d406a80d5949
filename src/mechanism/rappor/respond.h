/* SPDX-License-Identifier: MIT */
/* The bits of a value, the permanent response to them, and its reports.
 *
 * Bit i is bit i % 64 of word i / 64; what is left of the last word is 0. As text a report is its bits as 0
 * and 1, the first bit first, with the cohort and a colon in front where there are several: 3:0110. */
#ifndef PBY_MECHANISM_RAPPOR_RESPOND_H
#define PBY_MECHANISM_RAPPOR_RESPOND_H

#include "law/flips.h"
#include "mechanism/rappor/rappor.h"
#include "mechanism/shared/estimator.h"

/* The number of words that the bits take, and a mask of the bits of the last word that are used. */
size_t pby_rappor_words(const pby_rappor *r);
uint64_t pby_rappor_last(const pby_rappor *r);

/* With hashes a value is 1 to PBY_MEMO_VALUE_MAX bytes; without, an integer from 0 to bits - 1 in decimal.
 * Any other is refused, and not shown. */
PBY_CHECKED
pby_status pby_rappor_check(const pby_rappor *r, const char *value, size_t length, pby_error *err);

/* The public bits of a value. */
PBY_CHECKED
pby_status pby_rappor_encode(uint64_t *bits, const pby_rappor *r, uint64_t cohort, const char *value,
                             size_t length, pby_error *err);

/* A report as text, with a NUL behind it; and how long it is at most, the NUL counted. */
size_t pby_rappor_text_size(const pby_rappor *r);
void pby_rappor_text(char *out, const pby_rappor *r, uint64_t cohort, const uint64_t *bits);

/* Reads one; false where the mechanism cannot have produced it. */
bool pby_rappor_read(uint64_t *cohort, uint64_t *bits, const pby_rappor *r, const char *text);

/* A cohort, from 0, each with the same chance. */
PBY_CHECKED
pby_status pby_rappor_cohort(uint64_t *cohort, const pby_rappor *r, pby_entropy *source, pby_error *err);

/* The two steps, for n users at a time, whose bits stand one behind the other; out may be in. With `even` the
 * time tells nothing (law/flips.h). */
typedef struct pby_responder {
    pby_flips *permanent, *report;
    size_t words;
    uint64_t last;
} pby_responder;

PBY_CHECKED
pby_status pby_responder_init(pby_responder *x, const pby_rappor *r, pby_error *err);
void pby_responder_clear(pby_responder *x);

PBY_CHECKED
pby_status pby_responder_permanent(pby_responder *x, pby_entropy *source, bool even, const uint64_t *bits,
                                   uint64_t *out, size_t n, pby_error *err);
PBY_CHECKED
pby_status pby_responder_report(pby_responder *x, pby_entropy *source, bool even, const uint64_t *permanent,
                                uint64_t *out, size_t n, pby_error *err);

/* Bits are counted, one cell each: cell c K + b has the reports of cohort c that speak for bit b, and behind
 * all of these there is a cell for each cohort with its reports. A one speaks for a bit if p > q, else a zero
 * does. */
extern const pby_estimator pby_rappor_estimator;

#endif
