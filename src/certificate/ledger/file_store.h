/* SPDX-License-Identifier: MIT */
/* A ledger in a file: an SQLite database.
 *
 * Durability: journal_mode DELETE and synchronous EXTRA, so that when a commit returns, the record is on the
 * disk and so is the removal of the journal that could undo it. Every transaction that will write begins
 * IMMEDIATE, so that what it has read cannot change under it.
 */
#ifndef PBY_CERTIFICATE_LEDGER_FILE_STORE_H
#define PBY_CERTIFICATE_LEDGER_FILE_STORE_H

#include <sqlite3.h>

#include "certificate/ledger/ledger_store.h"

PBY_CHECKED
pby_status pby_file_store_open(pby_ledger_store **out, const char *path, pby_error *err);
PBY_CHECKED
pby_status pby_file_store_create(const char *path, const char *const *texts, pby_ledger *source,
                                 pby_error *err);

/* ---- for the files that make one up ------------------------------------------------------------- */

typedef struct pby_file_store {
    pby_ledger_store store;
    sqlite3 *db;
} pby_file_store;

/* Refuses a file whose tables are not those of its version, which this reads, and one that SQLite finds
 * damaged: `whole` looks at every page, and so does a version that keeps no sums. */
pby_status pby_file_store_check(int *version, pby_ledger_store *store, bool whole, pby_error *err);

/* Brings a ledger of an older version to the present one, inside the caller's transaction, in which no other
 * process writes: what it has is sealed by digests as it stands. Nothing to do where another process has done
 * it. */
pby_status pby_file_store_upgrade(pby_ledger *ledger, pby_error *err);

/* Records an entry, without its digest; empty charges are none. */
pby_status pby_file_store_insert(sqlite3 *db, const pby_ledger_entry *entry, pby_error *err);

/* Records what a chain comes to, inside the caller's transaction: of its last entry, if it has one, and of
 * all. */
pby_status pby_file_store_seal(sqlite3 *db, const pby_chain *chain, pby_error *err);

/* Keeps the sums of all entries, inside the caller's transaction, and reads them. */
pby_status pby_file_store_keep(sqlite3 *db, const pby_kept_sums *sums, pby_error *err);
pby_status pby_file_store_sums(pby_kept_sums *out, pby_ledger_store *store, pby_error *err);

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
