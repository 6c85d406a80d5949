/* SPDX-License-Identifier: MIT */
/* A part of a histogram's bytes, by itself: the rows that begin in it.
 *
 * An input that can be read at any place is cut into blocks of equal size, which threads read side by side
 * (csv_split.h, csv_ahead.h). A row belongs to the block in which it begins and may end behind it. Where the
 * first row of a block begins depends on whether a quoted field is open at its first byte, that is on the
 * number of quotes before it.
 */
#ifndef PBY_TABLE_CSV_CSV_BLOCK_H
#define PBY_TABLE_CSV_CSV_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "probity/status.h"
#include "table/row/csv_row.h"

/* Where a key, its count's digits and the end of their row stand, from the beginning of the bytes. */
typedef struct pby_csv_span {
    uint32_t key, key_size, escapes, begin, end, stop;
} pby_csv_span;

static inline pby_csv_span pby_csv_span_of(const pby_csv_row *row, const uint8_t *bytes)
{
    return (pby_csv_span){.key = (uint32_t)(row->key - bytes),
                          .key_size = (uint32_t)row->key_size,
                          .escapes = (uint32_t)row->escapes,
                          .begin = (uint32_t)(row->count_begin - bytes),
                          .end = (uint32_t)(row->count_end - bytes),
                          .stop = (uint32_t)(row->end - bytes)};
}

/* Where the blocks of an input lie: from `first` on, which is behind a header, to its end. */
typedef struct pby_csv_cut {
    uint64_t first, size;
    uint64_t block; /* bytes */
    size_t blocks;
} pby_csv_cut;

pby_csv_cut pby_csv_cut_of(uint64_t first, uint64_t size, uint64_t block);

/* The end of block i. */
uint64_t pby_csv_cut_end(const pby_csv_cut *cut, size_t i);

/* All zero before the first reading. */
typedef struct pby_csv_block {
    uint8_t *bytes; /* with a NUL byte behind them; wiped */
    size_t room, size;
    uint64_t at;       /* the place of the first byte in the input */
    size_t begin, end; /* of the block, among the bytes */
    bool last;         /* the bytes reach to the end of the input */
    size_t first;      /* where the first row begins, once rows were read */
    pby_csv_span *span;
    int64_t *count;
    size_t rows, rows_room;
} pby_csv_block;

void pby_csv_block_clear(pby_csv_block *b);

/* Reads block i, and what stands before the first of them with it. *whole is false if the input has fewer
 * bytes than it had. */
PBY_CHECKED
pby_status pby_csv_block_read(pby_csv_block *b, const pby_csv_input *in, const pby_csv_cut *cut, size_t i,
                              bool *whole, pby_error *err);

/* True if the number of quotes in the block is odd. */
bool pby_csv_block_turns(const pby_csv_block *b);

/* The place in the input of the first row that begins in the block, if a quoted field is open at its first
 * byte or not; the end of the block where none does. */
uint64_t pby_csv_block_first(const pby_csv_block *b, bool open);

/* Reads the rows that begin in the block, the first at this place in the input; *next is where the row behind
 * them begins. *good is false if one is no row, or if the input has fewer bytes than it had. */
PBY_CHECKED
pby_status pby_csv_block_rows(pby_csv_block *b, const pby_csv_input *in, const pby_csv_cut *cut,
                              uint64_t first, uint64_t *next, bool *good, pby_error *err);

#endif
