/* SPDX-License-Identifier: MIT */
#include "tests/certificate/ledger/books.h"
#include "probity/experimental/ledgers.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>

#include "probity/rational.h"

void pby_make_overlapping(const char *path, pby_composition accounting, unsigned long rows,
                          const char *epsilon_text, const char *delta_text)
{
    pby_error err;
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilon_text, &err), PBY_OK);
    cr_assert_eq(pby_rational_parse(delta, "delta", delta_text, &err), PBY_OK);
    cr_assert_eq(pby_ledger_create_overlapping(path, PBY_ADD_REMOVE, accounting, rows, epsilon, delta, &err),
                 PBY_OK, "%s", err.text);
    mpq_clears(epsilon, delta, (mpq_ptr)0);
}

void pby_make_ledger(const char *path, pby_composition accounting, const char *epsilon, const char *delta)
{
    pby_make_overlapping(path, accounting, 1, epsilon, delta);
}

static void run(const char *path, const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &why), SQLITE_OK, "%s: %s", sql, why);
    sqlite3_close(db);
}

void pby_make_old_ledger(const char *path, const char *epsilon, const char *delta, const char *const *specs)
{
    static const char schema[] =
        "PRAGMA application_id = 1346525516;"
        "PRAGMA user_version = 2;"
        "CREATE TABLE budget (id INTEGER PRIMARY KEY CHECK (id = 1), neighbours TEXT NOT NULL,"
        " accounting TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL);"
        "CREATE TABLE spend (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, spec TEXT NOT NULL,"
        " epsilon TEXT, delta TEXT);"
        "CREATE TRIGGER spend_kept BEFORE DELETE ON spend BEGIN SELECT RAISE(ABORT, 'an entry stays'); END;"
        "CREATE TRIGGER spend_fixed BEFORE UPDATE ON spend BEGIN SELECT RAISE(ABORT, 'an entry stays'); END;"
        "CREATE TRIGGER budget_kept BEFORE DELETE ON budget BEGIN SELECT RAISE(ABORT, 'a budget stays'); END;"
        "CREATE TRIGGER budget_fixed BEFORE UPDATE ON budget BEGIN SELECT RAISE(ABORT, 'a budget stays'); "
        "END;";
    char sql[512];
    run(path, schema);
    snprintf(sql, sizeof sql, "INSERT INTO budget VALUES (1, 'add-remove', 'exact', '%s', '%s')", epsilon,
             delta);
    run(path, sql);
    for (; *specs != NULL; specs++) {
        snprintf(sql, sizeof sql, "INSERT INTO spend (at, spec) VALUES ('2026-11-15T12:00:00Z', '%s')",
                 *specs);
        run(path, sql);
    }
}

void pby_drop_sums(const char *path)
{
    run(path, "DROP TABLE sums; PRAGMA user_version = 3");
}

pby_status pby_spend_at(const char *path, const char *text, const char *epsilon_text, pby_error *err)
{
    pby_ledger *ledger;
    pby_spec *spec;
    mpq_t epsilon;
    mpq_init(epsilon);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, err), PBY_OK);
    if (epsilon_text != NULL)
        cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilon_text, err), PBY_OK);
    pby_status status = pby_ledger_open(&ledger, path, err);
    if (status == PBY_OK)
        status = pby_ledger_spend(ledger, spec, epsilon_text == NULL ? NULL : epsilon, err);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    mpq_clear(epsilon);
    return status;
}

pby_status pby_spend(const char *path, const char *text, pby_error *err)
{
    return pby_spend_at(path, text, NULL, err);
}

/* ---- what no trigger stops --------------------------------------------------------------------- */

struct triggers {
    size_t count;
    char *drop[16], *make[16];
};

static int note(void *what, int columns, char **texts, char **names)
{
    struct triggers *t = what;
    (void)columns;
    (void)names;
    t->drop[t->count] = sqlite3_mprintf("DROP TRIGGER %s", texts[0]);
    t->make[t->count++] = sqlite3_mprintf("%s", texts[1]);
    return 0;
}

void pby_tamper(const char *path, const char *sql)
{
    struct triggers t = {.count = 0};
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(
        sqlite3_exec(db, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", note, &t, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    for (size_t i = 0; i < t.count; i++)
        run(path, t.drop[i]);
    run(path, sql);
    for (size_t i = 0; i < t.count; i++) {
        run(path, t.make[i]);
        sqlite3_free(t.drop[i]);
        sqlite3_free(t.make[i]);
    }
}
