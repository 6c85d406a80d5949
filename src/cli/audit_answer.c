/* SPDX-License-Identifier: MIT */
/* The verdict of an audit on standard output. */
#include <string.h>

#include "audit/report/verdict_lines.h"
#include "cli/cmd_audit.h"
#include "cli/output.h"

pby_status pby_audit_answer(const pby_audit_request *r, const json_t *verdict, pby_error *err)
{
    char *text = NULL;
    pby_status status = PBY_OK;
    if (r->json)
        status = pby_print_json(json_deep_copy(verdict), err);
    else {
        status = pby_verdict_object_lines(&text, verdict, err);
        status = pby_print_report(text, status);
    }
    if (status != PBY_OK)
        return status;
    if (strcmp(pby_json_string(verdict, "verdict"), "inconclusive") == 0)
        return pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %s", pby_json_string(verdict, "reason"));
    if (strcmp(pby_json_string(verdict, "verdict"), "violation") != 0)
        return PBY_OK;
    return pby_fail(err, PBY_NO,
                    "violation: epsilon > %s at the claimed delta, delta > %s at the claimed epsilon",
                    pby_json_string(verdict, "epsilon_lower"), pby_json_string(verdict, "delta_lower"));
}

pby_status pby_audit_answer_law(const pby_audit_request *r, bool violation, json_t *answer, pby_error *err)
{
    char *text = NULL;
    pby_status status;
    if (r->json)
        status = pby_print_json(json_incref(answer), err);
    else {
        status = pby_law_object_lines(&text, answer, err);
        status = pby_print_report(text, status);
    }
    return status == PBY_OK && violation ? pby_fail(err, PBY_NO, "the outputs do not follow the law")
                                         : status;
}
