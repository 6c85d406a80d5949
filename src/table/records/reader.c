/* SPDX-License-Identifier: MIT */
#include "table/records/reader.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/field.h"
#include "table/row/no_column.h"

enum { FIRST_ROOM = 1 << 18, ROW_BYTES_MAX = 1 << 28 };

static pby_status refuse(const pby_raw *r, uint64_t newlines, unsigned column, const char *expected,
                         pby_error *err)
{
    return pby_field_refuse(pby_csv_input_name(r->in), r->line + newlines, column, expected, err);
}

pby_status pby_raw_refuse(const pby_raw *r, size_t wanted, const char *expected, pby_error *err)
{
    if (r->arrow != NULL)
        return pby_arrow_refuse(r->arrow->name, r->row_line, r->column[wanted], expected, err);
    return pby_field_refuse(pby_csv_input_name(r->in), r->row_line + r->below[wanted], r->column[wanted],
                            expected, err);
}

void pby_raw_clear(pby_raw *r)
{
    if (r->window != NULL)
        sodium_memzero(r->window, r->room + 1);
    free(r->window);
    r->window = NULL;
    pby_arrow_batch_clear(&r->batch);
    sodium_memzero(r->digits, sizeof r->digits);
}

/* ---- the window -------------------------------------------------------------------------------- */

/* Twice as large; what lies in it is at its beginning. */
static pby_status widen_row(pby_raw *r, pby_error *err)
{
    if (r->room >= ROW_BYTES_MAX)
        return refuse(r, 0, 1, "a row of at most 268435456 bytes", err);
    uint8_t *wider = malloc(2 * r->room + 1);
    if (wider == NULL)
        return pby_no_memory(err);
    memcpy(wider, r->window, r->end);
    pby_raw_clear(r);
    r->window = wider;
    r->room *= 2;
    return PBY_OK;
}

/* More bytes behind those of the row that is being read. */
static pby_status refill(pby_raw *r, pby_error *err)
{
    size_t got;
    memmove(r->window, r->window + r->at, r->end - r->at);
    r->end -= r->at;
    r->at = 0;
    pby_status status = r->end == r->room ? widen_row(r, err) : PBY_OK;
    if (status != PBY_OK)
        return status;
    const size_t asked = r->room - r->end;
    status = pby_csv_input_read(r->in, r->window + r->end, asked, &got, err);
    r->last = got < asked;
    r->end += got;
    r->window[r->end] = '\0';
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------- */

typedef enum result { FOUND, MORE, REFUSED } result;

/* One field. Where the window ends with it, or it is refused and its bytes are perhaps not all there, more
 * are needed. */
static result read_field(const pby_raw *r, pby_csv_row *field, unsigned column, const uint8_t *at, bool *more)
{
    const uint8_t *end = r->window + r->end;
    const bool found = pby_csv_row_field(field, column, at, end, more) == PBY_ROW_FOUND;
    if (!r->last && (found ? field->end == end : (size_t)(end - at) < PBY_ROW_MAX))
        return MORE;
    return found ? FOUND : REFUSED;
}

static void take_field(pby_raw *r, unsigned column, const pby_csv_row *field, uint64_t newlines)
{
    for (size_t i = 0; i < r->wanted; i++)
        if (r->column[i] == column) {
            r->field[i] = *field;
            r->below[i] = newlines;
        }
}

/* The row at the beginning of the window, unless more bytes are needed. */
static pby_status read_row(pby_raw *r, bool *whole, pby_error *err)
{
    const uint8_t *at = r->window + r->at;
    uint64_t newlines = 0;
    bool more = true;
    *whole = false;
    for (unsigned column = 1; more; column++) {
        pby_csv_row field;
        if (column > r->width)
            return refuse(r, newlines, column, "no more columns than the first line names", err);
        const result found = read_field(r, &field, column, at, &more);
        if (found == MORE)
            return PBY_OK;
        if (found == REFUSED)
            return refuse(r, newlines, column, field.expected, err);
        if (!more && column < r->width)
            return refuse(r, newlines, column + 1, "as many columns as the first line names", err);
        take_field(r, column, &field, newlines);
        newlines += field.newlines;
        at = field.end;
    }
    r->consumed += (size_t)(at - r->window) - r->at;
    r->at = (size_t)(at - r->window);
    r->row_line = r->line;
    r->line += newlines + 1;
    *whole = true;
    return PBY_OK;
}

/* ---- batches ----------------------------------------------------------------------------------- */

/* A batch that has a row left. Each is released before the next is asked for. */
static pby_status next_batch(pby_raw *r, bool *found, pby_error *err)
{
    pby_status status = PBY_OK;
    *found = true;
    while (status == PBY_OK && *found && r->row == r->batch.rows) {
        const uint64_t before = r->batch.first + r->batch.rows;
        pby_arrow_batch_clear(&r->batch);
        r->row = 0;
        status = pby_arrow_next(r->arrow, &r->batch, found, before, err);
    }
    return status;
}

static pby_status next_of_batches(pby_raw *r, bool *found, pby_error *err)
{
    pby_status status = next_batch(r, found, err);
    if (status != PBY_OK || !*found)
        return status;
    r->row_line = r->batch.first + r->row + 1;
    for (size_t i = 0; i < r->wanted && status == PBY_OK; i++) {
        pby_csv_row *field = &r->field[i];
        const char *expected =
            pby_arrow_text(&r->batch.column[i], r->row, &field->key, &field->key_size, r->digits[i]);
        if (expected != NULL)
            status = pby_raw_refuse(r, i, expected, err);
        else if (field->key == NULL)
            field->key = (const uint8_t *)"";
    }
    r->row++;
    *found = status == PBY_OK;
    return status;
}

pby_status pby_raw_open_arrow(pby_raw *r, pby_arrow *arrow, const pby_raw_wanted *wanted, size_t count,
                              pby_error *err)
{
    pby_status status = PBY_OK;
    *r = (pby_raw){.arrow = arrow, .wanted = count, .width = (unsigned)pby_arrow_columns(arrow)};
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        size_t child = 0;
        status = pby_arrow_find(&child, arrow, wanted[i].argument, wanted[i].name, err);
        if (status == PBY_OK)
            status =
                pby_arrow_want(arrow, child, wanted[i].number ? PBY_ARROW_NUMBERS : PBY_ARROW_NAMES, err);
        r->column[i] = (unsigned)child + 1;
    }
    return status;
}

pby_status pby_raw_next(pby_raw *r, bool *found, pby_error *err)
{
    pby_status status = PBY_OK;
    *found = false;
    if (r->arrow != NULL)
        return next_of_batches(r, found, err);
    while (status == PBY_OK && !*found) {
        if (r->at == r->end && r->last)
            return PBY_OK;
        if (r->at < r->end)
            status = read_row(r, found, err);
        if (status == PBY_OK && !*found)
            status = refill(r, err);
    }
    return status;
}

/* ---- the first row ----------------------------------------------------------------------------- */

static bool is_called(const pby_csv_row *field, uint8_t *scratch, const char *name)
{
    size_t size;
    const uint8_t *called = pby_csv_row_key(field, scratch, &size);
    return size == strlen(name) && memcmp(called, name, size) == 0;
}

static pby_status note(pby_raw *r, const pby_csv_row *field, uint8_t *scratch, const pby_raw_wanted *wanted,
                       pby_error *err)
{
    for (size_t i = 0; i < r->wanted; i++) {
        if (!is_called(field, scratch, wanted[i].name))
            continue;
        if (r->column[i] != 0)
            return pby_refuse(err, wanted[i].argument, wanted[i].name, "the name of one column, not of two");
        r->column[i] = r->width;
    }
    return PBY_OK;
}

/* As read_row, of the names. */
static pby_status read_names(pby_raw *r, bool *whole, uint8_t *scratch, const pby_raw_wanted *wanted,
                             pby_error *err)
{
    const uint8_t *at = r->window + pby_csv_row_mark(r->window, r->window + r->end);
    uint64_t newlines = 0;
    *whole = false;
    r->width = 0;
    memset(r->column, 0, sizeof r->column);
    for (bool more = true; more;) {
        pby_csv_row field;
        const result found = read_field(r, &field, ++r->width, at, &more);
        if (found == MORE)
            return PBY_OK;
        if (found == REFUSED)
            return refuse(r, newlines, r->width, field.expected, err);
        const pby_status status = note(r, &field, scratch, wanted, err);
        if (status != PBY_OK)
            return status;
        newlines += field.newlines;
        at = field.end;
    }
    r->consumed = r->at = (size_t)(at - r->window);
    r->line += newlines + 1;
    *whole = true;
    return PBY_OK;
}

static pby_status read_header(pby_raw *r, uint8_t *scratch, const pby_raw_wanted *wanted, pby_error *err)
{
    bool whole = false;
    pby_status status = refill(r, err);
    if (status == PBY_OK && r->end == pby_csv_row_mark(r->window, r->window + r->end))
        return refuse(r, 0, 1, "a line that names the columns", err);
    while (status == PBY_OK && !whole) {
        status = read_names(r, &whole, scratch, wanted, err);
        if (status == PBY_OK && !whole)
            status = refill(r, err);
    }
    bool known = false;
    for (size_t i = 0; i < r->wanted; i++)
        known = known || r->column[i] != 0;
    const uint8_t *const first = r->window + pby_csv_row_mark(r->window, r->window + r->end);
    for (size_t i = 0; i < r->wanted && status == PBY_OK; i++)
        if (r->column[i] == 0)
            status =
                pby_refuse_column(err, wanted[i].argument, wanted[i].name, first, r->window + r->end, known);
    return status;
}

pby_status pby_raw_open(pby_raw *r, pby_csv_input *in, const pby_raw_wanted *wanted, size_t count,
                        pby_error *err)
{
    *r = (pby_raw){.in = in, .line = 1, .room = FIRST_ROOM, .wanted = count};
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    r->window = malloc(r->room + 1);
    const pby_status status = scratch == NULL || r->window == NULL ? pby_no_memory(err)
                                                                   : read_header(r, scratch, wanted, err);
    free(scratch);
    return status;
}
