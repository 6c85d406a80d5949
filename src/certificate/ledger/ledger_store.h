/* SPDX-License-Identifier: MIT */
/* A place that keeps a ledger's budget and entries. The rules of a ledger (the chain, the budget, the
 * accounting) are the same wherever it is kept; a kind of store does what differs: transactions, statements
 * and their errors.
 *
 * All but begin, commit and abandon run inside a transaction; entries may also run alone, and then sees one
 * state.
 */
#ifndef PBY_CERTIFICATE_LEDGER_LEDGER_STORE_H
#define PBY_CERTIFICATE_LEDGER_LEDGER_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "certificate/ledger/chain.h"
#include "certificate/ledger/kept_sums.h"
#include "probity/ledger.h"

/* The neighbours, the accounting, the bound, delta, in how many rows a record may be, and in version 4 the
 * column that names the user. */
enum { PBY_BUDGET_TEXTS = 6, PBY_BUDGET_ROWS = 4, PBY_BUDGET_USER = 5 };
size_t pby_budget_texts(int version);

/* The version of a new ledger with these texts: 6 where there is a user's column, otherwise 5. */
int pby_budget_version(const char *const *texts);

/* True of a version whose unit of privacy is a user, and of one that keeps the sums of its entries. */
bool pby_version_has_users(int version);
bool pby_version_has_sums(int version);

/* One entry beside what the store keeps of all of them; until the next. */
typedef struct pby_kept_entry {
    pby_ledger_entry entry; /* number 0: there is none */
    const char *digest;     /* of the entry; "" in version 2 */
    pby_chain head;         /* how many were recorded, and the last digest; "" in version 2 */
} pby_kept_entry;

typedef pby_status pby_kept_visit(const pby_kept_entry *kept, void *what, pby_error *err);

typedef struct pby_ledger_store pby_ledger_store;

enum { PBY_STORE_TIME = 32 };

typedef struct pby_store_kind {
    void (*close)(pby_ledger_store *store);
    /* Refuses a store that its name no longer leads to. */
    pby_status (*place)(pby_ledger_store *store, pby_error *err);
    /* Begins a transaction; one that writes keeps other writers out until its end. */
    pby_status (*begin)(pby_ledger_store *store, bool writes, pby_error *err);
    /* Ends it. Behind PBY_OK what was appended survives a crash of the machine that keeps it. */
    pby_status (*commit)(pby_ledger_store *store, pby_error *err);
    /* Takes a transaction back that has not ended. */
    void (*abandon)(pby_ledger_store *store);
    /* True if the transaction that failed left nothing and may be tried again from its beginning. */
    bool (*again)(pby_ledger_store *store);
    /* The time of an entry, in a transaction that writes. */
    pby_status (*clock)(char at[PBY_STORE_TIME], pby_ledger_store *store, pby_error *err);
    /* Refuses what is no ledger, and one that is damaged as far as the store itself can tell; unless `whole`,
     * in a time that does not grow with the entries of a version that keeps sums. */
    pby_status (*check)(int *version, pby_ledger_store *store, bool whole, pby_error *err);
    /* Sets as many texts as the version has, each for free(3). */
    pby_status (*budget)(char *texts[PBY_BUDGET_TEXTS], pby_ledger_store *store, int version, pby_error *err);
    /* Visits the entries from a number on in their order; once, without an entry, where there is none. */
    pby_status (*entries)(pby_ledger_store *store, int version, long long from, pby_kept_visit *visit,
                          void *what, pby_error *err);
    /* Appends an entry whose charges may be NULL; the chain ends in it. */
    pby_status (*append)(pby_ledger_store *store, const pby_ledger_entry *entry, const pby_chain *chain,
                         pby_error *err);
    /* Sets *out to the sums that are kept, whose text is for free(3) in any case. */
    pby_status (*sums)(pby_kept_sums *out, pby_ledger_store *store, pby_error *err);
    /* Keeps the sums of all entries; NULL: the store computes them itself. */
    pby_status (*keep)(pby_ledger_store *store, const pby_kept_sums *sums, pby_error *err);
    /* Brings an older version to the present one, inside the caller's transaction that writes. */
    pby_status (*upgrade)(pby_ledger *ledger, pby_error *err);
} pby_store_kind;

struct pby_ledger_store {
    const pby_store_kind *kind;
    char *name; /* for errors: the real path of a file, or a URI without its secrets; for free(3) */
};

/* Opens the store of the ledger that the argument names; */
PBY_CHECKED
pby_status pby_store_open(pby_ledger_store **out, const char *path, pby_error *err);
void pby_store_close(pby_ledger_store *store);

/* makes one for a budget, with the entries of another ledger of that budget (NULL: with nothing spent).
 * Refused where there is one. */
PBY_CHECKED
pby_status pby_store_create(const char *path, const char *const *texts, pby_ledger *source, pby_error *err);

/* Calls visit for every entry of a ledger as its store keeps it, with the spec and the part in one text, and
 * with the chain that ends in it; *sums, unless NULL, are of all of them, and its text is for free(3) in any
 * case (copy.c). */
typedef pby_status pby_copy_visit(const pby_ledger_entry *entry, const pby_chain *chain, void *what,
                                  pby_error *err);
PBY_CHECKED
pby_status pby_store_copy(pby_kept_sums *sums, pby_ledger *source, pby_copy_visit *visit, void *what,
                          pby_error *err);

/* PBY_BAD for a version that is not known here. */
PBY_CHECKED
pby_status pby_store_version_check(int version, pby_error *err);

/* PBY_BAD for what is no ledger, and for one that is damaged. */
pby_status pby_store_refuse(const char *name, const char *reason, pby_error *err);
pby_status pby_store_damaged(const char *name, const char *what, pby_error *err);

#endif
