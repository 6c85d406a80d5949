/* SPDX-License-Identifier: MIT */
#include "certificate/choice_certifiable.h"

#include "mechanism/family.h"
#include "mechanism/shared/selection.h"

/* A promise has nothing that could be computed again: what it comes to is what it says. */
static pby_status check_promise(const pby_family *family, pby_question question, pby_error *err)
{
    const bool promise = family == &pby_family_zcdp || family == &pby_family_rdp || family == &pby_family_gdp;
    if (!promise || (question == PBY_ASK_DELTA && family == &pby_family_gdp))
        return PBY_OK;
    return pby_refuse(err, "FAMILY", family->name,
                      family == &pby_family_gdp
                          ? "a mechanism, as of a promise nothing can be recomputed; select gauss --mu M "
                            "--certify chooses one that keeps it"
                          : "a mechanism, as of a promise nothing can be recomputed; select gauss --rho R "
                            "--certify chooses one that keeps it");
}

/* True if a sample is taken, or its rate is what is chosen. */
static bool is_sampled(const pby_mechanism *m, unsigned named, bool counts)
{
    const size_t chosen = pby_family_with(m->family, m->family->select->chosen);
    return pby_mechanism_sample(m) != NULL || pby_mechanism_allocated(m) ||
           (!counts && chosen < PBY_PARAMETERS_MAX && (named >> chosen & 1) != 0);
}

static pby_status check_divergence(const pby_mechanism *m, unsigned named, bool counts, pby_question question,
                                   pby_error *err)
{
    const pby_family *family = m->family;
    if (question == PBY_ASK_RHO && is_sampled(m, named, counts))
        return pby_refuse(err, "FAMILY", family->name, "no sampling, as rho is certified without it");
    return question == PBY_ASK_RHO && (family->loose || family->select->bound != NULL)
               ? pby_refuse(err, "FAMILY", family->name,
                            "a family whose rho is known exactly, as this one's is only bounded")
               : PBY_OK;
}

pby_status pby_choice_certifiable(const char *text, bool counts, pby_question question, pby_error *err)
{
    const pby_family *family = pby_family_meant(text);
    pby_mechanism given;
    unsigned named = 0;
    if (family == NULL || family->select == NULL)
        return PBY_OK;
    pby_status status = check_promise(family, question, err);
    if (status != PBY_OK || question == PBY_ASK_DELTA)
        return status;
    pby_mechanism_init(&given, NULL);
    if (pby_mechanism_read(&given, &named, text, NULL) == PBY_OK)
        status = check_divergence(&given, named, counts, question, err);
    pby_mechanism_clear(&given);
    return status;
}
