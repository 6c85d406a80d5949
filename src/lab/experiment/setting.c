/* SPDX-License-Identifier: MIT */
#include "lab/experiment/setting.h"

#include <flint/fmpq_vec.h>
#include <inttypes.h>
#include <stdio.h>

#include "law/laws.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "probity/select.h"

/* delta = 2^-DELTA_BITS; what a law holds beyond TAIL_BITS is left to a ball. */
enum { DELTA_BITS = 20, TAIL_BITS = 62, NUMBERS = 3 };

const char *pby_contestant_name(pby_contestant i)
{
    static const char *const names[PBY_CONTESTANTS] = {"stlap",        "bns", "esa",    "exponential",
                                                       "exponential2", "ptr", "smooth", "choosing"};
    return names[i];
}

/* Chooses the parameter that is left out, or takes the recipe's of a paper, and writes the spec down. */
static pby_status choose(fmpq_t value, char text[PBY_SETTING_TEXT], const pby_setting *s, const char *family,
                         pby_error *err)
{
    mpq_t epsilon, delta;
    pby_choice *choice = NULL;
    mpq_inits(epsilon, delta, NULL);
    fmpq_get_mpq(epsilon, s->eps);
    mpq_set_ui(delta, 1, 1UL << DELTA_BITS);
    const pby_target target = {.epsilon = epsilon, .delta = delta, .relation = PBY_ADD_REMOVE, .uses = 1};
    const pby_status status = pby_select(&choice, family, &target, err);
    if (status == PBY_OK) {
        const bool recipe = s->tuning == PBY_TUNING_CITED && choice->recipe.spec != NULL;
        const pby_candidate *c = recipe ? &choice->recipe : &choice->chosen;
        fmpq_set_mpq(value, c->value);
        snprintf(text, PBY_SETTING_TEXT, "%s", pby_spec_text(c->spec));
    }
    pby_choice_free(choice);
    mpq_clears(epsilon, delta, NULL);
    return status;
}

/* As far as two-sided geometric noise of rate eps goes. */
static int64_t reach_of(const fmpq_t eps)
{
    return (int64_t)(TAIL_BITS / fmpq_get_d(eps)) + 2;
}

static pby_status init_stlap(pby_setting *s, const char *eps, pby_error *err)
{
    char family[64];
    pby_law *law = NULL;
    PBY_FMPQ(q);
    PBY_FMPZ(most);
    snprintf(family, sizeof family, "stlap:eps=%s", eps);
    pby_status status = choose(q, s->text[PBY_CONTESTANT_STLAP], s, family, err);
    if (status == PBY_OK)
        status = pby_law_stlap(&law, s->eps, q, err);
    fmpz_cdiv_q(most, fmpq_numref(q), fmpq_denref(q));
    if (status == PBY_OK)
        status = pby_noisy_bars_init(&s->bars[PBY_CONTESTANT_STLAP], law, -fmpz_get_si(most), 0, 1, 0, err);
    pby_law_free(law);
    return status;
}

/* floor(more + factor ln(2) bits/rate), where it is no integer: no power of 2 has a rational logarithm. */
static int64_t floor_of_logarithm(int64_t more, ulong factor, ulong bits, const fmpq_t rate)
{
    enum { PREC = 256 };
    PBY_ARB(x, w);
    PBY_FMPZ(whole);
    arb_const_log2(x, PREC);
    arb_mul_ui(x, x, factor * bits, PREC);
    arb_set_fmpq(w, rate, PREC);
    arb_div(x, x, w, PREC);
    arb_floor(x, x, PREC);
    return arb_get_unique_fmpz(whole, x) ? more + fmpz_get_si(whole) : INT64_MAX;
}

/* Publishes noisy counts from T on, less a shift, with geometric noise of that rate. */
static pby_status set_bars(pby_setting *s, pby_contestant who, const fmpq_t rate, int64_t threshold,
                           int64_t shift, pby_error *err)
{
    pby_law *law = NULL;
    const int64_t reach = reach_of(rate);
    pby_status status = pby_law_geometric(&law, rate, err);
    if (status == PBY_OK)
        status = pby_noisy_bars_init(&s->bars[who], law, -reach, reach, threshold, shift, err);
    pby_law_free(law);
    return status;
}

/* Noise of half the rate, and a threshold that ln(2/delta) raises. */
static pby_status init_cited_bns(pby_setting *s, const char *eps, pby_error *err)
{
    PBY_FMPQ(half);
    fmpq_div_2exp(half, s->eps, 1);
    const int64_t threshold = 1 + floor_of_logarithm(1, 2, DELTA_BITS + 1, s->eps);
    snprintf(s->text[PBY_CONTESTANT_BNS], PBY_SETTING_TEXT, "threshold:eps=%s/2,T=%" PRId64, eps, threshold);
    return set_bars(s, PBY_CONTESTANT_BNS, half, threshold, 0, err);
}

/* Both publish noisy counts from T on; the second takes T - 1 away from them and has no cited constants. */
static pby_status init_thresholds(pby_setting *s, const char *eps, pby_error *err)
{
    char family[64];
    PBY_FMPQ(value);
    snprintf(family, sizeof family, "threshold:eps=%s", eps);
    const pby_tuning tuning = s->tuning;
    s->tuning = PBY_TUNING_BEST;
    pby_status status = choose(value, s->text[PBY_CONTESTANT_BNS], s, family, err);
    s->tuning = tuning;
    const int64_t threshold = status == PBY_OK ? fmpz_get_si(fmpq_numref(value)) : 1;
    snprintf(s->text[PBY_CONTESTANT_ESA], PBY_SETTING_TEXT, "threshold:eps=%s,T=%" PRId64 ", less %" PRId64,
             eps, threshold, threshold - 1);
    if (status == PBY_OK)
        status = set_bars(s, PBY_CONTESTANT_ESA, s->eps, threshold, threshold - 1, err);
    if (status != PBY_OK)
        return status;
    return tuning == PBY_TUNING_CITED ? init_cited_bns(s, eps, err)
                                      : set_bars(s, PBY_CONTESTANT_BNS, s->eps, threshold, 0, err);
}

/* The decay exp(-eps/(2 ln(2/delta))), rounded up to a multiple of 2^-40: a greater one is a greater S. */
static void init_cited_stable(pby_setting *s, const char *eps)
{
    enum { PREC = 256, GRID = 40 };
    PBY_ARB(x, w);
    PBY_FMPZ(whole);
    s->threshold = floor_of_logarithm(0, 1, DELTA_BITS, s->eps);
    snprintf(s->text[PBY_CONTESTANT_PTR], PBY_SETTING_TEXT, "shown above ln(1/delta)/(%s), that is %" PRId64,
             eps, s->threshold);
    arb_const_log2(w, PREC);
    arb_mul_ui(w, w, 2 * (DELTA_BITS + 1), PREC);
    arb_set_fmpq(x, s->eps, PREC);
    arb_div(x, x, w, PREC);
    arb_neg(x, x);
    arb_exp(x, x, PREC);
    arb_mul_2exp_si(x, x, GRID);
    arb_ceil(x, x, PREC);
    if (!arb_get_unique_fmpz(whole, x))
        fmpz_one_2exp(whole, GRID); /* a decay of 1, more noise, where the bits do not tell */
    fmpz_set(fmpq_numref(s->decay), whole);
    fmpz_one_2exp(fmpq_denref(s->decay), GRID);
    fmpq_canonicalise(s->decay);
    snprintf(s->text[PBY_CONTESTANT_SMOOTH], PBY_SETTING_TEXT, "beta = (%s)/(2 ln(2/delta)), scale 2 S/(%s)",
             eps, eps);
}

static pby_status init_stable(pby_setting *s, const char *eps, size_t bars, pby_error *err)
{
    char family[96];
    PBY_FMPQ(value);
    if (s->tuning == PBY_TUNING_CITED) {
        init_cited_stable(s, eps);
        return PBY_OK;
    }
    snprintf(family, sizeof family, "ptr:eps=%s,answers=%zu", eps, bars + 1);
    pby_status status = choose(value, s->text[PBY_CONTESTANT_PTR], s, family, err);
    s->threshold = status == PBY_OK ? fmpz_get_si(fmpq_numref(value)) : 1;
    snprintf(family, sizeof family, "smooth:eps=%s,range=%zu", eps, bars);
    if (status == PBY_OK)
        status = choose(s->decay, s->text[PBY_CONTESTANT_SMOOTH], s, family, err);
    return status;
}

/* The least integer that passes the test of a round: (8/eps') ln(4/(eps' delta')), eps' = eps/B and
 * delta' = 2 delta/B. */
static void init_cited_choosing(pby_setting *s, size_t bars)
{
    enum { PREC = 256 };
    PBY_ARB(x, w);
    PBY_FMPZ(whole);
    fmpq_set_ui(s->weight, 1, bars);
    fmpq_mul(s->weight, s->weight, s->eps);
    arb_set_fmpq(w, s->weight, PREC);
    arb_set_ui(x, 2 * bars);
    arb_mul_2exp_si(x, x, DELTA_BITS);
    arb_div(x, x, w, PREC);
    arb_log(x, x, PREC);
    arb_div(x, x, w, PREC);
    arb_mul_ui(x, x, 8, PREC);
    arb_floor(x, x, PREC); /* the chance to pass is not less at a lower end */
    s->tested = arb_get_unique_fmpz(whole, x) ? fmpz_get_si(whole) : 0;
    snprintf(s->text[PBY_CONTESTANT_CHOOSING], PBY_SETTING_TEXT,
             "%zu rounds, each ends below %" PRId64 " with noise", bars / 2, s->tested);
}

/* Half of epsilon for the counts. */
static pby_status init_choosing(pby_setting *s, pby_error *err)
{
    char family[96];
    pby_law *law = NULL;
    PBY_FMPQ(half);
    PBY_MPQ(number);
    fmpq_div_2exp(half, s->eps, 1);
    fmpq_get_mpq(number, half);
    gmp_snprintf(family, sizeof family, "choosing:counts=%Qd", number);
    pby_status status = choose(s->weight, s->text[PBY_CONTESTANT_CHOOSING], s, family, err);
    if (status == PBY_OK)
        status = pby_law_geometric(&law, half, err);
    if (status == PBY_OK)
        status = pby_sampler_of_law(&s->counts, law, err);
    if (status == PBY_OK) /* what a seed gives stays as it is printed */
        status = pby_sampler_stream(s->counts, 1, err);
    return status;
}

pby_status pby_setting_init(pby_setting *s, const char *eps, size_t bars, pby_tuning tuning, pby_error *err)
{
    *s = (pby_setting){.tuning = tuning};
    s->eps = _fmpq_vec_init(NUMBERS);
    s->decay = s->eps + 1;
    s->weight = s->eps + 2;
    PBY_MPQ(number);
    pby_status status = pby_rational_parse(number, "eps", eps, err);
    fmpq_set_mpq(s->eps, number);
    snprintf(s->text[PBY_CONTESTANT_EXPONENTIAL], PBY_SETTING_TEXT, "weights exp(-(%s)/(2*%zu) distance)",
             eps, bars);
    snprintf(s->text[PBY_CONTESTANT_TIGHT], PBY_SETTING_TEXT, "weights exp(-(%s)/%zu distance)", eps, bars);
    if (status == PBY_OK)
        status = init_stlap(s, eps, err);
    if (status == PBY_OK)
        status = init_thresholds(s, eps, err);
    if (status == PBY_OK)
        status = init_stable(s, eps, bars, err);
    if (tuning == PBY_TUNING_CITED)
        init_cited_choosing(s, bars);
    return status == PBY_OK && tuning == PBY_TUNING_BEST ? init_choosing(s, err) : status;
}

void pby_setting_clear(pby_setting *s)
{
    for (int i = 0; i < 3; i++)
        pby_noisy_bars_clear(&s->bars[i]);
    pby_sampler_free(s->counts);
    _fmpq_vec_clear(s->eps, NUMBERS);
}
