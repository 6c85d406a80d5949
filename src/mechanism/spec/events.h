/* SPDX-License-Identifier: MIT */
/* Event trees, the JSON in which other accountants describe a run, as specs (docs/events.md). */
#ifndef PBY_MECHANISM_SPEC_EVENTS_H
#define PBY_MECHANISM_SPEC_EVENTS_H

#include <stddef.h>

#include "probity/spec.h"

/* The spec of a tree, or a refusal that names the line. Numbers are read as exact decimals. */
PBY_CHECKED
pby_status pby_spec_of_events(pby_spec **out, const char *text, size_t length, pby_error *err);

#endif
