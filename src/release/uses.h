/* SPDX-License-Identifier: MIT */
/* The columns of several uses: count_1, count_2, ..., or low_1, high_1, low_2, ... */
#ifndef PBY_RELEASE_USES_H
#define PBY_RELEASE_USES_H

#include <stddef.h>

#include "probity/status.h"

typedef struct pby_uses {
    char **columns; /* up to a NULL */
    char *header;   /* ",count_1,count_2,..." */
} pby_uses;

/* Every use has the columns of one, stems, up to a NULL. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_uses_name(pby_uses *out, const char *const *stems, size_t uses, pby_error *err);
void pby_uses_clear(pby_uses *uses);

#endif
