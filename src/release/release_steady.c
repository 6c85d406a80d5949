/* SPDX-License-Identifier: MIT */
#include "release/release_steady.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "mechanism/noise_bars.h"
#include "mechanism/steady.h"
#include "number/scoped.h"
#include "probity/stable.h"
#include "table/answer.h"

/* ---- how steady an answer is ---------------------------------------------------------------------- */

static pby_status find_scale(fmpq_t scale, const pby_release *release, const pby_statistic *statistic,
                             const int64_t *counts, size_t n, pby_error *err)
{
    const pby_mechanism *m = pby_release_mechanism(release);
    int64_t *far = malloc((n + 1) * sizeof *far);
    pby_status status = far == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK && pby_release_relation(release) != PBY_ADD_REMOVE)
        status = pby_refuse(err, "SPEC", m->family->name, "add-remove neighbours, for a release");
    if (status == PBY_OK)
        status = pby_statistic_jumps(far, statistic, counts, n, err);
    if (status == PBY_OK) {
        pby_steady_scale(scale, m, far, n);
        sodium_memzero(far, (n + 1) * sizeof *far);
    }
    free(far);
    return status;
}

/* Bars are numbered from 1, none is 0. */
static pby_status find_answer(int64_t *answer, const pby_statistic *statistic, const int64_t *counts,
                              size_t n, pby_error *err)
{
    size_t found[1], count = 0, *all = malloc((n + 1) * sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_statistic_bars(all, &count, statistic, counts, n, err);
    found[0] = count == 0 ? 0 : all[0] + 1;
    *answer = (int64_t)found[0];
    sodium_memzero(all, (n + 1) * sizeof *all);
    free(all);
    return status;
}

static pby_status measure(pby_steady *out, fmpq_t scale, const pby_release *release,
                          const pby_statistic *statistic, const int64_t *counts, size_t n, pby_error *err)
{
    const pby_mechanism *m = pby_release_mechanism(release);
    const bool scaled = pby_steady_scaled(m);
    *out = (pby_steady){.answers = (int64_t)n + 1, .scale = scale};
    pby_status status = pby_steady_check(m, n, err);
    if (status == PBY_OK)
        status = scaled ? find_scale(scale, release, statistic, counts, n, err)
                        : pby_statistic_radius(&out->radius, statistic, pby_release_relation(release), counts,
                                               n, err);
    return status == PBY_OK ? find_answer(&out->answer, statistic, counts, n, err) : status;
}

static pby_status expect_form(const pby_release *release, pby_release_form form, const char *what,
                              pby_error *err)
{
    return pby_release_form_of(release) == form ? PBY_OK
                                                : pby_family_lacks(pby_release_mechanism(release), what, err);
}

/* budget NULL: the caller's concern. */
static pby_status publish_answer(const pby_budget *budget, pby_release *release,
                                 const pby_statistic *statistic, const int64_t *counts, size_t n,
                                 size_t *answer, pby_error *err)
{
    pby_steady steady;
    int64_t found = 0;
    *answer = n;
    PBY_FMPQ(scale);
    pby_status status = expect_form(release, PBY_RELEASE_STATISTIC, "an answer to publish", err);
    if (status == PBY_OK)
        status = measure(&steady, scale, release, statistic, counts, n, err);
    if (status == PBY_OK && budget != NULL)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = pby_release_settle(release, &steady, &found, err);
    if (status == PBY_OK)
        *answer = found == 0 ? n : (size_t)found - 1;
    fmpq_zero(scale);
    return status;
}

pby_status pby_release_answer(pby_release *release, const pby_statistic *statistic, const int64_t *counts,
                              size_t n, size_t *answer, pby_error *err)
{
    return publish_answer(NULL, release, statistic, counts, n, answer, err);
}

/* ---- chosen bars ---------------------------------------------------------------------------------- */

/* Of the bars that are left, one. */
static pby_status choose_one(pby_release *release, const int64_t *counts, size_t *left, size_t n,
                             size_t *chosen, pby_error *err)
{
    uint64_t number = 0;
    pby_status status = PBY_OK;
    PBY_MPQ(score);
    pby_release_clear_scores(release);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        mpz_set_si(mpq_numref(score), counts[left[i]]);
        status = pby_release_score(release, score, err);
    }
    if (status == PBY_OK)
        status = pby_release_candidate(release, &number, err);
    if (status == PBY_OK) {
        *chosen = left[number];
        memmove(left + number, left + number + 1, (n - number - 1) * sizeof *left);
    }
    mpz_set_ui(mpq_numref(score), 0);
    return status;
}

static pby_status check_rounds(const pby_release *release, const int64_t *counts, size_t n, size_t rounds,
                               pby_error *err)
{
    int64_t sign = 0;
    const pby_status status = expect_form(release, PBY_RELEASE_CHOSEN, "bars to choose", err);
    if (status != PBY_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        sign |= counts[i];
    if (sign < 0)
        return pby_fail(err, PBY_BAD, "counts: a bar is negative: expected 0 or more");
    if (rounds > n)
        return pby_fail(err, PBY_BAD, "rounds: expected at most as many as there are bars");
    return rounds == 0 || n <= PBY_CHOSEN_MAX / rounds
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "rounds: expected at most %d rounds times bars", PBY_CHOSEN_MAX);
}

static pby_status choose_bars(pby_release *release, const int64_t *counts, size_t n, size_t rounds,
                              size_t *bars, int64_t *noisy, pby_error *err)
{
    size_t *left = malloc((n + 1) * sizeof *left);
    pby_status status = left == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        left[i] = i;
    for (size_t r = 0; r < rounds && status == PBY_OK; r++)
        status = choose_one(release, counts, left, n - r, &bars[r], err);
    for (size_t r = 0; r < rounds && status == PBY_OK; r++)
        noisy[r] = counts[bars[r]];
    if (status == PBY_OK)
        status = pby_release_noise(release, noisy, rounds, err);
    pby_release_clear_scores(release);
    if (status != PBY_OK) {
        sodium_memzero(bars, rounds * sizeof *bars);
        sodium_memzero(noisy, rounds * sizeof *noisy);
    }
    free(left);
    return status;
}

pby_status pby_release_chosen(pby_release *release, const int64_t *counts, size_t n, size_t rounds,
                              size_t *bars, int64_t *noisy, pby_error *err)
{
    const pby_status status = check_rounds(release, counts, n, rounds, err);
    return status == PBY_OK ? choose_bars(release, counts, n, rounds, bars, noisy, err) : status;
}

/* ---- histograms ----------------------------------------------------------------------------------- */

pby_status pby_steady_bars(pby_bars *out, pby_csv *csv, pby_error *err)
{
    enum { CHUNK = 1 << 10 };
    pby_store *store = NULL;
    int64_t counts[CHUNK];
    size_t n = 1;
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    *out = (pby_bars){.count = 0};
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

/* For free(3), wiped before. */
static int64_t *counts_of(const pby_bars *bars)
{
    int64_t *counts = calloc(bars->count + 1, sizeof *counts);
    for (size_t i = 0; counts != NULL && i < bars->count; i++)
        counts[i] = bars->bar[i].count;
    return counts;
}

static void counts_free(int64_t *counts, const pby_bars *bars)
{
    if (counts != NULL)
        sodium_memzero(counts, bars->count * sizeof *counts);
    free(counts);
}

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

pby_status pby_steady_answer(const pby_budget *budget, pby_release *release, const pby_statistic *statistic,
                             pby_bars *bars, pby_spool *spool, bool json, pby_error *err)
{
    size_t answer;
    int64_t *counts = counts_of(bars);
    pby_status status = counts == NULL
                            ? pby_no_memory(err)
                            : publish_answer(budget, release, statistic, counts, bars->count, &answer, err);
    if (status == PBY_OK)
        status = write_answer(bars, answer, spool, json, err);
    counts_free(counts, bars);
    return status;
}

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

pby_status pby_steady_chosen(const pby_budget *budget, pby_release *release, const pby_bars *bars,
                             uint64_t rounds, pby_rows *rows, pby_error *err)
{
    const size_t n = bars->count, many = rounds == 0 ? n : (size_t)rounds;
    int64_t *counts = counts_of(bars), *noisy = calloc(n + 1, sizeof *noisy);
    size_t *chosen = calloc(n + 1, sizeof *chosen);
    pby_status status = counts == NULL || noisy == NULL || chosen == NULL
                            ? pby_no_memory(err)
                            : check_rounds(release, counts, n, many, err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = choose_bars(release, counts, n, many, chosen, noisy, err);
    if (status == PBY_OK)
        status = write_chosen(rows, bars, chosen, noisy, many, err);
    counts_free(counts, bars);
    free(noisy);
    free(chosen);
    return status;
}
