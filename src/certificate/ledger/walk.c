/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/readable.h"
#include "certificate/ledger/ledger.h"

enum { WHAT_SIZE = 96 };

typedef pby_status entry_visit(const pby_ledger_entry *entry, void *what, pby_error *err);

struct walk {
    const pby_ledger *ledger;
    pby_chain chain, kept; /* of the entries so far; and as the store keeps it */
    bool after;            /* the chain has come to the digest that it must contain */
    long long from;        /* the entry that was read last, which the walk begins with; 0: there is none */
    entry_visit *visit;
    void *what;
};

static pby_status damaged_entry(const pby_ledger *ledger, long long number, const char *why, pby_error *err)
{
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "entry %lld %s", number, why);
    return pby_store_damaged(ledger->store->name, what, err);
}

/* An open ledger whose last known entry is gone, or is another. */
static pby_status goes_back(const pby_ledger *ledger, pby_error *err)
{
    return pby_refuse(err, "ledger", ledger->store->name,
                      "a ledger that goes on from the entries that were read: it may be an older copy");
}

/* True if the entry is the one behind the chain, which then ends in it. */
static bool follows(pby_chain *chain, const pby_ledger *ledger, const pby_kept_entry *kept)
{
    const bool next = kept->entry.number == chain->entries + 1;
    pby_chain_add(chain, &kept->entry);
    return next && (ledger->version == PBY_LEDGER_OLD || strcmp(chain->digest, kept->digest) == 0);
}

/* Whoever may append to a database may write an entry by hand, with a chain that is right. */
static bool is_plain(const pby_ledger_entry *entry)
{
    return pby_readable(entry->at, false) && pby_readable(entry->spec, false) &&
           pby_readable(entry->epsilon, false) && pby_readable(entry->delta, false);
}

static bool is_after(const pby_ledger *ledger, const pby_chain *chain)
{
    return ledger->after[0] == '\0' || strcmp(ledger->after, chain->digest) == 0;
}

/* The visitor sees the spec and the part that an entry keeps in one text. */
static pby_status visit(const struct walk *w, const pby_ledger_entry *recorded, pby_error *err)
{
    pby_ledger_entry entry = *recorded;
    entry.part = "";
    if (w->visit == NULL)
        return PBY_OK;
    if (w->ledger->terms.parts == NULL)
        return w->visit(&entry, w->what, err);
    char *spec = strndup(recorded->spec, pby_terms_split(&entry.part, recorded->spec));
    entry.spec = spec;
    const pby_status status = spec == NULL ? pby_no_memory(err) : w->visit(&entry, w->what, err);
    free(spec);
    return status;
}

/* The entry that the walk was told to begin with is the last that was read before. */
static bool is_known(const struct walk *w, const pby_kept_entry *kept)
{
    return kept->entry.number == w->from && w->chain.entries == w->from &&
           strcmp(kept->digest, w->chain.digest) == 0;
}

static pby_status step(const pby_kept_entry *kept, void *what, pby_error *err)
{
    struct walk *w = what;
    const long long number = w->chain.entries + 1;
    w->kept = kept->head;
    if (kept->entry.number == 0 || is_known(w, kept))
        return PBY_OK;
    if (w->from > 0 && kept->entry.number <= w->from)
        return goes_back(w->ledger, err);
    if (!follows(&w->chain, w->ledger, kept))
        return damaged_entry(w->ledger, number, "is not as it was recorded", err);
    if (!is_plain(&kept->entry))
        return damaged_entry(w->ledger, number, "has characters that do not print", err);
    w->after = w->after || is_after(w->ledger, &w->chain);
    return visit(w, &kept->entry, err);
}

static bool same(const struct walk *w)
{
    return w->kept.entries == w->chain.entries &&
           (w->ledger->version == PBY_LEDGER_OLD || strcmp(w->kept.digest, w->chain.digest) == 0);
}

static pby_status run_walk(struct walk *w, pby_error *err)
{
    const pby_ledger *ledger = w->ledger;
    pby_status status = ledger->store->kind->entries(ledger->store, ledger->version,
                                                     w->from == 0 ? LLONG_MIN : w->from, step, w, err);
    if (status == PBY_OK && w->from > 0 && w->kept.entries < w->from)
        status = goes_back(ledger, err);
    if (status == PBY_OK && !same(w))
        status = pby_store_damaged(ledger->store->name, "its entries are not those that it counts", err);
    return status != PBY_OK || w->after
               ? status
               : pby_refuse(err, "after", ledger->after,
                            "a digest that the ledger has or had: it may be an older copy");
}

pby_status pby_ledger_walk(pby_chain *end, pby_ledger *ledger, entry_visit *visitor, void *what,
                           pby_error *err)
{
    PBY_TRY(pby_ledger_enter(ledger, err));
    struct walk w = {ledger, ledger->begin, {-1, ""}, is_after(ledger, &ledger->begin), 0, visitor, what};
    const pby_status status = run_walk(&w, err);
    if (status == PBY_OK && end != NULL)
        *end = w.chain;
    pby_ledger_leave(ledger);
    return status;
}

/* ---- only what is new ---------------------------------------------------------------------------- */

/* An entry by hand without a charge would count for nothing where charges add. */
static pby_status check_charge(const pby_ledger *ledger, const pby_ledger_entry *entry, pby_error *err)
{
    const bool adds = pby_ledger_accounting(ledger) == PBY_COMPOSE_BASIC;
    if (adds && entry->epsilon[0] == '\0')
        return pby_refuse(err, "ledger entry's epsilon", "", "a rational");
    return adds && entry->delta[0] == '\0' ? pby_refuse(err, "ledger entry's delta", "", "a rational")
                                           : PBY_OK;
}

static pby_status add_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    pby_ledger *ledger = what;
    long long period;
    PBY_TRY(check_charge(ledger, entry, err));
    PBY_TRY(pby_terms_period(&period, &ledger->terms, entry->at, err));
    return pby_totals_add(&ledger->totals, entry, period, err);
}

/* Begins anew where nothing was read, and in a ledger without digests, which cannot show that it goes on. A
 * digest that the chain must contain was looked for when it was given, in all of the chain. */
static struct walk where_it_stopped(pby_ledger *ledger)
{
    pby_totals *t = &ledger->totals;
    if (t->chain.entries < 0 || ledger->version == PBY_LEDGER_OLD) {
        pby_totals_forget(t);
        t->chain = ledger->begin;
        t->period = LLONG_MIN;
        return (struct walk){ledger, ledger->begin, {-1, ""}, is_after(ledger, &ledger->begin),
                             0,      add_entry,     ledger};
    }
    return (struct walk){ledger, t->chain, {-1, ""}, true, t->chain.entries, add_entry, ledger};
}

static pby_status set_now(long long *period, const pby_ledger *ledger, const char *at, pby_error *err)
{
    char now[PBY_STORE_TIME];
    struct tm utc;
    const time_t t = time(NULL);
    if (at != NULL || gmtime_r(&t, &utc) == NULL ||
        strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        now[0] = '\0';
    return pby_terms_period(period, &ledger->terms, at == NULL ? now : at, err);
}

/* Sums in another order or with another text of a spec are read as the same. */
static pby_status compare(bool *same, pby_ledger *ledger, const pby_kept_sums *kept, pby_error *err)
{
    const bool exact = ledger->accounting == PBY_COMPOSE_EXACT;
    pby_kept_sums right = {.text = NULL}, read = {.text = NULL};
    pby_totals t;
    pby_totals_init(&t);
    pby_status status = pby_sums_read(&t, kept, err);
    if (status == PBY_OK)
        status = pby_sums_write(&read, &t, exact, &ledger->begin, err);
    if (status == PBY_OK)
        status = pby_sums_write(&right, &ledger->totals, exact, &ledger->begin, err);
    *same = status == PBY_OK && strcmp(right.text, read.text) == 0;
    free(right.text);
    free(read.text);
    pby_totals_clear(&t);
    return status;
}

static bool is_chain(const pby_chain *a, const pby_chain *b)
{
    return a->entries == b->entries && strcmp(a->digest, b->digest) == 0;
}

static pby_status wrong_sums(const pby_ledger *ledger, pby_error *err)
{
    return pby_store_damaged(ledger->store->name, "the sums that it keeps are not those of its entries", err);
}

/* Compares the sums that are kept with those of all entries. Unless `strictly`, in a transaction, another
 * process may have recorded an entry since these were read. */
static pby_status check_sums(pby_ledger *ledger, bool strictly, pby_error *err)
{
    pby_kept_sums kept = {.text = NULL};
    bool same = true;
    if (!pby_version_has_sums(ledger->version))
        return PBY_OK;
    pby_status status = ledger->store->kind->sums(&kept, ledger->store, err);
    const bool of_all = status == PBY_OK && is_chain(&kept.chain, &ledger->totals.chain);
    if (status == PBY_OK && !of_all && strictly)
        status = wrong_sums(ledger, err);
    if (status == PBY_OK && of_all && !pby_sums_are_sealed(&kept, &ledger->begin))
        status = wrong_sums(ledger, err);
    if (status == PBY_OK && of_all)
        status = compare(&same, ledger, &kept, err);
    free(kept.text);
    return status == PBY_OK && !same ? wrong_sums(ledger, err) : status;
}

static pby_status catch_up(pby_ledger *ledger, const char *at, bool strictly, pby_error *err)
{
    long long now;
    pby_totals *t = &ledger->totals;
    pby_totals_return(t);
    const bool all = t->chain.entries < 0;
    struct walk w = where_it_stopped(ledger);
    pby_status status = run_walk(&w, err);
    if (status == PBY_OK)
        t->chain = w.chain;
    if (status == PBY_OK && all)
        status = check_sums(ledger, strictly, err);
    if (status == PBY_OK)
        status = set_now(&now, ledger, at, err);
    if (status == PBY_OK)
        status = pby_totals_reach(t, now, err);
    if (status != PBY_OK)
        pby_totals_forget(t);
    return status;
}

pby_status pby_ledger_catch_up(pby_ledger *ledger, const char *at, pby_error *err)
{
    PBY_TRY(pby_ledger_enter(ledger, err));
    const pby_status status = catch_up(ledger, at, false, err);
    pby_ledger_leave(ledger);
    return status;
}

/* The seal ties the sums to the budget, and the walk finds the entry that they end in. */
static pby_status resume(pby_ledger *ledger, pby_error *err)
{
    pby_kept_sums kept = {.text = NULL};
    const pby_chain *chain = &ledger->totals.chain;
    pby_status status = ledger->store->kind->sums(&kept, ledger->store, err);
    if (status == PBY_OK && (!pby_sums_are_sealed(&kept, &ledger->begin) || kept.chain.entries < 0))
        status = wrong_sums(ledger, err);
    if (status == PBY_OK)
        status = pby_sums_read(&ledger->totals, &kept, err);
    if (status == PBY_OK)
        status = catch_up(ledger, NULL, true, err);
    if (status == PBY_OK && !is_chain(&kept.chain, chain))
        status = wrong_sums(ledger, err);
    free(kept.text);
    return status;
}

pby_status pby_ledger_read(pby_ledger *ledger, bool whole, pby_error *err)
{
    PBY_TRY(pby_ledger_enter(ledger, err));
    const bool sums = !whole && pby_version_has_sums(ledger->version);
    const pby_status status = sums ? resume(ledger, err) : catch_up(ledger, NULL, true, err);
    pby_ledger_leave(ledger);
    return status;
}
