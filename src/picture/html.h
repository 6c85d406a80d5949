/* SPDX-License-Identifier: MIT */
/* Pages that need nothing from outside and can be printed: their head, and text in them. */
#ifndef PBY_PICTURE_HTML_H
#define PBY_PICTURE_HTML_H

#include <stdio.h>

/* Everything up to the body; and the end of the body. */
void pby_html_begin(FILE *out, const char *title);
void pby_html_end(FILE *out);

/* A row of a table of names and texts, up to its text; and the end of the row. */
void pby_html_row(FILE *out, const char *name);
void pby_html_row_end(FILE *out);

/* Text for HTML: the characters that mean something there are replaced. */
void pby_html_text(FILE *out, const char *text);

#endif
