/* SPDX-License-Identifier: MIT */
#include "table/records/lots.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST = 5, CHOICES = 1 << MOST };

/* The words of records in a test: at a level, and in order behind it. */
static uint64_t words[2][MOST];

static uint64_t given(const pby_lots *lots, uint64_t record, uint64_t k)
{
    (void)lots;
    return words[k][record];
}

/* The choice of so many of n records, as a set of bits. */
static unsigned chosen(size_t n, uint64_t most)
{
    pby_lots lots = {.word = given};
    pby_lot records[MOST];
    unsigned set = 0;
    for (size_t i = 0; i < n; i++)
        records[i] = (pby_lot){i, pby_lots_word(&lots, i), (uint32_t)i, 0};
    const size_t count = pby_lots_draw(&lots, records, n, most);
    cr_assert_eq(count, n < most ? n : most);
    for (size_t i = 0; i < count; i++)
        set |= 1u << records[i].bar;
    return set;
}

/* Every order of n words at a level, each once. */
static void each_order(uint64_t *word, size_t n, size_t from, uint64_t most, unsigned *times)
{
    if (from == n) {
        times[chosen(n, most)]++;
        return;
    }
    for (size_t i = from; i < n; i++) {
        uint64_t kept = word[from];
        word[from] = word[i];
        word[i] = kept;
        each_order(word, n, from + 1, most, times);
        kept = word[from];
        word[from] = word[i];
        word[i] = kept;
    }
}

static unsigned bits(unsigned set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* All sets of that size as often, and no others. */
static void is_uniform(const unsigned *times, size_t n, uint64_t most)
{
    unsigned first = 0, sets = 0;
    const unsigned size = (unsigned)(n < most ? n : most);
    for (unsigned set = 0; set < 1u << n; set++) {
        if (bits(set) != size) {
            cr_assert_eq(times[set], 0);
            continue;
        }
        first = sets++ == 0 ? times[set] : first;
        cr_assert_eq(times[set], first, "%zu records, %u at most: %u", n, size, set);
    }
    cr_assert_gt(first, 0);
}

Test(lots, every_choice_is_as_likely)
{
    for (size_t n = 1; n <= MOST; n++)
        for (uint64_t most = 1; most <= MOST; most++) {
            unsigned times[CHOICES] = {0};
            for (size_t i = 0; i < n; i++)
                words[0][i] = 100 + i;
            each_order(words[0], n, 0, most, times);
            is_uniform(times, n, most);
        }
}

/* Whatever ties the first words have, of all assignments together every choice is as likely; and of all equal
 * ones too, which would favour the first records if ties were left. */
Test(lots, ties_are_decided_by_later_words)
{
    for (size_t n = 2; n <= 4; n++)
        for (uint64_t most = 1; most < n; most++) {
            unsigned all[CHOICES] = {0}, equal[CHOICES] = {0};
            for (unsigned first = 0; first < 1u << n; first++) {
                for (size_t i = 0; i < n; i++) {
                    words[0][i] = first >> i & 1;
                    words[1][i] = i;
                }
                each_order(words[1], n, 0, most, first == 0 ? equal : all);
            }
            is_uniform(equal, n, most);
            is_uniform(all, n, most);
        }
}

/* Word 0 of a record is that of the seeded stream under the same key; another k has another stream. */
Test(lots, words_are_those_of_the_stream)
{
    enum { MANY = 5000 };
    static uint64_t expected[MANY];
    uint8_t seed[PBY_SEED_SIZE];
    pby_entropy *stream;
    pby_lots lots;
    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (uint8_t)(7 * i + 1);
    cr_assert_eq(pby_entropy_tape(&stream, (const uint64_t[]){0, 0, 0, 0}, 4, NULL), PBY_OK);
    cr_assert_eq(pby_lots_begin(&lots, stream, NULL), PBY_OK);
    pby_entropy_free(stream);
    memcpy(lots.key, seed, sizeof seed);
    cr_assert_eq(pby_entropy_seeded(&stream, seed, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(stream, expected, MANY, NULL), PBY_OK);
    pby_entropy_free(stream);
    for (size_t i = 0; i < MANY; i++)
        cr_assert_eq(pby_lots_word(&lots, i), expected[i]);
    cr_assert_eq(pby_lots_word(&lots, 3), expected[3]); /* not in their order */

    /* equal first words: the order is that of another stream, which is not the first one's */
    pby_lot tied[64];
    size_t moved = 0;
    for (size_t i = 0; i < 64; i++)
        tied[i] = (pby_lot){i, 9, (uint32_t)i, 0};
    cr_assert_eq(pby_lots_draw(&lots, tied, 64, 63), 63);
    for (size_t i = 0; i < 63; i++)
        moved += expected[tied[i].record] > expected[tied[i + 1].record];
    cr_assert_gt(moved, 0);
    pby_lots_clear(&lots);
    for (size_t i = 0; i < sizeof lots.key; i++)
        cr_assert_eq(lots.key[i], 0);
}

Test(lots, no_entropy_is_a_failure)
{
    pby_entropy *stream;
    pby_lots lots;
    pby_error err;
    cr_assert_eq(pby_entropy_tape(&stream, (const uint64_t[]){1, 2, 3}, 3, NULL), PBY_OK);
    cr_assert_eq(pby_lots_begin(&lots, stream, &err), PBY_FAILED);
    pby_entropy_free(stream);
}
