/* SPDX-License-Identifier: MIT */
/* Where names differ, and numbers of few bits in the order of the names.
 *
 * Names often begin alike. A spread learns, name by name, how many bytes all have in common, and which bits
 * of the eight bytes behind those differ. An index is the first few of these bits, closed up: it orders names
 * as their bytes do, as far as it tells them apart, and is small. A digit is some bits of a word from the
 * first that differs on, whether they differ or not: it tells less apart, and takes no tables.
 */
#ifndef PBY_TABLE_SORT_SPREAD_H
#define PBY_TABLE_SORT_SPREAD_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PBY_SPREAD_WORDS = 32 };

/* All zero before the first name. */
typedef struct pby_spread {
    uint64_t names;
    uint64_t first[PBY_SPREAD_WORDS + 2]; /* words of the first name */
    size_t at;                            /* the first in which some name differs, PBY_SPREAD_WORDS at most */
    uint64_t differ[2];                   /* bits of that word and of the next */
} pby_spread;

void pby_spread_add(pby_spread *spread, const uint8_t *name, size_t size);

/* The names of another spread too, as if each had been added. */
void pby_spread_join(pby_spread *spread, const pby_spread *other);

/* Returns the number of bytes that all names have in common; *differ has the bits of the word behind them
 * that differ. Names that are equal as far as was looked have all that in common, and no bits. */
size_t pby_spread_common(const pby_spread *spread, uint64_t *differ);

/* pby_word_at for a name of less than eight bytes. */
uint64_t pby_short_word(const uint8_t *name, size_t size, size_t at);

/* Eight bytes of a name from a place on, the first the heaviest; NUL behind its end. No name holds a NUL, so
 * that words order names as their bytes do. */
static inline uint64_t pby_word_at(const uint8_t *name, size_t size, size_t at)
{
    uint64_t word;
    if (at >= size)
        return 0;
    if (size < sizeof word)
        return pby_short_word(name, size, at);
    const size_t last = size - sizeof word, beyond = at > last ? at - last : 0;
    memcpy(&word, name + at - beyond, sizeof word);
    return be64toh(word) << 8 * beyond;
}

typedef struct pby_index {
    size_t common; /* bytes that all names have in common */
    unsigned bits;
    unsigned bytes; /* of the word behind them, that have a part in it */
    uint32_t part[8][256];
} pby_index;

/* So many bits, 32 at most; fewer where no more differ. For the names of the spread, and no others. */
void pby_index_make(pby_index *index, const pby_spread *spread, unsigned bits);

static inline uint32_t pby_index_of(const pby_index *index, const uint8_t *name, size_t size)
{
    uint64_t word = pby_word_at(name, size, index->common);
    uint32_t number = 0;
    for (unsigned i = 0; i < index->bytes; i++, word <<= 8)
        number |= index->part[i][word >> 56];
    return number;
}

typedef struct pby_digit {
    unsigned shift, bits;
} pby_digit;

/* So many bits of a word, 63 at most, from the highest of differ on; fewer where the word ends, none where
 * nothing differs. */
pby_digit pby_digit_make(uint64_t differ, unsigned bits);

static inline uint64_t pby_digit_of(pby_digit digit, uint64_t word)
{
    return word >> digit.shift & (((uint64_t)1 << digit.bits) - 1);
}

#endif
