/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/schema.h"

#include <stdio.h>
#include <string.h>

#include "certificate/ledger/file_store.h"

/* Entries are added and never changed: the triggers refuse the accident, not the adversary. SQLite keeps each
 * statement as it stands here, and sqlite_sequence beside them, which it made for the AUTOINCREMENT. */
static const struct object {
    int since; /* PBY_LEDGER_USERS: of the versions of users alone */
    const char *name, *sql;
} objects[] = {
    {PBY_LEDGER_OLD, "budget",
     "CREATE TABLE budget (id INTEGER PRIMARY KEY CHECK (id = 1), neighbours TEXT NOT NULL,"
     " accounting TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL)"},
    {PBY_LEDGER_OLD, "spend",
     "CREATE TABLE spend (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, spec TEXT NOT NULL,"
     " epsilon TEXT, delta TEXT)"},
    {PBY_LEDGER_OLD, "spend_kept",
     "CREATE TRIGGER spend_kept BEFORE DELETE ON spend BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
    {PBY_LEDGER_OLD, "spend_fixed",
     "CREATE TRIGGER spend_fixed BEFORE UPDATE ON spend BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
    {PBY_LEDGER_OLD, "budget_kept",
     "CREATE TRIGGER budget_kept BEFORE DELETE ON budget BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_OLD, "budget_fixed",
     "CREATE TRIGGER budget_fixed BEFORE UPDATE ON budget BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_VERSION, "terms",
     "CREATE TABLE terms (id INTEGER PRIMARY KEY CHECK (id = 1), rows INTEGER NOT NULL)"},
    {PBY_LEDGER_VERSION, "chain", "CREATE TABLE chain (number INTEGER PRIMARY KEY, digest TEXT NOT NULL)"},
    {PBY_LEDGER_VERSION, "head",
     "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), entries INTEGER NOT NULL, digest TEXT NOT "
     "NULL)"},
    {PBY_LEDGER_VERSION, "terms_kept",
     "CREATE TRIGGER terms_kept BEFORE DELETE ON terms BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_VERSION, "terms_fixed",
     "CREATE TRIGGER terms_fixed BEFORE UPDATE ON terms BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_VERSION, "chain_kept",
     "CREATE TRIGGER chain_kept BEFORE DELETE ON chain BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
    {PBY_LEDGER_VERSION, "chain_fixed",
     "CREATE TRIGGER chain_fixed BEFORE UPDATE ON chain BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
    {PBY_LEDGER_VERSION, "head_kept",
     "CREATE TRIGGER head_kept BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
    {PBY_LEDGER_USERS, "unit",
     "CREATE TABLE unit (id INTEGER PRIMARY KEY CHECK (id = 1), user TEXT NOT NULL)"},
    {PBY_LEDGER_USERS, "unit_kept",
     "CREATE TRIGGER unit_kept BEFORE DELETE ON unit BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_USERS, "unit_fixed",
     "CREATE TRIGGER unit_fixed BEFORE UPDATE ON unit BEGIN SELECT RAISE(ABORT, 'a budget stays'); END"},
    {PBY_LEDGER_SUMS, "sums",
     "CREATE TABLE sums (id INTEGER PRIMARY KEY CHECK (id = 1), entries INTEGER NOT NULL, digest TEXT NOT "
     "NULL, text TEXT NOT NULL, seal TEXT NOT NULL)"},
    {PBY_LEDGER_SUMS, "sums_kept",
     "CREATE TRIGGER sums_kept BEFORE DELETE ON sums BEGIN SELECT RAISE(ABORT, 'an entry stays'); END"},
};

enum { OBJECTS = sizeof objects / sizeof *objects, PRAGMAS_SIZE = 128 };

/* ---- reading ----------------------------------------------------------------------------------- */

static pby_status read_integer(int *out, sqlite3 *db, const char *sql, pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    pby_status status = pby_database_prepare(&statement, db, sql, NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    *out = row ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

pby_status pby_ledger_schema_version(int *out, sqlite3 *db, pby_error *err)
{
    int id = 0;
    *out = 0;
    pby_status status = read_integer(&id, db, "PRAGMA application_id", err);
    if (status == PBY_OK)
        status = read_integer(out, db, "PRAGMA user_version", err);
    if (status == PBY_OK && id != PBY_LEDGER_ID)
        return pby_database_refuse(db, "it is another database", err);
    return status == PBY_OK ? pby_store_version_check(*out, err) : status;
}

static const struct object *find(const char *name)
{
    for (size_t i = 0; i < OBJECTS; i++)
        if (strcmp(objects[i].name, name) == 0)
            return &objects[i];
    return NULL;
}

static bool is_of(const struct object *object, int version)
{
    return object->since == PBY_LEDGER_USERS ? pby_version_has_users(version) : object->since <= version;
}

static bool as_made(int version, const char *name, const char *sql)
{
    const struct object *object = find(name);
    if (object == NULL)
        return strcmp(name, "sqlite_sequence") == 0 &&
               strcmp(sql, "CREATE TABLE sqlite_sequence(name,seq)") == 0;
    return is_of(object, version) && strcmp(object->sql, sql) == 0;
}

static size_t objects_of(int version)
{
    size_t count = 1; /* sqlite_sequence */
    for (size_t i = 0; i < OBJECTS; i++)
        count += is_of(&objects[i], version);
    return count;
}

pby_status pby_ledger_schema_check(sqlite3 *db, int version, pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = true, good = true;
    size_t seen = 0;
    pby_status status =
        pby_database_prepare(&statement, db, "SELECT DISTINCT name, sql FROM sqlite_master", NULL, 0, err);
    while (status == PBY_OK && row) {
        status = pby_database_step(&row, statement, err);
        if (status != PBY_OK || !row)
            break;
        good = good && as_made(version, pby_database_text(statement, 0), pby_database_text(statement, 1));
        seen++;
    }
    sqlite3_finalize(statement);
    if (status != PBY_OK || (good && seen == objects_of(version)))
        return status;
    return pby_database_damaged(db, "its tables are not as they were made", err);
}

/* ---- making ------------------------------------------------------------------------------------ */

pby_status pby_ledger_schema_make(sqlite3 *db, int from, int to, pby_error *err)
{
    char pragmas[PRAGMAS_SIZE];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d", PBY_LEDGER_ID,
             to);
    PBY_TRY(pby_database_run(db, pragmas, err));
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i].since > from && is_of(&objects[i], to))
            PBY_TRY(pby_database_run(db, objects[i].sql, err));
    return PBY_OK;
}
