/* SPDX-License-Identifier: MIT */
/* The loss of independent noise: terms that are composed by the enclosures of loss/. */
#ifndef PBY_AUDIT_TRACE_TRACE_TERMS_H
#define PBY_AUDIT_TRACE_TRACE_TERMS_H

#include <arb.h>
#include <gmp.h>

#include "audit/trace/trace_run.h"
#include "loss/profile/profile.h"
#include "probity/loss.h"

typedef struct pby_trace_terms {
    mpq_t *laplace; /* ratios of shift to scale, above 0 */
    size_t laplace_count, laplace_room;
    mpq_t squares; /* the sum of the squares of such ratios of normal noise */
    char **specs;  /* other terms */
    size_t specs_count, specs_room;
    pby_pair *pairs; /* finite ones, of choices */
    size_t pairs_count, pairs_room;
} pby_trace_terms;

void pby_trace_terms_init(pby_trace_terms *t);
void pby_trace_terms_clear(pby_trace_terms *t);

/* A ratio of 0 adds nothing. */
PBY_CHECKED
pby_status pby_trace_terms_laplace(pby_trace_terms *t, mpq_srcptr ratio, pby_error *err);
void pby_trace_terms_gauss(pby_trace_terms *t, mpq_srcptr ratio);

/* geometric:eps=rate t,sensitivity=t, or dgauss:sigma2=scale,sensitivity=t, of an integer t above 0. */
PBY_CHECKED
pby_status pby_trace_terms_integer(pby_trace_terms *t, pby_trace_law law, mpq_srcptr scale, mpq_srcptr shift,
                                   pby_error *err);

PBY_CHECKED
pby_status pby_trace_terms_spec(pby_trace_terms *t, const char *text, pby_error *err);

/* The pair of two choices over their labels: equal labels are added. */
PBY_CHECKED
pby_status pby_trace_terms_choice(pby_trace_terms *t, const pby_trace_noise *p, const pby_trace_noise *q,
                                  pby_error *err);

bool pby_trace_terms_empty(const pby_trace_terms *t);

/* A ball around delta at an epsilon from 0 on, or around the least epsilon at a delta (PBY_ASK_DELTA,
 * PBY_ASK_EPSILON); exactly 0 without terms. The width is that of a grid, where one is needed. PBY_FAILED
 * or PBY_BAD where the composition has no answer. */
PBY_CHECKED
pby_status pby_trace_terms_ask(arb_t ball, const pby_trace_terms *t, pby_question question, const fmpq_t at,
                               const fmpq *width, pby_error *err);

#endif
