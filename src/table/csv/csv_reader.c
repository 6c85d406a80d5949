/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_reader.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/field.h"

enum { FIRST_SIZE = 1 << 18, MARK_SIZE = 3 };

/* ---- the window ----------------------------------------------------------------------------- */

pby_status pby_reader_init(pby_reader *r, pby_csv_input *in, pby_error *err)
{
    *r = (pby_reader){.bytes = malloc(FIRST_SIZE + 1),
                      .size = FIRST_SIZE,
                      .line = 1,
                      .layout = {.keys = 1, .key = {1}, .count = 2}};
    if (r->bytes == NULL)
        return pby_no_memory(err);
    r->in = in;
    return PBY_OK;
}

static void free_bytes(pby_reader *r)
{
    if (r->bytes != NULL)
        sodium_memzero(r->bytes, r->size + 1);
    free(r->bytes);
}

void pby_reader_clear(pby_reader *r)
{
    free_bytes(r);
    pby_csv_input_free(r->in);
}

void pby_reader_rewind(pby_reader *r)
{
    pby_csv_input_rewind(r->in);
    r->keep = r->at = r->end = r->preamble = 0;
    r->last = r->begun = false;
    r->line = 1;
}

/* Twice the size each time, so that a long row is scanned again only about as often as it is long. */
static pby_status widen_buffer(pby_reader *r, pby_error *err)
{
    const size_t size = r->size * 2;
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL)
        return pby_no_memory(err);
    memcpy(bytes, r->bytes, r->end);
    free_bytes(r);
    r->bytes = bytes;
    r->size = size;
    return PBY_OK;
}

pby_status pby_reader_move(pby_reader *r, pby_error *err)
{
    pby_status status = r->keep == 0 && r->end == r->size ? widen_buffer(r, err) : PBY_OK;
    if (status != PBY_OK)
        return status;
    memmove(r->bytes, r->bytes + r->keep, r->end - r->keep);
    r->at -= r->keep;
    r->end -= r->keep;
    r->keep = 0;
    size_t got;
    status = pby_csv_input_read(r->in, r->bytes + r->end, r->size - r->end, &got, err);
    if (status != PBY_OK)
        return status;
    r->end += got;
    r->last = r->end < r->size;
    r->bytes[r->end] = '\0';
    return PBY_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

pby_status pby_reader_refuse(const pby_reader *r, uint64_t line, unsigned column, const char *expected,
                             pby_error *err)
{
    return pby_field_refuse(pby_csv_input_name(r->in), line, column, expected, err);
}

static pby_status refuse_row(const pby_reader *r, const pby_csv_row *row, pby_error *err)
{
    return pby_reader_refuse(r, r->line + row->newlines, row->column, row->expected, err);
}

void pby_reader_step(pby_reader *r, const pby_csv_row *row)
{
    r->at = (size_t)(row->end - r->bytes);
    r->line += row->newlines + 1;
}

/* The names as they stand: an escaped quote is shown as two. */
static void note_header(pby_layout *layout, const pby_csv_row *row)
{
    layout->header = true;
    pby_layout_name(layout->key_name[0], row->key, row->key_size);
    pby_layout_name(layout->count_name, row->count_begin, (size_t)(row->count_end - row->count_begin));
}

/* Steps over the byte order mark and the header, if they are there. */
static pby_status begin(pby_reader *r, pby_error *err)
{
    if (r->end < MARK_SIZE && !r->last)
        return PBY_OK;
    const uint8_t *const first = r->bytes + pby_csv_row_mark(r->bytes, r->bytes + r->end);
    pby_csv_row row;
    switch (pby_csv_row_header(&row, first, r->bytes + r->end, r->last)) {
    case PBY_ROW_MORE:
        return PBY_OK;
    case PBY_ROW_REFUSED:
        return refuse_row(r, &row, err);
    case PBY_ROW_FOUND:
        note_header(&r->layout, &row);
        pby_reader_step(r, &row);
        break;
    case PBY_ROW_OTHER:
        r->at = (size_t)(first - r->bytes);
        break;
    }
    r->begun = true;
    r->preamble = r->at;
    return PBY_OK;
}

pby_status pby_reader_look(pby_reader *r, pby_csv_row *row, pby_found *found, pby_error *err)
{
    *found = PBY_FOUND_CUT;
    if (!r->begun) {
        const pby_status status = begin(r, err);
        if (status != PBY_OK || !r->begun)
            return status;
    }
    *found = r->last ? PBY_FOUND_END : PBY_FOUND_CUT;
    if (r->at == r->end)
        return PBY_OK;
    const pby_csv_row_result result = pby_csv_row_parse(row, r->bytes + r->at, r->bytes + r->end, r->last);
    if (result == PBY_ROW_REFUSED)
        return refuse_row(r, row, err);
    *found = result == PBY_ROW_MORE ? PBY_FOUND_CUT : PBY_FOUND_ROW;
    return PBY_OK;
}
