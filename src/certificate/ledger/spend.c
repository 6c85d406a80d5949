/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/work.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/spent.h"
#include "certificate/unit.h"
#include "mechanism/family.h"

/* Behind all that is recorded, with its digest. */
static pby_status insert(pby_chain *end, pby_ledger *ledger, const char *at, const pby_spec *spec,
                         const pby_charge *charge, pby_error *err)
{
    pby_chain chain = ledger->totals.chain;
    char *text = pby_terms_join(pby_spec_text(spec), ledger->part);
    if (text == NULL)
        return pby_no_memory(err);
    pby_ledger_entry entry = {.number = chain.entries + 1,
                              .at = at,
                              .spec = text,
                              .epsilon = charge->bound == NULL ? "" : charge->bound,
                              .delta = charge->delta == NULL ? "" : charge->delta};
    pby_chain_add(&chain, &entry);
    *end = chain;
    entry.epsilon = charge->bound;
    entry.delta = charge->delta;
    const pby_status status = ledger->store->kind->append(ledger->store, &entry, &chain, err);
    free(text);
    return status;
}

/* Keeps the sums of all entries with the one that was appended, where the store does not do so itself. */
static pby_status keep_sums(pby_ledger *ledger, const char *at, const pby_spec *spec,
                            const pby_charge *charge, const pby_chain *end, pby_error *err)
{
    const pby_store_kind *kind = ledger->store->kind;
    pby_totals *t = &ledger->totals;
    pby_kept_sums sums = {.text = NULL};
    long long period;
    if (kind->keep == NULL || !pby_version_has_sums(ledger->version))
        return PBY_OK;
    const pby_ledger_entry entry = {.number = end->entries,
                                    .at = at,
                                    .spec = pby_spec_text(spec),
                                    .epsilon = charge->bound == NULL ? "" : charge->bound,
                                    .delta = charge->delta == NULL ? "" : charge->delta,
                                    .part = ledger->part == NULL ? "" : ledger->part};
    PBY_TRY(pby_terms_period(&period, &ledger->terms, at, err));
    pby_totals_return(t);
    PBY_TRY(pby_totals_add(t, &entry, period, err));
    t->chain = *end;
    pby_status status =
        pby_sums_write(&sums, t, ledger->accounting == PBY_COMPOSE_EXACT, &ledger->begin, err);
    if (status == PBY_OK)
        status = kind->keep(ledger->store, &sums, err);
    free(sums.text);
    return status;
}

/* A commit may fail so late that the entry is on the disk: at the removal of the journal. */
static bool is_recorded(pby_ledger *ledger, const pby_chain *end)
{
    pby_chain now = {-1, ""};
    return pby_ledger_walk(&now, ledger, NULL, NULL, NULL) == PBY_OK && now.entries >= end->entries &&
           strcmp(now.digest, end->digest) == 0;
}

/* Only rows that a mechanism treats apart, and that a record moves by one each, are a composition. */
pby_status pby_ledger_charged_as(pby_spec **out, const pby_ledger *ledger, const pby_spec *spec,
                                 pby_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < spec->count && ledger->rows > 1; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        if (pby_mechanism_size(m) > 0 || m->family->takes != PBY_TAKES_COUNTS)
            return pby_mechanism_refuse(
                m,
                "a mechanism on rows apart, as the ledger's rows overlap: not one that "
                "reads the size of its data, or no counts",
                err);
    }
    return pby_spec_times(out, spec, ledger->rows, err);
}

/* A release whose unit nobody has claimed is by records. */
static pby_status check_unit(const pby_ledger *ledger, pby_error *err)
{
    return ledger->claimed || ledger->user == NULL ? PBY_OK
                                                   : pby_unit_refuse(err, "ledger", ledger->user, NULL);
}

/* An entry about one part too many would make the ledger unreadable. */
static pby_status check_part(const pby_ledger *ledger, pby_error *err)
{
    return pby_totals_takes(&ledger->totals, ledger->part)
               ? PBY_OK
               : pby_refuse(err, "part", ledger->part, "one of the 1000 that there are, which is the most");
}

pby_status pby_ledger_affords(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
{
    pby_charge charge = {NULL, NULL};
    pby_spec *charged = NULL;
    pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK)
        return status;
    status = check_unit(ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_charged_as(&charged, ledger, spec, err);
    if (status == PBY_OK)
        status = pby_ledger_catch_up(ledger, NULL, err);
    if (status == PBY_OK)
        status = check_part(ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_admit(&charge, ledger, spec, charged, epsilon, err);
    pby_charge_clear(&charge);
    pby_spec_free(charged);
    pby_ledger_leave(ledger);
    return status;
}

/* Commits a charge. From here on the work is brought to its end; only a failed commit lets go again. */
static pby_status commit(pby_ledger *ledger, pby_error *err)
{
    pby_work_hold();
    const pby_status status = ledger->store->kind->commit(ledger->store, err);
    if (status != PBY_OK)
        pby_work_let_go();
    return status;
}

/* The budget is read, compared and written in one transaction that no other process can enter. */
static pby_status try_to_spend(bool *recorded, bool *again, pby_ledger *ledger, const pby_spec *spec,
                               const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    const pby_store_kind *kind = ledger->store->kind;
    pby_charge charge = {NULL, NULL};
    pby_chain end = {-1, ""};
    char at[PBY_STORE_TIME];
    bool committing = false;
    *recorded = *again = false;
    PBY_TRY(kind->begin(ledger->store, true, err));
    pby_status status = kind->upgrade(ledger, err);
    if (status == PBY_OK)
        status = kind->clock(at, ledger->store, err);
    if (status == PBY_OK)
        status = pby_ledger_catch_up(ledger, at, err);
    if (status == PBY_OK)
        status = check_part(ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_admit(&charge, ledger, spec, charged, epsilon, err);
    if (status == PBY_OK)
        status = pby_interrupt_check(err);
    if (status == PBY_OK)
        status = insert(&end, ledger, at, charged, &charge, err);
    const bool appended = status == PBY_OK;
    if (status == PBY_OK)
        status = keep_sums(ledger, at, charged, &charge, &end, err);
    committing = status == PBY_OK;
    if (status == PBY_OK)
        status = commit(ledger, err);
    if (status != PBY_OK)
        kind->abandon(ledger->store);
    if (status != PBY_OK && appended)
        pby_totals_forget(&ledger->totals); /* which may have the entry */
    pby_charge_clear(&charge);
    *again = status == PBY_FAILED && kind->again(ledger->store);
    *recorded = status == PBY_OK || (committing && !*again && is_recorded(ledger, &end));
    return status;
}

/* The store says whether a charge that failed is to be tried again. */
static pby_status spend(pby_ledger *ledger, const pby_spec *spec, const pby_spec *charged, mpq_srcptr epsilon,
                        pby_error *err)
{
    const int version = ledger->version;
    bool recorded, again;
    pby_status status;
    do
        status = try_to_spend(&recorded, &again, ledger, spec, charged, epsilon, err);
    while (again);
    ledger->spends += recorded;
    if (!recorded)
        ledger->version = version; /* what one transaction brings, its end takes back */
    return status;
}

pby_status pby_ledger_spend(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
{
    pby_spec *charged = NULL;
    pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK)
        return status;
    status = check_unit(ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_charged_as(&charged, ledger, spec, err);
    const uint64_t before = ledger->spends;
    if (status == PBY_OK)
        status = pby_ledger_note(ledger, before, spend(ledger, spec, charged, epsilon, err), err);
    pby_spec_free(charged);
    pby_ledger_leave(ledger);
    return status;
}
