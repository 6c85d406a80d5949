/* The SQLite side of a ledger: opening, and statements with their errors told.
 *
 * Durability: journal_mode DELETE and synchronous EXTRA, so that when a commit returns, the record is on the
 * disk and so is the removal of the journal that could undo it. Every transaction that will write begins
 * IMMEDIATE, so that what it has read cannot change under it.
 */
#ifndef PBY_CERTIFICATE_LEDGER_H
#define PBY_CERTIFICATE_LEDGER_H

#include <gmp.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "probity/ledger.h"
#include "status.h"

enum { PBY_LEDGER_ID = 0x5042594c /* "PBYL" */, PBY_LEDGER_VERSION = 2 };

struct pby_ledger {
    sqlite3 *db;
    pby_neighbours relation;
    pby_composition accounting;
    mpq_t epsilon, delta;
};

/* What an entry is recorded with under basic accounting, rationals as texts, for free(3); NULL under exact. */
typedef struct pby_charge {
    char *epsilon, *delta;
} pby_charge;

/* Whether a release still fits into the budget, and its charge; PBY_NO when it does not fit. */
pby_status pby_ledger_admit(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon,
                            pby_error *err);

/* A connection with the pragmas above. */
pby_status pby_database_open(sqlite3 **out, const char *path, pby_error *err);

/* Runs statements that return no row. */
pby_status pby_database_run(sqlite3 *db, const char *sql, pby_error *err);

/* A statement with texts bound to ?1, ?2, ...; for sqlite3_finalize. */
pby_status pby_database_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql, const char *const *texts,
                                size_t count, pby_error *err);

/* The next row; *row is false behind the last. */
pby_status pby_database_step(bool *row, sqlite3_stmt *statement, pby_error *err);

/* PBY_BAD for a file that is no ledger, which the error names by its absolute path. */
pby_status pby_database_refuse(sqlite3 *db, const char *reason, pby_error *err);

#endif
