/* SPDX-License-Identifier: MIT */
/* The draw of permute-and-flip.
 *
 * A coin of candidate h shows heads with the chance p_h = exp(-rate (best - score)), and 1 for the best. In a
 * random order the first that shows heads is any of those that do, all equally likely: so every coin is
 * tossed, whatever the others show, and then one of the heads is drawn. The loop that stops at the first
 * would take a time that shows how many candidates are nearly as good as the best. */
#include <fmpq_vec.h>
#include <sodium.h>
#include <stdlib.h>

#include "kernel/coins.h"
#include "kernel/uniform.h"
#include "law/coin.h"
#include "mechanism/permuteflip/permuteflip.h"

enum { WORDS = 1024 };

struct chooser {
    pby_chooser base;
    fmpq_t rate;
    fmpq *fall;     /* rate (best - score) */
    uint64_t *cut;  /* the first digits of each coin's chance */
    uint8_t *shows; /* room for what each coin shows */
    size_t *at;     /* and for those that show heads */
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
    free(c->cut);
    free(c->shows);
    free(c->at);
    c->fall = NULL;
    c->cut = NULL;
    c->shows = NULL;
    c->at = NULL;
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
    c->shows = calloc(n, sizeof *c->shows);
    c->at = calloc(n, sizeof *c->at);
    pby_status status = c->cut == NULL || c->shows == NULL || c->at == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 1; i < n; i++)
        if (fmpq_cmp(score + i, score + best) > 0)
            best = i;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        fmpq_sub(c->fall + i, score + best, score + i);
        fmpq_mul(c->fall + i, c->fall + i, c->rate);
        status = pby_coin_cut(&c->cut[i], c->fall + i, err);
    }
    if (status != PBY_OK)
        flip_forget(chooser);
    return status;
}

/* ---- draws ------------------------------------------------------------------------------------ */

/* Tosses coins from `first` on, a word for each; where it equals the cut, further digits decide. */
static pby_status toss_block(struct chooser *c, size_t first, size_t n, pby_entropy *source, pby_error *err)
{
    uint64_t word[WORDS];
    pby_status status = pby_entropy_words(source, word, n, err);
    if (status == PBY_OK)
        pby_toss(c->shows + first, word, c->cut + first, n);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        bool heads;
        if (c->shows[first + i] != PBY_TIED)
            continue;
        status = pby_coin_flip(&heads, word[i], c->cut[first + i], c->fall + first + i, source, err);
        c->shows[first + i] = heads ? PBY_HEADS : PBY_TAILS;
    }
    sodium_memzero(word, sizeof word);
    return status;
}

/* Draws one of the heads, each equally likely. */
static pby_status draw_head(uint64_t *chosen, struct chooser *c, pby_entropy *source, pby_error *err)
{
    const size_t heads = pby_heads(c->at, c->shows, c->n);
    uint64_t word, which = 0;
    size_t read;
    pby_status status;
    do {
        read = 0;
        status = pby_entropy_words(source, &word, 1, err);
    } while (status == PBY_OK && pby_uniform(&word, 1, &read, heads, &which) != 0);
    if (status == PBY_OK)
        *chosen = c->at[which];
    sodium_memzero(&word, sizeof word);
    sodium_memzero(c->at, c->n * sizeof *c->at);
    return status;
}

static pby_status flip_draw(pby_chooser *chooser, pby_entropy *source, uint64_t *chosen, pby_error *err)
{
    struct chooser *c = (struct chooser *)chooser;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < c->n && status == PBY_OK; i += WORDS)
        status = toss_block(c, i, c->n - i < WORDS ? c->n - i : WORDS, source, err);
    if (status == PBY_OK)
        status = draw_head(chosen, c, source, err);
    sodium_memzero(c->shows, c->n);
    return status;
}

static pby_status flip_chance(arb_t chance, const pby_chooser *chooser, size_t candidate, slong prec,
                              pby_error *err)
{
    const struct chooser *c = (const struct chooser *)chooser;
    (void)err;
    pby_flip_chance(chance, c->fall, c->n, candidate, prec);
    return PBY_OK;
}

const pby_chooser_class pby_flip_chooser = {
    .open = flip_open,
    .load = flip_load,
    .draw = flip_draw,
    .chance = flip_chance,
    .forget = flip_forget,
    .free = flip_free,
    .worse = pby_flip_worse,
    .level = pby_flip_level,
};
