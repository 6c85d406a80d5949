/* SPDX-License-Identifier: MIT */
/* The sensitivity of a random query whose laws stand in a table. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "number/number_json.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/measure/matrix.h"
#include "table/measure/named_relation.h"

enum { INPUTS_MAX = 1 << 12 };

/* The laws of a table, a row each, and the pairs of rows that are neighbours. */
struct laws {
    pby_matrix table;
    pby_measure **law;
    pby_law_pair *pair;
    size_t inputs, pairs;
};

static void laws_clear(struct laws *l)
{
    for (size_t i = 0; l->law != NULL && i < l->inputs; i++)
        pby_measure_free(l->law[i]);
    free(l->law);
    free(l->pair);
    pby_matrix_clear(&l->table);
}

/* ---- the laws ------------------------------------------------------------------------------------ */

/* The answers, in the first line. */
static pby_status read_answers(mpq_t *at, const struct laws *l, size_t answers, const char *path,
                               pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t j = 0; j < answers && status == PBY_OK; j++) {
        char *name = pby_names_text(l->table.columns, j);
        status = name == NULL ? pby_no_memory(err) : PBY_OK;
        if (status == PBY_OK && pby_rational_parse(at[j], "answer", name, NULL) != PBY_OK)
            status = pby_refuse(err, "laws", pby_path_text(path), "a first line of answers, all numbers");
        free(name);
    }
    return status;
}

static pby_status fill_law(struct laws *l, size_t i, mpq_t *at, size_t answers, const char *path,
                           pby_error *err)
{
    mpq_t mass, sum;
    mpq_inits(mass, sum, NULL);
    pby_status status = pby_measure_new(&l->law[i], err);
    for (size_t j = 0; j < answers && status == PBY_OK; j++) {
        fmpq_get_mpq(mass, l->table.value + i * answers + j);
        mpq_add(sum, sum, mass);
        status = mpq_sgn(mass) < 0 ? pby_refuse(err, "laws", pby_path_text(path), "chances from 0 on")
                                   : pby_measure_add(l->law[i], at[j], mass, err);
    }
    if (status == PBY_OK && mpq_cmp_ui(sum, 1, 1) != 0)
        status = pby_refuse(err, "laws", pby_path_text(path), "lines whose chances add up to 1");
    mpq_clears(mass, sum, NULL);
    return status;
}

static pby_status read_laws(struct laws *l, const char *path, pby_error *err)
{
    pby_status status = pby_matrix_read(&l->table, pby_path_named(path), &pby_matrix_named, err);
    if (status != PBY_OK)
        return status;
    const size_t answers = l->table.width;
    l->inputs = pby_names_count(l->table.rows);
    if (l->inputs > INPUTS_MAX)
        return pby_fail(err, PBY_BAD, "laws: expected at most %d inputs", INPUTS_MAX);
    l->law = calloc(l->inputs, sizeof(pby_measure *));
    mpq_t *at = calloc(answers, sizeof *at);
    for (size_t j = 0; at != NULL && j < answers; j++)
        mpq_init(at[j]);
    status = l->law == NULL || at == NULL ? pby_no_memory(err) : read_answers(at, l, answers, path, err);
    for (size_t i = 0; i < l->inputs && status == PBY_OK; i++)
        status = fill_law(l, i, at, answers, path, err);
    for (size_t j = 0; at != NULL && j < answers; j++)
        mpq_clear(at[j]);
    free(at);
    return status;
}

/* ---- the neighbours ------------------------------------------------------------------------------ */

static pby_status read_pairs(struct laws *l, const char *path, pby_error *err)
{
    bool *near;
    PBY_TRY(pby_relation_read(&near, l->table.rows, "input", "neighbours", path, err));
    for (size_t i = 0; i < l->inputs; i++)
        for (size_t j = i + 1; j < l->inputs; j++)
            if (near[i * l->inputs + j])
                l->pair[l->pairs++] = (pby_law_pair){i, j};
    free(near);
    return PBY_OK;
}

static pby_status find_pairs(struct laws *l, const char *neighbours, pby_error *err)
{
    const bool all = neighbours == NULL || strcmp(neighbours, "all") == 0;
    l->pair = calloc(l->inputs * (l->inputs - 1) / 2 + 1, sizeof *l->pair);
    if (l->pair == NULL)
        return pby_no_memory(err);
    if (!all && strcmp(neighbours, "next") != 0)
        return read_pairs(l, neighbours, err);
    for (size_t i = 0; i < l->inputs; i++)
        for (size_t j = i + 1; j < (all ? l->inputs : i + 2) && j < l->inputs; j++)
            l->pair[l->pairs++] = (pby_law_pair){i, j};
    return PBY_OK;
}

/* ---- the answer ---------------------------------------------------------------------------------- */

static pby_status print_sensitivity(pby_sheet *s, const struct laws *l, mpq_srcptr theta, mpq_srcptr found,
                                    size_t worst, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_sheet_exact(s, "theta", "theta", theta);
    pby_sheet_line(s, "pairs", "%zu", l->pairs);
    pby_sheet_member(s, "pairs", json_integer((json_int_t)l->pairs));
    pby_sheet_exact(s, "sensitivity", "sensitivity", found);
    if (l->pairs > 0) {
        char *x = pby_names_text(l->table.rows, l->pair[worst].first);
        char *y = pby_names_text(l->table.rows, l->pair[worst].second);
        if (x == NULL || y == NULL)
            status = pby_no_memory(err);
        else {
            pby_sheet_line(s, "worst", "inputs '%s' and '%s'", x, y);
            pby_sheet_member(s, "worst", json_pack("{s:s, s:s}", "x", x, "y", y));
        }
        free(x);
        free(y);
    }
    return status;
}

pby_status pby_report_sensitivity(char **text, const pby_sensitivity_asked *asked, pby_report_form form,
                                  pby_error *err)
{
    struct laws l = {.inputs = 0};
    size_t worst = 0;
    pby_sheet s;
    mpq_t theta, found;
    mpq_inits(theta, found, NULL);
    pby_sheet_begin(&s, form);
    pby_status status = asked->theta == NULL ? PBY_OK : pby_rational_parse(theta, "theta", asked->theta, err);
    if (status == PBY_OK && (mpq_sgn(theta) < 0 || mpq_cmp_ui(theta, 1, 1) >= 0))
        status = pby_refuse(err, "theta", asked->theta, "a rational from 0 on, below 1");
    if (status == PBY_OK && pby_path_named(asked->laws) == NULL && asked->neighbours != NULL &&
        pby_path_named(asked->neighbours) == NULL)
        status = pby_refuse(err, "neighbours", "-", "standard input once");
    if (status == PBY_OK)
        status = read_laws(&l, asked->laws, err);
    if (status == PBY_OK)
        status = find_pairs(&l, asked->neighbours, err);
    if (status == PBY_OK)
        status = pby_query_sensitivity(found, &worst, (const pby_measure *const *)l.law, l.pair, l.pairs,
                                       theta, err);
    if (status == PBY_OK)
        status = print_sensitivity(&s, &l, theta, found, worst, err);
    laws_clear(&l);
    mpq_clears(theta, found, NULL);
    return pby_sheet_end(text, &s, status, err);
}
