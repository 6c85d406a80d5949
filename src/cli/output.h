/* Answers on standard output: lines for people, one JSON object for programs. */
#ifndef PBY_CLI_OUTPUT_H
#define PBY_CLI_OUTPUT_H

#include "base/json.h"
#include "base/status.h"
#include "number/json.h"
#include "probity/accuracy.h"
#include "probity/enclosure.h"

/* Prints the object on one line and frees it; NULL is taken for a lack of memory. */
PBY_CHECKED
pby_status pby_print_json(json_t *object, pby_error *err);

/* Prints the text of a report, which is taken, unless the status is another than PBY_OK; returns that. */
PBY_CHECKED
pby_status pby_print_report(char *text, pby_status status);

/* One aligned line: a name, and the text. */
void pby_print_line(const char *name, const char *text);

/* One aligned line: a name, and [lo, hi], or the one number that both ends are; then a note, if it is
 * not NULL. */
void pby_print_ends(const char *name, const char *lo, const char *hi, const char *note);
void pby_print_enclosure(const char *name, const pby_enclosure *x, unsigned digits, const char *note);

/* One aligned line: an exact number (see pby_exact_text). */
PBY_CHECKED
pby_status pby_print_exact(const char *name, mpq_srcptr q, pby_error *err);
PBY_CHECKED
pby_status pby_print_distance(const char *name, const pby_distance *x, pby_error *err);

/* Refuses (PBY_FAILED) a standard output that cannot be written at all, as far as that can be known
 * beforehand. */
PBY_CHECKED
pby_status pby_print_ready(pby_error *err);

/* Brings what was printed to its reader: PBY_FAILED when that cannot be done. */
PBY_CHECKED
pby_status pby_print_end(pby_error *err);

#endif
