/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_split.h"

#include <pthread.h>
#include <sched.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "table/arrow/arrow_rows.h"
#include "table/key/distinct.h"
#include "table/row/csv_row.h"

/* The data that only one thread uses. */
struct share {
    pby_csv_block block;
    uint8_t *scratch; /* for a key with escapes; made when the first one comes */
    uint64_t rows, records;
    pby_spread spread;
};

/* The quotes are counted in turn, under the lock. */
struct scan {
    const pby_csv_input *in;
    pby_csv_cut cut;
    const pby_arrow_rows *lent; /* in the place of an input, */
    size_t block;               /* and how many of its rows are taken at a time */
    const pby_csv_split_demand *demand;
    uint64_t *first, *next; /* of each block: its first row, and the row behind its last */
    pby_distinct *keys;
    struct share *share;
    atomic_size_t taken;
    atomic_bool bad;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t turn; /* the block that is next to say whether it has an odd number of quotes */
    bool open;   /* whether a field is open where it begins */
};

unsigned pby_csv_split_threads(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > PBY_SPLIT_THREADS ? PBY_SPLIT_THREADS : (unsigned)count;
}

/* ---- a block ------------------------------------------------------------------------------------ */

/* True if a field is open where block i begins. A thread that gives up says so too: nobody waits for it. */
static bool take_turn(struct scan *s, size_t i, bool turns)
{
    pthread_mutex_lock(&s->lock);
    while (s->turn != i)
        pthread_cond_wait(&s->changed, &s->lock);
    const bool open = s->open;
    s->open = open != turns;
    s->turn++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return open;
}

static bool add_key(struct scan *s, unsigned thread, struct share *own, const uint8_t *key, size_t size)
{
    const char *reserved = s->demand->reserved;
    if (reserved != NULL && size == strlen(reserved) && memcmp(key, reserved, size) == 0)
        return false;
    if (s->demand->spread)
        pby_spread_add(&own->spread, key, size);
    return pby_distinct_add(s->keys, thread, key, size);
}

static bool add_key_at(struct scan *s, unsigned thread, struct share *own, const pby_csv_span *at)
{
    const pby_csv_row row = {
        .key = own->block.bytes + at->key, .key_size = at->key_size, .escapes = at->escapes};
    size_t size;
    if (row.escapes > 0 && own->scratch == NULL && (own->scratch = malloc(PBY_ROW_KEY_MAX)) == NULL)
        return false;
    const uint8_t *key = pby_csv_row_key(&row, own->scratch, &size);
    return add_key(s, thread, own, key, size);
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool add_count(const struct scan *s, struct share *own, int64_t count)
{
    const pby_csv_split_demand *d = s->demand;
    if (count < 0 || count > d->most)
        return false;
    own->records = plus(own->records, (uint64_t)(count < d->limit ? count : d->limit));
    own->rows++;
    return true;
}

static bool add_rows(struct scan *s, unsigned thread, struct share *own)
{
    const pby_csv_block *b = &own->block;
    bool good = true;
    for (size_t i = 0; i < b->rows && good; i++)
        good = add_count(s, own, b->count[i]);
    for (size_t i = 0; i < b->rows && good; i++)
        good = add_key_at(s, thread, own, &b->span[i]);
    return good;
}

static bool scan_block(struct scan *s, unsigned thread, struct share *own, size_t i)
{
    pby_csv_block *b = &own->block;
    bool good = false;
    const bool read = pby_csv_block_read(b, s->in, &s->cut, i, &good, NULL) == PBY_OK && good;
    const bool open = take_turn(s, i, read && pby_csv_block_turns(b));
    if (!read)
        return false;
    s->first[i] = i == 0 ? s->cut.first : pby_csv_block_first(b, open);
    return pby_csv_block_rows(b, s->in, &s->cut, s->first[i], &s->next[i], &good, NULL) == PBY_OK && good &&
           add_rows(s, thread, own);
}

static void scan_blocks(void *what, unsigned thread)
{
    struct scan *s = what;
    while (!atomic_load(&s->bad)) {
        const size_t i = atomic_fetch_add(&s->taken, 1);
        if (i >= s->cut.blocks)
            return;
        if (!scan_block(s, thread, &s->share[thread], i))
            atomic_store(&s->bad, true);
    }
}

static bool scan_lent(struct scan *s, unsigned thread, struct share *own, size_t begin, size_t end)
{
    char digits[PBY_ARROW_DIGITS];
    size_t last = 0, size;
    bool good = true;
    for (size_t i = begin; i < end && good; i++) {
        const uint8_t *key;
        int64_t count;
        good = pby_arrow_rows_key(s->lent, &last, i, &key, &size, digits) == NULL &&
               pby_arrow_rows_count(s->lent, &last, i, &count) && add_count(s, own, count) &&
               add_key(s, thread, own, key, size);
    }
    sodium_memzero(digits, sizeof digits);
    return good;
}

static void scan_batches(void *what, unsigned thread)
{
    struct scan *s = what;
    const size_t rows = s->lent->count;
    while (!atomic_load(&s->bad)) {
        const size_t i = atomic_fetch_add(&s->taken, 1);
        if (i > rows / s->block || i * s->block == rows)
            return;
        const size_t begin = i * s->block, end = rows - begin < s->block ? rows : begin + s->block;
        if (!scan_lent(s, thread, &s->share[thread], begin, end))
            atomic_store(&s->bad, true);
    }
}

static void look(void *what, unsigned thread)
{
    struct scan *s = what;
    (void)thread;
    if (!pby_distinct_look(s->keys))
        atomic_store(&s->bad, true);
}

/* ---- all of them -------------------------------------------------------------------------------- */

/* True if every block began where the rows before it end, and the last row ends the input. A block in which
 * no row begins lies within one. */
static bool are_joined(const struct scan *s)
{
    uint64_t at = s->cut.first;
    for (size_t i = 0; i < s->cut.blocks; i++) {
        const uint64_t end = pby_csv_cut_end(&s->cut, i);
        if (s->first[i] != (at < end ? at : end))
            return false;
        at = at < end ? s->next[i] : at;
    }
    return at == s->cut.size;
}

static bool gather(pby_csv_split *out, const struct scan *s, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        out->rows += s->share[i].rows;
        out->records = plus(out->records, s->share[i].records);
        pby_spread_join(&out->spread, &s->share[i].spread);
    }
    return out->records <= s->demand->sum;
}

static void free_shares(struct share *share, unsigned threads)
{
    for (unsigned i = 0; share != NULL && i < threads; i++) {
        pby_csv_block_clear(&share[i].block);
        if (share[i].scratch != NULL)
            sodium_memzero(share[i].scratch, PBY_ROW_KEY_MAX);
        free(share[i].scratch);
        sodium_memzero(&share[i].spread, sizeof share[i].spread);
    }
    free(share);
}

static bool scan_all(pby_csv_split *out, struct scan *s, unsigned threads)
{
    pby_help_with(s->lent != NULL ? scan_batches : scan_blocks, s, threads);
    if (atomic_load(&s->bad) || (s->lent == NULL && !are_joined(s)) || !gather(out, s, threads))
        return false;
    pby_help_with(look, s, threads);
    return !atomic_load(&s->bad);
}

/* A row of sixteen bytes is what decides how many bins there are. */
bool pby_csv_split_scan(pby_csv_split *out, const pby_csv_input *in, const pby_csv_cut *cut,
                        const pby_csv_split_demand *demand, unsigned threads)
{
    struct scan s = {.in = in,
                     .cut = *cut,
                     .demand = demand,
                     .first = calloc(cut->blocks, sizeof *s.first),
                     .next = calloc(cut->blocks, sizeof *s.next),
                     .share = calloc(threads, sizeof *s.share)};
    *out = (pby_csv_split){.cut = *cut};
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    const bool good = s.first != NULL && s.next != NULL && s.share != NULL &&
                      pby_distinct_new(&s.keys, cut->size / 16, threads, NULL) == PBY_OK &&
                      scan_all(out, &s, threads);
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    pby_distinct_free(s.keys);
    free_shares(s.share, threads);
    free(s.next);
    out->first = s.first;
    if (!good)
        pby_csv_split_clear(out);
    return good;
}

bool pby_csv_split_lent(pby_csv_split *out, const pby_arrow_rows *rows, size_t block,
                        const pby_csv_split_demand *demand, unsigned threads)
{
    struct scan s = {
        .lent = rows, .block = block, .demand = demand, .share = calloc(threads, sizeof *s.share)};
    *out = (pby_csv_split){.rows = 0};
    const bool good = s.share != NULL && pby_distinct_new(&s.keys, rows->count, threads, NULL) == PBY_OK &&
                      scan_all(out, &s, threads);
    pby_distinct_free(s.keys);
    free_shares(s.share, threads);
    if (!good)
        pby_csv_split_clear(out);
    return good;
}

void pby_csv_split_clear(pby_csv_split *split)
{
    free(split->first);
    sodium_memzero(split, sizeof *split); /* the spread has a name */
}
