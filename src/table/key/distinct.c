/* SPDX-License-Identifier: MIT */
#include "table/key/distinct.h"

#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "entropy/internal.h"
#include "io/pages.h"

enum {
    PIECE = 256, /* digests, less one; a power of two */
    LEAST_SLAB = 1 << 16,
    MOST_SLAB = 1 << 22, /* bytes that are mapped at once */
    BIN = 1 << 13,       /* keys, about */
    MOST_BITS = 12,      /* of a bin's number */
    LEAST_SLOTS = 64     /* of a bin's table */
};

/* Where digests lie: in pieces, at places that are multiples of their size. The first word of a piece is the
 * address of the one before. */
typedef uint64_t *piece;

struct slab {
    struct slab *before;
    uint8_t *bytes;
};

/* The digests of one thread: for each bin the place behind its last digest, NULL before the first. */
struct bag {
    piece *end;
    struct slab *slabs;
    size_t used; /* of the last one */
};

struct pby_distinct {
    uint64_t key[crypto_shorthash_KEYBYTES / sizeof(uint64_t)];
    unsigned bits;
    unsigned threads;
    size_t slab;         /* bytes */
    atomic_size_t taken; /* bins */
    struct bag bag[];
};

_Static_assert(crypto_shorthash_BYTES == sizeof(uint64_t), "a digest is a word");
_Static_assert(sizeof(uint64_t *) <= sizeof(uint64_t), "a word holds an address");

static size_t bin_of(const pby_distinct *set, uint64_t digest)
{
    return (size_t)(digest >> (64 - set->bits));
}

static piece new_piece(struct bag *bag, size_t size)
{
    if (bag->slabs == NULL || bag->used == size) {
        struct slab *slab = malloc(sizeof *slab);
        uint8_t *bytes = slab == NULL ? NULL : pby_pages_map(size);
        if (bytes == NULL) {
            free(slab);
            return NULL;
        }
        *slab = (struct slab){bag->slabs, bytes};
        bag->slabs = slab;
        bag->used = 0;
    }
    piece p = (piece)(void *)(bag->slabs->bytes + bag->used);
    bag->used += PIECE * sizeof *p;
    return p;
}

/* Pages begin at multiples of their own size, which is one of a piece's. */
static bool is_end(const uint64_t *end)
{
    return (uintptr_t)end % (PIECE * sizeof *end) == 0;
}

bool pby_distinct_add(pby_distinct *set, unsigned thread, const uint8_t *bytes, size_t size)
{
    uint64_t digest;
    crypto_shorthash((uint8_t *)&digest, bytes, size, (const uint8_t *)set->key);
    digest += digest == 0; /* marks an empty slot */
    struct bag *bag = &set->bag[thread];
    piece *end = &bag->end[bin_of(set, digest)];
    if (is_end(*end)) {
        piece next = new_piece(bag, set->slab);
        if (next == NULL)
            return false;
        *next = (uint64_t)(uintptr_t)(*end == NULL ? NULL : *end - PIECE);
        *end = next + 1;
    }
    *(*end)++ = digest;
    return true;
}

/* ---- looking ------------------------------------------------------------------------------------ */

/* The digests of a bin of one thread, piece by piece from the last: *p is where the next lies, and the result
 * how many there are. */
static size_t next_piece(piece *p, const uint64_t **digests, bool first)
{
    if (*p == NULL)
        return 0;
    piece begin = *p;
    size_t count = PIECE - 1;
    if (first) {
        const size_t from = (uintptr_t)*p % (PIECE * sizeof **p) / sizeof **p;
        begin = *p - (from == 0 ? PIECE : from);
        count = (size_t)(*p - begin) - 1;
    }
    *digests = begin + 1;
    *p = (piece)(uintptr_t)*begin;
    return count;
}

struct table {
    uint64_t *slot;
    unsigned bits; /* of a slot's number */
    unsigned room; /* the most there were */
};

static bool clear_table(struct table *t, size_t keys)
{
    t->bits = 0;
    while ((size_t)1 << t->bits < LEAST_SLOTS || (size_t)1 << t->bits < 2 * keys)
        t->bits++;
    if (t->slot == NULL || t->bits > t->room) {
        free(t->slot);
        t->slot = malloc(sizeof *t->slot << t->bits);
        t->room = t->bits;
    }
    if (t->slot != NULL)
        memset(t->slot, 0, sizeof *t->slot << t->bits);
    return t->slot != NULL;
}

/* False if it was there. At most half of the slots are taken, so the search ends. */
static bool insert(struct table *t, uint64_t digest, unsigned bin_bits)
{
    const size_t mask = ((size_t)1 << t->bits) - 1;
    size_t at = (size_t)(digest << bin_bits >> (64 - t->bits));
    for (; t->slot[at] != 0; at = (at + 1) & mask)
        if (t->slot[at] == digest)
            return false;
    t->slot[at] = digest;
    return true;
}

static bool look_through(const pby_distinct *set, struct table *t, size_t bin)
{
    const uint64_t *digests;
    size_t keys = 0, count;
    for (unsigned i = 0; i < set->threads; i++) {
        piece p = set->bag[i].end[bin];
        for (bool first = true; (count = next_piece(&p, &digests, first)) > 0; first = false)
            keys += count;
    }
    if (!clear_table(t, keys))
        return false;
    for (unsigned i = 0; i < set->threads; i++) {
        piece p = set->bag[i].end[bin];
        for (bool first = true; (count = next_piece(&p, &digests, first)) > 0; first = false)
            for (size_t k = 0; k < count; k++)
                if (!insert(t, digests[k], set->bits))
                    return false;
    }
    return true;
}

bool pby_distinct_look(pby_distinct *set)
{
    struct table table = {.slot = NULL};
    bool distinct = true;
    while (distinct) {
        const size_t bin = atomic_fetch_add(&set->taken, 1);
        if (bin >> set->bits != 0)
            break;
        distinct = look_through(set, &table, bin);
    }
    free(table.slot);
    return distinct;
}

/* ---- opening and closing ------------------------------------------------------------------------ */

pby_status pby_distinct_new(pby_distinct **out, uint64_t keys, unsigned threads, pby_error *err)
{
    pby_distinct *set = *out = calloc(1, sizeof *set + threads * sizeof *set->bag);
    if (set == NULL)
        return pby_no_memory(err);
    set->threads = threads;
    set->bits = 1;
    while (set->bits < MOST_BITS && keys >> set->bits > BIN)
        set->bits++;
    set->slab = LEAST_SLAB;
    while (set->slab < MOST_SLAB && set->slab / sizeof(uint64_t) < keys)
        set->slab *= 2;
    atomic_init(&set->taken, 0);
    pby_status status = pby_entropy_fresh(set->key, sizeof set->key / sizeof *set->key, err);
    for (unsigned i = 0; i < threads && status == PBY_OK; i++) {
        set->bag[i].end = calloc((size_t)1 << set->bits, sizeof *set->bag[i].end);
        if (set->bag[i].end == NULL)
            status = pby_no_memory(err);
    }
    if (status != PBY_OK) {
        pby_distinct_free(set);
        *out = NULL;
    }
    return status;
}

void pby_distinct_free(pby_distinct *set)
{
    if (set == NULL)
        return;
    for (unsigned i = 0; i < set->threads; i++) {
        for (struct slab *s = set->bag[i].slabs, *before; s != NULL; s = before) {
            before = s->before;
            munmap(s->bytes, set->slab);
            free(s);
        }
        free(set->bag[i].end);
    }
    sodium_memzero(set, sizeof *set);
    free(set);
}
