/* SPDX-License-Identifier: MIT */
/* Kinds of event, so that leaks of different causes can be judged apart: half lines of a number show a wrong
 * scale, the last bits of its mantissa show floating-point noise. */
#ifndef PBY_AUDIT_COUNT_KIND_H
#define PBY_AUDIT_COUNT_KIND_H

#include "audit/count/feature.h"
#include "base/status.h"

typedef enum pby_event_kind {
    PBY_EVENT_OUTPUT,
    PBY_EVENT_SHAPE,
    PBY_EVENT_ORDER,
    PBY_EVENT_VALUE,
    PBY_EVENT_TAIL,
    PBY_EVENT_BITS,
    PBY_EVENT_SCORE,
    PBY_EVENT_KINDS
} pby_event_kind;

enum { PBY_EVENT_KINDS_ALL = (1 << PBY_EVENT_KINDS) - 1, PBY_EVENT_KINDS_TEXT_SIZE = 64 };

/* "tail", the name of a kind. */
const char *pby_kind_name(pby_event_kind kind);

/* The kind of a set of cells of a feature, and of a half line of them. */
pby_event_kind pby_kind_of_set(unsigned feature);
pby_event_kind pby_kind_of_half_line(unsigned feature);

/* Names separated by commas; each behind a minus, they are the kinds to leave out. A set of bits 1 << kind,
 * never empty. The name is what a refusal calls it. */
PBY_CHECKED
pby_status pby_kinds_parse(unsigned *out, const char *name, const char *text, pby_error *err);

/* The names of a set, separated by commas. */
void pby_kinds_text(char text[PBY_EVENT_KINDS_TEXT_SIZE], unsigned kinds);

#endif
