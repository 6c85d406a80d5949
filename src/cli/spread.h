/* Where names differ, and numbers of few bits in the order of the names.
 *
 * Names often begin alike. A spread learns, name by name, how many bytes all have in common, and which bits of the
 * eight bytes behind those differ. A digit is some bits from the first that differs on: it orders names as their
 * bytes do, as far as it tells them apart.
 */
#ifndef PBY_CLI_SPREAD_H
#define PBY_CLI_SPREAD_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PBY_SPREAD_MAX = 256 };

/* All zero before the first name. */
typedef struct pby_spread {
    uint64_t names;
    size_t common;   /* bytes that begin every name, PBY_SPREAD_MAX at most */
    uint64_t differ; /* bits of the word at common */
    size_t size;     /* of what is kept of the first name: all that a word at common reaches */
    uint8_t first[PBY_SPREAD_MAX + 8];
} pby_spread;

void pby_spread_add(pby_spread *spread, const uint8_t *name, size_t size);

/* pby_word_at where the name ends before the word does. */
uint64_t pby_last_word(const uint8_t *name, size_t size, size_t at);

/* Eight bytes of a name from a place on, the first the heaviest; NUL behind its end. No name holds a NUL, so that
 * words order names as their bytes do. */
static inline uint64_t pby_word_at(const uint8_t *name, size_t size, size_t at)
{
    uint64_t word;
    if (size < sizeof word || size - sizeof word < at)
        return pby_last_word(name, size, at);
    memcpy(&word, name + at, sizeof word);
    return be64toh(word);
}

typedef struct pby_digit {
    unsigned shift, bits;
} pby_digit;

/* So many bits of a word, 63 at most, from the highest of differ on; fewer where the word ends, none where nothing
 * differs. */
pby_digit pby_digit_make(uint64_t differ, unsigned bits);

static inline uint64_t pby_digit_of(pby_digit digit, uint64_t word)
{
    return word >> digit.shift & (((uint64_t)1 << digit.bits) - 1);
}

#endif
