#include "table/sort/passed.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/sort/bins.h"
#include "table/sort/order.h"

/* As many bins as make each a few dozen rows or more, and no more than a cache holds the ends of. Rows that
 * are written in their order lie anywhere in the bin: each is called for some rows ahead, and then its name.
 */
enum { MOST_BITS = 16, ROWS_A_BIN = 32, AHEAD = 8 };

struct pby_passed {
    pby_index index;
    pby_bins *bins; /* one for each index */
};

pby_status pby_passed_new(pby_passed **out, const pby_spread *spread, pby_error *err)
{
    *out = NULL;
    unsigned bits = 0;
    while (bits < MOST_BITS && spread->names >> bits > ROWS_A_BIN)
        bits++;
    pby_passed *passed = malloc(sizeof *passed);
    if (passed == NULL)
        return pby_no_memory(err);
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
    free(passed);
}

pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, int64_t count, pby_error *err)
{
    return pby_bins_add(passed->bins, pby_index_of(&passed->index, name, size), name, size, count, err);
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* Room for the order of the rows of a bin. */
typedef struct order {
    uint64_t *place, *spare;
    size_t room;
} order;

static pby_status make_room(order *o, size_t n, pby_error *err)
{
    if (n <= o->room)
        return PBY_OK;
    free(o->place);
    free(o->spare);
    o->room = 2 * n;
    o->place = calloc(o->room, sizeof *o->place);
    o->spare = calloc(o->room, sizeof *o->spare);
    return o->place == NULL || o->spare == NULL || n > UINT32_MAX ? pby_no_memory(err) : PBY_OK;
}

static pby_status write_bin(const pby_passed *passed, size_t bin, order *o, pby_rows *to,
                            const char *const *columns, int64_t reach, pby_error *err)
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
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        const pby_bin_row *row = &rows[o->place[i]];
        if (n - i > 2 * AHEAD) {
            __builtin_prefetch(&rows[o->place[i + 2 * AHEAD]]);
            __builtin_prefetch(rows[o->place[i + AHEAD]].name);
        }
        const int64_t ends[2] = {row->count - reach, row->count + reach};
        status = pby_rows_add(to, row->name, row->size, columns, ends, err);
    }
    return status;
}

pby_status pby_passed_write(pby_passed *passed, pby_rows *rows, const char *const *columns, int64_t reach,
                            pby_error *err)
{
    order o = {NULL, NULL, 0};
    pby_status status = PBY_OK;
    for (size_t bin = 0; bin < (size_t)1 << passed->index.bits && status == PBY_OK; bin++)
        status = write_bin(passed, bin, &o, rows, columns, reach, err);
    free(o.place);
    free(o.spare);
    return status;
}
