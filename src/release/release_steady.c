/* SPDX-License-Identifier: MIT */
#include "release/release_steady.h"
#include "probity/experimental/parts.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/run/noise_bars.h"
#include "mechanism/shared/steady.h"
#include "number/scoped.h"
#include "probity/experimental/stable.h"

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

static pby_status expect_form(const pby_release *release, pby_release_form form, const char *what,
                              pby_error *err)
{
    return pby_release_form_of(release) == form ? PBY_OK
                                                : pby_family_lacks(pby_release_mechanism(release), what, err);
}

pby_status pby_steady_measure(pby_steady *out, fmpq_t scale, const pby_release *release,
                              const pby_statistic *statistic, const int64_t *counts, size_t n, pby_error *err)
{
    const pby_mechanism *m = pby_release_mechanism(release);
    *out = (pby_steady){.answers = (int64_t)n + 1, .scale = scale};
    PBY_TRY(expect_form(release, PBY_RELEASE_STATISTIC, "an answer to publish", err));
    PBY_TRY(pby_steady_check(m, n, err));
    PBY_TRY(pby_steady_scaled(m) ? find_scale(scale, release, statistic, counts, n, err)
                                 : pby_statistic_radius(&out->radius, statistic,
                                                        pby_release_relation(release), counts, n, err));
    return find_answer(&out->answer, statistic, counts, n, err);
}

pby_status pby_steady_settle(size_t *answer, pby_release *release, const pby_steady *steady, pby_error *err)
{
    const size_t n = (size_t)steady->answers - 1;
    int64_t found = 0;
    *answer = n;
    PBY_TRY(pby_release_settle(release, steady, &found, err));
    *answer = found == 0 ? n : (size_t)found - 1;
    return PBY_OK;
}

pby_status pby_release_answer(pby_release *release, const pby_statistic *statistic, const int64_t *counts,
                              size_t n, size_t *answer, pby_error *err)
{
    pby_steady steady;
    *answer = n;
    PBY_FMPQ(scale);
    pby_status status = pby_steady_measure(&steady, scale, release, statistic, counts, n, err);
    if (status == PBY_OK)
        status = pby_steady_settle(answer, release, &steady, err);
    fmpq_zero(scale);
    return status;
}

/* ---- chosen bars ---------------------------------------------------------------------------------- */

/* Chooses one of the bars that are left. */
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

pby_status pby_chosen_check(const pby_release *release, const int64_t *counts, size_t n, size_t rounds,
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

pby_status pby_chosen_draw(pby_release *release, const int64_t *counts, size_t n, size_t rounds, size_t *bars,
                           int64_t *noisy, pby_error *err)
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
    const pby_status status = pby_chosen_check(release, counts, n, rounds, err);
    return status == PBY_OK ? pby_chosen_draw(release, counts, n, rounds, bars, noisy, err) : status;
}
