/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_ITEMS = 16 };

void *pby_grown(void *items, size_t *room, size_t needed, size_t size)
{
    size_t wanted = *room + *room / 2;
    if (wanted < FIRST_ITEMS)
        wanted = FIRST_ITEMS;
    if (wanted < needed)
        wanted = needed;
    void *more = wanted > SIZE_MAX / size ? NULL : realloc(items, wanted * size);
    if (more != NULL)
        *room = wanted;
    return more;
}
