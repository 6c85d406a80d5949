/* SPDX-License-Identifier: MIT */
/* The state of a sequential audit as a file: one JSON object in one line, with the digest of its own text.
 *
 * The last member is "digest", the SHA-256 of all that stands before it: a byte that has changed is noticed,
 * whatever it means. Version 1 had no digest and is still read. */
#ifndef PBY_AUDIT_RUN_STATE_H
#define PBY_AUDIT_RUN_STATE_H

#include <jansson.h>
#include <stddef.h>

enum { PBY_STATE_VERSION = 2, PBY_STATE_LOOKS_MAX = 64 };

/* The text of a state, which is taken, with its digest; for free(3). NULL when there is no memory. */
char *pby_state_text(json_t *state);

/* Reads the text of a state, for json_decref; NULL for one that was not written like this. Its members are
 * for the caller to check, but for the version and the number of looks. */
json_t *pby_state_read(const char *text, size_t size);

#endif
