/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/file_store.h"

pby_status pby_database_refuse(sqlite3 *db, const char *reason, pby_error *err)
{
    return pby_store_refuse(sqlite3_db_filename(db, "main"), reason, err);
}

pby_status pby_database_damaged(sqlite3 *db, const char *what, pby_error *err)
{
    return pby_store_damaged(sqlite3_db_filename(db, "main"), what, err);
}

/* The error of the last call on db: PBY_BAD for a file that is no ledger or is damaged, otherwise PBY_FAILED.
 */
static pby_status last_error(sqlite3 *db, pby_error *err)
{
    switch (sqlite3_errcode(db)) {
    case SQLITE_CORRUPT:
        return pby_database_damaged(db, sqlite3_errmsg(db), err);
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
        return pby_database_refuse(db, sqlite3_errmsg(db), err);
    case SQLITE_BUSY:
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO,
                           "ledger: another process has kept it for %d seconds", PBY_LEDGER_PATIENCE);
    default:
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger: %s", sqlite3_errmsg(db));
    }
}

pby_status pby_database_run(sqlite3 *db, const char *sql, pby_error *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? PBY_OK : last_error(db, err);
}

pby_status pby_database_open(sqlite3 **out, const char *path, pby_error *err)
{
    const int code = sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(*out, PBY_LEDGER_PATIENCE * 1000);
        const pby_status status = pby_database_run(*out,
                                                   "PRAGMA trusted_schema = OFF;"
                                                   "PRAGMA journal_mode = DELETE;"
                                                   "PRAGMA synchronous = EXTRA;"
                                                   "PRAGMA cell_size_check = ON;",
                                                   err);
        if (status == PBY_OK)
            return PBY_OK;
        sqlite3_close(*out);
        *out = NULL;
        return status;
    }
    sqlite3_close(*out);
    *out = NULL;
    if (code == SQLITE_NOMEM)
        return pby_no_memory(err);
    return pby_refuse(err, "ledger", path, "a file that probity ledger init made and that can be written");
}

pby_status pby_database_prepare(sqlite3_stmt **out, sqlite3 *db, const char *sql, const char *const *texts,
                                size_t count, pby_error *err)
{
    *out = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
        return last_error(db, err);
    for (size_t i = 0; i < count; i++)
        if (sqlite3_bind_text(*out, (int)i + 1, texts[i], -1, SQLITE_TRANSIENT) != SQLITE_OK) {
            const pby_status status = last_error(db, err);
            sqlite3_finalize(*out);
            *out = NULL;
            return status;
        }
    return PBY_OK;
}

pby_status pby_database_step(bool *row, sqlite3_stmt *statement, pby_error *err)
{
    const int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? PBY_OK : last_error(sqlite3_db_handle(statement), err);
}

const char *pby_database_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? "" : (const char *)text;
}

pby_status pby_database_insert(sqlite3 *db, const char *sql, const char *const *texts, size_t count,
                               pby_error *err)
{
    sqlite3_stmt *statement;
    bool row;
    pby_status status = pby_database_prepare(&statement, db, sql, texts, count, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    sqlite3_finalize(statement);
    return status;
}
