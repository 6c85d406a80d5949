/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "table/row/csv_row.h"

/* The row at the front of the bytes, which lie in memory of exactly their size and the NUL after it. */
static pby_csv_row_result parse(const void *bytes, size_t size, bool last, pby_csv_row *row)
{
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    const pby_csv_row_result result = pby_csv_row_parse(row, copy, copy + size, last);
    free(copy);
    return result;
}

static pby_csv_row_result header(const char *text)
{
    pby_csv_row row;
    return pby_csv_row_header(&row, (const uint8_t *)text, (const uint8_t *)text + strlen(text), true);
}

/* No byte before the end of a row decides it: each shorter piece asks for more. */
Test(csv_row, every_cut_asks_for_more)
{
    static const char *const rows[] = {"key,12\n",
                                       "key,12\r\n",
                                       "\"a,\"\"b\n\",7\n",
                                       "\"k\",\"7\"\r\n",
                                       "\xc3\xa9\xf0\x9f\x98\x80,0\n",
                                       ",5\n",
                                       "\"\xe2\x82\xac\",9223372036854775807\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t size = strlen(rows[i]);
        pby_csv_row row;
        cr_assert_eq(parse(rows[i], size, false, &row), PBY_ROW_FOUND, "row %zu", i);
        for (size_t cut = 0; cut < size; cut++)
            cr_assert_eq(parse(rows[i], cut, false, &row), PBY_ROW_MORE, "row %zu cut at %zu", i, cut);
    }
}

Test(csv_row, gives_every_part)
{
    const char text[] = "\"a\"\"b\nc\",\"0042\"\r\nnext";
    pby_csv_row row;
    const uint8_t *at = (const uint8_t *)text;
    cr_assert_eq(pby_csv_row_parse(&row, at, at + sizeof text - 1, true), PBY_ROW_FOUND);
    cr_assert_eq(row.key - at, 1);
    cr_assert_eq(row.key_size, 6);
    cr_assert_eq(row.escapes, 1);
    cr_assert_eq(row.newlines, 1);
    cr_assert_eq(row.count, 42);
    cr_assert_eq(row.count_begin - at, 10);
    cr_assert_eq(row.count_end - at, 14);
    cr_assert_eq(row.end - at, 17);
    uint8_t scratch[8];
    size_t size;
    const uint8_t *key = pby_csv_row_key(&row, scratch, &size);
    cr_assert_eq(size, 5);
    cr_assert_arr_eq(key, "a\"b\nc", 5);
}

Test(csv_row, a_key_without_escapes_is_not_copied)
{
    const uint8_t text[] = "\"plain\",1\n";
    pby_csv_row row;
    size_t size;
    cr_assert_eq(pby_csv_row_parse(&row, text, text + sizeof text - 1, true), PBY_ROW_FOUND);
    cr_assert_eq(pby_csv_row_key(&row, NULL, &size), text + 1);
    cr_assert_eq(size, 5);
}

/* All one-, two- and three-byte strings, and all four-byte ones with a leading byte of their own, against
 * the definition: a scalar value's one encoding. */
static bool encodes_a_scalar(const uint8_t *s, size_t size)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    static const uint8_t lead[5] = {0, 0, 0xc0, 0xe0, 0xf0}, mask[5] = {0, 0, 0xe0, 0xf0, 0xf8};
    if ((s[0] & mask[size]) != lead[size])
        return false;
    uint32_t value = s[0] & (uint8_t)~mask[size];
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return false;
        value = value << 6 | (s[i] & 0x3f);
    }
    return value >= least[size] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

Test(csv_row, takes_exactly_utf_8)
{
    for (uint32_t first = 0x80; first < 0x100; first++)
        for (uint32_t second = 0; second < 0x100; second++)
            for (size_t size = 2; size <= 4; size++) {
                /* the later bytes at the edges of what may continue a sequence */
                static const uint8_t later[] = {0x7f, 0x80, 0xbf, 0xc0};
                for (int k = 0; k < 4; k++) {
                    uint8_t row_bytes[8] = {(uint8_t)first, (uint8_t)second, later[k], later[k]};
                    const bool ascii_tail = size > 2 && later[k] < 0x80;
                    if ((size == 2 && k > 0) || second < 0x80 || ascii_tail)
                        continue;
                    memcpy(row_bytes + size, ",1\n", 3);
                    pby_csv_row row;
                    const pby_csv_row_result result = parse(row_bytes, size + 3, true, &row);
                    bool valid = encodes_a_scalar(row_bytes, size);
                    /* or two sequences of two bytes */
                    valid |= size == 4 && encodes_a_scalar(row_bytes, 2) &&
                             encodes_a_scalar(row_bytes + 2, 2);
                    cr_assert_eq(result == PBY_ROW_FOUND, valid, "%02x %02x %02x, %zu bytes", first, second,
                                 later[k], size);
                }
            }
}

Test(csv_row, knows_a_header)
{
    static const char *const headers[] = {"key,count\n", "k,n",        "\"key\",\"count\"\r\n",
                                          "a,_\n",       ",Z\n",       "cl\xc3\xa9,\xc3\xa9t\xc3\xa9\n",
                                          "k,nano\n",    "k,\"a,b\"\n"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        cr_assert_eq(header(headers[i]), PBY_ROW_FOUND, "%s", headers[i]);
    static const char *const others[] = {"a,5\n",     "a,+5\n",  "a,-5\n",   "a,\n",   "a,\"\"\n", "a\n",
                                         "a,NaN\n",   "a,inf\n", "a,NULL\n", "a,.5\n", "a, 5\n",   "a,<5\n",
                                         "a,\"N/A\"", "a,$5\n",  "a,@\n",    "a,[\n",  "a,`\n",    "a,{\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(header(others[i]), PBY_ROW_OTHER, "%s", others[i]);
    static const char *const signs[] = {"a,\xe2\x88\x92"
                                        "5\n",
                                        "a,\xe2\x82\xac"
                                        "5\n",
                                        "a,\xc2\xa0"
                                        "5\n",
                                        "a,nan \n",
                                        "a,\"NULL  \"\n",
                                        "a,\xef\xbc\x95\n",
                                        "a,\xd9\xa5\xd9\xa5\n",
                                        "a,\xe2\x88\x92\xe0\xa5\xab\n"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        cr_assert_eq(header(signs[i]), PBY_ROW_OTHER, "a number after a sign beyond ASCII, or a word: %s",
                     signs[i]);
    cr_assert_eq(header("key,n\xef\xbc\x95\n"), PBY_ROW_FOUND,
                 "a name that begins with a letter may have digits");
    cr_assert_eq(header("key,count,more\n"), PBY_ROW_REFUSED);
    cr_assert_eq(header("key,\"count\"x\n"), PBY_ROW_REFUSED);
}

/* Where every column is a number, every one must be named. */
Test(csv_row, knows_a_header_of_numbers)
{
    cr_assert(pby_csv_row_names_columns("x", 1));
    cr_assert(pby_csv_row_names_columns("x,y", 2));
    cr_assert(pby_csv_row_names_columns("\"the x\",\"a \"\"y\"\"\"", 2));
    cr_assert(pby_csv_row_names_columns("\xc3\xa9t\xc3\xa9,_1,Z", 3));
    static const char *const others[] = {"",
                                         "x",
                                         "x,",
                                         ",y",
                                         "x,y,",
                                         "x,y,z",
                                         "1,y",
                                         "x,1",
                                         "nan,y",
                                         "x,Inf",
                                         "x,n/a",
                                         "x,\"null\"",
                                         "x,-y",
                                         "x,\"y",
                                         "x,\"y\"z",
                                         "x y",
                                         "x,\xff",
                                         "x,y\r",
                                         "x,\xc2\xa0\xc2\xbd 5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert(!pby_csv_row_names_columns(others[i], 2), "%s", others[i]);
}

static pby_csv_row_result released(const char *text, pby_csv_row *row)
{
    return pby_csv_row_released(row, (const uint8_t *)text, (const uint8_t *)text + strlen(text));
}

/* Every int64_t can be released, and so can be read. */
Test(csv_row, a_released_count_has_a_sign)
{
    pby_csv_row row;
    cr_assert_eq(released("a,-9223372036854775808\n", &row), PBY_ROW_FOUND);
    cr_assert_eq(row.count, INT64_MIN);
    cr_assert_eq(released("a,\"9223372036854775807\"", &row), PBY_ROW_FOUND);
    cr_assert_eq(row.count, INT64_MAX);
    static const char *const beyond[] = {"a,-9223372036854775809\n", "a,9223372036854775808\n", "a,-\n",
                                         "a,--1\n", "a,-1x\n"};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        cr_assert_eq(released(beyond[i], &row), PBY_ROW_REFUSED, "%s", beyond[i]);
        cr_assert_str_eq(row.expected, "a whole number from -9223372036854775808 to 9223372036854775807");
    }
}

Test(csv_row, a_byte_order_mark)
{
    const uint8_t marked[] = "\xef\xbb\xbfk,1\n";
    cr_assert_eq(pby_csv_row_mark(marked, marked + 7), 3);
    cr_assert_eq(pby_csv_row_mark(marked, marked + 3), 3);
    cr_assert_eq(pby_csv_row_mark(marked, marked + 2), 0);
    cr_assert_eq(pby_csv_row_mark(marked + 1, marked + 7), 0);
}

/* The longest rows: none of them may ask for more than PBY_ROW_MAX bytes. */
Test(csv_row, the_longest_key_is_taken_and_a_longer_one_is_not)
{
    uint8_t *bytes = malloc(PBY_ROW_MAX);
    pby_csv_row row;
    memset(bytes, 'k', PBY_ROW_MAX);
    cr_assert_eq(parse(bytes, PBY_ROW_KEY_MAX, false, &row), PBY_ROW_MORE);
    cr_assert_eq(parse(bytes, PBY_ROW_KEY_MAX + 1, false, &row), PBY_ROW_REFUSED);
    cr_assert_str_eq(row.expected, "at most 1048576 bytes");
    memcpy(bytes + PBY_ROW_KEY_MAX, ",1\n", 3);
    cr_assert_eq(parse(bytes, PBY_ROW_KEY_MAX + 3, false, &row), PBY_ROW_FOUND);
    memcpy(bytes + PBY_ROW_KEY_MAX, "k,1\n", 4);
    cr_assert_eq(parse(bytes, PBY_ROW_KEY_MAX + 4, false, &row), PBY_ROW_REFUSED);

    memset(bytes, '"', PBY_ROW_MAX);
    memcpy(bytes + 2 * PBY_ROW_KEY_MAX + 2, ",1\n", 3);
    cr_assert_eq(parse(bytes, 2 * PBY_ROW_KEY_MAX + 5, false, &row), PBY_ROW_FOUND);
    cr_assert_eq(row.key_size - row.escapes, PBY_ROW_KEY_MAX);
    memset(bytes, '"', PBY_ROW_MAX);
    cr_assert_eq(parse(bytes, PBY_ROW_MAX, false, &row), PBY_ROW_REFUSED);
    cr_assert_str_eq(row.expected, "a closing quote within 1048576 bytes");
    free(bytes);
}
