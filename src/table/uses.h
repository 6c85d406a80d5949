/* The columns of several uses: count_1, count_2, ... */
#ifndef PBY_TABLE_USES_H
#define PBY_TABLE_USES_H

#include <stddef.h>

#include "probity/status.h"

typedef struct pby_uses {
    char **columns; /* up to a NULL */
    char *header;   /* ",count_1,count_2,..." */
} pby_uses;

/* To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_uses_name(pby_uses *out, size_t uses, pby_error *err);
void pby_uses_clear(pby_uses *uses);

#endif
