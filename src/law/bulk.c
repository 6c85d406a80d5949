/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/sampler.h"

/* One thread's share: its source in a run without a seed, and how it went. */
struct worker {
    pby_bulk *bulk;
    pby_entropy *source;
    pthread_t thread;
    bool started;
    pby_status status;
    pby_error error;
};

struct pby_bulk {
    pby_sampler *sampler;
    bool seeded;
    uint8_t seed[PBY_SEED_SIZE];
    uint64_t next; /* the number of the first block of the next call */
    unsigned threads;
    struct worker *worker;

    /* the call under way */
    int64_t *noise;
    size_t count;
    atomic_size_t taken; /* blocks that a worker has taken on */
    atomic_bool failed;
};

void pby_bulk_free(pby_bulk *bulk)
{
    if (bulk == NULL)
        return;
    for (unsigned i = 0; bulk->worker != NULL && i < bulk->threads; i++)
        pby_entropy_free(bulk->worker[i].source);
    free(bulk->worker);
    sodium_memzero(bulk->seed, sizeof bulk->seed);
    free(bulk);
}

pby_status pby_bulk_new(pby_bulk **out, pby_sampler *sampler, const uint8_t *seed, unsigned threads,
                        pby_error *err)
{
    *out = NULL;
    if (threads < 1 || threads > PBY_THREADS_MAX) {
        char value[16];
        snprintf(value, sizeof value, "%u", threads);
        return pby_refuse(err, "threads", value, "an integer from 1 to 256");
    }
    pby_bulk *bulk = calloc(1, sizeof *bulk);
    if (bulk == NULL)
        return pby_no_memory(err);
    bulk->sampler = sampler;
    bulk->threads = threads;
    bulk->seeded = seed != NULL;
    if (seed != NULL)
        memcpy(bulk->seed, seed, sizeof bulk->seed);
    bulk->worker = calloc(threads, sizeof *bulk->worker);
    pby_status status = bulk->worker == NULL ? pby_no_memory(err) : PBY_OK;
    for (unsigned i = 0; i < threads && status == PBY_OK; i++) {
        bulk->worker[i].bulk = bulk;
        if (seed == NULL)
            status = pby_entropy_system(&bulk->worker[i].source, err);
    }
    if (status != PBY_OK)
        pby_bulk_free(bulk);
    else
        *out = bulk;
    return status;
}

/* The stream of one block of a seeded run. */
static pby_status open_block(pby_entropy **out, const pby_bulk *bulk, uint64_t block, pby_error *err)
{
    static const char context[crypto_kdf_CONTEXTBYTES] = "probity";
    _Static_assert(crypto_kdf_KEYBYTES == PBY_SEED_SIZE, "a seed is a key");
    uint8_t key[PBY_SEED_SIZE];
    if (block == 0)
        memcpy(key, bulk->seed, sizeof key);
    else
        crypto_kdf_derive_from_key(key, sizeof key, block, context, bulk->seed);
    const pby_status status = pby_entropy_seeded(out, key, err);
    sodium_memzero(key, sizeof key);
    return status;
}

static pby_status draw_seeded(const pby_bulk *bulk, uint64_t block, int64_t *noise, size_t n, pby_error *err)
{
    pby_entropy *source;
    pby_status status = open_block(&source, bulk, block, err);
    if (status == PBY_OK)
        status = pby_draw_many(bulk->sampler, source, noise, n, err);
    pby_entropy_free(source);
    return status;
}

/* Takes on block after block until none is left, or until another worker has failed. */
static void work(struct worker *w)
{
    pby_bulk *bulk = w->bulk;
    w->status = PBY_OK;
    while (w->status == PBY_OK && !atomic_load(&bulk->failed)) {
        const size_t block = atomic_fetch_add(&bulk->taken, 1), at = block * PBY_BULK_BLOCK;
        if (block > bulk->count / PBY_BULK_BLOCK || at == bulk->count)
            return;
        const size_t left = bulk->count - at, n = left < PBY_BULK_BLOCK ? left : PBY_BULK_BLOCK;
        w->status = bulk->seeded ? draw_seeded(bulk, bulk->next + block, bulk->noise + at, n, &w->error)
                                 : pby_draw_many(bulk->sampler, w->source, bulk->noise + at, n, &w->error);
    }
    if (w->status != PBY_OK)
        atomic_store(&bulk->failed, true);
}

/* A thread may have refined a draw, and FLINT keeps what it made for that by thread. */
static void *run_worker(void *worker)
{
    work(worker);
    flint_cleanup();
    return NULL;
}

pby_status pby_bulk_draw(pby_bulk *bulk, int64_t *noise, size_t count, pby_error *err)
{
    const size_t blocks = count / PBY_BULK_BLOCK + (count % PBY_BULK_BLOCK != 0);
    pby_status status = PBY_OK;
    bulk->noise = noise;
    bulk->count = count;
    atomic_store(&bulk->taken, 0);
    atomic_store(&bulk->failed, false);
    /* where the system gives no thread, the others do its share */
    for (unsigned i = 1; i < bulk->threads && i < blocks; i++)
        bulk->worker[i].started =
            pthread_create(&bulk->worker[i].thread, NULL, run_worker, &bulk->worker[i]) == 0;
    work(&bulk->worker[0]);
    for (unsigned i = 0; i < bulk->threads; i++) {
        struct worker *w = &bulk->worker[i];
        if (i > 0 && !w->started)
            continue;
        if (i > 0)
            pthread_join(w->thread, NULL);
        w->started = false;
        if (status == PBY_OK && w->status != PBY_OK) {
            status = w->status;
            if (err != NULL)
                *err = w->error;
        }
    }
    bulk->next += blocks;
    if (status != PBY_OK)
        sodium_memzero(noise, count * sizeof *noise);
    return status;
}
