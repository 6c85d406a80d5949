/* SPDX-License-Identifier: MIT */
/* Estimates as a whole answer (public face: probity/report.h). */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "io/file.h"
#include "number/scoped.h"
#include "probity/experimental/estimate.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"

static const char error_default[] = "1/20";

/* ---- what is asked ----------------------------------------------------------------------------- */

static pby_status read_error(mpq_t error, const char *text, pby_error *err)
{
    const pby_status status = pby_rational_parse(error, "error", text == NULL ? error_default : text, err);
    if (status == PBY_OK && (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 1) >= 0))
        return pby_refuse(err, "error", text, "a rational above 0 and below 1");
    return status;
}

/* The candidates of a file, each a line. The list and the text that its lines lie in are for free(3). */
static pby_status read_candidates(char ***out, size_t *count, char **text, const char *path, pby_error *err)
{
    size_t size, room = 1;
    *count = 0;
    pby_status status = pby_file_read_table(text, &size, path, err);
    for (size_t i = 0; i < size && status == PBY_OK; i++)
        room += (*text)[i] == '\n';
    *out = status == PBY_OK ? calloc(room, sizeof **out) : NULL;
    if (status == PBY_OK && *out == NULL)
        status = pby_no_memory(err);
    char *rest = *text;
    while (status == PBY_OK && rest != NULL && *rest != '\0') {
        char *line = strsep(&rest, "\n");
        line[strcspn(line, "\r")] = '\0';
        (*out)[(*count)++] = line;
    }
    return status;
}

static pby_status estimate(pby_estimates **out, const pby_reports *reports, const char *path,
                           mpq_srcptr error, unsigned digits, pby_error *err)
{
    char **candidates = NULL, *text = NULL;
    size_t count;
    if (path == NULL)
        return pby_estimates_new(out, reports, pby_value_rational(error), digits, err);
    pby_status status = read_candidates(&candidates, &count, &text, path, err);
    if (status == PBY_OK)
        status = pby_estimates_candidates(out, reports, (const char *const *)candidates, count,
                                          pby_value_rational(error), digits, err);
    free(candidates);
    free(text);
    return status;
}

/* ---- what is told ------------------------------------------------------------------------------ */

static void print_estimate(pby_sheet *s, const pby_estimate *e, unsigned digits)
{
    pby_sheet_break(s);
    pby_sheet_text(s, "truth", "truth", e->name);
    pby_sheet_number(s, "reports", "reports", e->seen);
    pby_sheet_enclosure(s, "estimate", "estimate", &e->value, digits, "unbiased");
    if (e->empty) {
        pby_sheet_line(s, "interval", "none: no truth explains these reports at this error");
        pby_sheet_member(s, "interval", json_null());
    } else
        pby_sheet_enclosure(s, "interval", "interval", &e->interval, digits, "of these users");
    pby_sheet_enclosure(s, "population", "population", &e->population, digits,
                        "of which they are a random sample");
    pby_sheet_enclosure(s, "variance", "variance", &e->variance, digits, "of the estimate, in this interval");
    pby_sheet_enclosure(s, "  at most", "variance_most", &e->most, digits, "over all truths");
    pby_sheet_enclosure(s, "  at least", "variance_least", &e->least, digits, NULL);
    pby_sheet_enclosure(s, NULL, "variance_none", &e->none, digits, NULL);
    pby_sheet_enclosure(s, NULL, "variance_all", &e->all, digits, NULL);
}

static void print_estimates(pby_sheet *s, const pby_spec *spec, const pby_reports *reports, mpq_srcptr error,
                            const pby_estimates *estimates, unsigned digits)
{
    json_t *list = json_array();
    pby_sheet_text(s, "mechanism", "mechanism", pby_spec_text(spec));
    pby_sheet_number(s, "reports", "reports", pby_reports_count(reports));
    pby_sheet_exact(s, "error", "error", error);
    for (size_t i = 0; i < pby_estimates_count(estimates); i++) {
        pby_sheet one = pby_sheet_part(s);
        print_estimate(&one, pby_estimates_at(estimates, i), digits);
        list = pby_json_append(list, pby_sheet_part_end(s, &one));
    }
    pby_sheet_member(s, "estimates", list);
}

pby_status pby_report_estimates(char **text, const pby_spec *spec, const pby_estimates_asked *asked,
                                pby_report_form form, pby_error *err)
{
    const unsigned digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    pby_reports *reports = NULL;
    pby_estimates *estimates = NULL;
    pby_sheet s;
    PBY_MPQ(error);
    pby_sheet_begin(&s, form);
    pby_status status = read_error(error, asked->error, err);
    if (status == PBY_OK)
        status = pby_reports_new(&reports, spec, err);
    if (status == PBY_OK)
        status = pby_reports_read(reports, pby_path_named(asked->reports), err);
    if (status == PBY_OK)
        status = estimate(&estimates, reports, asked->candidates, error, digits, err);
    if (status == PBY_OK)
        print_estimates(&s, spec, reports, error, estimates, digits);
    pby_estimates_free(estimates);
    pby_reports_free(reports);
    return pby_sheet_end(text, &s, status, err);
}
