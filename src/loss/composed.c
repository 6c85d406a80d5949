/* SPDX-License-Identifier: MIT */
/* Composition by a named theorem. */
#include "base/nearest.h"
#include "loss/loss.h"
#include "loss/theorem/advanced.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"

static const char *const names[] = {
    [PBY_COMPOSE_EXACT] = "exact",
    [PBY_COMPOSE_BASIC] = "basic",
    [PBY_COMPOSE_ADVANCED] = "advanced",
    [PBY_COMPOSE_OPTIMAL] = "optimal",
    NULL,
};

const char *pby_composition_text(pby_composition by)
{
    return names[by];
}

pby_status pby_composition_parse(pby_composition *out, const char *name, const char *text, pby_error *err)
{
    size_t i;
    const pby_status status = pby_name_find(&i, names, name, text, err);
    if (status == PBY_OK)
        *out = (pby_composition)i;
    return status;
}

static pby_status theorem_profile(pby_profile **out, pby_composition by, const pby_spec *spec,
                                  pby_neighbours relation, pby_error *err)
{
    pby_parts parts;
    *out = NULL;
    for (size_t i = 0; i < spec->count; i++)
        if (pby_mechanism_allocated(&spec->use[i].mechanism)) /* its pairs end only where their grid does */
            return pby_theorem_unbounded(err);
    const pby_status status = pby_parts_of_spec(&parts, spec, relation, err);
    if (status != PBY_OK)
        return status;
    if (by == PBY_COMPOSE_BASIC)
        return pby_profile_basic(out, &parts, err);
    return by == PBY_COMPOSE_ADVANCED ? pby_profile_advanced(out, &parts, err)
                                      : pby_profile_optimal(out, &parts, err);
}

static pby_status ask_theorem(pby_enclosure *answer, const pby_profile *profile, pby_question question,
                              mpq_srcptr value, unsigned digits, pby_error *err)
{
    PBY_FMPQ(at);
    PBY_ARB(ball);
    fmpq_set_mpq(at, value);
    const pby_status status = question == PBY_ASK_DELTA ? pby_profile_delta(ball, profile, at, digits, err)
                                                        : pby_profile_epsilon(ball, profile, at, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(answer, ball, digits);
    return status;
}

pby_status pby_loss_composed(pby_enclosure *answer, pby_composition by, pby_question question,
                             const pby_spec *spec, pby_neighbours relation, mpq_srcptr value, unsigned digits,
                             pby_error *err)
{
    if (question != PBY_ASK_DELTA && question != PBY_ASK_EPSILON)
        return pby_fail(err, PBY_BAD, "a composition theorem: expected to be asked for delta or epsilon");
    if (question == PBY_ASK_EPSILON && mpq_sgn(value) < 0)
        return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    if (by == PBY_COMPOSE_EXACT)
        return question == PBY_ASK_DELTA ? pby_loss_delta(answer, spec, relation, value, digits, err)
                                         : pby_loss_epsilon(answer, spec, relation, value, digits, err);
    pby_profile *profile;
    pby_status status = theorem_profile(&profile, by, spec, relation, err);
    if (status == PBY_OK)
        status = ask_theorem(answer, profile, question, value, digits, err);
    pby_profile_free(profile);
    return status;
}
