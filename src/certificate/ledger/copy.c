/* SPDX-License-Identifier: MIT */
/* Copies of ledgers, between a file and a server, with their chains. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/ledger/ledger.h"
#include "certificate/ledger/ledger_store.h"

struct copying {
    const pby_ledger *source;
    pby_totals totals; /* with the chain */
    bool sums;
    pby_copy_visit *visit;
    void *what;
};

static pby_status copy_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct copying *c = what;
    pby_ledger_entry kept = *entry;
    char *text = pby_terms_join(entry->spec, entry->part[0] == '\0' ? NULL : entry->part);
    if (text == NULL)
        return pby_no_memory(err);
    kept.spec = text;
    pby_chain_add(&c->totals.chain, &kept);
    pby_status status = c->visit(&kept, &c->totals.chain, c->what, err);
    free(text);
    if (status != PBY_OK || !c->sums)
        return status;
    long long period;
    PBY_TRY(pby_terms_period(&period, &c->source->terms, entry->at, err));
    return pby_totals_add(&c->totals, entry, period, err);
}

pby_status pby_store_copy(pby_kept_sums *sums, pby_ledger *source, pby_copy_visit *visit, void *what,
                          pby_error *err)
{
    struct copying c = {.source = source, .sums = sums != NULL, .visit = visit, .what = what};
    pby_totals_init(&c.totals);
    c.totals.chain = source->begin;
    c.totals.period = LLONG_MIN;
    pby_status status = pby_ledger_each(source, copy_entry, &c, err);
    if (status == PBY_OK && sums != NULL)
        status =
            pby_sums_write(sums, &c.totals, source->accounting == PBY_COMPOSE_EXACT, &source->begin, err);
    pby_totals_clear(&c.totals);
    return status;
}

static pby_status copy_to(const char *to, pby_ledger *from, pby_error *err)
{
    char *texts[PBY_BUDGET_TEXTS] = {NULL};
    if (from->version == PBY_LEDGER_OLD)
        return pby_fail(
            err, PBY_BAD,
            "ledger: expected one with digests to copy: version 2 gets them with its next charge");
    pby_status status = from->store->kind->budget(texts, from->store, from->version, err);
    if (status == PBY_OK)
        status = pby_store_create(to, (const char *const *)texts, from, err);
    for (size_t i = 0; i < PBY_BUDGET_TEXTS; i++)
        free(texts[i]);
    return status;
}

pby_status pby_ledger_copy(const char *from, const char *to, pby_error *err)
{
    pby_ledger *source;
    PBY_TRY(pby_ledger_open(&source, from, err));
    const pby_status status = copy_to(to, source, err);
    pby_ledger_close(source);
    return status;
}
