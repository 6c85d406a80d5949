/* SPDX-License-Identifier: MIT */
#include "table/key/keyset.h"

#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "entropy/internal.h"
#include "io/pages.h"

enum {
    QUEUE = 16, /* a power of two; deep enough to hide a cache miss behind the hashing of later keys */
    FIRST_SLOTS = 1 << 12,
    LARGE_SLOTS = 1 << 24,
    LINE_SLOTS = 4,  /* in a cache line of 64 bytes */
    ALONE = 1 << 17, /* keys, before a thread is worth its while */
    BATCH = 1 << 12,
    BATCHES = 4,
};

/* All bits 0 marks an empty slot. */
typedef struct digest {
    uint64_t a, b;
} digest;

_Static_assert(sizeof(digest) == crypto_shorthash_siphashx24_BYTES, "a digest is what SipHash gives");

/* Keys that wait together. */
struct batch {
    size_t count;
    digest key[BATCH];
    uint64_t mark[BATCH];
};

/* A thread that looks keys up, to which the slots then belong. Batches go round: those from `done` to before
 * `given` are full, the next is being filled. All but the batch at hand is under the lock. */
struct helper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t given, done;
    bool ends;
    bool duplicate; /* the first was found, */
    uint64_t mark;  /* and this is its mark */
    pby_status status;
    pby_error error;
    struct batch batch[BATCHES];
};

struct pby_keyset {
    struct helper *helper; /* NULL: none */
    bool alone;            /* there is no thread to be had */
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

/* ---- the thread --------------------------------------------------------------------------------- */

/* Up to the first duplicate. */
static pby_status look_up_batch(pby_keyset *set, const struct batch *b, bool *duplicate, uint64_t *mark,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < b->count && status == PBY_OK && !*duplicate; i++) {
        if (set->used == set->slots / 4 * 3)
            status = grow(set, err);
        if (i + QUEUE < b->count)
            __builtin_prefetch(&set->slot[home(set->slots, b->key[i + QUEUE])], 1);
        if (status == PBY_OK)
            *duplicate = insert(set->slot, set->slots, b->key[i]);
        *mark = b->mark[i];
        set->used++;
    }
    return status;
}

static void *help(void *what)
{
    pby_keyset *set = what;
    struct helper *h = set->helper;
    pthread_mutex_lock(&h->lock);
    for (;;) {
        while (h->done == h->given && !h->ends)
            pthread_cond_wait(&h->changed, &h->lock);
        if (h->ends)
            break;
        bool duplicate = h->duplicate;
        uint64_t mark = h->mark;
        pby_error error = PBY_NO_ERROR;
        pby_status status = h->status;
        const struct batch *b = &h->batch[h->done % BATCHES];
        pthread_mutex_unlock(&h->lock);
        if (status == PBY_OK && !duplicate)
            status = look_up_batch(set, b, &duplicate, &mark, &error);
        pthread_mutex_lock(&h->lock);
        if (status != h->status)
            h->error = error;
        h->status = status;
        h->duplicate = duplicate;
        h->mark = mark;
        h->done++;
        pthread_cond_signal(&h->changed);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* Signals are for the caller's threads. */
static bool start_thread(pby_keyset *set)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    const bool started = pthread_create(&set->helper->thread, NULL, help, set) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Where this fails the set goes on alone. */
static void start_helper(pby_keyset *set)
{
    struct helper *h = set->helper = calloc(1, sizeof *h);
    bool started = false;
    if (h != NULL) {
        pthread_mutex_init(&h->lock, NULL);
        pthread_cond_init(&h->changed, NULL);
        started = start_thread(set);
    }
    if (started)
        return;
    set->alone = true;
    if (h != NULL) {
        pthread_cond_destroy(&h->changed);
        pthread_mutex_destroy(&h->lock);
    }
    free(h);
    set->helper = NULL;
}

static void end_helper(pby_keyset *set)
{
    struct helper *h = set->helper;
    if (h == NULL)
        return;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    sodium_memzero(h, sizeof *h);
    free(h);
}

/* Hands over the batch at hand; waits for room for another, or for all to be done. */
static pby_status hand_over(struct helper *h, bool all, bool *duplicate, uint64_t *mark, pby_error *err)
{
    pthread_mutex_lock(&h->lock);
    h->given++;
    pthread_cond_signal(&h->changed);
    while (h->given - h->done > (all ? 0 : BATCHES - 1))
        pthread_cond_wait(&h->changed, &h->lock);
    const pby_status status = h->status;
    *duplicate = h->duplicate;
    if (h->duplicate)
        *mark = h->mark;
    if (status != PBY_OK && err != NULL)
        *err = h->error;
    h->batch[h->given % BATCHES].count = 0;
    pthread_mutex_unlock(&h->lock);
    return status;
}

static pby_status add_helped(struct helper *h, digest d, uint64_t mark_in, bool *duplicate, uint64_t *mark,
                             pby_error *err)
{
    struct batch *b = &h->batch[h->given % BATCHES]; /* the caller alone changes `given` */
    b->key[b->count] = d;
    b->mark[b->count++] = mark_in;
    return b->count == BATCH ? hand_over(h, false, duplicate, mark, err) : PBY_OK;
}

/* ---- the caller --------------------------------------------------------------------------------- */

pby_status pby_keyset_flush(pby_keyset *set, bool *duplicate, uint64_t *mark, pby_error *err)
{
    pby_status status = PBY_OK;
    *duplicate = false;
    if (set->helper != NULL)
        return hand_over(set->helper, true, duplicate, mark, err);
    while (status == PBY_OK && !*duplicate && set->looked_up < set->queued)
        status = look_up(set, duplicate, mark, err);
    return status;
}

pby_status pby_keyset_add(pby_keyset *set, const uint8_t *bytes, size_t size, uint64_t mark_in,
                          bool *duplicate, uint64_t *mark, pby_error *err)
{
    *duplicate = false;
    digest d;
    crypto_shorthash_siphashx24((uint8_t *)&d, bytes, size, (const uint8_t *)set->key);
    d.b += (d.a | d.b) == 0; /* keeps the mark of an empty slot free */
    if (set->helper != NULL)
        return add_helped(set->helper, d, mark_in, duplicate, mark, err);
    if (set->queued - set->looked_up == QUEUE) {
        const pby_status status = look_up(set, duplicate, mark, err);
        if (status != PBY_OK)
            return status;
    }
    __builtin_prefetch(&set->slot[home(set->slots, d)], 1);
    const size_t newest = (size_t)(set->queued++ % QUEUE);
    set->queue[newest] = d;
    set->mark[newest] = mark_in;
    if (set->queued < ALONE || set->alone || *duplicate)
        return PBY_OK;
    const pby_status status = pby_keyset_flush(set, duplicate, mark, err);
    if (status == PBY_OK && !*duplicate)
        start_helper(set);
    return status;
}

pby_status pby_keyset_new(pby_keyset **out, pby_error *err)
{
    *out = NULL;
    pby_keyset *set = calloc(1, sizeof *set);
    if (set == NULL)
        return pby_no_memory(err);
    pby_status status = pby_entropy_fresh(set->key, sizeof set->key / sizeof *set->key, err);
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
    end_helper(set);
    munmap(set->slot, set->slots * sizeof *set->slot);
    sodium_memzero(set, sizeof *set);
    free(set);
}
