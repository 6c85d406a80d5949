/* SPDX-License-Identifier: MIT */
/* An answer that is told: lines for people, or one JSON object.
 *
 * A caller that prints an answer calls the functions below one after the other and asks about memory once, at
 * the end. A name belongs to the lines, a key to the object; where one of them is NULL, nothing is told
 * there. */
#ifndef PBY_REPORT_SHEET_H
#define PBY_REPORT_SHEET_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "probity/experimental/accuracy.h"
#include "probity/report.h"

typedef struct pby_sheet {
    FILE *lines;    /* NULL of an object */
    json_t *object; /* NULL of lines */
    char *text;
    size_t size;
    bool short_of_memory;
} pby_sheet;

void pby_sheet_begin(pby_sheet *s, pby_report_form form);

/* The text, for free(3), with a newline at its end; *text is NULL unless the status is PBY_OK. Where
 * `status`, that of the work in between, is another, it is returned and the text dropped. Ends the sheet. */
PBY_CHECKED
pby_status pby_sheet_end(char **text, pby_sheet *s, pby_status status, pby_error *err);

/* A line: a name, aligned, and the text of a printf format. Nothing of an object. */
void pby_sheet_line(pby_sheet *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A member of the object, which is taken, and may be NULL out of a call that had no memory. */
void pby_sheet_member(pby_sheet *s, const char *key, json_t *value);

/* Prints the text under its name in lines, under its key in the object. */
void pby_sheet_text(pby_sheet *s, const char *name, const char *key, const char *text);

/* Prints the number under its name in lines, under its key in the object. */
void pby_sheet_number(pby_sheet *s, const char *name, const char *key, uint64_t number);

/* An empty line. */
void pby_sheet_break(pby_sheet *s);

/* [lo, hi], or the one number that both ends are; then, on the line, a note unless that is NULL. */
void pby_sheet_ends(pby_sheet *s, const char *name, const char *key, const char *lo, const char *hi,
                    const char *note);
void pby_sheet_enclosure(pby_sheet *s, const char *name, const char *key, const pby_enclosure *x,
                         unsigned digits, const char *note);

/* A part of a sheet: its lines stand among the others, its members in an object of their own, which
 * pby_sheet_part_end gives; that is NULL of lines. */
pby_sheet pby_sheet_part(const pby_sheet *s);
json_t *pby_sheet_part_end(pby_sheet *s, const pby_sheet *part);

/* A rational in full, and a distance. */
void pby_sheet_exact(pby_sheet *s, const char *name, const char *key, mpq_srcptr x);
void pby_sheet_distance(pby_sheet *s, const char *name, const char *key, const pby_distance *x);

#endif
