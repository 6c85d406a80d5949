/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (mpq_sgn(b->bound) <= 0)
        return pby_refuse(err, pby_mode_bound(b->by), texts[2], "a rational above 0");
    if (mpq_sgn(b->delta) < 0 || mpq_cmp_ui(b->delta, 1, 1) >= 0)
        return pby_refuse(err, "delta", texts[3], "a rational from 0 to below 1");
    if (b->by == PBY_FILTER_APPROX && mpq_sgn(b->delta) == 0)
        return pby_refuse(err, "delta", texts[3], "a rational above 0 for a filter");
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
        status = pby_store_create(path, texts, err);
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

pby_status pby_ledger_create_filter(const char *path, pby_neighbours relation, unsigned long rows,
                                    const pby_filter_budget *budget, pby_error *err)
{
    if (budget->by != PBY_FILTER_APPROX && budget->by != PBY_FILTER_RHO && budget->by != PBY_FILTER_RENYI)
        return pby_fail(err, PBY_BAD, "the filter of a ledger: expected one of approx, rho and renyi");
    if (budget->bound == NULL || (budget->by == PBY_FILTER_RENYI && budget->order == NULL))
        return pby_fail(err, PBY_BAD, "the filter of a ledger: expected its budget, and the order of renyi");
    mpq_t none, half; /* what stands for a delta and a split that are left out */
    mpq_inits(none, half, (mpq_ptr)0);
    mpq_set_ui(half, 1, 2);
    pby_filter_budget b = *budget;
    b.delta = b.delta == NULL ? none : b.delta;
    b.split = b.split == NULL ? half : b.split;
    char *mode = pby_mode_text(b.by, b.order, b.split);
    pby_status status = mode == NULL ? pby_no_memory(err) : pby_mode_check(b.by, b.order, b.split, err);
    if (status == PBY_OK)
        status = check_readable("order or split in lowest terms",
                                b.by == PBY_FILTER_RHO ? "1" : strchr(mode, '=') + 1, err);
    if (status == PBY_OK)
        status = create_as(path, relation, mode, rows, NULL, &b, err);
    free(mode);
    mpq_clears(none, half, (mpq_ptr)0);
    return status;
}
