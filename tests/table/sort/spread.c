/* SPDX-License-Identifier: MIT */
#include "table/sort/spread.h"

#include <criterion/criterion.h>
#include <stdbool.h>

#include "tests/kernel/stream.h"

enum { LONGEST = 300, N = 200 };

typedef struct word_name {
    uint8_t bytes[LONGEST];
    size_t size;
} word_name;

static uint64_t slow_word(const word_name *name, size_t at)
{
    uint64_t word = 0;
    for (size_t i = at; i < at + 8; i++)
        word = word << 8 | (i < name->size ? name->bytes[i] : 0);
    return word;
}

/* Draws a name of `begin` equal bytes, and then up to `behind` others out of `letters` letters. */
static word_name draw_name(uint64_t *stream, size_t begin, size_t behind, unsigned letters)
{
    word_name name = {.size = begin + stream_next(stream) % (behind + 1)};
    memset(name.bytes, 'x', begin);
    for (size_t i = begin; i < name.size; i++)
        name.bytes[i] = (uint8_t)('a' + stream_next(stream) % letters);
    return name;
}

static int compare(const word_name *a, const word_name *b)
{
    const size_t least = a->size < b->size ? a->size : b->size;
    const int order = memcmp(a->bytes, b->bytes, least);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

Test(spread, a_word_of_any_name_from_any_place)
{
    uint64_t stream = 11;
    for (size_t size = 0; size < 30; size++) {
        word_name name = draw_name(&stream, size, 0, 1);
        for (size_t i = 0; i < size; i++)
            name.bytes[i] = (uint8_t)(1 + stream_next(&stream) % 255);
        for (size_t at = 0; at < 40; at++)
            cr_assert_eq(pby_word_at(name.bytes, size, at), slow_word(&name, at), "size %zu, at %zu", size,
                         at);
    }
}

enum { LOOKED = 8 * (PBY_SPREAD_WORDS + 1) };

/* Where names end there are NUL bytes. */
static uint8_t byte_of(const word_name *name, size_t at)
{
    return at < name->size ? name->bytes[at] : 0;
}

/* Checks the number of bytes that all have in common, and the bits that differ behind them, by looking at
 * each byte of each. */
static void check_spread(const word_name *names, size_t n)
{
    pby_spread spread = {0};
    size_t common = LOOKED;
    uint64_t differ = 0, found;
    for (size_t i = 0; i < n; i++) {
        pby_spread_add(&spread, names[i].bytes, names[i].size);
        for (size_t k = 0; k < common; k++)
            if (byte_of(&names[i], k) != byte_of(&names[0], k))
                common = k;
    }
    if (common == LOOKED)
        common = 8 * PBY_SPREAD_WORDS;
    else
        for (size_t i = 0; i < n; i++)
            differ |= slow_word(&names[i], common) ^ slow_word(&names[0], common);
    cr_assert_eq(spread.names, n);
    cr_assert_eq(pby_spread_common(&spread, &found), common);
    cr_assert_eq(found, differ);
}

Test(spread, what_all_have_in_common_and_where_they_differ)
{
    static const size_t begins[] = {0, 1, 7, 8, 20, LOOKED - 2, LOOKED + 9};
    static word_name names[N];
    uint64_t stream = 12;
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
        for (size_t n = 1; n <= N; n += 1 + n / 3) {
            for (size_t i = 0; i < n; i++)
                names[i] = draw_name(&stream, begins[b], 12, 1 + (unsigned)(n % 20));
            check_spread(names, n);
        }
}

/* A name that shares less than all before, by a byte, a word and more, while what differed before still
 * counts. */
Test(spread, what_differed_moves_with_the_place)
{
    static const char *const texts[] = {"some prefix that is long - 1",
                                        "some prefix that is long - 2",
                                        "some prefix that is lost",
                                        "some prefix that was",
                                        "some prefix that was",
                                        "some prefixes",
                                        "sum"};
    word_name names[sizeof texts / sizeof *texts];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        names[i].size = strlen(texts[i]);
        memcpy(names[i].bytes, texts[i], names[i].size);
        check_spread(names, i + 1);
    }
}

/* The last name is other at any byte of what the others begin with: how much that is, and how far it was
 * looked, are passed in all ways. */
/* Names in two parts, each of which has learned its own, in either order. */
Test(spread, two_parts_together_know_what_one_does)
{
    static const size_t begins[] = {0, 1, 7, 8, 20, LOOKED - 2, LOOKED + 9};
    uint64_t stream = 17;
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
        for (size_t n = 0; n < 12; n++)
            for (size_t split = 0; split <= n; split++) {
                pby_spread whole = {0}, part[2] = {{0}, {0}};
                for (size_t i = 0; i < n; i++) {
                    const size_t begin = i % 5 == 4 ? begins[b] / 2 : begins[b];
                    const word_name name = draw_name(&stream, begin, i < split ? 3 : 12, 1 + (unsigned)n % 3);
                    pby_spread_add(&whole, name.bytes, name.size);
                    pby_spread_add(&part[i >= split], name.bytes, name.size);
                }
                for (int order = 0; order < 2; order++) {
                    pby_spread joined = part[order];
                    pby_spread_join(&joined, &part[1 - order]);
                    cr_assert_eq(joined.names, whole.names);
                    cr_assert_eq(joined.at, whole.at);
                    cr_assert_arr_eq(joined.differ, whole.differ, sizeof whole.differ);
                }
            }
}

Test(spread, one_name_that_shares_less)
{
    enum { FEW = 8 };
    static word_name names[FEW];
    uint64_t stream = 16;
    for (size_t begin = LOOKED - 24; begin <= LOOKED + 9; begin++)
        for (size_t odd = begin < 24 ? 0 : begin - 24; odd <= begin; odd++) {
            for (size_t i = 0; i < FEW; i++)
                names[i] = draw_name(&stream, begin, 12, 5);
            names[FEW - 1] = draw_name(&stream, begin + 2, 0, 1);
            names[FEW - 1].bytes[odd] = 'C';
            check_spread(names, FEW);
        }
}

Test(spread, a_digit_begins_where_words_differ)
{
    uint64_t stream = 13;
    for (unsigned top = 0; top < 64; top++)
        for (unsigned bits = 0; bits < 64; bits++) {
            const uint64_t word = stream_next(&stream);
            const pby_digit digit =
                pby_digit_make((uint64_t)1 << top | stream_next(&stream) >> (63 - top) >> 1, bits);
            uint64_t expected = 0;
            for (unsigned taken = 0; taken < bits && taken <= top; taken++)
                expected = expected << 1 | (word >> (top - taken) & 1);
            cr_assert_eq(digit.bits, bits <= top ? bits : top + 1);
            cr_assert_eq(pby_digit_of(digit, word), expected, "%u bits from %u", bits, top);
        }
    cr_assert_eq(pby_digit_of(pby_digit_make(0, 20), UINT64_MAX), 0);
}

/* The first bits in which names differ, closed up, by looking at each bit. */
static uint32_t slow_index(const word_name *name, size_t common, uint64_t differ, unsigned bits)
{
    const uint64_t word = slow_word(name, common);
    uint32_t index = 0;
    for (unsigned at = 64, taken = 0; at-- > 0 && taken < bits;)
        if ((differ >> at & 1) != 0) {
            index = index << 1 | (word >> at & 1);
            taken++;
        }
    return index;
}

Test(spread, an_index_is_the_first_bits_that_differ)
{
    static word_name names[N];
    static pby_index index;
    uint64_t stream = 15;
    for (unsigned bits = 0; bits <= 32; bits++) {
        pby_spread spread = {0};
        uint64_t differ;
        for (size_t i = 0; i < N; i++) {
            names[i] = draw_name(&stream, bits, 12, 2 + bits % 25);
            pby_spread_add(&spread, names[i].bytes, names[i].size);
        }
        const size_t common = pby_spread_common(&spread, &differ);
        const unsigned most = (unsigned)__builtin_popcountll(differ);
        pby_index_make(&index, &spread, bits);
        cr_assert_eq(index.bits, bits < most ? bits : most);
        cr_assert_eq(index.common, common);
        for (size_t i = 0; i < N; i++)
            cr_assert_eq(pby_index_of(&index, names[i].bytes, names[i].size),
                         slow_index(&names[i], common, differ, bits), "%u bits", bits);
    }
}

/* The greater of two names never has the smaller digit or index, however few bits it has. */
Test(spread, digits_and_indices_are_in_the_order_of_the_names)
{
    static word_name names[N];
    static pby_index index;
    uint64_t stream = 14;
    for (unsigned bits = 0; bits < 20; bits++) {
        pby_spread spread = {0};
        bool apart = false;
        for (size_t i = 0; i < N; i++) {
            names[i] = draw_name(&stream, bits, 10, 1 + bits);
            pby_spread_add(&spread, names[i].bytes, names[i].size);
        }
        uint64_t differ;
        const size_t common = pby_spread_common(&spread, &differ);
        const pby_digit digit = pby_digit_make(differ, bits);
        pby_index_make(&index, &spread, bits);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                const word_name *a = &names[i], *b = &names[j];
                const uint64_t x = pby_digit_of(digit, pby_word_at(a->bytes, a->size, common));
                const uint64_t y = pby_digit_of(digit, pby_word_at(b->bytes, b->size, common));
                const uint32_t u = pby_index_of(&index, a->bytes, a->size),
                               v = pby_index_of(&index, b->bytes, b->size);
                cr_assert(compare(a, b) > 0 || (x <= y && u <= v), "%u bits", bits);
                apart = apart || (x != y && u != v);
            }
        cr_assert_eq(apart, bits > 0);
    }
}
