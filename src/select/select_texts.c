/* SPDX-License-Identifier: MIT */
/* Selection with numbers as text. */
#include <stdlib.h>

#include "base/status.h"
#include "number/number_texts.h"
#include "probity/experimental/buckets.h"
#include "probity/rational.h"
#include "probity/select.h"

enum { EPSILON, DELTA, RHO, MU, RESOLUTION, COUNT };

pby_status pby_select_text(pby_choice **out, const char *family, const pby_target_words *target,
                           pby_error *err)
{
    static const char *const names[COUNT] = {"epsilon", "delta", "rho", "mu", "resolution"};
    const char *const texts[COUNT] = {target->epsilon, target->delta, target->rho, target->mu,
                                      target->resolution};
    mpq_t x[COUNT];
    *out = NULL;
    for (size_t i = 0; i < COUNT; i++)
        mpq_init(x[i]);
    pby_status status = pby_worded_parse(x, names, texts, COUNT, err);
    if (status == PBY_OK && target->rho == NULL && target->mu == NULL &&
        (target->epsilon == NULL || target->delta == NULL))
        status = pby_fail(err, PBY_BAD, "epsilon: expected this and delta, rho, or mu");
    const pby_target numbers = {.epsilon = target->epsilon == NULL ? NULL : x[EPSILON],
                                .delta = target->delta == NULL ? NULL : x[DELTA],
                                .rho = target->rho == NULL ? NULL : x[RHO],
                                .mu = target->mu == NULL ? NULL : x[MU],
                                .relation = target->relation,
                                .uses = target->uses,
                                .resolution = target->resolution == NULL ? NULL : x[RESOLUTION]};
    if (status == PBY_OK)
        status = pby_select(out, family, &numbers, err);
    for (size_t i = 0; i < COUNT; i++)
        mpq_clear(x[i]);
    return status;
}

/* ---- a choice ----------------------------------------------------------------------------------- */

static const pby_candidate *candidate(const pby_choice *choice, pby_candidate_name which)
{
    return which == PBY_CHOSEN ? &choice->chosen : which == PBY_BETTER ? &choice->better : &choice->recipe;
}

const pby_spec *pby_choice_spec(const pby_choice *choice, pby_candidate_name which)
{
    return candidate(choice, which)->spec;
}

pby_status pby_choice_text(char **value, pby_decimals *loss, const pby_choice *choice,
                           pby_candidate_name which, unsigned digits, pby_error *err)
{
    const pby_candidate *c = candidate(choice, which);
    if (value != NULL)
        *value = NULL;
    if (c->spec == NULL)
        return pby_fail(err, PBY_BAD, "which: expected a candidate that the choice has");
    const pby_enclosure *asked = !mpfr_nan_p(c->delta.lo) ? &c->delta
                                 : !mpfr_nan_p(c->rho.lo) ? &c->rho
                                                          : &c->mu;
    pby_decimals_set(loss, asked, digits);
    return value == NULL ? PBY_OK : pby_rational_print(value, c->value, err);
}

pby_status pby_partition_chance_text(pby_decimals *chance, bool *sure, const pby_spec *spec, uint64_t k,
                                     unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "", NULL, err);
    if (status == PBY_OK)
        status =
            pby_partition_chance(&w.answer, sure, spec, k, digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    return pby_worded_end(&w, chance, digits, status);
}

/* ---- plans -------------------------------------------------------------------------------------- */

void pby_plan_words_clear(pby_plan_words *plan)
{
    free(plan->side);
    free(plan->width);
    free(plan->alpha);
    free(plan->beta);
    *plan = (pby_plan_words){NULL, NULL, NULL, NULL};
}

static pby_status set_words(pby_plan_words *out, const pby_plan *plan, pby_error *err)
{
    out->side = mpz_get_str(NULL, 10, plan->side);
    pby_status status = pby_rational_print(&out->width, plan->width, err);
    if (status == PBY_OK)
        status = pby_rational_print(&out->alpha, plan->alpha, err);
    if (status == PBY_OK)
        status = pby_rational_print(&out->beta, plan->beta, err);
    if (status != PBY_OK)
        pby_plan_words_clear(out);
    return status;
}

static pby_status make_side(pby_plan *plan, const pby_bucketed *points, mpq_srcptr side, pby_error *err)
{
    if (mpz_cmp_ui(mpq_denref(side), 1) != 0)
        return pby_fail(err, PBY_BAD, "side: expected an integer from 1 on");
    return pby_plan_side(plan, points, mpq_numref(side), err);
}

enum { Q, BOUND, SIDE, BETA, ALPHA, NUMBERS };

pby_status pby_plan_text(pby_plan_words *out, const pby_bucketed_words *points, const char *side,
                         const char *beta, const char *alpha, pby_error *err)
{
    static const char *const names[NUMBERS] = {"q", "bound", "side", "beta", "alpha"};
    const char *const texts[NUMBERS] = {points->q, points->bound, side, beta, alpha};
    pby_plan plan;
    mpq_t x[NUMBERS];
    *out = (pby_plan_words){NULL, NULL, NULL, NULL};
    if ((side != NULL) + (beta != NULL) + (alpha != NULL) != 1 || points->q == NULL || points->bound == NULL)
        return pby_fail(err, PBY_BAD, "points: expected q and bound, and one of side, beta and alpha");
    pby_plan_init(&plan);
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_init(x[i]);
    const pby_bucketed numbers = {x[Q], x[BOUND], points->n, points->dimension};
    pby_status status = pby_worded_parse(x, names, texts, NUMBERS, err);
    if (status == PBY_OK)
        status = side != NULL   ? make_side(&plan, &numbers, x[SIDE], err)
                 : beta != NULL ? pby_plan_beta(&plan, &numbers, x[BETA], err)
                                : pby_plan_alpha(&plan, &numbers, x[ALPHA], err);
    if (status == PBY_OK)
        status = set_words(out, &plan, err);
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_clear(x[i]);
    pby_plan_clear(&plan);
    return status;
}
