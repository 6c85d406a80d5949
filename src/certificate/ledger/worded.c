/* Ledgers with numbers as text. */
#include <stdlib.h>

#include "number/worded.h"
#include "probity/ledger.h"
#include "probity/rational.h"

pby_status pby_ledger_create_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                  unsigned long rows, const char *epsilon, const char *delta, pby_error *err)
{
    static const char *const names[] = {"epsilon", "delta"};
    const char *const texts[] = {epsilon, delta};
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 2, err);
    if (status == PBY_OK)
        status = pby_ledger_create_overlapping(path, relation, accounting, rows, x[0], x[1], err);
    mpq_clears(x[0], x[1], NULL);
    return status;
}

pby_status pby_ledger_create_user_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                       const char *user, const char *epsilon, const char *delta,
                                       pby_error *err)
{
    static const char *const names[] = {"epsilon", "delta"};
    const char *const texts[] = {epsilon, delta};
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 2, err);
    if (status == PBY_OK)
        status = pby_ledger_create_user(path, relation, accounting, user, x[0], x[1], err);
    mpq_clears(x[0], x[1], NULL);
    return status;
}

pby_status pby_ledger_budget_text(char **epsilon, char **delta, const pby_ledger *ledger, pby_error *err)
{
    *delta = NULL;
    pby_status status = pby_rational_print(epsilon, pby_ledger_epsilon(ledger), err);
    if (status == PBY_OK)
        status = pby_rational_print(delta, pby_ledger_delta(ledger), err);
    if (status != PBY_OK) {
        free(*epsilon);
        *epsilon = NULL;
    }
    return status;
}

/* pby_ledger_spend or pby_ledger_affords. */
typedef pby_status answer(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err);

static pby_status ask(answer *by, pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                      pby_error *err)
{
    mpq_t x;
    mpq_init(x);
    pby_status status = epsilon == NULL ? PBY_OK : pby_rational_parse(x, "epsilon", epsilon, err);
    if (status == PBY_OK)
        status = by(ledger, spec, epsilon == NULL ? NULL : x, err);
    mpq_clear(x);
    return status;
}

pby_status pby_ledger_spend_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                 pby_error *err)
{
    return ask(pby_ledger_spend, ledger, spec, epsilon, err);
}

pby_status pby_ledger_affords_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                   pby_error *err)
{
    return ask(pby_ledger_affords, ledger, spec, epsilon, err);
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
