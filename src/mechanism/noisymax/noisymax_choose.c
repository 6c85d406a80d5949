/* SPDX-License-Identifier: MIT */
/* The draw: exact noise on every answer, and the kernel's maximum.
 *
 * Only differences of answers count. The best is taken as 0, and one that is more than 2^61 below it as 2^61
 * below: that moves no answer farther from a neighbour's than it was, and nobody who is near the best. */
#include <sodium.h>
#include <stdlib.h>

#include "kernel/noisy_max.h"
#include "law/laws.h"
#include "mechanism/noisymax/noisymax.h"
#include "mechanism/shared/noise.h"
#include "number/scoped.h"

#define LOWEST (-((int64_t)1 << 61))

struct chooser {
    pby_chooser base;
    pby_max_noise noise;
    pby_sampler *sampler;
    int64_t *x;
    size_t n;
};

static void max_forget(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    pby_noise_free(c->x, c->n);
    c->x = NULL;
    c->n = 0;
}

static void max_free(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    max_forget(chooser);
    pby_sampler_free(c->sampler);
    pby_max_noise_clear(&c->noise);
    free(c);
}

static pby_status max_open(pby_chooser **out, const pby_mechanism *m, pby_error *err)
{
    pby_law *law;
    *out = NULL;
    struct chooser *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base.class = &pby_max_chooser;
    pby_max_noise_init(&c->noise, m);
    pby_status status = c->noise.one_sided ? pby_law_one_sided(&law, c->noise.rate, err)
                                           : pby_law_geometric(&law, c->noise.rate, err);
    if (status == PBY_OK)
        status = pby_sampler_of_law(&c->sampler, law, err);
    if (status == PBY_OK) /* what a seed chooses stays as it was */
        status = pby_sampler_stream(c->sampler, 1, err);
    if (status != PBY_OK)
        max_free(&c->base);
    else
        *out = &c->base;
    return status;
}

/* score - best, or LOWEST where that is less. Most numbers are words, of at most 62 bits. */
static int64_t below_best(const fmpz_t score, const fmpz_t best)
{
    if (!COEFF_IS_MPZ(*score) && !COEFF_IS_MPZ(*best))
        return FLINT_MAX(*score - *best, LOWEST);
    PBY_FMPZ(below);
    fmpz_sub(below, score, best);
    return fmpz_cmp_si(below, LOWEST) < 0 ? LOWEST : fmpz_get_si(below);
}

static pby_status max_load(pby_chooser *chooser, const fmpq *score, size_t n, pby_error *err)
{
    struct chooser *c = (struct chooser *)chooser;
    size_t best = 0;
    max_forget(chooser);
    c->x = reallocarray(NULL, n, sizeof *c->x);
    if (c->x == NULL)
        return pby_no_memory(err);
    c->n = n;
    for (size_t i = 1; i < n; i++)
        if (fmpz_cmp(fmpq_numref(score + i), fmpq_numref(score + best)) > 0)
            best = i;
    for (size_t i = 0; i < n; i++)
        c->x[i] = below_best(fmpq_numref(score + i), fmpq_numref(score + best));
    return PBY_OK;
}

static pby_status max_draw(pby_chooser *chooser, pby_entropy *source, uint64_t *chosen, pby_error *err)
{
    const struct chooser *c = (const struct chooser *)chooser;
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, c->sampler, source, c->n, err);
    if (status == PBY_OK)
        *chosen = pby_noisy_max(c->x, noise, c->n);
    pby_noise_free(noise, c->n);
    return status;
}

static pby_status max_chance(arb_t chance, const pby_chooser *chooser, size_t candidate, slong prec,
                             pby_error *err)
{
    const struct chooser *c = (const struct chooser *)chooser;
    return pby_max_chance(chance, &c->noise, c->x, c->n, candidate, prec, err);
}

const pby_chooser_class pby_max_chooser = {
    .whole = true,
    .expected = "a score that is an integer of at most 40 digits, such as 3 or -12",
    .open = max_open,
    .load = max_load,
    .draw = max_draw,
    .chance = max_chance,
    .forget = max_forget,
    .free = max_free,
    .worse = pby_max_worse,
    .between = pby_max_between,
};
