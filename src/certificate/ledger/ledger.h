/* SPDX-License-Identifier: MIT */
/* The SQLite side of a ledger: opening, and statements with their errors told.
 *
 * Durability: journal_mode DELETE and synchronous EXTRA, so that when a commit returns, the record is on the
 * disk and so is the removal of the journal that could undo it. Every transaction that will write begins
 * IMMEDIATE, so that what it has read cannot change under it.
 */
#ifndef PBY_CERTIFICATE_LEDGER_LEDGER_H
#define PBY_CERTIFICATE_LEDGER_LEDGER_H

#include <gmp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "certificate/ledger/chain.h"
#include "certificate/ledger/schema.h"
#include "probity/ledger.h"

/* The neighbours, the accounting, the bound, delta, in how many rows a record may be, and in version 4 the
 * column that names the user. */
enum { PBY_BUDGET_TEXTS = 6 };
size_t pby_budget_texts(int version);

struct pby_ledger {
    sqlite3 *db;
    pthread_mutex_t lock; /* recursive: what visits an entry may ask the ledger */
    pid_t process;        /* that opened it; a child of it would share the connection, which SQLite forbids */
    uint64_t spends;      /* entries that were recorded through this object */
    int version;
    pby_chain begin; /* of the budget, without an entry */
    pby_neighbours relation;
    pby_composition accounting; /* PBY_COMPOSE_BASIC under a filter: its charges add, too */
    pby_filter filter;
    char *mode;                 /* what the budget says of its accounting, for free(3) */
    mpq_t bound, delta;         /* the budget: an epsilon, a rho or a divergence, and a delta */
    mpq_t order;                /* of PBY_FILTER_RENYI */
    mpq_t split;                /* of PBY_FILTER_APPROX */
    unsigned long rows;         /* in how many a record may be */
    char *user;                 /* the column that names the unit of privacy; NULL: a record is */
    bool claimed;               /* releases are said to be by that unit */
    char after[PBY_CHAIN_SIZE]; /* a digest that the chain must contain; "": any */
};

/* The charge that an entry is recorded with under basic accounting and under a filter, rationals as texts,
 * for free(3); NULL under exact. */
typedef struct pby_charge {
    char *bound, *delta;
} pby_charge;

void pby_charge_clear(pby_charge *charge);

/* Sets *charge to the charge of a release that still fits into the budget; PBY_NO when it does not fit.
 * `charged` is the spec as often as a record may be in a row; epsilon is that of the spec itself. */
pby_status pby_ledger_admit(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err);

/* Does the work of pby_ledger_admit where charges add, */
pby_status pby_adding_admit(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err);

/* and that of pby_ledger_admit and pby_ledger_spent where all entries are one composition. */
pby_status pby_composing_admit(pby_ledger *ledger, const pby_spec *spec, pby_error *err);
pby_status pby_composing_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger,
                               unsigned digits, pby_error *err);

/* The delta of a spec at an epsilon: the usual bounds, and closer ones where these leave open whether it is
 * at most `most`. */
pby_status pby_ledger_delta_near(pby_enclosure *delta, const pby_ledger *ledger, const pby_spec *spec,
                                 mpq_srcptr epsilon, mpq_srcptr most, unsigned digits, pby_error *err);

/* PBY_NO: `what` would be up to `after`, and the budget is `most`. */
pby_status pby_ledger_overspend(const pby_spec *spec, const char *what, const char *after, mpq_srcptr most,
                                pby_error *err);

/* All that was recorded as one spec, and `more` behind it unless that is NULL; *out is NULL when there is
 * nothing. */
pby_status pby_ledger_gather(pby_spec **out, pby_ledger *ledger, const pby_spec *more, pby_error *err);

/* Calls visit, unless it is NULL, for every entry, in their order, each when its digest has been checked;
 * *end, unless NULL, is the chain of all of them. PBY_BAD when an entry is not as it was recorded, or there
 * are not as many, or the chain lacks ledger->after. In one statement, so that no other process writes
 * between the entries and what they are held against. */
pby_status pby_ledger_walk(pby_chain *end, pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                           void *what, pby_error *err);

/* Refuses a file that SQLite finds damaged, or whose tables are not those of its version, which this reads.
 */
pby_status pby_ledger_whole(int *version, sqlite3 *db, pby_error *err);

/* Brings a ledger of an older version to the present one, inside the caller's transaction, in which no other
 * process writes: what it has is sealed by digests as it stands. Nothing to do where another process has done
 * it. */
pby_status pby_ledger_upgrade(pby_ledger *ledger, pby_error *err);

/* Records what a chain comes to, inside the caller's transaction: of its last entry, if it has one, and of
 * all. */
pby_status pby_ledger_seal(sqlite3 *db, const pby_chain *chain, pby_error *err);

/* Waits for other threads, until pby_ledger_leave. PBY_BAD, and nothing to leave, in another process than the
 * one that opened the ledger, where its path no longer leads to the file that was opened, and where the file
 * has several names: a charge would be lost. */
PBY_CHECKED
pby_status pby_ledger_enter(pby_ledger *ledger, pby_error *err);
void pby_ledger_leave(pby_ledger *ledger);

/* A connection with the pragmas above. */
pby_status pby_database_open(sqlite3 **out, const char *path, pby_error *err);

/* Runs statements that return no row. */
pby_status pby_database_run(sqlite3 *db, const char *sql, pby_error *err);

/* A statement with texts bound to ?1, ?2, ...; for sqlite3_finalize. */
pby_status pby_database_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql, const char *const *texts,
                                size_t count, pby_error *err);

/* The next row; *row is false behind the last. */
pby_status pby_database_step(bool *row, sqlite3_stmt *statement, pby_error *err);

/* Runs one statement that returns no row, with texts bound as above. */
pby_status pby_database_insert(sqlite3 *db, const char *sql, const char *const *texts, size_t count,
                               pby_error *err);

/* A column of the present row, "" for NULL; until the next step. */
const char *pby_database_text(sqlite3_stmt *statement, int column);

/* PBY_BAD for a file that is no ledger, and for one that is damaged; the error names it by its absolute path.
 */
pby_status pby_database_refuse(sqlite3 *db, const char *reason, pby_error *err);
pby_status pby_database_damaged(sqlite3 *db, const char *what, pby_error *err);

#endif
