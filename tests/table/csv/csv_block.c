/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_block.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/kernel/stream.h"

static pby_csv_input *open_text(const char *text)
{
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_memory(&in, "input", text, strlen(text), NULL), PBY_OK);
    return in;
}

Test(csv_block, blocks_lie_side_by_side_up_to_the_end)
{
    for (uint64_t first = 0; first < 5; first++)
        for (uint64_t size = first; size < 30; size++)
            for (uint64_t block = 1; block < 12; block++) {
                const pby_csv_cut cut = pby_csv_cut_of(first, size, block);
                uint64_t at = first;
                for (size_t i = 0; i < cut.blocks; i++) {
                    const uint64_t end = pby_csv_cut_end(&cut, i);
                    cr_assert(at < end && end <= at + block);
                    at = end;
                }
                cr_assert_eq(at, size);
            }
}

/* Byte by byte, from the beginning of the text. */
Test(csv_block, quotes_tell_where_the_first_row_begins)
{
    static const char pieces[] = "ab\n\n\"\",1\xe2\xa2\r";
    char text[200];
    uint64_t stream = 3;
    for (int round = 0; round < 200; round++) {
        const size_t size = 1 + stream_next(&stream) % (sizeof text - 1);
        for (size_t i = 0; i < size; i++)
            text[i] = pieces[stream_next(&stream) % (sizeof pieces - 1)];
        text[size] = '\0';
        pby_csv_input *in = open_text(text);
        const pby_csv_cut cut = pby_csv_cut_of(0, size, 1 + stream_next(&stream) % 40);
        pby_csv_block b = {.bytes = NULL};
        bool open = false, whole;
        for (size_t i = 0; i < cut.blocks; i++) {
            const uint64_t begin = i * cut.block, end = pby_csv_cut_end(&cut, i);
            bool now = open;
            uint64_t first = begin, at = begin;
            cr_assert_eq(pby_csv_block_read(&b, in, &cut, i, &whole, NULL), PBY_OK);
            cr_assert(whole);
            if (begin > 0 && (open || text[begin - 1] != '\n'))
                for (first = end; first == end && at < end; at++) {
                    now = now != (text[at] == '"');
                    first = !now && text[at] == '\n' ? at + 1 : end;
                }
            cr_assert_eq(pby_csv_block_first(&b, open), first);
            bool after = open;
            for (at = begin; at < end; at++)
                after = after != (text[at] == '"');
            cr_assert_eq(pby_csv_block_turns(&b), after != open);
            open = after;
        }
        pby_csv_block_clear(&b);
        pby_csv_input_free(in);
    }
}

Test(csv_block, a_row_belongs_to_the_block_in_which_it_begins)
{
    static const char text[] = "a,1\n\"b\n\"\"\",22\nc,3";
    pby_csv_input *in = open_text(text);
    const pby_csv_cut cut = pby_csv_cut_of(0, strlen(text), 6);
    pby_csv_block b = {.bytes = NULL};
    uint64_t next;
    bool whole, good;
    cr_assert_eq(cut.blocks, 3);
    cr_assert_eq(pby_csv_block_read(&b, in, &cut, 0, &whole, NULL), PBY_OK);
    cr_assert_eq(pby_csv_block_rows(&b, in, &cut, 0, &next, &good, NULL), PBY_OK);
    cr_assert(good);
    cr_assert_eq(b.rows, 2);
    cr_assert_eq(b.count[1], 22);
    cr_assert_eq(b.span[1].escapes, 1);
    cr_assert_eq(next, 14);
    cr_assert_eq(pby_csv_block_read(&b, in, &cut, 2, &whole, NULL), PBY_OK);
    cr_assert_eq(pby_csv_block_rows(&b, in, &cut, next, &next, &good, NULL), PBY_OK);
    cr_assert(good);
    cr_assert_eq(b.rows, 1);
    cr_assert_eq(next, strlen(text));
    cr_assert_eq(pby_csv_block_rows(&b, in, &cut, 13, &next, &good, NULL), PBY_OK);
    cr_assert_not(good, "no row begins there");
    pby_csv_block_clear(&b);
    pby_csv_input_free(in);
}
