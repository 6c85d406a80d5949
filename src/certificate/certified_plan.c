/* SPDX-License-Identifier: MIT */
#include "certificate/certified_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "certificate/document.h"
#include "certificate/unit.h"
#include "number/scoped.h"
#include "plan/plan_json.h"
#include "probity/experimental/certified.h"
#include "probity/rational.h"

/* ---- writing ------------------------------------------------------------------------------------- */

/* The text with the plan and its unit in it, and another digest. */
static pby_status add_plan(char **text, const pby_release_plan *plan, const pby_plan_choice *choice,
                           pby_error *err)
{
    json_t *root = json_loads(*text, 0, NULL);
    free(*text);
    *text = NULL;
    pby_status status = pby_json_set(root, "plan", pby_plan_json(plan, &choice->quantities), err);
    if (status == PBY_OK && plan->user != NULL)
        status = pby_json_set(root, "unit", json_pack("s+", PBY_CERTIFICATE_USER, plan->user), err);
    if (status == PBY_OK)
        status = pby_document_seal(root, err);
    if (status == PBY_OK)
        *text = pby_certificate_encode(root);
    json_decref(root);
    return status == PBY_OK && *text == NULL ? pby_no_memory(err) : status;
}

pby_status pby_certify_plan(char **text, const pby_release_plan *plan, const pby_plan_choice *choice,
                            pby_error *err)
{
    const pby_certify_options options = {.delta = plan->delta, .user = plan->user};
    *text = NULL;
    if (plan->budget != PBY_ASK_DELTA)
        PBY_TRY(pby_certify_divergence_text(text, choice->all, plan->relation, plan->budget,
                                            plan->budget == PBY_ASK_RHO ? "0" : NULL, err));
    else
        PBY_TRY(pby_certify_with(text, choice->all, plan->relation, plan->epsilon, &options, err));
    return add_plan(text, plan, choice, err);
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* The certified upper end, as the decimal that it is, is not above the plan's rho, mu or delta. */
static bool keeps(const pby_certificate *c, mpq_srcptr most)
{
    PBY_MPQ(hi);
    return pby_rational_parse(hi, "hi", c->hi_text, NULL) == PBY_OK && mpq_cmp(hi, most) <= 0;
}

/* The budget of a plan that the certificate does not state; NULL where it states it. */
static const char *other_budget(const pby_certificate *c, const pby_release_plan *plan)
{
    if (plan->budget == PBY_ASK_RHO)
        return c->question != PBY_ASK_RHO || mpq_sgn(c->epsilon) != 0 ? "a rho"
               : !keeps(c, plan->bound)                               ? "a smaller rho"
                                                                      : NULL;
    if (plan->budget == PBY_ASK_MU)
        return c->question != PBY_ASK_MU ? "a mu" : !keeps(c, plan->bound) ? "a smaller mu" : NULL;
    return c->question != PBY_ASK_DELTA              ? "a delta"
           : mpq_cmp(plan->epsilon, c->epsilon) != 0 ? "another epsilon"
           : !keeps(c, plan->delta)                  ? "a smaller delta"
                                                     : NULL;
}

static pby_status compare(const pby_certificate *c, const pby_release_plan *plan,
                          const pby_plan_quantities *q, pby_error *err)
{
    pby_spec *spec;
    PBY_TRY(pby_plan_spec(&spec, q, plan->times, err));
    const bool same = strcmp(pby_spec_text(spec), pby_spec_text(c->spec)) == 0;
    pby_spec_free(spec);
    const char *why = !same                                 ? "another list of mechanisms"
                      : plan->relation != c->relation       ? "other neighbours"
                      : !pby_unit_same(plan->user, c->user) ? "another unit of privacy"
                                                            : other_budget(c, plan);
    return why == NULL ? PBY_OK
                       : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                                     "plan: it comes to %s than the certificate states", why);
}

pby_status pby_certificate_read_plan(pby_certificate *c, const json_t *json, pby_error *err)
{
    pby_release_plan *plan;
    pby_plan_quantities q;
    pby_digest digest;
    if (json == NULL)
        return PBY_OK;
    PBY_TRY(pby_certificate_verdict(pby_plan_of_json(&plan, &q, json, err), err));
    pby_status status = pby_certificate_verdict(compare(c, plan, &q, err), err);
    if (status == PBY_OK)
        status = pby_plan_digest(&digest, json, err);
    if (status == PBY_OK)
        memcpy(c->plan, digest.sha256, sizeof c->plan);
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
    return status;
}

const char *pby_certificate_plan(const pby_certificate *c)
{
    return c->plan;
}
