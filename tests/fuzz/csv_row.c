/* SPDX-License-Identifier: MIT */
/* A row, or a header, in any bytes: it stays within them, what it says of its parts is true, and a piece of
 * an input never decides otherwise than the whole. Rows that lie whole in the piece are the same
 * rows, and what is refused in it is refused in the whole. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/row/csv_row.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef pby_csv_row_result parser(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last);

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_row(const pby_csv_row *row, const uint8_t *at, const uint8_t *end)
{
    static uint8_t scratch[PBY_ROW_KEY_MAX];
    size_t size;
    must(at <= row->key && row->key + row->key_size < row->count_begin, "the key comes first");
    must(row->count_begin < row->count_end && row->count_end <= row->end && row->end <= end,
         "then the count");
    must(row->count >= 0 && row->count_end - row->count_begin <= 19, "a count is short");
    const uint8_t *key = pby_csv_row_key(row, scratch, &size);
    must(memchr(key, '\0', size) == NULL, "no NUL byte");
    must(row->escapes > 0 || (key == row->key && memchr(key, '"', size) == NULL), "every quote is escaped");
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)row->count);
    const uint8_t *from = row->count_begin;
    while (*from == '0' && from + 1 < row->count_end)
        from++;
    must(row->count_end - from == length && memcmp(from, digits, (size_t)length) == 0, "the count's value");
}

/* The piece is in memory of its own, so that reading beyond its NUL byte shows. */
static void check_piece(parser *parse, const uint8_t *bytes, size_t whole, size_t cut)
{
    uint8_t *piece = malloc(cut + 1), *all = malloc(whole + 1);
    must(piece != NULL && all != NULL, "memory");
    memcpy(piece, bytes, cut);
    memcpy(all, bytes, whole);
    piece[cut] = all[whole] = '\0';
    pby_csv_row part, row;
    const pby_csv_row_result of_part = parse(&part, piece, piece + cut, false);
    const pby_csv_row_result of_all = parse(&row, all, all + whole, true);
    must(of_all != PBY_ROW_MORE, "a whole input is decided");
    if (of_all == PBY_ROW_FOUND && parse == pby_csv_row_parse)
        check_row(&row, all, all + whole);
    if (of_part != PBY_ROW_MORE)
        must(of_part == of_all, "a piece decides as the whole");
    if (of_part == PBY_ROW_FOUND)
        must(part.end - piece == row.end - all, "the same row");
    if (of_part == PBY_ROW_REFUSED)
        must(part.column == row.column && part.newlines == row.newlines, "refused in the same place");
    free(piece);
    free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    const size_t whole = size - 1;
    const size_t cut = bytes[whole] % (whole + 1);
    check_piece(pby_csv_row_parse, bytes, whole, cut);
    check_piece(pby_csv_row_header, bytes, whole, cut);
    return 0;
}
