/* SPDX-License-Identifier: MIT */
/* Prints the distances of one histogram or law from another. */
#include "probity/experimental/reports.h"
#include "table/measure/measure_pairs.h"

#include "io/file.h"
#include "number/number_json.h"
#include "probity/rational.h"
#include "report/sheet.h"

static pby_status read_question(pby_between *m, const pby_between_asked *asked, pby_error *err)
{
    pby_status status = PBY_OK;
    if (asked->gamma != NULL) {
        status = pby_rational_parse(m->gamma, "gamma", asked->gamma, err);
        if (status == PBY_OK && (mpq_sgn(m->gamma) < 0 || mpq_cmp_ui(m->gamma, 1, 1) > 0))
            status = pby_refuse(err, "gamma", asked->gamma, "a rational from 0 to 1");
    }
    if (status == PBY_OK && asked->eta != NULL) {
        status = pby_rational_parse(m->eta, "eta", asked->eta, err);
        if (status == PBY_OK && mpq_sgn(m->eta) < 0)
            status = pby_refuse(err, "eta", asked->eta, "a rational from 0 on");
    }
    if (status == PBY_OK && pby_path_named(asked->a) == NULL && pby_path_named(asked->b) == NULL)
        status = pby_refuse(err, "between", "-", "standard input once");
    m->asks_average = asked->average;
    m->asks_eta = asked->eta != NULL;
    return status;
}

/* Prints a number that needs both to be laws, and if `far` a distance of keys; otherwise the reason why there
 * is none. */
static void print_law(pby_sheet *s, const char *name, const char *key, mpq_srcptr x, const pby_between *m,
                      bool far)
{
    if (pby_between_laws(m) && (!far || pby_between_distance(m))) {
        pby_sheet_exact(s, name, key, x);
        return;
    }
    pby_sheet_line(s, name, "none: %s", pby_between_laws(m) ? m->no_distance : m->no_law);
    pby_sheet_member(s, key, json_null());
}

static void print_move(pby_sheet *s, const char *name, const char *key, const pby_distance *x,
                       const pby_between *m)
{
    if (pby_between_distance(m)) {
        pby_sheet_distance(s, name, key, x);
        return;
    }
    pby_sheet_line(s, name, "none: %s", m->no_distance);
    pby_sheet_member(s, key, json_null());
}

/* The average is a line behind the lossy distance, and a member behind the distortions. */
static void print_all(pby_sheet *s, const pby_between *m)
{
    pby_sheet_exact(s, "gamma", "gamma", m->gamma);
    print_law(s, "lossy", "lossy", m->lossy, m, true);
    if (m->asks_average)
        print_law(s, "average", NULL, m->average, m, true);
    print_law(s, "variation", "variation", m->variation, m, false);
    pby_sheet_distance(s, "drop", "drop", &m->drop);
    print_move(s, "move", "move", &m->move, m);
    if (m->asks_average)
        print_law(s, NULL, "average", m->average, m, true);
    if (m->asks_eta) {
        pby_sheet_exact(s, "eta", "eta", m->eta);
        print_move(s, "drop-move", "drop_move", &m->drop_move, m);
    }
    if (!pby_between_laws(m))
        pby_sheet_text(s, NULL, "no_law", m->no_law);
    if (!pby_between_distance(m))
        pby_sheet_text(s, NULL, "no_distance", m->no_distance);
}

pby_status pby_report_between(char **text, const pby_between_asked *asked, pby_report_form form,
                              pby_error *err)
{
    const char *const path[2] = {asked->a, asked->b};
    pby_between m;
    pby_sheet s;
    pby_between_init(&m);
    pby_sheet_begin(&s, form);
    pby_status status = read_question(&m, asked, err);
    if (status == PBY_OK)
        status = pby_between_measure(&m, path, err);
    if (status == PBY_OK)
        print_all(&s, &m);
    pby_between_clear(&m);
    return pby_sheet_end(text, &s, status, err);
}
