/* SPDX-License-Identifier: MIT */
/* True answers of a session as text. */
#ifndef PBY_SESSION_SESSION_LINES_H
#define PBY_SESSION_SESSION_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if size bytes are a whole number from -PBY_SESSION_ANSWER_MAX to PBY_SESSION_ANSWER_MAX, and nothing
 * beside it. */
bool pby_session_number(int64_t *out, const char *text, size_t size);

#endif
