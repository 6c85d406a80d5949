#include "cli/spread.h"

uint64_t pby_last_word(const uint8_t *name, size_t size, size_t at)
{
    uint64_t word = 0;
    if (at >= size)
        return 0;
    const size_t left = size - at;
    if (size >= sizeof word) { /* the last eight bytes, less those before the place */
        memcpy(&word, name + size - sizeof word, sizeof word);
        return be64toh(word) << 8 * (sizeof word - left);
    }
    for (size_t i = 0; i < left; i++)
        word |= (uint64_t)name[at + i] << (56 - 8 * i);
    return word;
}

/* The bytes that differed before stand further behind in the word now. */
static void shorten(pby_spread *spread, size_t common)
{
    const size_t less = spread->common - common;
    spread->differ = less < sizeof spread->differ ? spread->differ >> 8 * less : 0;
    spread->common = common;
}

void pby_spread_add(pby_spread *spread, const uint8_t *name, size_t size)
{
    if (spread->names++ == 0) {
        spread->size = size < sizeof spread->first ? size : sizeof spread->first;
        spread->common = size < PBY_SPREAD_MAX ? size : PBY_SPREAD_MAX;
        memcpy(spread->first, name, spread->size);
    }
    if (size < spread->common || memcmp(name, spread->first, spread->common) != 0) {
        size_t common = 0;
        while (common < size && common < spread->common && name[common] == spread->first[common])
            common++;
        shorten(spread, common);
    }
    spread->differ |= pby_word_at(name, size, spread->common) ^ pby_word_at(spread->first, spread->size, spread->common);
}

pby_digit pby_digit_make(uint64_t differ, unsigned bits)
{
    if (differ == 0 || bits == 0)
        return (pby_digit){0, 0};
    const unsigned below = 64 - (unsigned)__builtin_clzll(differ);
    return bits < below ? (pby_digit){below - bits, bits} : (pby_digit){0, below};
}
