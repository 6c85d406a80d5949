/* SPDX-License-Identifier: MIT */
/* Text of strangers that is shown to people: it must not command a terminal or hide a part of itself. */
#ifndef PBY_BASE_READABLE_H
#define PBY_BASE_READABLE_H

#include <stdbool.h>

/* Printable characters of ASCII alone; false for NULL. */
bool pby_readable_ascii(const char *text);

/* UTF-8 without control characters, U+0080 to U+009F included; but line ends and tabs may be let through. */
bool pby_readable(const char *text, bool lines);

#endif
