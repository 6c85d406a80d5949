/* SPDX-License-Identifier: MIT */
/* The secret key that an option names. */
#ifndef PBY_CERTIFICATE_SECRET_KEY_H
#define PBY_CERTIFICATE_SECRET_KEY_H

#include <stddef.h>

#include "base/status.h"

typedef struct pby_secret_key {
    char *text; /* NULL: the option was not given */
    size_t size;
} pby_secret_key;

/* Reads the file that the option names, none where the path is NULL. Refused: what is no secret key, and a
 * file that others than its owner may read. */
PBY_CHECKED
pby_status pby_secret_key_read(pby_secret_key *key, const char *option, const char *path, pby_error *err);

/* Wipes it. */
void pby_secret_key_clear(pby_secret_key *key);

#endif
