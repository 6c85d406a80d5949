#include "cli/passed_sort.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 16, FEW = 16 };

int pby_passed_item_compare(const void *a, const void *b)
{
    const pby_passed_item *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->prefix[i] != y->prefix[i])
            return x->prefix[i] < y->prefix[i] ? -1 : 1;
    if (!pby_passed_item_is_long(x))
        return 0;
    const size_t m = x->bar->size, n = y->bar->size;
    const int order = memcmp(x->bar->name, y->bar->name, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

static void insertion_sort(pby_passed_item *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const pby_passed_item item = items[i];
        size_t at = i;
        for (; at > 0 && pby_passed_item_compare(&items[at - 1], &item) > 0; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static unsigned byte_of(const pby_passed_item *item, unsigned depth)
{
    return item->prefix[depth / 8] >> (56 - 8 * (depth % 8)) & 0xff;
}

/* How many items have each byte at that depth; false when all have the same. */
static bool tally(size_t count[256], const pby_passed_item *items, size_t n, unsigned depth)
{
    memset(count, 0, 256 * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[byte_of(&items[i], depth)]++;
    return count[byte_of(&items[0], depth)] < n;
}

/* By one byte of the prefix, then each run of equal bytes by the next: the runs soon fit a cache. Each byte moves
 * the items to the other array, and the sorted ones are wanted in items if home says so, else in spare. Few items,
 * and those whose prefixes are equal, are compared. */
static void sort_from(pby_passed_item *items, pby_passed_item *spare, size_t n, unsigned depth, bool home)
{
    size_t count[256], end[256];
    if (n > FEW)
        while (depth < PREFIX && !tally(count, items, n, depth))
            depth++;
    if (n <= FEW || depth == PREFIX) {
        if (n <= FEW)
            insertion_sort(items, n);
        else
            qsort(items, n, sizeof *items, pby_passed_item_compare);
        if (!home)
            memcpy(spare, items, n * sizeof *items);
        return;
    }
    for (size_t b = 0, sum = 0; b < 256; sum += count[b++])
        end[b] = sum;
    for (size_t i = 0; i < n; i++)
        spare[end[byte_of(&items[i], depth)]++] = items[i];
    for (size_t b = 0; b < 256; b++)
        if (count[b] > 0)
            sort_from(spare + end[b] - count[b], items + end[b] - count[b], count[b], depth + 1, !home);
}

void pby_passed_items_sort(pby_passed_item *items, pby_passed_item *spare, size_t n)
{
    sort_from(items, spare, n, 0, true);
}
