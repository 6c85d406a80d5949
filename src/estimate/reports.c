/* SPDX-License-Identifier: MIT */
#include "estimate/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"
#include "table/row/lines.h"

enum { EXPECTED_SIZE = 128, DIGITS_MAX = 18 };

pby_status pby_reports_new(pby_reports **out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m;
    *out = NULL;
    const pby_status status = pby_spec_single(&m, spec, "one mechanism, used once", err);
    if (status != PBY_OK)
        return status;
    if (m->family->estimator == NULL)
        return pby_family_lacks(m, "reports to estimate from", err);
    pby_reports *r = malloc(sizeof *r);
    if (r == NULL)
        return pby_no_memory(err);
    r->count = 0;
    r->cells = m->family->estimator->cells(m);
    r->cell = calloc(r->cells, sizeof *r->cell);
    if (r->cell == NULL) {
        free(r);
        return pby_no_memory(err);
    }
    pby_mechanism_init(&r->mechanism, m->family);
    pby_mechanism_copy(&r->mechanism, m);
    *out = r;
    return PBY_OK;
}

void pby_reports_free(pby_reports *reports)
{
    if (reports == NULL)
        return;
    pby_mechanism_clear(&reports->mechanism);
    free(reports->cell);
    free(reports);
}

uint64_t pby_reports_count(const pby_reports *reports)
{
    return reports->count;
}

/* The number of a cell. */
static bool count_number(uint64_t *cell, size_t cells, const char *report)
{
    const size_t digits = strspn(report, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX || report[digits] != '\0')
        return false;
    const unsigned long long at = strtoull(report, NULL, 10);
    if (at >= cells)
        return false;
    cell[at]++;
    return true;
}

static bool count_report(pby_reports *r, const char *report)
{
    const pby_estimator *e = r->mechanism.family->estimator;
    if (!(e->count != NULL ? e->count(r->cell, &r->mechanism, report)
                           : count_number(r->cell, r->cells, report)))
        return false;
    r->count++;
    return true;
}

static void expected_of(char *text, const pby_reports *r)
{
    const pby_estimator *e = r->mechanism.family->estimator;
    if (e->expected != NULL)
        e->expected(text, EXPECTED_SIZE, &r->mechanism);
    else
        snprintf(text, EXPECTED_SIZE, "a report of %s, a whole number from 0 to %zu",
                 r->mechanism.family->name, r->cells - 1);
}

pby_status pby_reports_add(pby_reports *reports, const char *report, pby_error *err)
{
    char expected[EXPECTED_SIZE];
    if (count_report(reports, report))
        return PBY_OK;
    expected_of(expected, reports);
    return pby_refuse(err, "report", report, expected);
}

static pby_status read_lines(pby_reports *r, pby_lines *in, const char *expected, pby_error *err)
{
    char *line;
    pby_status status = PBY_OK;
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL)
        if (!(pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, 1)) &&
            !count_report(r, pby_field_unquote(line)))
            status = pby_field_refuse(pby_lines_name(in), pby_lines_number(in), 1, expected, err);
    return status;
}

pby_status pby_reports_read(pby_reports *reports, const char *path, pby_error *err)
{
    char expected[EXPECTED_SIZE];
    pby_lines *in;
    expected_of(expected, reports);
    pby_status status = pby_lines_open(&in, path, err);
    if (status != PBY_OK)
        return status;
    status = read_lines(reports, in, expected, err);
    pby_lines_close(in);
    return status;
}
