/* SPDX-License-Identifier: MIT */
/* Which mean error is asked for, and the composition of average accuracies (docs/theory/average.md). */
#include "accuracy/average.h"
#include "accuracy/accuracy.h"

#include "accuracy/row.h"
#include "number/ball.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"

typedef pby_status mean_of(arb_t beta, const pby_mean *of, pby_error *err);

static pby_status choose(mean_of **out, const pby_mechanism *m, pby_accuracy_kind kind, pby_error *err)
{
    switch (kind) {
    case PBY_ACCURACY_NOISY:
    case PBY_ACCURACY_QUERY:
        *out = pby_mean_of_noise;
        return PBY_OK;
    case PBY_ACCURACY_GATED:
        *out = pby_mean_of_gate;
        return PBY_OK;
    case PBY_ACCURACY_CHOICE:
        *out = pby_mean_of_choice;
        return PBY_OK;
    case PBY_ACCURACY_POINT:
        *out = pby_mean_of_point;
        return PBY_OK;
    case PBY_ACCURACY_SHARE:
    case PBY_ACCURACY_MEAN:
        *out = pby_mean_of_share;
        return PBY_OK;
    case PBY_ACCURACY_STREAM:
        *out = pby_mean_of_session;
        return PBY_OK;
    case PBY_ACCURACY_TOTALS:
        return pby_refuse(
            err, "SPEC", m->family->name,
            "it without a mean: the greatest of many totals that depend on each other has none that "
            "is known; its chance is");
    case PBY_ACCURACY_DROPS:
    case PBY_ACCURACY_HIDES:
    case PBY_ACCURACY_BEHIND:
        break;
    }
    return pby_refuse(err, "SPEC", m->family->name,
                      "one that adds noise: what only removes records has the same alpha and beta as a mean");
}

static pby_status check(mean_of **mean, const pby_mechanism **m, const pby_spec *spec,
                        const pby_input_class *inputs, mpq_srcptr gamma, pby_error *err)
{
    pby_accuracy_kind kind;
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    *m = &spec->use[0].mechanism;
    if (status == PBY_OK && kind != PBY_ACCURACY_STREAM)
        status = pby_spec_single(m, spec, "one mechanism, used once", err);
    if (status == PBY_OK)
        status = choose(mean, *m, kind, err);
    if (status == PBY_OK && (mpq_sgn(gamma) < 0 || mpq_cmp_ui(gamma, 1, 1) > 0))
        status = pby_refuse_mpq(err, "gamma", gamma, "a rational from 0 to 1");
    if (status == PBY_OK && (inputs->support == 0 || inputs->support > UINT32_MAX))
        status = pby_fail(err, PBY_BAD, "support: expected an integer from 1 to 4294967295");
    return status;
}

pby_status pby_accuracy_average(pby_enclosure *beta, const pby_spec *spec, const pby_input_class *inputs,
                                mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    pby_mean of = {.spec = spec,
                   .n = inputs->n,
                   .support = inputs->support,
                   .digits = digits == 0 ? PBY_DIGITS_DEFAULT : digits};
    mean_of *mean = NULL;
    pby_status status = check(&mean, &of.mechanism, spec, inputs, gamma, err);
    if (status != PBY_OK)
        return status;
    PBY_ARB(ball);
    fmpq_init(of.gamma);
    fmpq_set_mpq(of.gamma, gamma);
    if (!fmpq_is_one(of.gamma))
        status = mean(ball, &of, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(beta, ball, of.digits);
    fmpq_clear(of.gamma);
    return status;
}

void pby_accuracy_compose_average(pby_accuracy *out, const pby_accuracy *first, const pby_accuracy *second,
                                  const pby_distance *sigma, const pby_distance *tau)
{
    out->alpha.infinite = first->alpha.infinite || sigma->infinite;
    mpq_add(out->alpha.value, first->alpha.value, sigma->value);
    out->beta.infinite = second->beta.infinite || tau->infinite;
    mpq_add(out->beta.value, second->beta.value, tau->value);
    mpq_add(out->gamma, first->gamma, second->gamma);
    if (out->alpha.infinite)
        mpq_set_ui(out->alpha.value, 0, 1);
    if (out->beta.infinite)
        mpq_set_ui(out->beta.value, 0, 1);
    if (mpq_cmp_ui(out->gamma, 1, 1) > 0)
        mpq_set_ui(out->gamma, 1, 1);
}
