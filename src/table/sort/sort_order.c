/* SPDX-License-Identifier: MIT */
#include "table/sort/sort_order.h"

#include <stdbool.h>
#include <string.h>

#include "table/sort/spread.h"

/* An entry of the order is a place, and above it a digit while they are sorted by digits. */
enum { FEW = 12, PLACE_BITS = 32 };

static const uint64_t PLACE = ((uint64_t)1 << PLACE_BITS) - 1;

/* Rows, and how many bytes of their names need no look. */
typedef struct names {
    const pby_bin_row *rows;
    size_t common;
} names;

/* ---- few --------------------------------------------------------------------------------------- */

static bool comes_before(const names *of, uint64_t a, uint64_t b)
{
    const pby_bin_row *x = &of->rows[a], *y = &of->rows[b];
    const size_t least = x->size < y->size ? x->size : y->size;
    const int order =
        least > of->common ? memcmp(x->name + of->common, y->name + of->common, least - of->common) : 0;
    return order != 0 ? order < 0 : x->size < y->size;
}

static void sort_few(uint64_t *order, size_t n, const names *of)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t place = order[i];
        size_t at = i;
        for (; at > 0 && comes_before(of, place, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = place;
    }
}

/* ---- many -------------------------------------------------------------------------------------- */

/* The word of each row behind the common bytes, and the bits in which they differ. Names that agree there all
 * go on, but for one at most. */
static uint64_t read_words(uint64_t *words, const uint64_t *order, size_t n, names *of)
{
    for (uint64_t differ = 0;; of->common += sizeof *words) {
        for (size_t i = 0; i < n; i++) {
            const pby_bin_row *row = &of->rows[order[i]];
            words[i] = pby_word_at(row->name, row->size, of->common);
            differ |= words[i] ^ words[0];
        }
        if (differ != 0)
            return differ;
    }
}

/* Sorts by the digits above the places, a byte at a time and the least byte first. */
static void sort_by_digits(uint64_t *order, uint64_t *spare, size_t n, unsigned bits)
{
    uint64_t *from = order, *to = spare;
    for (unsigned shift = PLACE_BITS; shift < PLACE_BITS + bits; shift += 8) {
        size_t next[256] = {0};
        for (size_t i = 0; i < n; i++)
            next[from[i] >> shift & 255]++;
        for (size_t d = 0, sum = 0; d < 256; d++) {
            const size_t count = next[d];
            next[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[next[from[i] >> shift & 255]++] = from[i];
        uint64_t *held = from;
        from = to;
        to = held;
    }
    if (from != order)
        memcpy(order, from, n * sizeof *order);
}

typedef struct run {
    size_t begin, size;
} run;

/* The next run of equal digits, from begin on, as places again. */
static run take_run(uint64_t *order, size_t n, size_t begin)
{
    const uint64_t digit = order[begin] >> PLACE_BITS;
    size_t end = begin;
    for (; end < n && order[end] >> PLACE_BITS == digit; end++)
        order[end] &= PLACE;
    return (run){begin, end - begin};
}

static void sort_from(uint64_t *order, uint64_t *spare, size_t n, names of);

/* Sorts by the first word that differs as far as a digit goes, then each run of equal digits, but for the
 * longest, which is told: so calls do not nest deeper than halving goes, whatever the names. */
static run sort_once(uint64_t *order, uint64_t *spare, size_t n, names *of)
{
    const uint64_t differ = read_words(spare, order, n, of);
    const pby_digit digit = pby_digit_make(differ, 64 - PLACE_BITS);
    for (size_t i = 0; i < n; i++)
        order[i] |= pby_digit_of(digit, spare[i]) << PLACE_BITS;
    sort_by_digits(order, spare, n, digit.bits);
    if (digit.shift == 0)
        of->common += sizeof differ;
    run longest = {0, 0};
    for (size_t at = 0; at < n;) {
        run next = take_run(order, n, at);
        at += next.size;
        if (next.size > longest.size) {
            const run held = longest;
            longest = next;
            next = held;
        }
        if (next.size > 1)
            sort_from(order + next.begin, spare, next.size, *of);
    }
    return longest;
}

static void sort_from(uint64_t *order, uint64_t *spare, size_t n, names of)
{
    while (n > FEW) {
        const run longest = sort_once(order, spare, n, &of);
        order += longest.begin;
        n = longest.size;
    }
    sort_few(order, n, &of);
}

/* Names are often in order as they come. */
void pby_passed_sort(uint64_t *order, uint64_t *spare, size_t n, const pby_bin_row *rows, size_t common)
{
    const names of = {rows, common};
    size_t sorted = 1;
    while (sorted < n && comes_before(&of, order[sorted - 1], order[sorted]))
        sorted++;
    if (sorted < n)
        sort_from(order, spare, n, of);
}
