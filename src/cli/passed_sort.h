/* Named counts, sorted by the bytes of their names. */
#ifndef PBY_CLI_PASSED_SORT_H
#define PBY_CLI_PASSED_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bar whose name stands elsewhere. */
typedef struct pby_long_bar {
    int64_t count;
    size_t size;
    uint8_t name[];
} pby_long_bar;

/* A bar to be sorted. A name of up to fifteen bytes lies in the prefix and needs no other memory. No name holds
 * a NUL, so that the prefix says where such a name ends, and a shorter name comes first. */
typedef struct pby_passed_item {
    uint64_t prefix[2]; /* the first sixteen bytes of the name and NULs behind it, the first of eight the heaviest */
    union {
        int64_t count;
        const pby_long_bar *bar; /* where the sixteenth byte is not NUL */
    };
} pby_passed_item;

static inline bool pby_passed_item_is_long(const pby_passed_item *item)
{
    return (item->prefix[1] & 0xff) != 0;
}

/* Below, at or above 0 as a's name comes before, is or comes after b's. */
int pby_passed_item_compare(const void *a, const void *b);

/* Sorts items[0 .. n-1]; spare has room for as many, and holds some of them when this returns. False when there is
 * no memory, and then nothing was moved. */
bool pby_passed_items_sort(pby_passed_item *items, pby_passed_item *spare, size_t n);

#endif
