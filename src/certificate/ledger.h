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

#include "probity/ledger.h"
#include "status.h"

enum { PBY_LEDGER_ID = 0x5042594c /* "PBYL" */, PBY_LEDGER_VERSION = 1 };

struct pby_ledger {
    sqlite3 *db;
    pby_neighbours relation;
    mpq_t epsilon, delta;
};

/* A connection with the pragmas above. */
pby_status pby_database_open(sqlite3 **out, const char *path, pby_error *err);

/* Runs statements that return no row. */
pby_status pby_database_run(sqlite3 *db, const char *sql, pby_error *err);

/* A statement with texts bound to ?1, ?2, ...; for sqlite3_finalize. */
pby_status pby_database_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql, const char *const *texts,
                                size_t count, pby_error *err);

/* The next row; *row is 0 behind the last. */
pby_status pby_database_step(int *row, sqlite3_stmt *statement, pby_error *err);

/* The error of the last call on db: PBY_BAD for a file that is no ledger, otherwise PBY_FAILED. */
pby_status pby_database_error(sqlite3 *db, pby_error *err);

#endif
