/* SPDX-License-Identifier: MIT */
#include "table/sort/passed.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/sort/bins.h"
#include "table/sort/sort_order.h"

/* As many bins as make each a few dozen rows or more, and no more than a cache holds the ends of. Rows that
 * are written in their order lie anywhere in the bin: each is called for some rows ahead, and then its name.
 */
enum { MOST_BITS = 16, ROWS_A_BIN = 32, AHEAD = 8 };

/* The counts of several uses stand in blocks of so many, and a bin has a row's number in the place of its
 * count. */
enum { BLOCK = 1 << 16 };

struct pby_passed {
    pby_index index;
    pby_bins *bins; /* one for each index */
    size_t uses;
    int64_t **block;
    size_t blocks, rows; /* of several uses */
    size_t added;        /* all rows */
};

/* ---- several uses ------------------------------------------------------------------------------- */

static size_t rows_a_block(const pby_passed *passed)
{
    return passed->uses < BLOCK ? BLOCK / passed->uses : 1;
}

static int64_t *counts_of(const pby_passed *passed, size_t row)
{
    const size_t each = rows_a_block(passed);
    return passed->block[row / each] + row % each * passed->uses;
}

static pby_status add_block(pby_passed *passed, pby_error *err)
{
    int64_t **block = reallocarray(passed->block, passed->blocks + 1, sizeof(int64_t *));
    if (block == NULL)
        return pby_no_memory(err);
    passed->block = block;
    block[passed->blocks] = calloc(rows_a_block(passed) * passed->uses, sizeof **block);
    if (block[passed->blocks] == NULL)
        return pby_no_memory(err);
    passed->blocks++;
    return PBY_OK;
}

/* Sets *kept to the count of a single use; for several uses it stores the counts and sets *kept to their row.
 */
static pby_status keep(pby_passed *passed, const int64_t *counts, int64_t *kept, pby_error *err)
{
    *kept = passed->uses == 1 ? counts[0] : (int64_t)passed->rows;
    if (passed->uses == 1)
        return PBY_OK;
    if (passed->rows == passed->blocks * rows_a_block(passed)) {
        const pby_status status = add_block(passed, err);
        if (status != PBY_OK)
            return status;
    }
    memcpy(counts_of(passed, passed->rows++), counts, passed->uses * sizeof *counts);
    return PBY_OK;
}

/* ---- gathering ---------------------------------------------------------------------------------- */

pby_status pby_passed_new(pby_passed **out, const pby_spread *spread, size_t uses, pby_error *err)
{
    *out = NULL;
    unsigned bits = 0;
    while (bits < MOST_BITS && spread->names >> bits > ROWS_A_BIN)
        bits++;
    pby_passed *passed = calloc(1, sizeof *passed);
    if (passed == NULL)
        return pby_no_memory(err);
    passed->uses = uses;
    pby_index_make(&passed->index, spread, bits);
    const pby_status status = pby_bins_new(&passed->bins, (size_t)1 << passed->index.bits, err);
    if (status == PBY_OK)
        *out = passed;
    else
        free(passed);
    return status;
}

void pby_passed_free(pby_passed *passed)
{
    if (passed == NULL)
        return;
    pby_bins_free(passed->bins);
    for (size_t i = 0; i < passed->blocks; i++) {
        sodium_memzero(passed->block[i], rows_a_block(passed) * passed->uses * sizeof *passed->block[i]);
        free(passed->block[i]);
    }
    free(passed->block);
    free(passed);
}

pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, const int64_t *counts,
                          pby_error *err)
{
    int64_t kept;
    const pby_status status = keep(passed, counts, &kept, err);
    if (status != PBY_OK)
        return status;
    passed->added++;
    return pby_bins_add(passed->bins, pby_index_of(&passed->index, name, size), name, size, kept, err);
}

/* ---- in order ----------------------------------------------------------------------------------- */

/* Room for the order of the rows of a bin, and the last row of the bins before. */
typedef struct order {
    uint64_t *place, *spare;
    uint32_t *seen;
    size_t room, done;
    pby_bin_row last;
} order;

static pby_status make_room(order *o, size_t n, pby_error *err)
{
    if (n <= o->room)
        return PBY_OK;
    free(o->place);
    free(o->spare);
    free(o->seen);
    o->room = 2 * n;
    o->place = calloc(o->room, sizeof *o->place);
    o->spare = calloc(o->room, sizeof *o->spare);
    o->seen = calloc(o->room, sizeof *o->seen);
    return o->place == NULL || o->spare == NULL || o->seen == NULL || n >= UINT32_MAX ? pby_no_memory(err)
                                                                                      : PBY_OK;
}

/* However the rows were sorted, the kernel says whether each comes once and the names rise, from the bins
 * before on. */
static pby_status check_order(order *o, const pby_bin_row *rows, size_t n, pby_error *err)
{
    if (n == 0)
        return PBY_OK;
    if (!pby_is_permutation(o->place, o->seen, n) || !pby_names_rise(rows, o->place, n))
        return pby_fail(err, PBY_FAILED, "the bars that passed are not in order");
    const pby_bin_row *first = &rows[o->place[0]];
    if (o->done > 0 && !pby_precedes(o->last.name, o->last.size, first->name, first->size))
        return pby_fail(err, PBY_FAILED, "the bars that passed are not in order");
    o->done += n;
    o->last = rows[o->place[n - 1]];
    return PBY_OK;
}

static pby_status each_of_bin(const pby_passed *passed, size_t bin, order *o, pby_passed_row *each, void *to,
                              pby_error *err)
{
    const pby_bin_row *rows;
    size_t n;
    pby_status status = pby_bins_read(passed->bins, bin, &rows, &n, err);
    if (status == PBY_OK)
        status = make_room(o, n, err);
    if (status != PBY_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        o->place[i] = i;
    pby_passed_sort(o->place, o->spare, n, rows, passed->index.common);
    status = check_order(o, rows, n, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        const pby_bin_row *row = &rows[o->place[i]];
        if (n - i > 2 * AHEAD) {
            __builtin_prefetch(&rows[o->place[i + 2 * AHEAD]]);
            __builtin_prefetch(rows[o->place[i + AHEAD]].name);
        }
        const int64_t *counts = passed->uses == 1 ? &row->count : counts_of(passed, (size_t)row->count);
        status = each(to, row->name, row->size, counts, err);
    }
    return status;
}

pby_status pby_passed_each(pby_passed *passed, pby_passed_row *row, void *to, pby_error *err)
{
    order o = {.place = NULL};
    pby_status status = PBY_OK;
    for (size_t bin = 0; bin < (size_t)1 << passed->index.bits && status == PBY_OK; bin++)
        status = each_of_bin(passed, bin, &o, row, to, err);
    if (status == PBY_OK && o.done != passed->added)
        status = pby_fail(err, PBY_FAILED, "a bar that passed was lost");
    free(o.seen);
    free(o.place);
    free(o.spare);
    return status;
}
