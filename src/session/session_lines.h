/* SPDX-License-Identifier: MIT */
/* True answers of a session as text. */
#ifndef PBY_SESSION_SESSION_LINES_H
#define PBY_SESSION_SESSION_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

/* True if size bytes are a whole number from -PBY_SESSION_ANSWER_MAX to PBY_SESSION_ANSWER_MAX, and nothing
 * beside it. */
bool pby_session_number(int64_t *out, const char *text, size_t size);

/* Reads such numbers from a descriptor, one a line, until its end. Whatever has arrived is taken before
 * more is waited for; a line that is refused is so behind those before it. */
typedef pby_status pby_session_taken(void *what, const int64_t *numbers, size_t count, pby_error *err);
PBY_CHECKED
pby_status pby_session_read_lines(int fd, const char *name, pby_session_taken *take, void *what,
                                  pby_error *err);

#endif
