/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_block.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/csv_row.h"

enum { TAIL = 1 << 10, FIRST_ROWS = 1 << 10 };

_Static_assert(16LL * PBY_ROW_MAX < UINT32_MAX, "a span can point anywhere in a block with its last row");

pby_csv_cut pby_csv_cut_of(uint64_t first, uint64_t size, uint64_t block)
{
    const uint64_t left = size - first;
    return (pby_csv_cut){first, size, block, (size_t)(left / block + (left % block != 0))};
}

static uint64_t begin_of(const pby_csv_cut *cut, size_t i)
{
    return cut->first + cut->block * i;
}

uint64_t pby_csv_cut_end(const pby_csv_cut *cut, size_t i)
{
    const uint64_t begin = begin_of(cut, i);
    return cut->size - begin < cut->block ? cut->size : begin + cut->block;
}

static void free_bytes(pby_csv_block *b)
{
    if (b->bytes != NULL)
        sodium_memzero(b->bytes, b->room + 1);
    free(b->bytes);
}

void pby_csv_block_clear(pby_csv_block *b)
{
    free_bytes(b);
    free(b->span);
    if (b->count != NULL)
        sodium_memzero(b->count, b->rows_room * sizeof *b->count);
    free(b->count);
    *b = (pby_csv_block){.bytes = NULL};
}

/* ---- bytes -------------------------------------------------------------------------------------- */

static pby_status make_room(pby_csv_block *b, size_t room, pby_error *err)
{
    if (b->bytes != NULL && room <= b->room)
        return PBY_OK;
    uint8_t *bytes = malloc(room + 1);
    if (bytes == NULL)
        return pby_no_memory(err);
    if (b->size > 0)
        memcpy(bytes, b->bytes, b->size);
    free_bytes(b);
    b->bytes = bytes;
    b->room = room;
    return PBY_OK;
}

/* Reads on behind the bytes until there are so many, or the input ends. */
static pby_status read_on(pby_csv_block *b, const pby_csv_input *in, const pby_csv_cut *cut, size_t wanted,
                          bool *whole, pby_error *err)
{
    const uint64_t left = cut->size - b->at;
    const size_t size = wanted < left ? wanted : (size_t)left;
    size_t got;
    pby_status status = make_room(b, size, err);
    if (status == PBY_OK)
        status = pby_csv_input_read_at(in, b->bytes + b->size, size - b->size, b->at + b->size, &got, err);
    if (status != PBY_OK)
        return status;
    *whole = got == size - b->size;
    b->size += got;
    b->bytes[b->size] = '\0';
    b->last = b->size == left;
    return PBY_OK;
}

/* With the byte before it, which tells whether a row begins with it. */
pby_status pby_csv_block_read(pby_csv_block *b, const pby_csv_input *in, const pby_csv_cut *cut, size_t i,
                              bool *whole, pby_error *err)
{
    const uint64_t begin = begin_of(cut, i), end = pby_csv_cut_end(cut, i);
    b->at = i == 0 ? 0 : begin - 1;
    b->begin = (size_t)(begin - b->at);
    b->end = (size_t)(end - b->at);
    b->size = b->rows = 0;
    return read_on(b, in, cut, b->end + TAIL, whole, err);
}

/* Bit 7 of each byte of a word that is a quote. */
static uint64_t quotes_in(uint64_t word)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7f, other = word ^ 0x2222222222222222;
    return ~(((other & low) + low) | other | low);
}

/* Eight bytes at a time: each place of a word has its own count, of which a bit is kept. */
bool pby_csv_block_turns(const pby_csv_block *b)
{
    uint64_t turns = 0, word;
    size_t i = b->begin;
    for (; b->end - i >= sizeof word; i += sizeof word) {
        memcpy(&word, b->bytes + i, sizeof word);
        turns ^= quotes_in(word);
    }
    for (; i < b->end; i++)
        turns ^= (uint64_t)(b->bytes[i] == '"') << 63;
    return __builtin_parityll(turns) != 0;
}

uint64_t pby_csv_block_first(const pby_csv_block *b, bool open)
{
    size_t at = b->begin;
    bool begins = at == 0 || (!open && b->bytes[at - 1] == '\n');
    for (; at < b->end && !begins; at++) {
        open = open != (b->bytes[at] == '"');
        begins = !open && b->bytes[at] == '\n';
    }
    return b->at + at;
}

/* ---- rows --------------------------------------------------------------------------------------- */

static pby_status more_rows(pby_csv_block *b, pby_error *err)
{
    const size_t room = b->rows_room == 0 ? FIRST_ROWS : 2 * b->rows_room;
    pby_csv_span *span = realloc(b->span, room * sizeof *span);
    if (span != NULL)
        b->span = span;
    int64_t *count = malloc(room * sizeof *count);
    if (span == NULL || count == NULL) {
        free(count);
        return pby_no_memory(err);
    }
    if (b->count != NULL) {
        memcpy(count, b->count, b->rows * sizeof *count);
        sodium_memzero(b->count, b->rows_room * sizeof *b->count);
    }
    free(b->count);
    b->count = count;
    b->rows_room = room;
    return PBY_OK;
}

pby_status pby_csv_block_rows(pby_csv_block *b, const pby_csv_input *in, const pby_csv_cut *cut,
                              uint64_t first, uint64_t *next, bool *good, pby_error *err)
{
    size_t at = b->first = (size_t)(first - b->at);
    pby_status status = PBY_OK;
    *good = true;
    while (at < b->end && *good && status == PBY_OK) {
        pby_csv_row row;
        if (b->rows == b->rows_room && (status = more_rows(b, err)) != PBY_OK)
            break;
        switch (pby_csv_row_parse(&row, b->bytes + at, b->bytes + b->size, b->last)) {
        case PBY_ROW_FOUND:
            b->count[b->rows] = row.count;
            b->span[b->rows] = pby_csv_span_of(&row, b->bytes);
            at = b->span[b->rows++].stop;
            break;
        case PBY_ROW_MORE: /* never of more than PBY_ROW_MAX bytes */
            status = read_on(b, in, cut, b->size + b->size, good, err);
            break;
        default:
            *good = false;
        }
    }
    *next = b->at + at;
    return status;
}
