/* SPDX-License-Identifier: MIT */
#include "report/report_running.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "report/sheet.h"

static pby_status tell_totals(pby_sheet *s, const pby_running *totals, pby_error *err)
{
    json_t *all = json_array();
    for (uint64_t step = 1; step <= pby_running_steps(totals); step++) {
        char *total;
        PBY_TRY(pby_running_text(&total, totals, step, err));
        pby_sheet_line(s, "total", "step %" PRIu64 ", %s", step, total);
        all = pby_json_append(all, json_pack("{s:I, s:s, s:I}", "step", (json_int_t)step, "total", total,
                                             "noisy", (json_int_t)pby_running_noisy(totals, step)));
        free(total);
    }
    pby_sheet_member(s, "totals", all);
    return PBY_OK;
}

pby_status pby_report_running(char **text, const pby_running *totals, pby_report_form form, pby_error *err)
{
    const uint64_t steps = pby_running_steps(totals), left = pby_running_left(totals);
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "mechanism", "spec", pby_running_spec(totals));
    pby_sheet_line(&s, "released", "%" PRIu64 " steps", steps);
    pby_sheet_member(&s, "steps", json_integer((json_int_t)steps));
    pby_sheet_line(&s, "left", "%" PRIu64 " steps", left);
    pby_sheet_member(&s, "left", json_integer((json_int_t)left));
    pby_sheet_text(&s, "digest", "digest", pby_running_digest(totals));
    return pby_sheet_end(text, &s, tell_totals(&s, totals, err), err);
}
