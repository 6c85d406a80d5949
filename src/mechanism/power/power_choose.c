/* SPDX-License-Identifier: MIT */
/* The draw, the exact law, and what the choice is worth, in integers.
 *
 * With the base p/q and gaps g of the scores to the best, the greatest being G, a candidate has the weight
 * q^g p^(G-g). A draw is a uniform integer below the sum of all, and the candidate in whose share it lies.
 * Candidates of equal gaps are one level. */
#include <flint/fmpz.h>
#include <sodium.h>
#include <stdlib.h>

#include "mechanism/power/power.h"
#include "number/ball.h"
#include "number/scoped.h"

/* A weight has about so many bits at most. */
enum { WEIGHT_BITS = 1 << 20 };

uint64_t pby_power_reach(const pby_mechanism *m)
{
    return (uint64_t)WEIGHT_BITS / (uint64_t)fmpz_bits(fmpq_numref(&m->value[0]));
}

struct chooser {
    pby_chooser base;
    fmpz_t p, q, total; /* total is that of the weights */
    uint64_t reach;
    size_t n;
    uint64_t *gap; /* of each candidate */
    size_t *order; /* the candidates, the best first */
};

static void power_forget(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    if (c->gap != NULL)
        sodium_memzero(c->gap, c->n * sizeof *c->gap);
    if (c->order != NULL)
        sodium_memzero(c->order, c->n * sizeof *c->order);
    free(c->gap);
    free(c->order);
    c->gap = NULL;
    c->order = NULL;
    c->n = 0;
    fmpz_zero(c->total);
}

static void power_free(pby_chooser *chooser)
{
    struct chooser *c = (struct chooser *)chooser;
    power_forget(chooser);
    fmpz_clear(c->total);
    fmpz_clear(c->q);
    fmpz_clear(c->p);
    free(c);
}

static pby_status power_open(pby_chooser **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    struct chooser *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base.class = &pby_power_chooser;
    fmpz_init_set(c->p, fmpq_numref(&m->value[0]));
    fmpz_init_set(c->q, fmpq_denref(&m->value[0]));
    fmpz_init(c->total);
    c->reach = pby_power_reach(m);
    *out = &c->base;
    return PBY_OK;
}

/* ---- scores ------------------------------------------------------------------------------------- */

static int by_gap(const void *a, const void *b, void *gaps)
{
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const uint64_t *gap = gaps;
    if (gap[i] != gap[j])
        return gap[i] < gap[j] ? -1 : 1;
    return (i > j) - (i < j);
}

static void find_gaps(struct chooser *c, const fmpq *score)
{
    size_t best = 0;
    fmpz_t gap;
    fmpz_init(gap);
    for (size_t i = 1; i < c->n; i++)
        if (fmpq_cmp(score + i, score + best) > 0)
            best = i;
    for (size_t i = 0; i < c->n; i++) {
        fmpz_sub(gap, fmpq_numref(score + best), fmpq_numref(score + i));
        c->gap[i] = fmpz_cmp_ui(gap, c->reach) > 0 ? c->reach : fmpz_get_ui(gap);
        c->order[i] = i;
    }
    fmpz_clear(gap);
    qsort_r(c->order, c->n, sizeof *c->order, by_gap, c->gap);
}

/* Where the level ends that begins at `from` in the order. */
static size_t level_end(const struct chooser *c, size_t from)
{
    size_t to = from + 1;
    while (to < c->n && c->gap[c->order[to]] == c->gap[c->order[from]])
        to++;
    return to;
}

/* x = x base^by */
static void times_power(fmpz_t x, const fmpz_t base, uint64_t by)
{
    PBY_FMPZ(power);
    fmpz_pow_ui(power, base, by);
    fmpz_mul(x, x, power);
}

/* Level by level, the greatest gap so far being that of the sum. */
static void add_up(struct chooser *c)
{
    fmpz_t power;
    uint64_t gap = 0;
    fmpz_init_set_ui(power, 1);
    fmpz_zero(c->total);
    for (size_t from = 0, to; from < c->n; from = to) {
        to = level_end(c, from);
        const uint64_t next = c->gap[c->order[from]];
        times_power(c->total, c->p, next - gap);
        times_power(power, c->q, next - gap);
        fmpz_addmul_ui(c->total, power, to - from);
        gap = next;
    }
    fmpz_clear(power);
}

static pby_status power_load(pby_chooser *chooser, const fmpq *score, size_t n, pby_error *err)
{
    struct chooser *c = (struct chooser *)chooser;
    power_forget(chooser);
    c->gap = reallocarray(NULL, n, sizeof *c->gap);
    c->order = reallocarray(NULL, n, sizeof *c->order);
    if (c->gap == NULL || c->order == NULL)
        return pby_no_memory(err);
    c->n = n;
    find_gaps(c, score);
    add_up(c);
    return PBY_OK;
}

/* ---- a draw ------------------------------------------------------------------------------------- */

/* Uniform below a number: as many bits as it has, again until they are below. */
static pby_status uniform(fmpz_t out, const fmpz_t below, pby_entropy *source, pby_error *err)
{
    enum { WORD = 64 };
    const size_t bits = (size_t)fmpz_bits(below), count = (bits + WORD - 1) / WORD; /* bounded by memory */
    uint64_t *word = reallocarray(NULL, count, sizeof *word);
    pby_status status = word == NULL ? pby_no_memory(err) : PBY_OK;
    for (bool done = false; !done && status == PBY_OK;) {
        status = pby_entropy_words(source, word, count, err);
        fmpz_zero(out);
        for (size_t i = 0; i < count && status == PBY_OK; i++) {
            fmpz_mul_2exp(out, out, WORD);
            fmpz_add_ui(out, out, word[i]);
        }
        fmpz_fdiv_r_2exp(out, out, bits);
        done = fmpz_cmp(out, below) < 0;
    }
    if (word != NULL)
        sodium_memzero(word, count * sizeof *word);
    free(word);
    return status;
}

/* The candidate in whose share a number below the total lies. */
static size_t find_share(const struct chooser *c, fmpz_t number)
{
    const uint64_t most = c->gap[c->order[c->n - 1]];
    size_t chosen = c->order[c->n - 1];
    uint64_t gap = 0;
    PBY_FMPZ(weight, share);
    fmpz_pow_ui(weight, c->p, most);
    for (size_t from = 0, to; from < c->n; from = to) {
        to = level_end(c, from);
        const uint64_t next = c->gap[c->order[from]];
        fmpz_pow_ui(share, c->p, next - gap);
        fmpz_divexact(weight, weight, share);
        times_power(weight, c->q, next - gap);
        gap = next;
        fmpz_mul_ui(share, weight, to - from);
        if (fmpz_cmp(number, share) < 0) {
            fmpz_fdiv_q(share, number, weight);
            chosen = c->order[from + fmpz_get_ui(share)];
            break;
        }
        fmpz_sub(number, number, share);
    }
    return chosen;
}

static pby_status power_draw(pby_chooser *chooser, pby_entropy *source, uint64_t *chosen, pby_error *err)
{
    const struct chooser *c = (const struct chooser *)chooser;
    PBY_FMPZ(number);
    const pby_status status = uniform(number, c->total, source, err);
    if (status == PBY_OK)
        *chosen = find_share(c, number);
    fmpz_zero(number);
    return status;
}

/* ---- chances ------------------------------------------------------------------------------------ */

static pby_status power_chance(arb_t chance, const pby_chooser *chooser, size_t candidate, slong prec,
                               pby_error *err)
{
    (void)err;
    const struct chooser *c = (const struct chooser *)chooser;
    const uint64_t gap = c->gap[candidate], most = c->gap[c->order[c->n - 1]];
    PBY_FMPZ(weight);
    fmpz_pow_ui(weight, c->p, most - gap);
    times_power(weight, c->q, gap);
    arb_set_fmpz(chance, weight);
    arb_div_fmpz(chance, chance, c->total, prec);
    return PBY_OK;
}

/* One best candidate, and all others the next integer beyond beta below it. */
static pby_status power_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                              slong prec, pby_error *err)
{
    (void)err;
    enum { GUARD = 32 };
    const uint64_t reach = pby_power_reach(m);
    PBY_ARB(all);
    PBY_FMPZ(gap);
    fmpz_fdiv_q(gap, fmpq_numref(beta), fmpq_denref(beta));
    fmpz_add_ui(gap, gap, 1);
    if (fmpz_cmp_ui(gap, reach) > 0)
        fmpz_set_ui(gap, reach);
    fmpz_neg(gap, gap);
    arb_set_fmpq(chance, &m->value[0], prec + GUARD + (slong)fmpz_bits(gap));
    arb_pow_fmpz(chance, chance, gap, prec + GUARD);
    arb_mul_ui(chance, chance, candidates - 1, prec + GUARD);
    arb_add_ui(all, chance, 1, prec + GUARD);
    arb_div(chance, chance, all, prec);
    return PBY_OK;
}

const pby_chooser_class pby_power_chooser = {
    .whole = true,
    .expected = "a score that is an integer of at most 40 digits, such as 3 or -12",
    .open = power_open,
    .load = power_load,
    .draw = power_draw,
    .chance = power_chance,
    .forget = power_forget,
    .free = power_free,
    .worse = power_worse,
    .level = pby_weighed_level,
};
