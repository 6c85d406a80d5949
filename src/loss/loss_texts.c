/* SPDX-License-Identifier: MIT */
/* The losses with numbers as text. */
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/loss.h"
#include "probity/rational.h"

static const char *value_name(pby_question question)
{
    static const char *const names[] = {[PBY_ASK_DELTA] = "epsilon",
                                        [PBY_ASK_EPSILON] = "delta",
                                        [PBY_ASK_RENYI] = "order",
                                        [PBY_ASK_RHO] = "value",
                                        [PBY_ASK_MU] = "value"};
    return (size_t)question < sizeof names / sizeof *names ? names[question] : "value";
}

static unsigned digits_of(unsigned digits)
{
    return digits == 0 ? PBY_DIGITS_DEFAULT : digits;
}

pby_status pby_loss_text(pby_decimals *answer, bool *wider, pby_question question, const pby_spec *spec,
                         pby_neighbours relation, const char *value, const char *width, unsigned digits,
                         pby_error *err)
{
    pby_worded w;
    PBY_MPQ(most);
    pby_status status = pby_worded_begin(&w, value_name(question), value, err);
    if (status == PBY_OK && width != NULL)
        status = pby_rational_parse(most, "width", width, err);
    if (status == PBY_OK)
        status = pby_loss(
            &w.answer, question, spec, relation, w.value,
            &(pby_loss_options){.digits = digits, .width = width == NULL ? NULL : most, .wider = wider}, err);
    return pby_worded_end(&w, answer, digits, status);
}

pby_status pby_loss_delta_text(pby_decimals *delta, const pby_spec *spec, pby_neighbours relation,
                               const char *epsilon, unsigned digits, pby_error *err)
{
    return pby_loss_text(delta, NULL, PBY_ASK_DELTA, spec, relation, epsilon, NULL, digits, err);
}

pby_status pby_loss_epsilon_text(pby_decimals *epsilon, const pby_spec *spec, pby_neighbours relation,
                                 const char *delta, unsigned digits, pby_error *err)
{
    return pby_loss_text(epsilon, NULL, PBY_ASK_EPSILON, spec, relation, delta, NULL, digits, err);
}

/* *delta is "" where nothing is claimed. */
pby_status pby_loss_claimed_text(pby_decimals *delta, const char **source, const pby_spec *spec,
                                 pby_neighbours relation, const char *epsilon, unsigned digits,
                                 pby_error *err)
{
    pby_worded w;
    *source = NULL;
    pby_status status = pby_worded_begin(&w, "epsilon", epsilon, err);
    if (status == PBY_OK)
        status = pby_loss_claimed(&w.answer, source, spec, relation, w.value, digits_of(digits), err);
    status = pby_worded_end(&w, delta, digits, status);
    if (*source == NULL)
        delta->lo[0] = delta->hi[0] = '\0';
    return status;
}

static void set_approximate(pby_decimals *loss, pby_decimals *delta, const pby_approximate *x,
                            unsigned digits)
{
    if (loss != NULL)
        pby_decimals_set(loss, &x->loss, digits);
    if (delta != NULL)
        pby_decimals_set(delta, &x->delta, digits);
}

pby_status pby_loss_renyi_text(pby_decimals *renyi, pby_decimals *loss, pby_decimals *delta,
                               const pby_spec *spec, pby_neighbours relation, const char *order,
                               unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_approximate x;
    const bool approximate = loss != NULL || delta != NULL;
    pby_approximate_init(&x);
    pby_status status = pby_worded_begin(&w, "order", order, err);
    if (status == PBY_OK)
        status = pby_loss_renyi(&w.answer, approximate ? &x : NULL, spec, relation,
                                order == NULL ? NULL : w.value, digits_of(digits), err);
    if (status == PBY_OK && approximate)
        set_approximate(loss, delta, &x, digits);
    pby_approximate_clear(&x);
    return pby_worded_end(&w, renyi, digits, status);
}

pby_status pby_loss_zcdp_text(pby_decimals *rho, pby_decimals *loss, pby_decimals *delta,
                              const pby_spec *spec, pby_neighbours relation, const char *xi, unsigned digits,
                              pby_error *err)
{
    pby_worded w;
    pby_approximate x;
    const bool approximate = loss != NULL || delta != NULL;
    pby_approximate_init(&x);
    pby_status status = pby_worded_begin(&w, "xi", xi, err);
    if (status == PBY_OK)
        status = pby_loss_zcdp(&w.answer, approximate ? &x : NULL, spec, relation, w.value, digits_of(digits),
                               err);
    if (status == PBY_OK && approximate)
        set_approximate(loss, delta, &x, digits);
    pby_approximate_clear(&x);
    return pby_worded_end(&w, rho, digits, status);
}

pby_status pby_loss_convert_text(pby_decimals *answer, const char *name, pby_question question,
                                 const pby_spec *spec, pby_neighbours relation, const char *value,
                                 unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, value_name(question), value, err);
    if (status == PBY_OK)
        status = pby_loss_convert(&w.answer, name, question, spec, relation, value == NULL ? NULL : w.value,
                                  digits_of(digits), err);
    return pby_worded_end(&w, answer, digits, status);
}

pby_status pby_loss_composed_text(pby_decimals *answer, pby_composition by, pby_question question,
                                  const pby_spec *spec, pby_neighbours relation, const char *value,
                                  unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, value_name(question), value, err);
    if (status == PBY_OK)
        status = pby_loss_composed(&w.answer, by, question, spec, relation, w.value, digits_of(digits), err);
    return pby_worded_end(&w, answer, digits, status);
}

pby_status pby_loss_group_delta_text(pby_decimals *delta, bool *wider, const pby_spec *spec,
                                     pby_neighbours relation, unsigned long size, const char *epsilon,
                                     unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "epsilon", epsilon, err);
    if (status == PBY_OK)
        status =
            pby_loss_group_delta(&w.answer, wider, spec, relation, size, w.value, digits_of(digits), err);
    return pby_worded_end(&w, delta, digits, status);
}

pby_status pby_loss_group_epsilon_text(pby_decimals *epsilon, bool *wider, const pby_spec *spec,
                                       pby_neighbours relation, unsigned long size, const char *delta,
                                       unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "delta", delta, err);
    if (status == PBY_OK)
        status =
            pby_loss_group_epsilon(&w.answer, wider, spec, relation, size, w.value, digits_of(digits), err);
    return pby_worded_end(&w, epsilon, digits, status);
}
