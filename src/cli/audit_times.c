/* SPDX-License-Identifier: MIT */
/* `probity audit --time`: what running times betray. */
#include <stdlib.h>

#include "audit/run/run_publish.h"
#include "audit/timing/times_page.h"
#include "cli/cmd_audit.h"
#include "cli/output.h"
#include "cli/progress.h"

static pby_status check_operands(const pby_audit_request *r, pby_error *err)
{
    if (r->command == NULL)
        return r->operands == 0
                   ? pby_fail(err, PBY_BAD, "audit: expected a file of recorded times, or --command")
                   : pby_operands_at_most(1, r->operands, r->operand, "one file of recorded times", err);
    if (r->n == 0)
        return pby_fail(err, PBY_BAD, "audit: expected -n N, the number of runs on both inputs together");
    return r->operands < 2 ? pby_fail(err, PBY_BAD, "audit: expected LEFT and RIGHT, two inputs")
                           : pby_operands_at_most(2, r->operands, r->operand, "two inputs", err);
}

static pby_status page_of(char **page, const void *told, const pby_report *about, pby_error *err)
{
    return pby_times_page(page, told, about, err);
}

/* Writes the page of a verdict, if one is asked for. */
static pby_status publish(const pby_audit_request *r, const pby_times *times, const pby_times_claim *claim,
                          pby_error *err)
{
    pby_times_verdict verdict;
    char *text = NULL;
    if (r->report == NULL)
        return PBY_OK;
    PBY_TRY(pby_times_judge(&text, &verdict, times, claim->epsilon, claim->delta, claim->error,
                            PBY_REPORT_JSON, err));
    json_t *object = json_loads(text, 0, NULL);
    free(text);
    if (object == NULL)
        return pby_no_memory(err);
    const pby_times_told told = {object, times};
    const pby_status status = pby_audit_publish(r, page_of, &told, err);
    json_decref(object);
    return status;
}

static pby_status judge(char **text, pby_times_verdict *verdict, const pby_audit_request *r,
                        const pby_times_claim *claim, pby_error *err)
{
    pby_times *times = NULL;
    pby_progress progress;
    pby_audit_request request = *r;
    pby_progress_begin(&progress, "runs timed", r->n);
    request.observer = pby_progress_observer(&progress);
    pby_status status = pby_audit_times(&times, &request, err);
    pby_progress_end(&progress);
    if (status == PBY_OK)
        status = pby_times_judge(text, verdict, times, claim->epsilon, claim->delta, claim->error,
                                 r->json ? PBY_REPORT_JSON : PBY_REPORT_LINES, err);
    if (status == PBY_OK)
        status = publish(r, times, claim, err);
    pby_times_free(times);
    return status;
}

pby_status pby_audit_timing(const pby_audit_request *r, const pby_times_claim *claim, pby_error *err)
{
    pby_times_verdict verdict = PBY_TIMES_INCONCLUSIVE;
    char *text = NULL, *path = NULL;
    PBY_TRY(check_operands(r, err));
    PBY_TRY(pby_audit_times_path(&path, r, err));
    pby_status status = pby_audit_can_save("--keep", path, err);
    free(path);
    if (status == PBY_OK)
        status = pby_audit_can_save("--report", r->report, err);
    if (status == PBY_OK)
        status = judge(&text, &verdict, r, claim, err);
    PBY_TRY(pby_print_report(text, status));
    if (verdict == PBY_TIMES_VIOLATION)
        return pby_fail(err, PBY_NO, "violation: the running time alone refutes the claim");
    return verdict == PBY_TIMES_CONSISTENT
               ? PBY_OK
               : pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: no times of so few runs refute the claim");
}
