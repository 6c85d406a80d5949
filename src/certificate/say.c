/* SPDX-License-Identifier: MIT */
/* The accessors of a certificate. */
#include "certificate/certificate.h"
#include "probity/experimental/certified.h"

const pby_spec *pby_certificate_spec(const pby_certificate *c)
{
    return c->spec;
}

pby_neighbours pby_certificate_neighbours(const pby_certificate *c)
{
    return c->relation;
}

const char *pby_certificate_epsilon(const pby_certificate *c)
{
    return c->question == PBY_ASK_DELTA ? c->epsilon_text : "";
}

const char *pby_certificate_delta_lo(const pby_certificate *c)
{
    return c->question == PBY_ASK_DELTA ? c->lo_text : "";
}

const char *pby_certificate_delta_hi(const pby_certificate *c)
{
    return c->question == PBY_ASK_DELTA ? c->hi_text : "";
}

const char *pby_certificate_user(const pby_certificate *c)
{
    return c->user;
}

const char *pby_certificate_route(const pby_certificate *c)
{
    return c->route;
}

const char *pby_certificate_signer(const pby_certificate *c)
{
    return c->signer[0] == '\0' ? NULL : c->signer;
}

const char *pby_certificate_proof(const pby_certificate *c)
{
    return c->proof;
}

const pby_accuracy *pby_certificate_accuracy(const pby_certificate *c, const pby_input_class **inputs)
{
    if (inputs != NULL)
        *inputs = c->has_accuracy ? &c->inputs : NULL;
    return c->has_accuracy ? &c->accuracy : NULL;
}
