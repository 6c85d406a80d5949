/* SPDX-License-Identifier: MIT */
#include "session/session_database.h"

#include <stdio.h>

pby_status pby_memo_refuse(sqlite3 *db, const char *reason, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    const char *path = sqlite3_db_filename(db, "main");
    snprintf(expected, sizeof expected, "a memo that probity report --new made, but: %.300s", reason);
    return pby_refuse(err, "memo", path == NULL ? "" : path, expected);
}

static pby_status last_error(sqlite3 *db, pby_error *err)
{
    switch (sqlite3_errcode(db)) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
        return pby_memo_refuse(db, sqlite3_errmsg(db), err);
    case SQLITE_BUSY:
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "memo: another process has kept it for %d seconds",
                           PBY_MEMO_PATIENCE);
    case SQLITE_NOMEM:
        return pby_no_memory(err);
    default:
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "memo: %s", sqlite3_errmsg(db));
    }
}

pby_status pby_memo_run(sqlite3 *db, const char *sql, pby_error *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? PBY_OK : last_error(db, err);
}

pby_status pby_memo_database(sqlite3 **out, const char *path, pby_error *err)
{
    const int code = sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL);
    pby_status status = PBY_OK;
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(*out, PBY_MEMO_PATIENCE * 1000);
        status = pby_memo_run(*out,
                              "PRAGMA trusted_schema = OFF; PRAGMA journal_mode = DELETE;"
                              "PRAGMA synchronous = EXTRA; PRAGMA cell_size_check = ON;",
                              err);
    } else {
        status = code == SQLITE_NOMEM
                     ? pby_no_memory(err)
                     : pby_refuse(err, "memo", path,
                                  "a memo that probity report --new made, and that can be written");
    }
    if (status != PBY_OK) {
        sqlite3_close(*out);
        *out = NULL;
    }
    return status;
}

static int bind(sqlite3_stmt *statement, const pby_bound *bound, size_t count)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++)
        code = bound[i].bytes == NULL
                   ? sqlite3_bind_int64(statement, (int)i + 1, bound[i].number)
                   : sqlite3_bind_blob64(statement, (int)i + 1, bound[i].bytes, bound[i].size, SQLITE_STATIC);
    return code;
}

pby_status pby_memo_ask(sqlite3 *db, const char *sql, const pby_bound *bound, size_t count, bool *found,
                        pby_memo_reader *row, void *out, pby_error *err)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return last_error(db, err);
    pby_status status = bind(statement, bound, count) == SQLITE_OK ? PBY_OK : last_error(db, err);
    const int code = status == PBY_OK ? sqlite3_step(statement) : SQLITE_DONE;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = last_error(db, err);
    if (found != NULL)
        *found = code == SQLITE_ROW;
    if (status == PBY_OK && code == SQLITE_ROW && row != NULL)
        status = row(out, statement, err);
    sqlite3_finalize(statement);
    return status;
}

pby_status pby_memo_each(sqlite3 *db, const char *sql, pby_memo_reader *row, void *out, pby_error *err)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return last_error(db, err);
    pby_status status = PBY_OK;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && status == PBY_OK)
        status = row(out, statement, err);
    if (status == PBY_OK && code != SQLITE_DONE)
        status = last_error(db, err);
    sqlite3_finalize(statement);
    return status;
}
