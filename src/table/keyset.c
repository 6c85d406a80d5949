#include "table/keyset.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "io/pages.h"
#include "probity/entropy.h"

enum {
    QUEUE = 16, /* a power of two; deep enough to hide a cache miss behind the hashing of later keys */
    FIRST_SLOTS = 1 << 12,
    LARGE_SLOTS = 1 << 24,
    LINE_SLOTS = 4, /* in a cache line of 64 bytes */
};

/* All bits 0 marks an empty slot. */
typedef struct digest {
    uint64_t a, b;
} digest;

_Static_assert(sizeof(digest) == crypto_shorthash_siphashx24_BYTES, "a digest is what SipHash gives");

struct pby_keyset {
    uint64_t key[crypto_shorthash_siphashx24_KEYBYTES / sizeof(uint64_t)];
    digest *slot;
    size_t slots; /* a power of two */
    size_t used;
    uint64_t queued; /* since the set was made; key i waits in queue[i % QUEUE] */
    uint64_t looked_up;
    digest queue[QUEUE];
    uint64_t mark[QUEUE];
};

/* A search begins at the front of a cache line, so that most end within the line that was prefetched. */
static size_t home(size_t slots, digest d)
{
    return (size_t)d.a & (slots - LINE_SLOTS);
}

/* True if d was there already. There is always an empty slot, so the search ends. */
static bool insert(digest *slot, size_t slots, digest d)
{
    size_t at = home(slots, d);
    while ((slot[at].a | slot[at].b) != 0) {
        if (slot[at].a == d.a && slot[at].b == d.b)
            return true;
        at = (at + 1) & (slots - 1);
    }
    slot[at] = d;
    return false;
}

/* Fourfold while the table is small: the fewer tables, the less memory to clear. */
static pby_status grow(pby_keyset *set, pby_error *err)
{
    const size_t factor = set->slots < LARGE_SLOTS ? 4 : 2;
    if (set->slots > SIZE_MAX / sizeof(digest) / factor)
        return pby_no_memory(err);
    const size_t slots = set->slots * factor;
    digest *slot = pby_pages_map(slots * sizeof *slot);
    if (slot == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < set->slots; i++)
        if ((set->slot[i].a | set->slot[i].b) != 0)
            (void)insert(slot, slots, set->slot[i]);
    munmap(set->slot, set->slots * sizeof *set->slot);
    set->slot = slot;
    set->slots = slots;
    return PBY_OK;
}

/* Looks up the key that has waited longest. */
static pby_status look_up(pby_keyset *set, bool *duplicate, uint64_t *mark, pby_error *err)
{
    if (set->used == set->slots / 4 * 3) {
        const pby_status status = grow(set, err);
        if (status != PBY_OK)
            return status;
    }
    const size_t oldest = (size_t)(set->looked_up++ % QUEUE);
    *duplicate = insert(set->slot, set->slots, set->queue[oldest]);
    *mark = set->mark[oldest];
    set->used++;
    return PBY_OK;
}

pby_status pby_keyset_flush(pby_keyset *set, bool *duplicate, uint64_t *mark, pby_error *err)
{
    pby_status status = PBY_OK;
    *duplicate = false;
    while (status == PBY_OK && !*duplicate && set->looked_up < set->queued)
        status = look_up(set, duplicate, mark, err);
    return status;
}

pby_status pby_keyset_add(pby_keyset *set, const uint8_t *bytes, size_t size, uint64_t mark_in,
                          bool *duplicate, uint64_t *mark, pby_error *err)
{
    *duplicate = false;
    if (set->queued - set->looked_up == QUEUE) {
        const pby_status status = look_up(set, duplicate, mark, err);
        if (status != PBY_OK)
            return status;
    }
    digest d;
    crypto_shorthash_siphashx24((uint8_t *)&d, bytes, size, (const uint8_t *)set->key);
    d.b += (d.a | d.b) == 0; /* keeps the mark of an empty slot free */
    __builtin_prefetch(&set->slot[home(set->slots, d)], 1);
    const size_t newest = (size_t)(set->queued++ % QUEUE);
    set->queue[newest] = d;
    set->mark[newest] = mark_in;
    return PBY_OK;
}

static pby_status draw_key(uint64_t *key, size_t words, pby_error *err)
{
    pby_entropy *source;
    pby_status status = pby_entropy_system(&source, err);
    if (status == PBY_OK)
        status = pby_entropy_words(source, key, words, err);
    pby_entropy_free(source);
    return status;
}

pby_status pby_keyset_new(pby_keyset **out, pby_error *err)
{
    *out = NULL;
    pby_keyset *set = calloc(1, sizeof *set);
    if (set == NULL)
        return pby_no_memory(err);
    pby_status status = draw_key(set->key, sizeof set->key / sizeof *set->key, err);
    set->slots = FIRST_SLOTS;
    set->slot = status == PBY_OK ? pby_pages_map(set->slots * sizeof *set->slot) : NULL;
    if (status == PBY_OK && set->slot == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        *out = set;
    else
        free(set);
    return status;
}

void pby_keyset_free(pby_keyset *set)
{
    if (set == NULL)
        return;
    munmap(set->slot, set->slots * sizeof *set->slot);
    sodium_memzero(set, sizeof *set);
    free(set);
}
