/* SPDX-License-Identifier: MIT */
/* Names out of a list, and misspelt ones: of families, parameters, commands, options and their values. A list
 * of names ends with NULL. */
#ifndef PBY_BASE_NEAREST_H
#define PBY_BASE_NEAREST_H

#include <stddef.h>

#include "base/status.h"

/* Which of the names a value is. Refused when it is none, as pby_refuse_name does. */
PBY_CHECKED
pby_status pby_name_find(size_t *out, const char *const *names, const char *name, const char *value,
                         pby_error *err);

/* NAME 'VALUE': expected EXPECTED; did you mean B? Where what is expected is long, the guess comes first:
 * NAME 'VALUE': not known; did you mean B? expected EXPECTED. */
pby_status pby_refuse_guess(pby_error *err, const char *name, const char *value, const char *expected,
                            const char *text, const char *const *names);

/* Refuses a value that is none of the names: expected one of A, B, C. */
pby_status pby_refuse_name(pby_error *err, const char *name, const char *value, const char *const *names);

/* The name in the list that text is most likely a misspelling of, or NULL: the first of
 * those that the fewest letters inserted, dropped, changed or swapped with the next turn it into, at most
 * two of them and fewer than the name has. A name that is cut short or spelt out (three letters or more,
 * then nothing or any ending) counts as one letter away. Great and small letters are the same. */
const char *pby_nearest(const char *text, const char *const *names);

/* Appends "; did you mean NAME?" to the text in out, which holds size bytes, where there is such a name and
 * room for all of it. */
void pby_suggest(char *out, size_t size, const char *text, const char *const *names);

#endif
