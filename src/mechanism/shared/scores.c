/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/scores.h"
#include "probity/experimental/parts.h"

#include <fmpq_vec.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/uniform.h"
#include "law/laws.h"
#include "law/pick.h"
#include "mechanism/shared/chooser.h"
#include "number/scoped.h"

_Static_assert((int)PBY_CANDIDATES_MAX <= (int)PBY_CELLS_MAX, "a table holds every law of levels");

enum { RATE_BITS = 128, FIRST_ROOM = 64, WORDS = 64 };

struct pby_scores {
    const pby_chooser_class *class; /* NULL where chances are in proportion to exp(rate score) */
    pby_chooser *chooser;
    bool loaded; /* the chooser has the scores */

    fmpq_t rate;
    fmpq *score; /* of each candidate; room of them are initialised */
    size_t count, room;

    /* Once they are sorted. */
    size_t *order; /* the candidates, the best first */
    size_t *first; /* where each level begins in that order, and where the last ends */
    size_t *level; /* of each candidate */
    size_t levels;
    pby_sampler *sampler; /* of the levels */
};

pby_status pby_scores_new(pby_scores **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    pby_scores *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    fmpq_init(s->rate);
    m->family->rate(s->rate, m);
    if (fmpz_bits(fmpq_numref(s->rate)) > RATE_BITS || fmpz_bits(fmpq_denref(s->rate)) > RATE_BITS) {
        pby_scores_free(s);
        return pby_mechanism_refuse(m, "an eps and a sensitivity whose quotient has up to 38 digits", err);
    }
    s->class = m->family->chooser;
    const pby_status status = s->class == NULL ? PBY_OK : s->class->open(&s->chooser, m, err);
    if (status != PBY_OK)
        pby_scores_free(s);
    else
        *out = s;
    return status;
}

const char *pby_scores_expected(const pby_mechanism *m)
{
    const pby_chooser_class *class = m->family->chooser;
    return class != NULL && class->expected != NULL
               ? class->expected
               : "a score of at most 40 digits above and below the line, such as 3, -0.25 or 7/3";
}

_Static_assert(PBY_SCORE_DIGITS == 40, "what is expected says so");

static void unsort(pby_scores *s)
{
    if (s->order != NULL)
        sodium_memzero(s->order, s->count * sizeof *s->order);
    if (s->level != NULL)
        sodium_memzero(s->level, s->count * sizeof *s->level);
    if (s->first != NULL)
        sodium_memzero(s->first, (s->count + 1) * sizeof *s->first);
    free(s->order);
    free(s->level);
    free(s->first);
    pby_sampler_free(s->sampler);
    s->order = s->first = s->level = NULL;
    s->sampler = NULL;
    if (s->loaded)
        s->class->forget(s->chooser);
    s->loaded = false;
}

void pby_scores_clear(pby_scores *s)
{
    unsort(s);
    s->count = 0;
}

void pby_scores_free(pby_scores *s)
{
    if (s == NULL)
        return;
    unsort(s);
    if (s->score != NULL) {
        for (size_t i = 0; i < s->room; i++)
            fmpq_clear(s->score + i);
        sodium_memzero(s->score, s->room * sizeof *s->score);
    }
    free(s->score);
    if (s->chooser != NULL)
        s->class->free(s->chooser);
    fmpq_clear(s->rate);
    free(s);
}

/* Numbers are moved as they are; what is left behind is wiped. */
static pby_status grow(pby_scores *s, pby_error *err)
{
    const size_t room = s->room == 0 ? FIRST_ROOM : 2 * s->room;
    fmpq *more = reallocarray(NULL, room, sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    if (s->score != NULL) {
        memcpy(more, s->score, s->room * sizeof *more);
        sodium_memzero(s->score, s->room * sizeof *s->score);
        free(s->score);
    }
    for (size_t i = s->room; i < room; i++)
        fmpq_init(more + i);
    s->score = more;
    s->room = room;
    return PBY_OK;
}

/* A word has 20 digits at most. */
static bool is_long(mpz_srcptr x)
{
    return mpz_size(x) > 1 && mpz_sizeinbase(x, 10) > PBY_SCORE_DIGITS + 1;
}

pby_status pby_scores_add(pby_scores *s, mpq_srcptr score, pby_error *err)
{
    if (is_long(mpq_numref(score)) || is_long(mpq_denref(score)))
        return pby_fail(err, PBY_BAD, "score: expected at most %d digits above and below the line",
                        PBY_SCORE_DIGITS);
    if (s->class != NULL && s->class->whole && mpz_cmp_ui(mpq_denref(score), 1) != 0)
        return pby_fail(err, PBY_BAD, "score: expected an integer");
    if (s->count == PBY_CANDIDATES_MAX)
        return pby_fail(err, PBY_BAD, "candidates: expected at most %d", PBY_CANDIDATES_MAX);
    if (s->order != NULL || s->loaded)
        unsort(s);
    const pby_status status = s->count < s->room ? PBY_OK : grow(s, err);
    if (status == PBY_OK)
        fmpq_set_mpq(s->score + s->count++, score);
    return status;
}

/* ---- levels ----------------------------------------------------------------------------------- */

/* The greatest score first, and of equal ones the candidate that came first. */
static int by_score(const void *a, const void *b, void *scores)
{
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const fmpq *score = scores;
    const int order = fmpq_cmp(score + j, score + i);
    return order != 0 ? order : (i > j) - (i < j);
}

static void find_levels(pby_scores *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->order[i] = i;
    qsort_r(s->order, s->count, sizeof *s->order, by_score, s->score);
    s->levels = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (i == 0 || !fmpq_equal(s->score + s->order[i], s->score + s->order[i - 1]))
            s->first[s->levels++] = i;
        s->level[s->order[i]] = s->levels - 1;
    }
    s->first[s->levels] = s->count;
}

/* fall = rate (best - score) of a level, times how many have it. */
static pby_status make_law(pby_law **law, const pby_scores *s, pby_error *err)
{
    fmpq *fall = _fmpq_vec_init((slong)s->levels);
    uint64_t *times = reallocarray(NULL, s->levels, sizeof *times);
    pby_status status = times == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t l = 0; l < s->levels && status == PBY_OK; l++) {
        fmpq_sub(fall + l, s->score + s->order[0], s->score + s->order[s->first[l]]);
        fmpq_mul(fall + l, fall + l, s->rate);
        times[l] = s->first[l + 1] - s->first[l];
    }
    if (status == PBY_OK)
        status = pby_law_levels(law, fall, times, s->levels, err);
    if (times != NULL)
        sodium_memzero(times, s->levels * sizeof *times);
    free(times);
    _fmpq_vec_clear(fall, (slong)s->levels);
    return status;
}

static pby_status sort(pby_scores *s, pby_error *err)
{
    pby_law *law;
    s->order = reallocarray(NULL, s->count, sizeof *s->order);
    s->level = reallocarray(NULL, s->count, sizeof *s->level);
    s->first = reallocarray(NULL, s->count + 1, sizeof *s->first);
    if (s->order == NULL || s->level == NULL || s->first == NULL) {
        unsort(s);
        return pby_no_memory(err);
    }
    find_levels(s);
    pby_status status = make_law(&law, s, err);
    if (status == PBY_OK)
        status = pby_sampler_of_law(&s->sampler, law, err);
    if (status != PBY_OK)
        unsort(s);
    return status;
}

/* Makes ready what candidates are chosen by. */
static pby_status prepare(pby_scores *s, pby_error *err)
{
    if (s->sampler != NULL || s->loaded)
        return PBY_OK;
    if (s->count == 0)
        return pby_fail(err, PBY_BAD, "candidates: expected at least one");
    if (s->class == NULL)
        return sort(s, err);
    const pby_status status = s->class->load(s->chooser, s->score, s->count, err);
    s->loaded = status == PBY_OK;
    return status;
}

/* ---- draws ------------------------------------------------------------------------------------ */

/* Words that are read a few at a time. */
struct words {
    pby_entropy *source;
    uint64_t word[WORDS];
    size_t at, count;
};

static pby_status one_of(uint64_t *out, uint64_t n, struct words *w, pby_error *err)
{
    pby_status status = PBY_OK;
    *out = 0;
    while (n > 1 && status == PBY_OK && pby_uniform(w->word, w->count, &w->at, n, out) != 0) {
        status = pby_entropy_words(w->source, w->word, WORDS, err);
        w->at = 0;
        w->count = WORDS;
    }
    return status;
}

/* ---- one draw among many ------------------------------------------------------------------------ */

/* grain = a whole number of which every score is a multiple of 1/grain; false where it is long. */
static bool find_grain(fmpz_t grain, const pby_scores *s)
{
    enum { BITS_MAX = 48 };
    fmpz_one(grain);
    for (size_t i = 0; i < s->count && fmpz_bits(grain) <= BITS_MAX; i++)
        if (!fmpz_is_one(fmpq_denref(s->score + i)) && !fmpz_divisible(grain, fmpq_denref(s->score + i)))
            fmpz_lcm(grain, grain, fmpq_denref(s->score + i));
    return fmpz_bits(grain) <= BITS_MAX;
}

/* fall[i] = grain (best - score i); false where one is too long. */
static bool find_falls(uint64_t *fall, const pby_scores *s, const fmpz_t grain)
{
    enum { BITS_MAX = 62 };
    bool fit = true;
    size_t best = 0;
    PBY_FMPZ(top, one, factor);
    for (size_t i = 1; i < s->count; i++)
        if (fmpq_cmp(s->score + i, s->score + best) > 0)
            best = i;
    for (size_t i = 0; i <= s->count && fit; i++) {
        const fmpq *score = s->score + (i == 0 ? best : i - 1);
        fmpz_set(one, fmpq_numref(score));
        if (!fmpz_is_one(grain)) {
            fmpz_divexact(factor, grain, fmpq_denref(score));
            fmpz_mul(one, one, factor);
        }
        if (i == 0)
            fmpz_set(top, one);
        fmpz_sub(one, top, one);
        fit = fmpz_bits(one) <= BITS_MAX;
        if (fit && i > 0)
            fall[i - 1] = fmpz_get_ui(one);
    }
    return fit;
}

/* *done is false where the scores lie on no grid that is coarse enough. */
static pby_status pick(bool *done, uint64_t *chosen, const pby_scores *s, pby_entropy *source, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_FMPZ(grain);
    PBY_FMPQ(rate);
    uint64_t *fall = reallocarray(NULL, s->count, sizeof *fall);
    if (fall == NULL)
        status = pby_no_memory(err);
    *done = status == PBY_OK && find_grain(grain, s) && find_falls(fall, s, grain);
    if (*done) {
        fmpq_div_fmpz(rate, s->rate, grain);
        status = pby_pick(chosen, fall, s->count, rate, source, err);
    }
    if (fall != NULL)
        sodium_memzero(fall, s->count * sizeof *fall);
    free(fall);
    return status;
}

/* From so many candidates on a single draw makes no table. */
enum { WITHOUT_TABLE = 1 << 13 };

static pby_status draw_by_level(pby_scores *s, struct words *words, uint64_t *chosen, pby_error *err)
{
    int64_t level;
    uint64_t which = 0;
    pby_status status = pby_draw_many(s->sampler, words->source, &level, 1, err);
    if (status != PBY_OK)
        return status;
    const size_t first = s->first[level];
    status = one_of(&which, s->first[level + 1] - first, words, err);
    *chosen = s->order[first + which];
    return status;
}

pby_status pby_scores_draw(pby_scores *s, pby_entropy *source, uint64_t *chosen, size_t count, pby_error *err)
{
    struct words words = {.source = source};
    bool done = false;
    pby_status status = PBY_OK;
    if (count == 1 && s->class == NULL && s->sampler == NULL && s->count >= WITHOUT_TABLE)
        status = pick(&done, chosen, s, source, err);
    if (done || status != PBY_OK)
        return status;
    status = prepare(s, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = s->class == NULL ? draw_by_level(s, &words, &chosen[i], err)
                                  : s->class->draw(s->chooser, source, &chosen[i], err);
    sodium_memzero(&words, sizeof words);
    if (status != PBY_OK)
        sodium_memzero(chosen, count * sizeof *chosen);
    return status;
}

pby_status pby_scores_chance(arb_t chance, pby_scores *s, uint64_t candidate, slong prec, pby_error *err)
{
    const pby_status status = prepare(s, err);
    if (status != PBY_OK)
        return status;
    if (s->class != NULL)
        return s->class->chance(chance, s->chooser, (size_t)candidate, prec, err);
    const size_t level = s->level[candidate];
    pby_law_mass_arb(chance, s->sampler->law, (int64_t)level, prec);
    arb_div_ui(chance, chance, s->first[level + 1] - s->first[level], prec);
    return PBY_OK;
}

void pby_weighed_level(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec)
{
    PBY_ARB(weight, all);
    arb_neg(weight, s);
    arb_exp(weight, weight, prec);
    arb_mul_ui(weight, weight, candidates - 1, prec);
    arb_add_ui(all, weight, 1, prec);
    arb_div(chance, weight, all, prec);
    arb_div(slope, chance, all, prec);
    arb_neg(slope, slope);
}
