/* SPDX-License-Identifier: MIT */
/* Values that a client reports on, one a line.
 *
 * They are read whole, so that each is looked at before one is reported, and wiped. A line ends with a
 * newline, with a carriage return and a newline, or with the file. */
#ifndef PBY_SESSION_SESSION_VALUES_H
#define PBY_SESSION_SESSION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/rappor/respond.h"
#include "probity/status.h"

typedef struct pby_memo_values {
    const char *name; /* what an error calls the file */
    char *text;
    size_t size, at;
    uint64_t line; /* of the value that was given last, from 1 */
} pby_memo_values;

/* path NULL or "-" is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_memo_values_read(pby_memo_values *out, const char *path, pby_error *err);
void pby_memo_values_clear(pby_memo_values *values);

/* The next value; false behind the last. */
bool pby_memo_values_next(const char **value, size_t *length, pby_memo_values *values);

/* Refuses by its line a value that the mechanism does not take; then goes back before the first. */
PBY_CHECKED
pby_status pby_memo_values_check(pby_memo_values *values, const pby_rappor *r, pby_error *err);

/* Sets *err to the text of `why` behind the line of the value; returns its status. */
PBY_CHECKED
pby_status pby_memo_values_refuse(const pby_memo_values *values, const pby_error *why, pby_error *err);

#endif
