/* SPDX-License-Identifier: MIT */
/* A text that is printed into memory and is whole or not there. */
#ifndef PBY_BASE_PRINTED_H
#define PBY_BASE_PRINTED_H

#include <stddef.h>
#include <stdio.h>

#include "probity/status.h"

/* The stream writes to the members, so that this must not move while it is open. */
typedef struct pby_printed {
    FILE *out;
    char *text;
    size_t size;
} pby_printed;

/* Returns the stream to print to, or NULL when there is no memory; then nothing is to be ended. */
FILE *pby_printed_begin(pby_printed *p);

/* Closes the stream and returns the text, for free(3); NULL when there was no memory for all of it. */
char *pby_printed_text(pby_printed *p);

/* Closes the stream. *text is the text, for free(3), or NULL where status, which is returned, is a failure or
 * there was no memory. */
PBY_CHECKED
pby_status pby_printed_end(char **text, pby_printed *p, pby_status status, pby_error *err);

#endif
