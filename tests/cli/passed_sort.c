#include "cli/passed_sort.h"

#include <criterion/criterion.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/stream.h"

enum { ALIKE, FEW_LETTERS, ANY_BYTE, SHAPES };

/* A name of up to fifteen bytes: all but equal, of two letters, or of any byte but NUL. */
static void name_of(uint8_t name[16], int shape, uint64_t word)
{
    memset(name, 0, 16);
    if (shape == ALIKE)
        memcpy(name, word % 64 == 0 ? "a name of 14 b" : "a name of 14 c", 14);
    for (uint64_t i = 0; shape != ALIKE && i < word % 16; i++)
        name[i] = (uint8_t)(shape == FEW_LETTERS ? 'a' + (word >> (8 + i) & 1) : 1 + (word >> (4 * i)) % 255);
}

/* Sorted, and the same items: as many of them as take two bytes at a time, and as take one. */
Test(passed_sort, every_item_in_its_place)
{
    enum { N = 100000 };
    static pby_passed_item items[N], spare[N], plain[N];
    static const size_t sizes[] = {1, 16, 17, 3000, N};
    uint64_t stream = 8;
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const size_t n = sizes[k];
            for (size_t i = 0; i < n; i++) {
                uint8_t name[16];
                uint64_t prefix[2];
                name_of(name, shape, stream_next(&stream));
                memcpy(prefix, name, sizeof prefix);
                items[i] = (pby_passed_item){{be64toh(prefix[0]), be64toh(prefix[1])}, {.count = (int64_t)i}};
                plain[i] = items[i];
            }
            cr_assert(pby_passed_items_sort(items, spare, n));
            qsort(plain, n, sizeof *plain, pby_passed_item_compare);
            int64_t sum = 0;
            for (size_t i = 0; i < n; i++) {
                cr_assert_eq(pby_passed_item_compare(&items[i], &plain[i]), 0, "shape %d, item %zu of %zu", shape, i, n);
                sum += items[i].count;
            }
            cr_assert_eq(sum, (int64_t)(n * (n - 1) / 2));
        }
}
