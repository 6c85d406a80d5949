/* SPDX-License-Identifier: MIT */
#include "experiment/setting.h"

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

/* Chooses the parameter that is left out, and writes the spec down. */
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
        fmpq_set_mpq(value, choice->chosen.value);
        snprintf(text, PBY_SETTING_TEXT, "%s", pby_spec_text(choice->chosen.spec));
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

/* Both publish noisy counts from T on; the second takes T - 1 away from them. */
static pby_status init_thresholds(pby_setting *s, const char *eps, pby_error *err)
{
    char family[64];
    pby_law *law = NULL;
    const int64_t reach = reach_of(s->eps);
    PBY_FMPQ(value);
    snprintf(family, sizeof family, "threshold:eps=%s", eps);
    pby_status status = choose(value, s->text[PBY_CONTESTANT_BNS], s, family, err);
    const int64_t threshold = status == PBY_OK ? fmpz_get_si(fmpq_numref(value)) : 1;
    snprintf(s->text[PBY_CONTESTANT_ESA], PBY_SETTING_TEXT, "threshold:eps=%s,T=%" PRId64 ", less %" PRId64,
             eps, threshold, threshold - 1);
    if (status == PBY_OK)
        status = pby_law_geometric(&law, s->eps, err);
    for (int i = 0; i < 2 && status == PBY_OK; i++)
        status = pby_noisy_bars_init(&s->bars[PBY_CONTESTANT_BNS + i], law, -reach, reach, threshold,
                                     i == 0 ? 0 : threshold - 1, err);
    pby_law_free(law);
    return status;
}

static pby_status init_stable(pby_setting *s, const char *eps, size_t bars, pby_error *err)
{
    char family[96];
    PBY_FMPQ(value);
    snprintf(family, sizeof family, "ptr:eps=%s,answers=%zu", eps, bars + 1);
    pby_status status = choose(value, s->text[PBY_CONTESTANT_PTR], s, family, err);
    s->threshold = status == PBY_OK ? fmpz_get_si(fmpq_numref(value)) : 1;
    snprintf(family, sizeof family, "smooth:eps=%s,range=%zu", eps, bars);
    if (status == PBY_OK)
        status = choose(s->decay, s->text[PBY_CONTESTANT_SMOOTH], s, family, err);
    return status;
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

pby_status pby_setting_init(pby_setting *s, const char *eps, size_t bars, pby_error *err)
{
    *s = (pby_setting){.counts = NULL};
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
    return status == PBY_OK ? init_choosing(s, err) : status;
}

void pby_setting_clear(pby_setting *s)
{
    for (int i = 0; i < 3; i++)
        pby_noisy_bars_clear(&s->bars[i]);
    pby_sampler_free(s->counts);
    _fmpq_vec_clear(s->eps, NUMBERS);
}
