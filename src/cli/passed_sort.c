#include "cli/passed_sort.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 16, FEW = 16, MANY = 1 << 15, DIGITS = 1 << 16 };

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

/* The bytes of the prefix from depth on, as one number. */
static size_t digit_of(const pby_passed_item *item, unsigned depth, unsigned bytes)
{
    return item->prefix[depth / 8] >> (64 - 8 * (depth % 8 + bytes)) & (((size_t)1 << 8 * bytes) - 1);
}

/* Where the items of each digit begin once they are sorted by it; false when all have the same. */
static bool find_places(size_t *place, const pby_passed_item *items, size_t n, unsigned depth, unsigned bytes)
{
    const size_t digits = (size_t)1 << 8 * bytes;
    memset(place, 0, digits * sizeof *place);
    for (size_t i = 0; i < n; i++)
        place[digit_of(&items[i], depth, bytes)]++;
    if (place[digit_of(&items[0], depth, bytes)] == n)
        return false;
    for (size_t d = 0, sum = 0; d < digits; d++) {
        const size_t count = place[d];
        place[d] = sum;
        sum += count;
    }
    return true;
}

/* Few items, and those whose prefixes are equal, are compared. */
static void sort_by_comparing(pby_passed_item *items, pby_passed_item *spare, size_t n, bool home)
{
    if (n <= FEW)
        insertion_sort(items, n);
    else
        qsort(items, n, sizeof *items, pby_passed_item_compare);
    if (!home)
        memcpy(spare, items, n * sizeof *items);
}

/* By one digit of the prefix, then each run of equal digits by the next: the runs soon fit a cache. Names are
 * often made of few letters, so that where there are many a digit is two bytes. Each pass moves the items to the other
 * array, and the sorted ones are wanted in items if home says so, else in spare. */
static void sort_from(pby_passed_item *items, pby_passed_item *spare, size_t n, unsigned depth, bool home, size_t *place)
{
    unsigned bytes = 0;
    bool differ = false;
    for (; n > FEW && depth < PREFIX && !differ; depth += bytes) {
        bytes = n >= MANY && depth % 8 < 7 ? 2 : 1;
        differ = find_places(place, items, n, depth, bytes);
    }
    if (!differ) {
        sort_by_comparing(items, spare, n, home);
        return;
    }
    const unsigned at = depth - bytes;
    for (size_t i = 0; i < n; i++)
        spare[place[digit_of(&items[i], at, bytes)]++] = items[i];
    for (size_t begin = 0, end; begin < n; begin = end) {
        const size_t digit = digit_of(&spare[begin], at, bytes);
        for (end = begin + 1; end < n && digit_of(&spare[end], at, bytes) == digit; end++)
            ;
        sort_from(spare + begin, items + begin, end - begin, depth, !home, place);
    }
}

bool pby_passed_items_sort(pby_passed_item *items, pby_passed_item *spare, size_t n)
{
    size_t *place = malloc(DIGITS * sizeof *place);
    if (place == NULL)
        return false;
    sort_from(items, spare, n, 0, true, place);
    free(place);
    return true;
}
