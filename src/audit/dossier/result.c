/* SPDX-License-Identifier: MIT */
#include "audit/dossier/result.h"

#include <string.h>

#include "audit/dossier/recount.h"
#include "audit/dossier/stated.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s", why);
}

const pby_stated *pby_result_states(const pby_planned_audit *a)
{
    return a->claimed.value != NULL ? pby_stated_point : NULL;
}

/* Checks the form of the stated members, and that the document lists them as stated. */
static pby_status check_stated(const json_t *result, int version, const pby_planned_audit *a, pby_error *err)
{
    pby_status status = pby_stated_date(result, "began", err);
    if (status == PBY_OK)
        status = pby_stated_date(result, "ended", err);
    if (status == PBY_OK)
        status = pby_document_tools_check(result, err);
    if (status == PBY_OK && json_integer_value(json_object_get(result, "starts")) < 1)
        return deny(err, "starts: expected an integer from 1 on");
    if (status != PBY_OK || version == 1)
        return status;
    return pby_stated_check(result, pby_stated_of(a), pby_result_states(a), err);
}

pby_status pby_result_belongs(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                              pby_error *err)
{
    static const char *const fields[] = {"asked",  "audit",  "began",   "computed_with", "digest", "ended",
                                         "format", "starts", "verdict", "version",       "stated"};
    char asked[PBY_PLAN_DIGEST_SIZE], digest[PBY_DIGEST_TEXT_SIZE];
    if (strcmp(pby_json_string(result, "format"), "probity-audit-result") != 0)
        return deny(err, "not the result of an audit");
    const json_int_t version = json_integer_value(json_object_get(result, "version"));
    if (version < 1 || version > PBY_DOSSIER_VERSION)
        return deny(err, "a result of another version than 1 and 2");
    if (version == 1 && a->claimed.value != NULL)
        return deny(err, "a result about rho or mu, which version 1 does not have");
    if (version == 1 && a->canaries.kind != PBY_CANARIES_NONE)
        return deny(err, "a result of version 1, which has no canaries");
    pby_status status = pby_certificate_object(result, "result", fields,
                                               sizeof fields / sizeof *fields - (version == 1), 0, err);
    if (status == PBY_OK)
        status = check_stated(result, (int)version, a, err);
    if (status == PBY_OK)
        status = pby_certificate_digest(digest, result, err);
    if (status == PBY_OK && strcmp(pby_json_string(result, "digest"), digest) != 0)
        return deny(err, "its digest is not that of the result that was written");
    if (status == PBY_OK)
        status = pby_audit_plan_digest(asked, plan, a, err);
    if (status == PBY_OK && (strcmp(pby_json_string(result, "audit"), a->name) != 0 ||
                             strcmp(pby_json_string(result, "asked"), asked) != 0))
        return deny(err, "not the result of this plan, which asks something else");
    return status;
}

pby_status pby_result_check(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                            pby_error *err)
{
    const int version = (int)json_integer_value(json_object_get(result, "version"));
    const json_t *verdict = json_object_get(result, "verdict");
    PBY_TRY(pby_result_belongs(result, plan, a, err));
    return a->canaries.kind == PBY_CANARIES_NONE
               ? pby_recount(verdict, version, a, plan->share, err)
               : pby_planned_canaries_recount(verdict, &a->canaries, a->epsilon, a->delta, plan->share, err);
}
