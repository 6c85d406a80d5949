/* SPDX-License-Identifier: MIT */
/* Functions of versions before 1.0.0 that a request has replaced, for programs written for them.
 *
 * probity.h does not include this header, and 1.1.0 will not have it. Each function says what to call instead
 * by what it calls.
 */
#ifndef PROBITY_COMPAT_H
#define PROBITY_COMPAT_H

#include "probity/audit.h"
#include "probity/loss.h"

PBY_BEGIN_API

static inline pby_status pby_compat_ask(pby_decimals *value, bool *wider, pby_decimals *loss,
                                        pby_decimals *delta, const pby_spec *spec,
                                        const pby_loss_request *request, pby_error *err)
{
    pby_answer answer;
    pby_answer_init(&answer);
    const pby_status status = pby_loss_ask(&answer, spec, request, err);
    if (status == PBY_OK)
        *value = answer.text;
    if (status == PBY_OK && wider != NULL)
        *wider = answer.wider;
    if (status == PBY_OK && loss != NULL)
        *loss = answer.approximate_loss;
    if (status == PBY_OK && delta != NULL)
        *delta = answer.approximate_delta;
    pby_answer_clear(&answer);
    return status;
}

static inline pby_loss_request pby_compat_request(pby_question ask, pby_neighbours relation, const char *at,
                                                  unsigned digits)
{
    pby_loss_request request;
    request.ask = ask;
    request.relation = relation;
    request.at.text = at;
    request.at.rational = NULL;
    request.conversion = NULL;
    request.composition = NULL;
    request.group = 1;
    request.width.text = NULL;
    request.width.rational = NULL;
    request.digits = digits;
    return request;
}

PBY_CHECKED
static inline pby_status pby_loss_text(pby_decimals *answer, bool *wider, pby_question question,
                                       const pby_spec *spec, pby_neighbours relation, const char *value,
                                       const char *width, unsigned digits, pby_error *err)
{
    pby_loss_request request = pby_compat_request(question, relation, value, digits);
    request.width.text = width;
    return pby_compat_ask(answer, wider, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_delta_text(pby_decimals *delta, const pby_spec *spec,
                                             pby_neighbours relation, const char *epsilon, unsigned digits,
                                             pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_DELTA, relation, epsilon, digits);
    return pby_compat_ask(delta, NULL, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_epsilon_text(pby_decimals *epsilon, const pby_spec *spec,
                                               pby_neighbours relation, const char *delta, unsigned digits,
                                               pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_EPSILON, relation, delta, digits);
    return pby_compat_ask(epsilon, NULL, NULL, NULL, spec, &request, err);
}

/* Both texts are "" where nothing is claimed. */
PBY_CHECKED
static inline pby_status pby_loss_claimed_text(pby_decimals *delta, const char **source, const pby_spec *spec,
                                               pby_neighbours relation, const char *epsilon, unsigned digits,
                                               pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_DELTA, relation, epsilon, digits);
    pby_answer answer;
    pby_answer_init(&answer);
    const pby_status status = pby_loss_ask(&answer, spec, &request, err);
    *source = answer.source;
    *delta = answer.claimed_text;
    pby_answer_clear(&answer);
    return status;
}

PBY_CHECKED
static inline pby_status pby_loss_renyi_text(pby_decimals *renyi, pby_decimals *loss, pby_decimals *delta,
                                             const pby_spec *spec, pby_neighbours relation, const char *order,
                                             unsigned digits, pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_RENYI, relation, order, digits);
    return pby_compat_ask(renyi, NULL, loss, delta, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_zcdp_text(pby_decimals *rho, pby_decimals *loss, pby_decimals *delta,
                                            const pby_spec *spec, pby_neighbours relation, const char *xi,
                                            unsigned digits, pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_RHO, relation, xi, digits);
    return pby_compat_ask(rho, NULL, loss, delta, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_mu_text(pby_decimals *mu, const pby_spec *spec, pby_neighbours relation,
                                          unsigned digits, pby_error *err)
{
    const pby_loss_request request = pby_compat_request(PBY_ASK_MU, relation, NULL, digits);
    return pby_compat_ask(mu, NULL, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_convert_text(pby_decimals *answer, const char *name, pby_question question,
                                               const pby_spec *spec, pby_neighbours relation,
                                               const char *value, unsigned digits, pby_error *err)
{
    pby_loss_request request = pby_compat_request(question, relation, value, digits);
    request.conversion = name;
    return pby_compat_ask(answer, NULL, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_composed_text(pby_decimals *answer, pby_composition by,
                                                pby_question question, const pby_spec *spec,
                                                pby_neighbours relation, const char *value, unsigned digits,
                                                pby_error *err)
{
    pby_loss_request request = pby_compat_request(question, relation, value, digits);
    request.composition = pby_composition_text(by);
    return pby_compat_ask(answer, NULL, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_group_delta_text(pby_decimals *delta, bool *wider, const pby_spec *spec,
                                                   pby_neighbours relation, unsigned long size,
                                                   const char *epsilon, unsigned digits, pby_error *err)
{
    pby_loss_request request = pby_compat_request(PBY_ASK_DELTA, relation, epsilon, digits);
    request.group = size;
    return pby_compat_ask(delta, wider, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_loss_group_epsilon_text(pby_decimals *epsilon, bool *wider, const pby_spec *spec,
                                                     pby_neighbours relation, unsigned long size,
                                                     const char *delta, unsigned digits, pby_error *err)
{
    pby_loss_request request = pby_compat_request(PBY_ASK_EPSILON, relation, delta, digits);
    request.group = size;
    return pby_compat_ask(epsilon, wider, NULL, NULL, spec, &request, err);
}

PBY_CHECKED
static inline pby_status pby_audit_judge_text(pby_verdict **out, const pby_audit *audit, const char *epsilon,
                                              const char *delta, const char *error, pby_error *err)
{
    return pby_audit_judge(out, audit, pby_value_text(epsilon), pby_value_text(delta), pby_value_text(error),
                           err);
}

PBY_END_API

#endif
