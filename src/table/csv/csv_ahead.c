/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/helpers.h"
#include "base/status.h"

enum { AHEAD = 4 /* blocks, for each thread */ };

struct slot {
    pby_csv_block block;
    bool ready;
    bool same;
    pby_status status;
    pby_error error;
};

/* Block i lies in slot i % slots; those from `now` to before `taken` have been taken on. All but a slot that
 * is not ready, which is its reader's, and the caller's block is under the lock. */
struct pby_csv_ahead {
    const pby_csv_input *in;
    const pby_csv_split *split;
    pby_helpers helpers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t now, taken;
    bool begun, ends;
    size_t slots;
    struct slot slot[];
};

/* Where the rows end must be where the next block was found to begin. */
static bool is_joined(const pby_csv_split *split, size_t i, uint64_t next)
{
    if (i + 1 == split->cut.blocks)
        return next == split->cut.size;
    const uint64_t end = pby_csv_cut_end(&split->cut, i + 1);
    return split->first[i + 1] == (next < end ? next : end);
}

static void read_block(const pby_csv_ahead *a, size_t i, struct slot *s)
{
    const pby_csv_cut *cut = &a->split->cut;
    const uint64_t first = a->split->first[i];
    uint64_t next;
    s->error = (pby_error)PBY_NO_ERROR;
    s->status = pby_csv_block_read(&s->block, a->in, cut, i, &s->same, &s->error);
    if (s->status != PBY_OK || !s->same || first == pby_csv_cut_end(cut, i))
        return;
    s->status = pby_csv_block_rows(&s->block, a->in, cut, first, &next, &s->same, &s->error);
    s->same = s->same && is_joined(a->split, i, next);
}

static bool is_room(const pby_csv_ahead *a)
{
    return a->taken < a->split->cut.blocks && a->taken - a->now < a->slots;
}

/* Takes on a block, under the lock, which is let go meanwhile. */
static void take_on(pby_csv_ahead *a)
{
    const size_t i = a->taken++;
    struct slot *s = &a->slot[i % a->slots];
    pthread_mutex_unlock(&a->lock);
    read_block(a, i, s);
    pthread_mutex_lock(&a->lock);
    s->ready = true;
    pthread_cond_broadcast(&a->changed);
}

static void help(void *what, unsigned thread)
{
    pby_csv_ahead *a = what;
    (void)thread;
    pthread_mutex_lock(&a->lock);
    while (!a->ends && a->taken < a->split->cut.blocks) {
        if (is_room(a))
            take_on(a);
        else
            pthread_cond_wait(&a->changed, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
}

pby_status pby_csv_ahead_next(pby_csv_ahead *a, const pby_csv_block **block, bool *same, pby_error *err)
{
    *block = NULL;
    *same = true;
    pthread_mutex_lock(&a->lock);
    if (a->begun && a->now < a->split->cut.blocks) {
        a->slot[a->now % a->slots].ready = false;
        a->now++;
        pthread_cond_broadcast(&a->changed);
    }
    a->begun = true;
    if (a->now == a->split->cut.blocks) {
        pthread_mutex_unlock(&a->lock);
        return PBY_OK;
    }
    struct slot *s = &a->slot[a->now % a->slots];
    while (!s->ready) {
        if (is_room(a))
            take_on(a);
        else
            pthread_cond_wait(&a->changed, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    *block = &s->block;
    *same = s->same;
    if (s->status != PBY_OK && err != NULL)
        *err = s->error;
    return s->status;
}

pby_status pby_csv_ahead_new(pby_csv_ahead **out, const pby_csv_input *in, const pby_csv_split *split,
                             unsigned threads, pby_error *err)
{
    const size_t slots = (size_t)AHEAD * threads;
    pby_csv_ahead *a = *out = calloc(1, sizeof *a + slots * sizeof *a->slot);
    if (a == NULL)
        return pby_no_memory(err);
    a->in = in;
    a->split = split;
    a->slots = slots;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    pby_helpers_start(&a->helpers, help, a, threads);
    return PBY_OK;
}

void pby_csv_ahead_free(pby_csv_ahead *a)
{
    if (a == NULL)
        return;
    pthread_mutex_lock(&a->lock);
    a->ends = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pby_helpers_end(&a->helpers);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    for (size_t i = 0; i < a->slots; i++)
        pby_csv_block_clear(&a->slot[i].block);
    free(a);
}
