/* SPDX-License-Identifier: MIT */
/* A text of any length within a line for people: where a part of it is left out, three dots say so. */
#ifndef PBY_BASE_EXCERPT_H
#define PBY_BASE_EXCERPT_H

#include <stddef.h>

enum { PBY_EXCERPT_USUAL = 100, PBY_EXCERPT_MOST = 200 };

typedef struct pby_excerpt {
    char text[PBY_EXCERPT_MOST + 4]; /* as many bytes, three dots, a NUL */
} pby_excerpt;

/* The bytes of a text up to so many that do not end within a character of UTF-8. Of a text that is no UTF-8
 * it may be any of the last four. */
size_t pby_whole_characters(const char *text, size_t most);

/* The text, or, where it is longer than `most` bytes, its first whole characters and three dots. most is at
 * most PBY_EXCERPT_MOST. */
pby_excerpt pby_excerpt_of(const char *text, size_t most);

/* For an argument of a call: it is there until that returns. */
#define PBY_EXCERPT(string) (pby_excerpt_of((string), PBY_EXCERPT_USUAL).text)

#endif
