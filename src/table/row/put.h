/* SPDX-License-Identifier: MIT */
/* Bytes put one behind another, where most are few. */
#ifndef PBY_TABLE_ROW_PUT_H
#define PBY_TABLE_ROW_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies size bytes and returns the end of the copy. From eight to sixteen go as two words that may overlap:
 * less than the call of a function that is made for many. */
static inline uint8_t *pby_put_bytes(uint8_t *out, const uint8_t *bytes, size_t size)
{
    uint64_t first, last;
    if (size < sizeof first || size > sizeof first + sizeof last)
        return (uint8_t *)mempcpy(out, bytes, size);
    memcpy(&first, bytes, sizeof first);
    memcpy(&last, bytes + size - sizeof last, sizeof last);
    memcpy(out, &first, sizeof first);
    memcpy(out + size - sizeof last, &last, sizeof last);
    return out + size;
}

#endif
