/* SPDX-License-Identifier: MIT */
#include "lab/experiment/panel.h"

#include <arb.h>
#include <sodium.h>
#include <string.h>

#include "kernel/uniform.h"
#include "number/scoped.h"

enum { ITEMS = 10000, MEDIAN = 45, SCALE = 4, EMPTIED = 10, MEAN = 250, PRECISION = 512, NOISE = 5 };

static const pby_panel panels[PBY_PANELS] = {
    {"max, Cauchy, last ten bars emptied", {.name = PBY_STATISTIC_MAX, .k = 1}, 100},
    {"max, two steps", {.name = PBY_STATISTIC_MAX, .k = 1}, 100},
    {"max_500, Cauchy", {.name = PBY_STATISTIC_MAX_K, .k = 500}, 100},
    {"max_500, two steps", {.name = PBY_STATISTIC_MAX_K, .k = 500}, 100},
    {"mode, Poisson", {.name = PBY_STATISTIC_MODE, .k = 1}, 30},
    {"mode, noisy steps", {.name = PBY_STATISTIC_MODE, .k = 1}, 300},
};

const pby_panel *pby_panel_at(unsigned i)
{
    return &panels[i - 1];
}

/* ---- chances ---------------------------------------------------------------------------------- */

/* floor(2^64 chance), 2^64 - 1 at most. A chance that is an integer over 2^64, as a quarter is, has no ball
 * that tells its floor: the nearest integer is. */
static uint64_t cut_of(const arb_t chance)
{
    PBY_ARB(scaled);
    PBY_FMPZ(cut);
    arb_mul_2exp_si(scaled, chance, 64);
    arb_floor(scaled, scaled, PRECISION);
    if (!arb_get_unique_fmpz(cut, scaled)) {
        arb_mul_2exp_si(scaled, chance, 64);
        arf_get_fmpz(cut, arb_midref(scaled), ARF_RND_NEAR);
    }
    return fmpz_bits(cut) <= 64 ? fmpz_get_ui(cut) : UINT64_MAX;
}

/* The Cauchy law up to i: 1/2 + atan((i - median)/scale)/pi. */
static void cut_cauchy(uint64_t *cut, slong n)
{
    PBY_ARB(x, pi);
    arb_const_pi(pi, PRECISION);
    for (slong i = 0; i < n; i++) {
        arb_set_si(x, i - MEDIAN);
        arb_div_si(x, x, SCALE, PRECISION);
        arb_atan(x, x, PRECISION);
        arb_div(x, x, pi, PRECISION);
        arb_mul_2exp_si(x, x, 1);
        arb_add_ui(x, x, 1, PRECISION);
        arb_mul_2exp_si(x, x, -1);
        cut[i] = cut_of(x);
    }
}

/* The Poisson law up to k. */
static void cut_poisson(uint64_t *cut, slong n)
{
    PBY_ARB(mass, sum);
    arb_set_si(mass, -MEAN);
    arb_exp(mass, mass, PRECISION);
    for (slong k = 0; k < n; k++) {
        arb_add(sum, sum, mass, PRECISION);
        cut[k] = cut_of(sum);
        arb_mul_ui(mass, mass, MEAN, PRECISION);
        arb_div_si(mass, mass, k + 1, PRECISION);
    }
}

void pby_panel_cuts_init(pby_panel_cuts *cuts)
{
    cut_cauchy(cuts->cauchy, sizeof cuts->cauchy / sizeof *cuts->cauchy);
    cut_poisson(cuts->poisson, sizeof cuts->poisson / sizeof *cuts->poisson);
}

/* Returns the number of cuts that are not above the word. */
static size_t passed(const uint64_t *cut, size_t n, uint64_t word)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        *(cut[mid] <= word ? &lo : &hi) = cut[mid] <= word ? mid + 1 : mid;
    }
    return lo;
}

/* ---- data ------------------------------------------------------------------------------------- */

static pby_status draw_cauchy(int64_t *counts, const pby_panel_cuts *cuts, pby_entropy *source,
                              pby_error *err)
{
    enum { CUTS = sizeof cuts->cauchy / sizeof *cuts->cauchy };
    uint64_t word;
    pby_status status = PBY_OK;
    for (int i = 0; i < ITEMS && status == PBY_OK; i++) {
        status = pby_entropy_words(source, &word, 1, err);
        const size_t cell = passed(cuts->cauchy, CUTS, word);
        if (status == PBY_OK && cell > 0 && cell < CUTS)
            counts[cell - 1]++;
    }
    return status;
}

static pby_status draw_poisson(int64_t *counts, size_t n, const pby_panel_cuts *cuts, pby_entropy *source,
                               pby_error *err)
{
    uint64_t word;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        status = pby_entropy_words(source, &word, 1, err);
        counts[i] = (int64_t)passed(cuts->poisson, sizeof cuts->poisson / sizeof *cuts->poisson, word);
    }
    return status;
}

/* A number from 0 to n - 1. */
static pby_status draw_uniform(uint64_t *out, uint64_t n, pby_entropy *source, pby_error *err)
{
    uint64_t word;
    size_t at = 1;
    pby_status status = PBY_OK;
    for (int drawn = -1; drawn != 0 && status == PBY_OK;) {
        status = pby_entropy_words(source, &word, 1, err);
        at = 0;
        drawn = status == PBY_OK ? pby_uniform(&word, 1, &at, n, out) : 0;
    }
    return status;
}

/* A step of so many bars of one height. */
struct step {
    int64_t height;
    size_t width;
};

static void steps(int64_t *counts, const struct step *step, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < step[i].width; j++)
            counts[at++] = step[i].height;
}

static pby_status draw_noisy_steps(int64_t *counts, size_t n, pby_entropy *source, pby_error *err)
{
    static const struct step five[] = {{130, 120}, {200, 5}, {185, 85}, {190, 10}, {130, 80}};
    pby_status status = PBY_OK;
    uint64_t noise;
    steps(counts, five, sizeof five / sizeof *five);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        status = draw_uniform(&noise, 2 * NOISE + 1, source, err);
        if (status == PBY_OK)
            counts[i] += (int64_t)noise - NOISE;
    }
    return status;
}

pby_status pby_panel_draw(int64_t *counts, unsigned i, const pby_panel_cuts *cuts, pby_entropy *source,
                          pby_error *err)
{
    static const struct step second[] = {{1000, 50}, {1, 50}}, fourth[] = {{540, 50}, {490, 50}};
    const size_t n = pby_panel_at(i)->bars;
    pby_status status = PBY_OK;
    memset(counts, 0, n * sizeof *counts);
    switch (i) {
    case 1:
        status = draw_cauchy(counts, cuts, source, err);
        memset(counts + n - EMPTIED, 0, EMPTIED * sizeof *counts);
        return status;
    case 2:
        steps(counts, second, 2);
        return PBY_OK;
    case 3:
        return draw_cauchy(counts, cuts, source, err);
    case 4:
        steps(counts, fourth, 2);
        return PBY_OK;
    case 5:
        return draw_poisson(counts, n, cuts, source, err);
    default:
        return draw_noisy_steps(counts, n, source, err);
    }
}

pby_status pby_panel_stream(pby_entropy **out, const uint8_t seed[PBY_SEED_SIZE], unsigned panel,
                            unsigned set, unsigned use, pby_error *err)
{
    enum { NUMBERS = 3, EACH = 4 };
    const unsigned number[NUMBERS] = {panel, set, use};
    uint8_t text[PBY_SEED_SIZE + NUMBERS * EACH], key[crypto_hash_sha256_BYTES];
    memcpy(text, seed, PBY_SEED_SIZE);
    for (size_t i = 0; i < NUMBERS * EACH; i++)
        text[PBY_SEED_SIZE + i] = (uint8_t)(number[i / EACH] >> 8 * (i % EACH) & 0xff);
    crypto_hash_sha256(key, text, sizeof text);
    return pby_entropy_seeded(out, key, err);
}
