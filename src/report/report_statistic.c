/* SPDX-License-Identifier: MIT */
/* A statistic of a histogram. */
#include "probity/experimental/reports.h"
#include "probity/experimental/statistic.h"

#include "base/json.h"
#include "report/sheet.h"
#include "table/answer/answer.h"

static pby_status print_statistic(pby_sheet *s, const pby_statistic *statistic, const pby_bars *bars,
                                  pby_error *err)
{
    json_t *value;
    if (s->lines != NULL)
        return pby_stat_print(s->lines, statistic, bars, err);
    pby_status status = pby_stat_json(&value, statistic, bars, err);
    if (status == PBY_OK)
        status = pby_stat_describe(s->object, statistic, pby_key_kinds_numbers(&bars->kinds), err);
    pby_sheet_member(s, "value", value);
    return status;
}

pby_status pby_report_statistic(char **text, bool *mixed, const pby_statistic *statistic, const char *path,
                                pby_report_form form, pby_error *err)
{
    pby_bars bars;
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_status status = pby_bars_read(&bars, path, err);
    if (status == PBY_OK)
        status = pby_stat_order(statistic, &bars.kinds, err);
    if (status == PBY_OK)
        status = print_statistic(&s, statistic, &bars, err);
    *mixed = status == PBY_OK && pby_stat_mixed(statistic, &bars.kinds);
    pby_bars_clear(&bars);
    return pby_sheet_end(text, &s, status, err);
}
