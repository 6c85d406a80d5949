/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "certificate/ledger/ledger.h"

enum { WHAT_SIZE = 96 };

typedef pby_status entry_visit(const pby_ledger_entry *entry, void *what, pby_error *err);

struct walk {
    const pby_ledger *ledger;
    pby_chain chain, kept; /* of the entries so far; and as the store keeps it */
    bool after;            /* the chain has come to the digest that it must contain */
    entry_visit *visit;
    void *what;
};

static pby_status damaged_entry(const pby_ledger *ledger, long long number, const char *why, pby_error *err)
{
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "entry %lld %s", number, why);
    return pby_store_damaged(ledger->store->name, what, err);
}

/* True if the entry is the one behind the chain, which then ends in it. */
static bool follows(pby_chain *chain, const pby_ledger *ledger, const pby_kept_entry *kept)
{
    const bool next = kept->entry.number == chain->entries + 1;
    pby_chain_add(chain, &kept->entry);
    return next && (ledger->version == PBY_LEDGER_OLD || strcmp(chain->digest, kept->digest) == 0);
}

static bool prints(const char *text)
{
    while (*text != '\0' && !iscntrl((unsigned char)*text))
        text++;
    return *text == '\0';
}

/* Whoever may append to a database may write an entry by hand, with a chain that is right. */
static bool is_plain(const pby_ledger_entry *entry)
{
    return prints(entry->at) && prints(entry->spec) && prints(entry->epsilon) && prints(entry->delta);
}

static bool is_after(const pby_ledger *ledger, const pby_chain *chain)
{
    return ledger->after[0] == '\0' || strcmp(ledger->after, chain->digest) == 0;
}

static pby_status step(const pby_kept_entry *kept, void *what, pby_error *err)
{
    struct walk *w = what;
    const long long number = w->chain.entries + 1;
    w->kept = kept->head;
    if (kept->entry.number == 0)
        return PBY_OK;
    if (!follows(&w->chain, w->ledger, kept))
        return damaged_entry(w->ledger, number, "is not as it was recorded", err);
    if (!is_plain(&kept->entry))
        return damaged_entry(w->ledger, number, "has characters that do not print", err);
    w->after = w->after || is_after(w->ledger, &w->chain);
    return w->visit == NULL ? PBY_OK : w->visit(&kept->entry, w->what, err);
}

static bool same(const struct walk *w)
{
    return w->kept.entries == w->chain.entries &&
           (w->ledger->version == PBY_LEDGER_OLD || strcmp(w->kept.digest, w->chain.digest) == 0);
}

pby_status pby_ledger_walk(pby_chain *end, pby_ledger *ledger, entry_visit *visit, void *what, pby_error *err)
{
    PBY_TRY(pby_ledger_enter(ledger, err));
    struct walk w = {ledger, ledger->begin, {-1, ""}, is_after(ledger, &ledger->begin), visit, what};
    pby_status status = ledger->store->kind->entries(ledger->store, ledger->version, step, &w, err);
    if (status == PBY_OK && !same(&w))
        status = pby_store_damaged(ledger->store->name, "its entries are not those that it counts", err);
    if (status == PBY_OK && !w.after)
        status = pby_refuse(err, "after", ledger->after,
                            "a digest that the ledger has or had: it may be an older copy");
    if (status == PBY_OK && end != NULL)
        *end = w.chain;
    pby_ledger_leave(ledger);
    return status;
}
