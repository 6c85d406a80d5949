/* SPDX-License-Identifier: MIT */
#include "table/arrow/arrow_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"

void pby_arrow_rows_free(pby_arrow_rows *r)
{
    if (r == NULL || atomic_fetch_sub(&r->owners, 1) > 1)
        return;
    for (size_t i = 0; i < r->batches; i++)
        pby_arrow_batch_clear(&r->batch[i]);
    free(r->batch);
    free(r);
}

pby_arrow_rows *pby_arrow_rows_share(pby_arrow_rows *r)
{
    atomic_fetch_add(&r->owners, 1);
    return r;
}

static pby_status make_room(pby_arrow_rows *r, pby_error *err)
{
    PBY_RESERVE(r->batch, r->room, r->batches + 1, err);
    return PBY_OK;
}

/* A batch without rows is let go. */
static pby_status read_batches(pby_arrow_rows *r, pby_arrow *a, pby_error *err)
{
    bool found = true;
    pby_status status = PBY_OK;
    while (status == PBY_OK && found) {
        status = make_room(r, err);
        if (status == PBY_OK)
            status = pby_arrow_next(a, &r->batch[r->batches], &found, r->count, err);
        if (status != PBY_OK || !found)
            return status;
        r->count += r->batch[r->batches].rows;
        if (r->batch[r->batches].rows == 0)
            pby_arrow_batch_clear(&r->batch[r->batches]);
        else
            r->batches++;
    }
    return status;
}

pby_status pby_arrow_rows_read(pby_arrow_rows **out, pby_arrow *a, pby_error *err)
{
    pby_arrow_rows *r = *out = calloc(1, sizeof *r);
    if (r == NULL)
        return pby_no_memory(err);
    atomic_init(&r->owners, 1);
    r->column[0] = a->column[0].child + 1;
    r->column[1] = a->column[1].child + 1;
    const pby_status status = read_batches(r, a, err);
    if (status != PBY_OK) {
        pby_arrow_rows_free(r);
        *out = NULL;
    }
    return status;
}

/* The batch of a row. Rows are mostly asked for one after the other. */
static const pby_arrow_batch *batch_of(const pby_arrow_rows *r, size_t *last, size_t row)
{
    const pby_arrow_batch *b = &r->batch[*last];
    if (row - b->first < b->rows)
        return b;
    size_t low = 0, high = r->batches;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(r->batch[middle].first <= row ? &low : &high) = middle;
    }
    *last = low;
    return &r->batch[low];
}

const char *pby_arrow_rows_key(const pby_arrow_rows *r, size_t *last, size_t row, const uint8_t **key,
                               size_t *size, char digits[PBY_ARROW_DIGITS])
{
    const pby_arrow_batch *b = batch_of(r, last, row);
    const char *expected = pby_arrow_text(&b->column[0], row - b->first, key, size, digits);
    return expected == NULL && *key == NULL ? "a key, not null" : expected;
}

bool pby_arrow_rows_count(const pby_arrow_rows *r, size_t *last, size_t row, int64_t *count)
{
    const pby_arrow_batch *b = batch_of(r, last, row);
    return pby_arrow_integer(&b->column[1].values, row - b->first, count);
}

/* Copies n counts from `row` on; all of these rows lie within one batch. */
static void counts_of(const pby_arrow_values *v, uint64_t row, int64_t *counts, size_t n)
{
    if (v->type.kind == PBY_ARROW_SIGNED && v->type.width == sizeof *counts) {
        memcpy(counts, v->data + (v->from + row) * sizeof *counts, n * sizeof *counts);
        return;
    }
    for (size_t i = 0; i < n; i++)
        (void)pby_arrow_integer(v, row + i, &counts[i]);
}

void pby_arrow_rows_counts(const pby_arrow_rows *r, size_t *last, size_t row, int64_t *counts, size_t n)
{
    while (n > 0) {
        const pby_arrow_batch *b = batch_of(r, last, row);
        const uint64_t from = row - b->first;
        const size_t here = b->rows - from < n ? (size_t)(b->rows - from) : n;
        counts_of(&b->column[1].values, from, counts, here);
        counts += here;
        row += here;
        n -= here;
    }
}

bool pby_arrow_rows_plain(const pby_arrow_rows *r, size_t batch)
{
    const pby_arrow_column *keys = &r->batch[batch].column[0];
    static const uint8_t zero[4];
    return !keys->coded && keys->values.type.kind == PBY_ARROW_TEXT && keys->values.from == 0 &&
           memcmp(keys->values.offsets, zero, sizeof zero) == 0;
}
