/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/file_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "certificate/ledger/schema.h"
#include "io/sole.h"

enum { NUMBER_SIZE = 24 };

static sqlite3 *database(const pby_ledger_store *store)
{
    return ((const pby_file_store *)store)->db;
}

static void close_file(pby_ledger_store *store)
{
    sqlite3_close(database(store));
    free(store->name);
    free(store);
}

static pby_status check_place(pby_ledger_store *store, pby_error *err)
{
    int moved = 0;
    const char *path = sqlite3_db_filename(database(store), "main");
    if (sqlite3_file_control(database(store), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
        moved != 0)
        return pby_refuse(err, "ledger", path, "the file that was opened, but another has its name");
    return pby_sole_check("ledger", path, err);
}

/* ---- transactions ------------------------------------------------------------------------------- */

static pby_status begin(pby_ledger_store *store, bool writes, pby_error *err)
{
    return pby_database_run(database(store), writes ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

static pby_status commit(pby_ledger_store *store, pby_error *err)
{
    return pby_database_run(database(store), "COMMIT", err);
}

static void abandon(pby_ledger_store *store)
{
    if (sqlite3_get_autocommit(database(store)) == 0)
        (void)sqlite3_exec(database(store), "ROLLBACK", NULL, NULL, NULL);
}

/* SQLite itself waits for another process; what fails then fails again. */
static bool again(pby_ledger_store *store)
{
    (void)store;
    return false;
}

static pby_status read_clock(char at[PBY_STORE_TIME], pby_ledger_store *store, pby_error *err)
{
    (void)store;
    struct tm utc;
    const time_t now = time(NULL);
    if (gmtime_r(&now, &utc) != NULL && strftime(at, PBY_STORE_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        return PBY_OK;
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger: the clock does not tell the time");
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* The budget of version 2 knows no rows: one record is in one. */
static const char *budget_of(int version)
{
    if (pby_version_has_users(version))
        return "SELECT neighbours, accounting, epsilon, delta, rows, user FROM budget JOIN terms USING (id)"
               " JOIN unit USING (id)";
    return version == PBY_LEDGER_OLD
               ? "SELECT neighbours, accounting, epsilon, delta, 1 FROM budget"
               : "SELECT neighbours, accounting, epsilon, delta, rows FROM budget JOIN terms USING (id)";
}

static pby_status read_budget(char *texts[PBY_BUDGET_TEXTS], pby_ledger_store *store, int version,
                              pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    pby_status status = pby_database_prepare(&statement, database(store), budget_of(version), NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    if (status == PBY_OK && !row)
        status = pby_database_refuse(database(store), "it has no budget", err);
    for (size_t i = 0; i < pby_budget_texts(version) && status == PBY_OK; i++)
        if ((texts[i] = strdup(pby_database_text(statement, (int)i))) == NULL)
            status = pby_no_memory(err);
    sqlite3_finalize(statement);
    return status;
}

/* Every entry with its digest and, in each row, how many were recorded and the last digest; one row without
 * an entry where there is none. Version 2 has no digests, and SQLite's own count of its entries. */
static const char *entries_of(int version)
{
    return version == PBY_LEDGER_OLD
               ? "SELECT s.number, s.at, s.spec, s.epsilon, s.delta, NULL, q.seq, NULL"
                 " FROM (SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'spend') AS seq) AS q"
                 " LEFT JOIN spend AS s ON s.number >= ?1 ORDER BY s.number"
               : "SELECT s.number, s.at, s.spec, s.epsilon, s.delta, c.digest, h.entries, h.digest"
                 " FROM head AS h LEFT JOIN spend AS s ON s.number >= ?1"
                 " LEFT JOIN chain AS c ON c.number = s.number ORDER BY s.number";
}

enum { DIGEST = 5, ENTRIES = 6, LAST = 7 };

/* An entry without a number has none that follows another: -1, and 0 is for a row without an entry. */
static pby_status visit_row(sqlite3_stmt *row, pby_kept_visit *visit, void *what, pby_error *err)
{
    pby_kept_entry kept = {.entry = {sqlite3_column_int64(row, 0), pby_database_text(row, 1),
                                     pby_database_text(row, 2), pby_database_text(row, 3),
                                     pby_database_text(row, 4), "", ""},
                           .digest = pby_database_text(row, DIGEST),
                           .head = {sqlite3_column_int64(row, ENTRIES), ""}};
    if (sqlite3_column_type(row, 0) != SQLITE_NULL && kept.entry.number == 0)
        kept.entry.number = -1;
    snprintf(kept.head.digest, sizeof kept.head.digest, "%s", pby_database_text(row, LAST));
    return visit(&kept, what, err);
}

static pby_status read_entries(pby_ledger_store *store, int version, long long from, pby_kept_visit *visit,
                               void *what, pby_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = true;
    pby_status status = pby_database_prepare(&statement, database(store), entries_of(version), NULL, 0, err);
    if (status == PBY_OK && sqlite3_bind_int64(statement, 1, from) != SQLITE_OK)
        status = pby_no_memory(err);
    while (status == PBY_OK && row) {
        status = pby_database_step(&row, statement, err);
        if (status == PBY_OK && row)
            status = visit_row(statement, visit, what, err);
    }
    sqlite3_finalize(statement);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static const char *or_null(const char *text)
{
    return text == NULL || text[0] == '\0' ? NULL : text;
}

pby_status pby_file_store_insert(sqlite3 *db, const pby_ledger_entry *entry, pby_error *err)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", entry->number);
    const char *const texts[] = {number, entry->at, entry->spec, or_null(entry->epsilon),
                                 or_null(entry->delta)};
    return pby_database_insert(
        db, "INSERT INTO spend (number, at, spec, epsilon, delta) VALUES (?1, ?2, ?3, ?4, ?5)", texts, 5,
        err);
}

static pby_status append(pby_ledger_store *store, const pby_ledger_entry *entry, const pby_chain *chain,
                         pby_error *err)
{
    PBY_TRY(pby_file_store_insert(database(store), entry, err));
    return pby_file_store_seal(database(store), chain, err);
}

static pby_status keep(pby_ledger_store *store, const pby_kept_sums *sums, pby_error *err)
{
    return pby_file_store_keep(database(store), sums, err);
}

static const pby_store_kind file_kind = {
    .close = close_file,
    .place = check_place,
    .begin = begin,
    .commit = commit,
    .abandon = abandon,
    .again = again,
    .clock = read_clock,
    .check = pby_file_store_check,
    .budget = read_budget,
    .entries = read_entries,
    .append = append,
    .sums = pby_file_store_sums,
    .keep = keep,
    .upgrade = pby_file_store_upgrade,
};

pby_status pby_file_store_open(pby_ledger_store **out, const char *path, pby_error *err)
{
    char *real;
    *out = NULL;
    PBY_TRY(pby_sole_find(&real, "ledger", path,
                          "a file that probity ledger init made and that can be written", err));
    pby_file_store *file = calloc(1, sizeof *file);
    pby_status status = file == NULL ? pby_no_memory(err) : pby_database_open(&file->db, real, err);
    if (status != PBY_OK) {
        free(file);
        free(real);
        return status;
    }
    file->store = (pby_ledger_store){&file_kind, real};
    *out = &file->store;
    return PBY_OK;
}
