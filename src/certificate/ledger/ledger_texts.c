/* SPDX-License-Identifier: MIT */
/* Ledgers with numbers as text. */
#include <stdlib.h>

#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"
#include "probity/rational.h"

/* Creates a ledger of users if `user` is given, otherwise of records in `rows` rows. */
static pby_status create(const char *path, pby_neighbours relation, pby_composition accounting,
                         unsigned long rows, const char *user, const char *epsilon, const char *delta,
                         pby_error *err)
{
    static const char *const names[] = {"epsilon", "delta"};
    const char *const texts[] = {epsilon, delta};
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 2, err);
    if (status == PBY_OK)
        status = user != NULL
                     ? pby_ledger_create_user(path, relation, accounting, user, x[0], x[1], err)
                     : pby_ledger_create_overlapping(path, relation, accounting, rows, x[0], x[1], err);
    mpq_clears(x[0], x[1], NULL);
    return status;
}

pby_status pby_ledger_create_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                  unsigned long rows, const char *epsilon, const char *delta, pby_error *err)
{
    return create(path, relation, accounting, rows, NULL, epsilon, delta, err);
}

pby_status pby_ledger_create_user_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                       const char *user, const char *epsilon, const char *delta,
                                       pby_error *err)
{
    return create(path, relation, accounting, 1, user, epsilon, delta, err);
}

pby_status pby_ledger_create_filter_text(const char *path, pby_neighbours relation, unsigned long rows,
                                         pby_filter by, const char *bound, const char *delta,
                                         const char *order, const char *split, pby_error *err)
{
    static const char *const names[] = {"bound", "delta", "order", "split"};
    const char *const texts[] = {bound, delta, order, split};
    mpq_t x[4];
    mpq_inits(x[0], x[1], x[2], x[3], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 4, err);
    if (status == PBY_OK) {
        const pby_filter_budget budget = {by, x[0], delta == NULL ? NULL : x[1], order == NULL ? NULL : x[2],
                                          split == NULL ? NULL : x[3]};
        status = pby_ledger_create_filter(path, relation, rows, &budget, err);
    }
    mpq_clears(x[0], x[1], x[2], x[3], NULL);
    return status;
}

pby_status pby_ledger_budget_text(char **bound, char **delta, const pby_ledger *ledger, pby_error *err)
{
    *delta = NULL;
    pby_status status = pby_rational_print(bound, pby_ledger_bound(ledger), err);
    if (status == PBY_OK)
        status = pby_rational_print(delta, pby_ledger_delta(ledger), err);
    if (status != PBY_OK) {
        free(*bound);
        *bound = NULL;
    }
    return status;
}

/* pby_ledger_spend or pby_ledger_affords. */
typedef pby_status answer(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err);

static pby_status ask_ledger(answer *by, pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                             pby_error *err)
{
    PBY_MPQ(x);
    PBY_TRY(epsilon == NULL ? PBY_OK : pby_rational_parse(x, "epsilon", epsilon, err));
    return by(ledger, spec, epsilon == NULL ? NULL : x, err);
}

pby_status pby_ledger_spend_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                 pby_error *err)
{
    return ask_ledger(pby_ledger_spend, ledger, spec, epsilon, err);
}

pby_status pby_ledger_affords_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                   pby_error *err)
{
    return ask_ledger(pby_ledger_affords, ledger, spec, epsilon, err);
}

pby_status pby_ledger_spent_text(pby_decimals *delta, pby_decimals *epsilon, pby_ledger *ledger,
                                 unsigned digits, pby_error *err)
{
    pby_enclosure d, e;
    pby_enclosure_init(&d);
    pby_enclosure_init(&e);
    const pby_status status = pby_ledger_spent(delta == NULL ? NULL : &d, epsilon == NULL ? NULL : &e, ledger,
                                               digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    if (status == PBY_OK && delta != NULL)
        pby_decimals_set(delta, &d, digits);
    if (status == PBY_OK && epsilon != NULL)
        pby_decimals_set(epsilon, &e, digits);
    pby_enclosure_clear(&e);
    pby_enclosure_clear(&d);
    return status;
}

pby_status pby_ledger_charged_text(pby_decimals *bound, pby_decimals *delta, pby_ledger *ledger,
                                   unsigned digits, pby_error *err)
{
    pby_enclosure b, d;
    pby_enclosure_init(&b);
    pby_enclosure_init(&d);
    const pby_status status = pby_ledger_charged(&b, &d, ledger, err);
    if (status == PBY_OK) {
        pby_decimals_set(bound, &b, digits);
        pby_decimals_set(delta, &d, digits);
    }
    pby_enclosure_clear(&d);
    pby_enclosure_clear(&b);
    return status;
}

pby_status pby_ledger_odometer_text(pby_decimals *epsilon, pby_ledger *ledger, unsigned digits,
                                    pby_error *err)
{
    pby_enclosure e;
    pby_enclosure_init(&e);
    const pby_status status = pby_ledger_odometer(&e, ledger, digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    if (status == PBY_OK)
        pby_decimals_set(epsilon, &e, digits);
    pby_enclosure_clear(&e);
    return status;
}
