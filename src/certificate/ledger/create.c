/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/ledger/budget_terms.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "certificate/unit.h"
#include "number/scoped.h"
#include "probity/experimental/ledgers.h"
#include "probity/rational.h"

enum { ROWS_SIZE = 24 };

/* A budget that could not be read back (1e-5000 has 5001 digits) is refused. */
static pby_status check_readable(const char *name, const char *text, pby_error *err)
{
    PBY_MPQ(q);
    return pby_rational_parse(q, name, text, err);
}

static pby_status check_budget(const pby_filter_budget *b, const char *const *texts, pby_error *err)
{
    if (b->by == PBY_FILTER_ODOMETER ? mpq_sgn(b->bound) != 0 : mpq_sgn(b->bound) <= 0)
        return pby_refuse(err, pby_mode_bound(b->by), texts[2], "a rational above 0");
    if (mpq_sgn(b->delta) < 0 || mpq_cmp_ui(b->delta, 1, 1) >= 0)
        return pby_refuse(err, "delta", texts[3], "a rational from 0 to below 1");
    if ((b->by == PBY_FILTER_APPROX || b->by == PBY_FILTER_ODOMETER) && mpq_sgn(b->delta) == 0)
        return pby_refuse(err, "delta", texts[3], "a rational above 0 for a filter or an odometer");
    const pby_status status = check_readable("epsilon in lowest terms", texts[2], err);
    return status == PBY_OK ? check_readable("delta in lowest terms", texts[3], err) : status;
}

static pby_status check_rows(unsigned long rows, const char *text, pby_error *err)
{
    return rows < 1 || rows > PBY_LEDGER_ROWS_MAX
               ? pby_refuse(err, "rows", text, "an integer from 1 to 1000000000")
               : PBY_OK;
}

/* With `mode` as the text of the accounting. The user's column is NULL where the unit of privacy is a record.
 */
static pby_status create_as(const char *path, pby_neighbours relation, const char *mode, unsigned long rows,
                            const char *user, const pby_filter_budget *b, pby_error *err)
{
    char rows_text[ROWS_SIZE];
    snprintf(rows_text, sizeof rows_text, "%lu", rows);
    pby_status status = check_rows(rows, rows_text, err);
    if (status != PBY_OK)
        return status;
    char *bound = mpq_get_str(NULL, 10, b->bound), *delta = mpq_get_str(NULL, 10, b->delta);
    const char *const texts[PBY_BUDGET_TEXTS] = {
        pby_neighbours_text(relation), mode, bound, delta, rows_text, user};
    status = check_budget(b, texts, err);
    if (status == PBY_OK && user != NULL)
        status = pby_unit_check("user", user, err);
    if (status == PBY_OK)
        status = pby_store_create(path, texts, NULL, err);
    free(delta);
    free(bound);
    return status;
}

static pby_status create_summed(const char *path, pby_neighbours relation, pby_composition accounting,
                                unsigned long rows, const char *user, mpq_srcptr epsilon, mpq_srcptr delta,
                                pby_error *err)
{
    const pby_filter_budget budget = {.by = PBY_FILTER_NONE, .bound = epsilon, .delta = delta};
    if (accounting != PBY_COMPOSE_EXACT && accounting != PBY_COMPOSE_BASIC)
        return pby_fail(err, PBY_BAD, "the accounting of a ledger: expected exact or basic");
    return create_as(path, relation, pby_composition_text(accounting), rows, user, &budget, err);
}

pby_status pby_ledger_create(const char *path, pby_neighbours relation, pby_composition accounting,
                             mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    return pby_ledger_create_overlapping(path, relation, accounting, 1, epsilon, delta, err);
}

pby_status pby_ledger_create_overlapping(const char *path, pby_neighbours relation,
                                         pby_composition accounting, unsigned long rows, mpq_srcptr epsilon,
                                         mpq_srcptr delta, pby_error *err)
{
    return create_summed(path, relation, accounting, rows, NULL, epsilon, delta, err);
}

pby_status pby_ledger_create_user(const char *path, pby_neighbours relation, pby_composition accounting,
                                  const char *user, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    return create_summed(path, relation, accounting, 1, user, epsilon, delta, err);
}

/* The text of a filter's accounting. The split is a half where it is left out, and the delta 0. */
static pby_status set_filter(char **mode, pby_filter_budget *b, mpq_t none, mpq_t half, pby_error *err)
{
    mpq_set_ui(half, 1, 2);
    mpq_set_ui(none, 0, 1);
    b->delta = b->delta == NULL ? none : b->delta;
    b->split = b->split == NULL ? half : b->split;
    b->bound = b->by == PBY_FILTER_ODOMETER ? none : b->bound;
    if (b->bound == NULL || (b->by == PBY_FILTER_RENYI && b->order == NULL))
        return pby_fail(err, PBY_BAD, "the filter of a ledger: expected its budget, and the order of renyi");
    *mode = pby_mode_text(b->by, b->order, b->split);
    if (*mode == NULL)
        return pby_no_memory(err);
    PBY_TRY(pby_mode_check(b->by, b->order, b->split, err));
    const char *number = strchr(*mode, '=');
    return check_readable("order or split in lowest terms", number == NULL ? "1" : number + 1, err);
}

pby_status pby_ledger_create_filter(const char *path, pby_neighbours relation, unsigned long rows,
                                    const pby_filter_budget *budget, pby_error *err)
{
    PBY_MPQ(none, half);
    pby_filter_budget b = *budget;
    char *mode = NULL;
    if (b.by <= PBY_FILTER_NONE || b.by > PBY_FILTER_ODOMETER)
        return pby_fail(err, PBY_BAD,
                        "the filter of a ledger: expected one of approx, rho, renyi, gdp and odometer");
    pby_status status = set_filter(&mode, &b, none, half, err);
    if (status == PBY_OK)
        status = create_as(path, relation, mode, rows, NULL, &b, err);
    free(mode);
    return status;
}

/* ---- from terms -------------------------------------------------------------------------------- */

/* The kinds of accounting by their names. */
static const struct kind {
    const char *name;
    pby_filter filter;
} kinds[] = {
    {"exact", PBY_FILTER_NONE},        {"basic", PBY_FILTER_NONE},  {"filter", PBY_FILTER_APPROX},
    {"zcdp", PBY_FILTER_RHO},          {"renyi", PBY_FILTER_RENYI}, {"gdp", PBY_FILTER_GDP},
    {"odometer", PBY_FILTER_ODOMETER},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static pby_status find_kind(const struct kind **out, const char *name, pby_error *err)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *out = &kinds[i];
            return PBY_OK;
        }
    return pby_refuse(err, "accounting", name, "exact, basic, filter, zcdp, renyi, gdp or odometer");
}

static pby_status read_number(mpq_srcptr *out, mpq_t value, const char *name, const char *text,
                              pby_error *err)
{
    *out = text == NULL ? NULL : value;
    return text == NULL ? PBY_OK : pby_rational_parse(value, name, text, err);
}

static pby_status check_parts(const pby_ledger_terms *t, pby_neighbours relation, const struct kind *kind,
                              pby_error *err)
{
    if (t->parts != NULL && relation != PBY_ADD_REMOVE)
        return pby_refuse(err, "parts", t->parts,
                          "add-remove neighbours: a changed record may leave one part and enter another");
    if (t->every != NULL && kind->filter == PBY_FILTER_ODOMETER)
        return pby_refuse(err, "every", t->every, "another accounting than odometer, which has no budget");
    return PBY_OK;
}

static pby_status create_by(const char *path, const pby_ledger_terms *t, const struct kind *kind,
                            pby_filter_budget *b, pby_error *err)
{
    PBY_MPQ(none, half);
    pby_neighbours relation = PBY_ADD_REMOVE;
    char *mode = NULL, *text = NULL;
    pby_status status = PBY_OK;
    if (t->neighbours != NULL)
        status = pby_neighbours_parse(&relation, "neighbours", t->neighbours, err);
    if (status == PBY_OK)
        status = check_parts(t, relation, kind, err);
    if (status == PBY_OK && kind->filter == PBY_FILTER_NONE)
        status = b->bound == NULL || b->delta == NULL
                     ? pby_fail(err, PBY_BAD, "the budget of a ledger: expected an epsilon and a delta")
                     : PBY_OK;
    else if (status == PBY_OK)
        status = set_filter(&mode, b, none, half, err);
    if (status == PBY_OK)
        status = pby_terms_write(&text, mode == NULL ? kind->name : mode, t->every, t->from, t->parts, err);
    if (status == PBY_OK)
        status = create_as(path, relation, text, t->rows == 0 ? 1 : t->rows, t->user, b, err);
    free(text);
    free(mode);
    return status;
}

pby_status pby_ledger_create_terms(const char *path, const pby_ledger_terms *terms, pby_error *err)
{
    const struct kind *kind = NULL;
    PBY_MPQ(bound, delta, order, split);
    PBY_TRY(find_kind(&kind, terms->accounting == NULL ? "exact" : terms->accounting, err));
    pby_filter_budget b = {.by = kind->filter};
    PBY_TRY(read_number(&b.bound, bound, pby_mode_bound(kind->filter), terms->bound, err));
    PBY_TRY(read_number(&b.delta, delta, "delta", terms->delta, err));
    PBY_TRY(read_number(&b.order, order, "order", terms->order, err));
    PBY_TRY(read_number(&b.split, split, "split", terms->split, err));
    return create_by(path, terms, kind, &b, err);
}
