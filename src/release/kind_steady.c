/* SPDX-License-Identifier: MIT */
/* Histograms whose bars are looked at all at once: the answer of a statistic, or some of the bars
 * (release_steady.h). The answer is a key or none, as a statistic is written; chosen bars are NAME,COUNT in
 * the order in which they were chosen. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "release/input_histogram.h"
#include "release/input_kind.h"
#include "release/release_steady.h"
#include "table/answer/answer.h"
#include "table/answer/bars.h"

struct input {
    pby_histogram h;
    pby_bars bars;   /* in the order that a statistic reads */
    int64_t *counts; /* of them */
    pby_steady steady;
    fmpq_t scale;
    size_t *chosen; /* of rounds bars, and a noisy count of each */
    int64_t *noisy;
};

/* ---- reading ----------------------------------------------------------------------------------- */

static pby_status read_bars(pby_bars *out, pby_csv *csv, pby_error *err)
{
    enum { CHUNK = 1 << 10 };
    pby_store *store = NULL;
    int64_t counts[CHUNK];
    size_t n = 1;
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = scratch == NULL ? pby_no_memory(err) : pby_store_new(&store, err);
    if (status == PBY_OK)
        status = pby_store_shape(store, pby_columns_count, NULL, true, err);
    while (status == PBY_OK && n > 0) {
        status = pby_csv_next_chunk(csv, counts, CHUNK, &n, err);
        for (size_t i = 0; i < n && status == PBY_OK; i++) {
            size_t size;
            const uint8_t *key = pby_csv_key(csv, i, scratch, &size);
            status = pby_store_add(store, key, size, &counts[i], err);
        }
    }
    if (status == PBY_OK)
        status = pby_bars_of(out, store, err);
    sodium_memzero(counts, sizeof counts);
    pby_store_free(store);
    free(scratch);
    return status;
}

static void clear_bars(struct input *in)
{
    if (in->counts != NULL)
        sodium_memzero(in->counts, in->bars.count * sizeof *in->counts);
    free(in->counts);
    in->counts = NULL;
    pby_bars_clear(&in->bars);
    in->bars = (pby_bars){.count = 0};
}

static pby_status open_bars(struct input *in, pby_error *err)
{
    clear_bars(in);
    PBY_TRY(read_bars(&in->bars, in->h.csv, err));
    in->counts = calloc(in->bars.count + 1, sizeof *in->counts);
    if (in->counts == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < in->bars.count; i++)
        in->counts[i] = in->bars.bar[i].count;
    return PBY_OK;
}

static pby_status open_input(struct input **out, const pby_pipeline *p, const pby_release *release,
                             pby_error *err)
{
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    fmpq_init(in->scale);
    PBY_TRY(pby_histogram_open(&in->h, p, release, err));
    return open_bars(in, err);
}

static void close_input(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    fmpq_zero(in->scale);
    fmpq_clear(in->scale);
    free(in->chosen);
    free(in->noisy);
    clear_bars(in);
    pby_histogram_clear(&in->h);
    free(in);
}

/* ---- the answer of a statistic ----------------------------------------------------------------- */

/* As the maximum of bars of which one alone is occupied. */
static pby_status write_answer(pby_bars *bars, size_t answer, pby_spool *spool, bool json, pby_error *err)
{
    static const pby_statistic max = {.name = PBY_STATISTIC_MAX, .k = 1, .den = 1};
    char *text = NULL;
    size_t size = 0;
    for (size_t i = 0; i < bars->count; i++)
        bars->bar[i].count = i == answer;
    json_t *value = NULL;
    FILE *out = json ? NULL : open_memstream(&text, &size);
    pby_status status = json          ? pby_stat_json(&value, &max, bars, err)
                        : out == NULL ? pby_no_memory(err)
                                      : pby_stat_print(out, &max, bars, err);
    if (out != NULL && fclose(out) != 0 && status == PBY_OK)
        status = pby_no_memory(err);
    if (status == PBY_OK && json) {
        text = pby_json_text(value, JSON_ENCODE_ANY);
        size = text == NULL ? 0 : strlen(text);
        status = text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    if (status == PBY_OK)
        status = pby_spool_write(spool, text, size, err);
    free(text);
    return status;
}

static pby_status measure(struct input *in, const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    return pby_steady_measure(&in->steady, in->scale, release, p->statistic, in->counts, in->bars.count, err);
}

static pby_status open_settled(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in;
    const pby_status status = open_input(&in, p, release, err);
    *out = in;
    return status == PBY_OK ? measure(in, p, release, err) : status;
}

static pby_status again_settled(void *what, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in = what;
    pby_histogram_again(&in->h);
    PBY_TRY(open_bars(in, err));
    return measure(in, p, release, err);
}

static pby_status run_settled(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                              pby_error *err)
{
    (void)p;
    struct input *in = what;
    size_t answer;
    PBY_TRY(pby_steady_settle(&answer, release, &in->steady, err));
    return write_answer(&in->bars, answer, rows->spool, rows->json, err);
}

static void learn_settled(pby_learned *out, const void *what, const pby_pipeline *p,
                          const pby_release *release)
{
    const struct input *in = what;
    pby_histogram_learn(out, &in->h, p, release);
    out->numbers = pby_key_kinds_numbers(&in->bars.kinds);
}

const pby_input_kind pby_kind_settled = {
    .name = "settled",
    .histogram = true,
    .truncates = true,
    .answer = true,
    .open = open_settled,
    .again = again_settled,
    .run = run_settled,
    .learn = learn_settled,
    .close = close_input,
};

/* ---- chosen bars ------------------------------------------------------------------------------- */

static pby_status write_chosen(pby_rows *rows, const pby_bars *bars, const size_t *chosen,
                               const int64_t *noisy, size_t rounds, pby_error *err)
{
    pby_status status =
        rows->store == NULL ? PBY_OK : pby_store_shape(rows->store, pby_columns_count, NULL, true, err);
    for (size_t i = 0; i < rounds && status == PBY_OK; i++) {
        const char *key = bars->bar[chosen[i]].key;
        status = pby_rows_add(rows, (const uint8_t *)key, strlen(key), pby_columns_count, &noisy[i], err);
    }
    return status;
}

static size_t rounds_of(const struct input *in, const pby_pipeline *p)
{
    return p->rounds == 0 ? in->bars.count : (size_t)p->rounds;
}

static pby_status prepare_chosen(struct input *in, const pby_pipeline *p, const pby_release *release,
                                 pby_error *err)
{
    const size_t n = in->bars.count;
    free(in->chosen);
    free(in->noisy);
    in->chosen = calloc(n + 1, sizeof *in->chosen);
    in->noisy = calloc(n + 1, sizeof *in->noisy);
    if (in->chosen == NULL || in->noisy == NULL)
        return pby_no_memory(err);
    return pby_chosen_check(release, in->counts, n, rounds_of(in, p), err);
}

static pby_status open_chosen(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in;
    const pby_status status = open_input(&in, p, release, err);
    *out = in;
    return status == PBY_OK ? prepare_chosen(in, p, release, err) : status;
}

static pby_status again_chosen(void *what, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in = what;
    pby_histogram_again(&in->h);
    PBY_TRY(open_bars(in, err));
    return prepare_chosen(in, p, release, err);
}

static pby_status run_chosen(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    struct input *in = what;
    const size_t rounds = rounds_of(in, p);
    PBY_TRY(pby_chosen_draw(release, in->counts, in->bars.count, rounds, in->chosen, in->noisy, err));
    return write_chosen(rows, &in->bars, in->chosen, in->noisy, rounds, err);
}

static void learn_chosen(pby_learned *out, const void *what, const pby_pipeline *p,
                         const pby_release *release)
{
    const struct input *in = what;
    pby_histogram_learn(out, &in->h, p, release);
}

const pby_input_kind pby_kind_chosen = {
    .name = "chosen",
    .histogram = true,
    .truncates = true,
    .open = open_chosen,
    .again = again_chosen,
    .run = run_chosen,
    .learn = learn_chosen,
    .close = close_input,
};
