/* SPDX-License-Identifier: MIT */
/* Answers on standard output. */
#ifndef PBY_CLI_OUTPUT_H
#define PBY_CLI_OUTPUT_H

#include "base/json.h"
#include "base/status.h"

/* Prints the object on one line and frees it; NULL is taken for a lack of memory. */
PBY_CHECKED
pby_status pby_print_json(json_t *object, pby_error *err);

/* Prints the text of a report, which is taken, unless the status is another than PBY_OK; returns that. */
PBY_CHECKED
pby_status pby_print_report(char *text, pby_status status);

/* The file of --report, none where the path is NULL: refused before the work where it cannot be written, and
 * written whole. */
PBY_CHECKED
pby_status pby_report_page_ready(const char *path, pby_error *err);
PBY_CHECKED
pby_status pby_report_page_write(const char *path, const char *page, pby_error *err);

/* Refuses (PBY_FAILED) a standard output that cannot be written at all, as far as that can be known
 * beforehand. */
PBY_CHECKED
pby_status pby_print_ready(pby_error *err);

/* Brings what was printed to its reader: PBY_FAILED when that cannot be done. */
PBY_CHECKED
pby_status pby_print_end(pby_error *err);

#endif
