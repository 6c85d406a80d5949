/* SPDX-License-Identifier: MIT */
/* A verdict in plain language: what it says, and what to try next. */
#ifndef PBY_AUDIT_REPORT_VERDICT_ADVICE_H
#define PBY_AUDIT_REPORT_VERDICT_ADVICE_H

#include <stdio.h>

#include "audit/judge/verdict.h"

/* One sentence about what gives the input away, for a violation; and of an event of which only the kind is
 * known. */
const char *pby_advice_leak(const pby_verdict *verdict);
const char *pby_advice_leak_by(pby_event_kind kind);

/* As paragraphs, and as the items of a list, of HTML. */
void pby_advice_summary(FILE *out, const pby_verdict *verdict);
void pby_advice_next(FILE *out, const pby_verdict *verdict);

#endif
