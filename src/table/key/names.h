/* SPDX-License-Identifier: MIT */
/* Names, numbered from 0 on in the order in which they first came.
 *
 * They are found by a SipHash-2-4 whose key is drawn for each set: nobody can choose names that make it slow.
 */
#ifndef PBY_TABLE_KEY_NAMES_H
#define PBY_TABLE_KEY_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_names pby_names;

/* The number of a name that is not there. */
#define PBY_NO_NAME SIZE_MAX

PBY_CHECKED
pby_status pby_names_new(pby_names **out, pby_error *err);

/* The name's number; a new name is copied and takes the next. */
PBY_CHECKED
pby_status pby_names_add(pby_names *names, const uint8_t *name, size_t size, size_t *number, pby_error *err);

size_t pby_names_find(const pby_names *names, const uint8_t *name, size_t size);
size_t pby_names_count(const pby_names *names);

/* A name by its number; valid until the next one is added. */
const uint8_t *pby_names_get(const pby_names *names, size_t number, size_t *size);

/* Returns a name as a string, up to a byte of 0, which the caller frees with free(3); NULL without memory. */
char *pby_names_text(const pby_names *names, size_t number);

/* Wipes and frees. NULL is allowed. */
void pby_names_free(pby_names *names);

#endif
