/* SPDX-License-Identifier: MIT */
/* `probity audit --trace`: the grey-box audit of recorded runs. */
#include <stdlib.h>

#include "audit/run/run_publish.h"
#include "audit/trace/trace_case.h"
#include "cli/cmd_audit.h"
#include "cli/output.h"
#include "probity/experimental/trace.h"

/* Prints the answer in the form asked for, and writes the log. */
static pby_status answer(const char *object, const pby_audit_request *r, const char *sarif, pby_error *err)
{
    char *text = NULL;
    pby_status status = PBY_OK;
    if (sarif != NULL) {
        status = pby_trace_sarif(&text, object, err);
        if (status == PBY_OK)
            status = pby_audit_save("--sarif", sarif, text, err);
        free(text);
        text = NULL;
    }
    json_t *parsed = json_loads(object, 0, NULL);
    if (status == PBY_OK && parsed == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK && r->json)
        return pby_print_json(parsed, err);
    if (status == PBY_OK)
        status = pby_trace_object_lines(&text, parsed, err);
    json_decref(parsed);
    return pby_print_report(text, status);
}

pby_status pby_audit_trace(const pby_audit_request *r, pby_trace_options *o, const char *sarif,
                           pby_error *err)
{
    pby_trace_verdict verdict = PBY_TRACE_INCONCLUSIVE;
    char *object = NULL;
    if (r->operands != 2)
        return pby_fail(err, PBY_BAD, "audit: expected LEFT and RIGHT, two traces, after --trace");
    PBY_TRY(pby_audit_can_save("--sarif", sarif, err));
    o->form = PBY_REPORT_JSON;
    pby_status status = pby_trace_judge(&object, &verdict, r->operand[0], r->operand[1], o, err);
    if (status == PBY_OK)
        status = answer(object, r, sarif, err);
    free(object);
    if (status != PBY_OK)
        return status;
    if (verdict == PBY_TRACE_VIOLATION)
        return pby_fail(err, PBY_NO, "violation: the pair refutes the claim");
    return verdict == PBY_TRACE_CONSISTENT
               ? PBY_OK
               : pby_fail(err, PBY_INCONCLUSIVE,
                          "inconclusive: the runs neither refute nor support the claim");
}
