/* SPDX-License-Identifier: MIT */
#include "table/sort/spread.h"

uint64_t pby_short_word(const uint8_t *name, size_t size, size_t at)
{
    uint64_t word = 0;
    for (size_t i = at; i < size; i++)
        word |= (uint64_t)name[i] << (56 - 8 * (i - at));
    return word;
}

static void start(pby_spread *spread, const uint8_t *name, size_t size)
{
    for (size_t i = 0; i < PBY_SPREAD_WORDS + 2; i++)
        spread->first[i] = pby_word_at(name, size, i * sizeof *spread->first);
    spread->at = PBY_SPREAD_WORDS;
}

void pby_spread_add(pby_spread *spread, const uint8_t *name, size_t size)
{
    if (spread->names++ == 0)
        start(spread, name, size);
    size_t at = 0;
    while (at < spread->at && pby_word_at(name, size, 8 * at) == spread->first[at])
        at++;
    if (at < spread->at) { /* where the names before this one are equal up to the old place */
        spread->differ[1] = at + 1 == spread->at ? spread->differ[0] : 0;
        spread->differ[0] = 0;
        spread->at = at;
    }
    spread->differ[0] |= pby_word_at(name, size, 8 * at) ^ spread->first[at];
    spread->differ[1] |= pby_word_at(name, size, 8 * (at + 1)) ^ spread->first[at + 1];
}

/* Bits of a word in which names of the spread differ, of a word up to the one behind the first that does. */
static uint64_t differing(const pby_spread *spread, size_t at)
{
    return at < spread->at ? 0 : spread->differ[at - spread->at];
}

void pby_spread_join(pby_spread *spread, const pby_spread *other)
{
    if (other->names == 0)
        return;
    if (spread->names == 0) {
        *spread = *other;
        return;
    }
    size_t at = spread->at < other->at ? spread->at : other->at;
    for (size_t i = at; i-- > 0;)
        if (spread->first[i] != other->first[i])
            at = i;
    uint64_t differ[2];
    for (size_t i = 0; i < 2; i++)
        differ[i] = differing(spread, at + i) | differing(other, at + i) |
                    (spread->first[at + i] ^ other->first[at + i]);
    spread->names += other->names;
    spread->at = at;
    spread->differ[0] = differ[0];
    spread->differ[1] = differ[1];
}

size_t pby_spread_common(const pby_spread *spread, uint64_t *differ)
{
    const unsigned bits = spread->differ[0] == 0 ? 0 : (unsigned)__builtin_clzll(spread->differ[0]) / 8 * 8;
    *differ = bits == 0 ? spread->differ[0] : spread->differ[0] << bits | spread->differ[1] >> (64 - bits);
    return 8 * spread->at + bits / 8;
}

/* One more bit at the low end of every index: this one of this byte. */
static void append_bit(pby_index *index, unsigned byte, unsigned bit)
{
    index->bits++;
    index->bytes = byte + 1;
    for (unsigned i = 0; i <= byte; i++)
        for (unsigned value = 0; value < 256; value++)
            index->part[i][value] = index->part[i][value] << 1 | (i == byte ? value >> bit & 1 : 0);
}

void pby_index_make(pby_index *index, const pby_spread *spread, unsigned bits)
{
    uint64_t differ;
    *index = (pby_index){.common = pby_spread_common(spread, &differ)};
    for (unsigned at = 64; at-- > 0 && index->bits < bits;)
        if ((differ >> at & 1) != 0)
            append_bit(index, 7 - at / 8, at % 8);
}

pby_digit pby_digit_make(uint64_t differ, unsigned bits)
{
    if (differ == 0 || bits == 0)
        return (pby_digit){0, 0};
    const unsigned below = 64 - (unsigned)__builtin_clzll(differ);
    return bits < below ? (pby_digit){below - bits, bits} : (pby_digit){0, below};
}
