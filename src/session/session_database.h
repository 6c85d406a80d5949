/* SPDX-License-Identifier: MIT */
/* The SQLite side of a memo: opening, and statements with their errors told.
 *
 * Durability: journal_mode DELETE and synchronous EXTRA, so that when a commit returns, the record is on the
 * disk and so is the removal of the journal that could undo it. */
#ifndef PBY_SESSION_SESSION_DATABASE_H
#define PBY_SESSION_SESSION_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The seconds that a memo which another process has is waited for. */
enum { PBY_MEMO_PATIENCE = 10 };

/* A value to be bound: so many bytes, or a number where bytes is NULL. */
typedef struct pby_bound {
    const void *bytes;
    size_t size;
    int64_t number;
} pby_bound;

PBY_CHECKED
pby_status pby_memo_database(sqlite3 **out, const char *path, pby_error *err);
PBY_CHECKED
pby_status pby_memo_run(sqlite3 *db, const char *sql, pby_error *err);

/* Runs one statement; `row`, unless NULL, is called with its one row if it has one. *found, unless NULL, says
 * whether it had. */
typedef pby_status pby_memo_reader(void *out, sqlite3_stmt *row, pby_error *err);
PBY_CHECKED
pby_status pby_memo_ask(sqlite3 *db, const char *sql, const pby_bound *bound, size_t count, bool *found,
                        pby_memo_reader *row, void *out, pby_error *err);

/* Calls `row` for every row of a statement without bound values. */
PBY_CHECKED
pby_status pby_memo_each(sqlite3 *db, const char *sql, pby_memo_reader *row, void *out, pby_error *err);

/* The refusal of a file that is no memo, or is damaged. */
PBY_CHECKED
pby_status pby_memo_refuse(sqlite3 *db, const char *reason, pby_error *err);

#endif
