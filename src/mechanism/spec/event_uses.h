/* SPDX-License-Identifier: MIT */
/* The mechanisms that a tree of events stands for, each with its parameters and the number of its uses. */
#ifndef PBY_MECHANISM_SPEC_EVENT_USES_H
#define PBY_MECHANISM_SPEC_EVENT_USES_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/family.h"

enum { PBY_EVENT_PARAMETERS = 5, PBY_EVENT_USES_MAX = 1024 };

typedef struct pby_event_use {
    const pby_family *family;
    const char *name[PBY_EVENT_PARAMETERS]; /* of the family's parameters that are given; strings that stay */
    mpq_t value[PBY_EVENT_PARAMETERS];
    size_t given;
    uint64_t times;
} pby_event_use;

typedef struct pby_event_uses {
    pby_event_use *use;
    size_t count;
} pby_event_uses;

/* One use of a family, without parameters. */
void pby_event_use_init(pby_event_use *use, const pby_family *family);
void pby_event_use_clear(pby_event_use *use);

/* Gives a parameter, of which there are at most PBY_EVENT_PARAMETERS. */
void pby_event_use_give(pby_event_use *use, const char *name, mpq_srcptr value);
bool pby_event_use_has(const pby_event_use *use, const char *name);

/* Adds a copy of a use to the list, or its times to an equal use; and multiplies the times of each use.
 * Refused, by the line of the event: more than PBY_EVENT_USES_MAX different mechanisms, and more than
 * PBY_TIMES_MAX uses of one. */
PBY_CHECKED
pby_status pby_event_uses_add(pby_event_uses *uses, const pby_event_use *use, size_t line, pby_error *err);
PBY_CHECKED
pby_status pby_event_uses_repeat(pby_event_uses *uses, uint64_t times, size_t line, pby_error *err);

void pby_event_uses_clear(pby_event_uses *uses);

/* The spec of all uses, of which there is at least one. */
PBY_CHECKED
pby_status pby_event_uses_spec(pby_spec **out, const pby_event_uses *uses, pby_error *err);

#endif
