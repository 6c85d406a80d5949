/* SPDX-License-Identifier: MIT */
/* Arrays that grow. The owner keeps the items, the room and the count, and frees the items. */
#ifndef PBY_BASE_ARRAY_H
#define PBY_BASE_ARRAY_H

#include <stddef.h>

#include "base/status.h"

/* The items with room for at least so many of that size: half as many again as there were, so that appending
 * n items moves O(n) of them. NULL if memory runs out or the size does not fit; the items and the room are
 * then as before. */
void *pby_grown(void *items, size_t *room, size_t needed, size_t size);

/* Returns from the caller with pby_no_memory if there is no room for so many items. */
#define PBY_RESERVE(items, room, needed, err)                                        \
    do {                                                                             \
        if ((needed) > (room)) {                                                     \
            void *pby_more = pby_grown((items), &(room), (needed), sizeof *(items)); \
            if (pby_more == NULL)                                                    \
                return pby_no_memory(err);                                           \
            (items) = pby_more;                                                      \
        }                                                                            \
    } while (0)

#endif
