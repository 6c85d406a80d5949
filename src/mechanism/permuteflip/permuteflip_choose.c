/* SPDX-License-Identifier: MIT */
/* The draw, the exact law, and what the choice is worth.
 *
 * A coin of candidate h shows heads with the chance p_h = exp(-rate (best - score)), and 1 for the best. In a
 * random order the first that shows heads is any of those that do, all equally likely: so every coin is
 * flipped, whatever the others show, and then one of the heads is drawn. The loop that stops at the first
 * would take a time that shows how many candidates are nearly as good as the best. */
#include <fmpq_vec.h>
#include <sodium.h>
#include <stdlib.h>

#include "kernel/uniform.h"
#include "law/coin.h"
#include "mechanism/permuteflip/permuteflip.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { GUARD = 64, WORDS = 1024 };

struct chooser {
    pby_chooser base;
    fmpq_t rate;
    fmpq *fall;     /* rate (best - score) */
    uint64_t *cut;  /* of each coin; of the best it is not used */
    size_t *headed; /* room for those that show heads */
    size_t n;
};

static void flip_forget(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    for (size_t i = 0; i < c->n; i++)
        fmpq_clear(c->fall + i);
    if (c->fall != NULL)
        sodium_memzero(c->fall, c->n * sizeof *c->fall);
    flint_free(c->fall);
    if (c->cut != NULL)
        sodium_memzero(c->cut, c->n * sizeof *c->cut);
    if (c->headed != NULL)
        sodium_memzero(c->headed, c->n * sizeof *c->headed);
    free(c->cut);
    free(c->headed);
    c->fall = NULL;
    c->cut = NULL;
    c->headed = NULL;
    c->n = 0;
}

static void flip_free(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    flip_forget(chooser);
    fmpq_clear(c->rate);
    free(c);
}

static pby_status flip_open(pby_chooser **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    struct chooser *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base.class = &pby_flip_chooser;
    fmpq_init(c->rate);
    m->family->rate(c->rate, m);
    *out = &c->base;
    return PBY_OK;
}

static pby_status flip_load(pby_chooser *chooser, const fmpq *score, size_t n, pby_error *err)
{
    struct chooser *c = (struct chooser *)chooser;
    size_t best = 0;
    flip_forget(chooser);
    c->n = n;
    c->fall = _fmpq_vec_init((slong)n);
    c->cut = calloc(n, sizeof *c->cut);
    c->headed = calloc(n, sizeof *c->headed);
    pby_status status = c->cut == NULL || c->headed == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 1; i < n; i++)
        if (fmpq_cmp(score + i, score + best) > 0)
            best = i;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        fmpq_sub(c->fall + i, score + best, score + i);
        fmpq_mul(c->fall + i, c->fall + i, c->rate);
        if (!fmpq_is_zero(c->fall + i))
            status = pby_coin_cut(&c->cut[i], c->fall + i, err);
    }
    if (status != PBY_OK)
        flip_forget(chooser);
    return status;
}

/* ---- draws ------------------------------------------------------------------------------------ */

/* A word for every coin, that of the best too. */
static pby_status flip_all(size_t *heads, struct chooser *c, pby_entropy *source, pby_error *err)
{
    uint64_t word[WORDS];
    pby_status status = PBY_OK;
    *heads = 0;
    for (size_t i = 0; i < c->n && status == PBY_OK; i++) {
        const size_t at = i % WORDS;
        if (at == 0)
            status = pby_entropy_words(source, word, c->n - i < WORDS ? c->n - i : WORDS, err);
        bool yes = true;
        if (status == PBY_OK && !fmpq_is_zero(c->fall + i))
            status = pby_coin_flip(&yes, word[at], c->cut[i], c->fall + i, source, err);
        c->headed[*heads] = i;
        *heads += yes;
    }
    sodium_memzero(word, sizeof word);
    return status;
}

static pby_status flip_draw(pby_chooser *chooser, pby_entropy *source, uint64_t *chosen, pby_error *err)
{
    struct chooser *c = (struct chooser *)chooser;
    size_t heads, at = 1;
    uint64_t word, which = 0;
    pby_status status = flip_all(&heads, c, source, err);
    do {
        at = 0;
        if (status == PBY_OK)
            status = pby_entropy_words(source, &word, 1, err);
    } while (status == PBY_OK && pby_uniform(&word, 1, &at, heads, &which) != 0);
    if (status == PBY_OK)
        *chosen = c->headed[which];
    sodium_memzero(c->headed, c->n * sizeof *c->headed);
    sodium_memzero(&word, sizeof word);
    return status;
}

/* ---- the exact law ---------------------------------------------------------------------------- */

static void heads_of(arb_t p, const fmpq *fall, slong prec)
{
    PBY_FMPQ(minus);
    fmpq_neg(minus, fall);
    arb_set_fmpq(p, minus, prec + (slong)fmpz_bits(fmpq_numref(minus)));
    arb_exp(p, p, prec);
}

/* p_h times the integral over u from 0 to 1 of the product over all others of 1 - u p_s: with k others that
 * show heads the share is 1/(k + 1), the integral of (1 - u)^k. */
static pby_status flip_chance(arb_t chance, const pby_chooser *chooser, size_t candidate, slong prec,
                              pby_error *err)
{
    (void)err;
    const struct chooser *c = (const struct chooser *)chooser;
    const slong n = (slong)c->n, working = prec + GUARD + 2 * n;
    arb_ptr coefficient = _arb_vec_init(n);
    slong degree = 0;
    PBY_ARB(p);
    arb_one(coefficient);
    for (slong s = 0; s < n; s++) {
        if (s == (slong)candidate)
            continue;
        heads_of(p, c->fall + s, working);
        degree++;
        for (slong k = degree; k > 0; k--)
            arb_submul(coefficient + k, p, coefficient + k - 1, working);
    }
    arb_zero(chance);
    for (slong k = 0; k <= degree; k++) {
        arb_div_si(coefficient + k, coefficient + k, k + 1, working);
        arb_add(chance, chance, coefficient + k, working);
    }
    heads_of(p, c->fall + candidate, working);
    arb_mul(chance, chance, p, prec);
    _arb_vec_clear(coefficient, n);
    return PBY_OK;
}

/* ---- what the choice is worth ----------------------------------------------------------------- */

/* One best and all others just farther than beta below it: 1 - (1 - (1 - r)^n)/(n r), r = exp(-rate beta). */
static pby_status flip_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                             slong prec, pby_error *err)
{
    (void)err;
    PBY_FMPQ(fall);
    PBY_ARB(r, none);
    m->family->rate(fall, m);
    fmpq_mul(fall, fall, beta);
    heads_of(r, fall, prec);
    if (fmpq_is_zero(fall)) {
        arb_one(chance);
    } else {
        arb_neg(none, r);
        arb_log1p(none, none, prec);
        arb_mul_ui(none, none, candidates, prec);
        arb_expm1(none, none, prec);
        arb_neg(chance, none);
    }
    arb_div_ui(chance, chance, candidates, prec);
    arb_div(chance, chance, r, prec);
    arb_sub_ui(chance, chance, 1, prec);
    arb_neg(chance, chance);
    return PBY_OK;
}

/* With w = exp(-s) and t = (1 - w)^(candidates-1): 1 - (1 - (1-w) t)/(candidates w), and -(1 - P - t). */
static void flip_level(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec)
{
    PBY_ARB(w, rest);
    arb_neg(w, s);
    arb_exp(w, w, prec);
    arb_sub_ui(rest, w, 1, prec);
    arb_neg(rest, rest);
    arb_pow_ui(slope, rest, candidates - 1, prec);
    arb_mul(chance, rest, slope, prec);
    arb_sub_ui(chance, chance, 1, prec);
    arb_div(chance, chance, w, prec);
    arb_div_ui(chance, chance, candidates, prec);
    arb_add_ui(chance, chance, 1, prec);
    arb_add(slope, slope, chance, prec);
    arb_sub_ui(slope, slope, 1, prec);
}

const pby_chooser_class pby_flip_chooser = {
    .open = flip_open,
    .load = flip_load,
    .draw = flip_draw,
    .chance = flip_chance,
    .forget = flip_forget,
    .free = flip_free,
    .worse = flip_worse,
    .level = flip_level,
};
