/* SPDX-License-Identifier: MIT */
/* `probity audit` of canaries: scores and guesses of one run, counts of many runs. */
#include <stdio.h>

#include "audit/canary/canary_verdict.h"
#include "audit/report/canary_page.h"
#include "audit/run/run_publish.h"
#include "cli/advice.h"
#include "cli/cmd_audit.h"
#include "cli/options.h"
#include "cli/output.h"

static pby_status page_of(char **page, const void *verdict, const pby_report *about, pby_error *err)
{
    return pby_canary_page(page, verdict, about, err);
}

static pby_status save_page(const pby_audit_request *r, const json_t *verdict, pby_error *err)
{
    const pby_status status = pby_audit_publish(r, page_of, verdict, err);
    if (status != PBY_OK)
        (void)pby_advise_name(err, "report", "--report");
    return status;
}

static pby_status print(const pby_audit_request *r, const pby_canary_verdict *v, pby_error *err)
{
    char *text = NULL;
    json_t *object = pby_canary_verdict_object(v);
    if (object == NULL)
        return pby_no_memory(err);
    pby_status status = save_page(r, object, err);
    if (status == PBY_OK && r->json)
        return pby_print_json(object, err);
    json_decref(object);
    if (status != PBY_OK)
        return status;
    status = pby_canary_verdict_lines(&text, v, err);
    return pby_print_report(text, status);
}

static pby_status answer(const pby_audit_request *r, const pby_canary_verdict *v, pby_error *err)
{
    PBY_TRY(print(r, v, err));
    if (pby_canary_verdict_warning(v)[0] != '\0')
        fprintf(stderr, "probity: warning: %s\n", pby_canary_verdict_warning(v));
    if (pby_canary_verdict_violation(v))
        return pby_fail(err, PBY_NO, "violation: epsilon > %s at the claimed delta",
                        pby_canary_verdict_epsilon_lower(v));
    if (pby_canary_verdict_reason(v)[0] != '\0')
        return pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %s", pby_canary_verdict_reason(v));
    return PBY_OK;
}

/* ---- the command ------------------------------------------------------------------------------- */

pby_status pby_audit_canaries(const pby_audit_request *r, pby_canary_source source, bool claimed,
                              pby_error *err)
{
    pby_canary_verdict *verdict = NULL;
    pby_status status = pby_audit_judge_canaries(&verdict, r, source, claimed, err);
    if (status == PBY_OK)
        status = answer(r, verdict, err);
    pby_canary_verdict_free(verdict);
    return status;
}
