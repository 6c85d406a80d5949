/* SPDX-License-Identifier: MIT */
/* Documents that check themselves: the page that verifies (docs/web.md) with a document in it. */
#ifndef PBY_REPORT_SELF_CHECKING_H
#define PBY_REPORT_SELF_CHECKING_H

#include "base/status.h"

/* PBY_FAILED if this program has no such page beside it, because make web was not run. */
PBY_CHECKED
pby_status pby_page_ready(pby_error *err);

/* The page with a document in it, for free(3). `name` is the document's file, `claim` what a reader
 * without scripts sees above it, a sentence a line; both are text. */
PBY_CHECKED
pby_status pby_page_of(char **out, const char *name, const char *claim, const char *document, pby_error *err);

/* Both do so for a report of probity explain, whose numbers carry their questions: *out is that page with the
 * module in it and a script that asks them again. */
PBY_CHECKED
pby_status pby_report_ready(pby_error *err);
PBY_CHECKED
pby_status pby_report_checking(char **out, const char *report, pby_error *err);

#endif
