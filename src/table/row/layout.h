/* SPDX-License-Identifier: MIT */
/* The way a histogram was read, as a release reports it.
 *
 * It comes from the header and the command line alone, never from a row: so what is said is the same of two
 * data sets that differ in a record. A row whose count is a word passes for a header; so where keys are
 * hidden the header's words are not said, unless they are those of the command line.
 */
#ifndef PBY_TABLE_ROW_LAYOUT_H
#define PBY_TABLE_ROW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/family.h"

enum { PBY_LAYOUT_NAME = 64, PBY_LAYOUT_KEYS = 8 };

typedef struct pby_layout {
    pby_input input;                      /* of what is read: the rest is about counts */
    bool header, chosen;                  /* the first row names the columns; the command line does */
    size_t keys;                          /* how many columns name a bar */
    unsigned key[PBY_LAYOUT_KEYS], count; /* which columns, from 1 */
    char key_name[PBY_LAYOUT_KEYS][PBY_LAYOUT_NAME], count_name[PBY_LAYOUT_NAME];
    bool records;           /* a row is a record, and is counted */
    unsigned user;          /* the column of its user; 0: none */
    uint64_t contributions; /* the most records of a user that are counted */
    char user_name[PBY_LAYOUT_NAME];
} pby_layout;

/* A name as it is shown: on one printable line, and cut where it is long. */
void pby_layout_name(char out[PBY_LAYOUT_NAME], const uint8_t *name, size_t size);

/* One line for standard error, for free(3); NULL when there is no memory. names says whether the header's
 * words may be shown, rows in how many a record may be. */
char *pby_layout_text(const pby_layout *layout, const char *path, bool names, unsigned long rows);

#endif
