/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "certificate/ledger/file_store.h"
#include "certificate/ledger/schema.h"

/* SQLite's own look at every page and every value. */
static pby_status check_pages(sqlite3 *db, pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    pby_status status = pby_database_prepare(&statement, db, "PRAGMA integrity_check(1)", NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    if (status == PBY_OK && (!row || strcmp(pby_database_text(statement, 0), "ok") != 0))
        status =
            pby_database_damaged(db, row ? pby_database_text(statement, 0) : "SQLite cannot check it", err);
    sqlite3_finalize(statement);
    return status;
}

pby_status pby_file_store_check(int *version, pby_ledger_store *store, bool whole, pby_error *err)
{
    sqlite3 *db = ((pby_file_store *)store)->db;
    pby_status status = pby_ledger_schema_version(version, db, err);
    if (status == PBY_OK && (whole || !pby_version_has_sums(*version)))
        status = check_pages(db, err);
    return status == PBY_OK ? pby_ledger_schema_check(db, *version, err) : status;
}
