/* SPDX-License-Identifier: MIT */
#include "release/scattered.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "law/thinning.h"
#include "mechanism/run/noise_bars.h"
#include "table/store/entries.h"

enum { CHUNK = 1 << 12 };

static const char header[] = "key";

struct pby_scattered {
    const pby_scatter *table;
    const char *name;
    int64_t *counts; /* of the table's keys */
    bool marked, headed;
};

static size_t keys_of(const pby_scattered *s)
{
    return pby_names_count(s->table->keys);
}

static size_t bars_of(const pby_scattered *s)
{
    return pby_names_count(s->table->bars);
}

void pby_scattered_free(pby_scattered *s)
{
    if (s == NULL)
        return;
    if (s->counts != NULL)
        sodium_memzero(s->counts, keys_of(s) * sizeof *s->counts);
    free(s->counts);
    free(s);
}

/* ---- reading ------------------------------------------------------------------------------------ */

struct chunk {
    int64_t counts[CHUNK];
    uint8_t scratch[PBY_ROW_KEY_MAX];
};

/* All counts together are at most PBY_THINNED_MAX. */
static pby_status add_rows(pby_scattered *s, pby_csv *csv, struct chunk *chunk, pby_error *err)
{
    size_t n = 1;
    pby_status status = PBY_OK;
    for (bool first = true; n > 0; first = false) {
        status = pby_csv_next_chunk(csv, chunk->counts, CHUNK, &n, err);
        if (status != PBY_OK)
            return status;
        if (first) {
            const pby_csv_head head = pby_csv_head_of(csv, chunk->scratch);
            s->marked = head.marked;
            s->headed = head.name != NULL;
        }
        for (size_t i = 0; i < n; i++) {
            size_t size;
            const uint8_t *key = pby_csv_key(csv, i, chunk->scratch, &size);
            const size_t k = pby_names_find(s->table->keys, key, size);
            if (k != PBY_NO_NAME)
                s->counts[k] += chunk->counts[i];
        }
    }
    return status;
}

static pby_status read_counts(pby_scattered *s, pby_csv *csv, pby_error *err)
{
    const pby_csv_demand demand = {.most = INT64_MAX, .limit = INT64_MAX, .sum = PBY_THINNED_MAX};
    uint64_t rows;
    struct chunk *chunk = malloc(sizeof *chunk);
    if (chunk == NULL)
        return pby_no_memory(err);
    pby_csv_allow_empty(csv);
    pby_csv_demands(csv, &demand);
    pby_status status = pby_csv_scan(csv, &rows, err);
    if (status == PBY_OK)
        status = add_rows(s, csv, chunk, err);
    sodium_memzero(chunk, sizeof *chunk);
    free(chunk);
    return status;
}

pby_status pby_scattered_new(pby_scattered **out, const pby_scatter *table, pby_csv *csv, const char *name,
                             pby_error *err)
{
    pby_scattered *s = *out = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->table = table;
    s->name = name;
    s->counts = calloc(keys_of(s), sizeof *s->counts);
    const pby_status status = s->counts == NULL ? pby_no_memory(err) : read_counts(s, csv, err);
    if (status != PBY_OK) {
        pby_scattered_free(s);
        *out = NULL;
    }
    return status;
}

/* ---- moving ------------------------------------------------------------------------------------- */

static pby_status histogram(pby_csv **out, const pby_scattered *s, const int64_t *counts, pby_error *err)
{
    pby_entries *entries;
    *out = NULL;
    pby_status status = pby_entries_new(&entries, s->name, err);
    if (status != PBY_OK)
        return status;
    entries->marked = s->marked;
    if (s->headed)
        status = pby_entries_head(entries, header, strlen(header), err);
    for (size_t i = 0; i < bars_of(s) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(s->table->bars, i, &size);
        status = pby_entries_append(entries, name, size, counts[i], err);
    }
    if (status == PBY_OK)
        return pby_csv_of_entries(out, entries, err);
    pby_entries_free(entries);
    return status;
}

/* Adds what each key has sent. A key has at most as many places as there are bars. */
static pby_status move_all(int64_t *counts, int64_t *dealt, const pby_scattered *s, pby_release *release,
                           pby_error *err)
{
    const pby_scatter *t = s->table;
    pby_status status = PBY_OK;
    for (size_t k = 0; k < keys_of(s) && status == PBY_OK; k++) {
        const size_t from = t->first[k], n = t->first[k + 1] - from;
        memset(dealt, 0, n * sizeof *dealt);
        status = pby_release_deal(release, s->counts[k], t->chance + from, n, dealt, err);
        for (size_t i = 0; i < n; i++)
            counts[t->bar[from + i]] += dealt[i];
    }
    return status;
}

static pby_status bars(pby_csv **out, const pby_scattered *s, pby_release *release, pby_error *err)
{
    const size_t n = bars_of(s);
    int64_t *counts = calloc(2 * n, sizeof *counts);
    *out = NULL;
    if (counts == NULL)
        return pby_no_memory(err);
    pby_status status = release == NULL ? PBY_OK : move_all(counts, counts + n, s, release, err);
    if (status == PBY_OK)
        status = histogram(out, s, counts, err);
    sodium_memzero(counts, 2 * n * sizeof *counts);
    free(counts);
    return status;
}

pby_status pby_scattered_bars(pby_csv **out, const pby_scattered *s, pby_error *err)
{
    return bars(out, s, NULL, err);
}

pby_status pby_scattered_draw(pby_csv **out, const pby_scattered *s, pby_release *release, pby_error *err)
{
    return bars(out, s, release, err);
}
