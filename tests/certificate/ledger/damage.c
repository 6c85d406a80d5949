/* SPDX-License-Identifier: MIT */
/* A damaged ledger is refused: no change of the file makes it look less spent, or its budget larger. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "certificate/ledger/chain.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"
#include "tests/kernel/stream.h"

#define SPEC "stlap:eps=1/2,q=60"

enum { ANSWER_SIZE = 4096, WHOLE_MAX = 1 << 17 };

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_damage, .init = setup, .fini = teardown);

/* ---- what a ledger answers --------------------------------------------------------------------- */

static pby_status append(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    char *answer = what;
    const size_t used = strlen(answer);
    (void)err;
    snprintf(answer + used, ANSWER_SIZE - used, "%lld %s %s %s %s\n", entry->number, entry->at, entry->spec,
             entry->epsilon, entry->delta);
    return PBY_OK;
}

/* The budget and all entries, from which everything else that it says follows. */
static pby_status answer(char text[ANSWER_SIZE], pby_error *err)
{
    pby_ledger *ledger;
    pby_status status = pby_ledger_open(&ledger, path, err);
    if (status != PBY_OK)
        return status;
    char *epsilon = mpq_get_str(NULL, 10, pby_ledger_epsilon(ledger)),
         *delta = mpq_get_str(NULL, 10, pby_ledger_delta(ledger));
    snprintf(text, ANSWER_SIZE, "%d %d %lu %s %s\n", (int)pby_ledger_neighbours(ledger),
             (int)pby_ledger_accounting(ledger), pby_ledger_rows(ledger), epsilon, delta);
    free(delta);
    free(epsilon);
    status = pby_ledger_each(ledger, append, text, err);
    pby_ledger_close(ledger);
    return status;
}

static void expect_damaged(const char *what)
{
    char text[ANSWER_SIZE];
    pby_error err;
    cr_assert_eq(answer(text, &err), PBY_BAD, "it answers %s", text);
    cr_assert_not_null(strstr(err.text, "it is damaged: "), "%s", err.text);
    cr_assert_not_null(strstr(err.text, what), "%s", err.text);
    cr_assert_null(strchr(err.text, '\n'), "%s", err.text);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/1000000", &err), PBY_BAD);
}

static void make(void)
{
    pby_error err;
    pby_make_ledger(path, PBY_COMPOSE_EXACT, "2", "1e-6");
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/4", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
}

static const char *const old_specs[] = {SPEC, "geometric:eps=1/4", SPEC, NULL};

static void make_old(void)
{
    pby_make_old_ledger(path, "2", "1/1000000", old_specs);
}

/* ---- bytes ------------------------------------------------------------------------------------- */

static void put(long at, uint8_t byte)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    cr_assert_geq(fd, 0);
    cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static long read_all(uint8_t whole[WHOLE_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = read(fd, whole, WHOLE_MAX);
    close(fd);
    cr_assert(size > 4096 && size < WHOLE_MAX);
    return (long)size;
}

/* Every byte that is not 0, and every eighth or so of the others, which are mostly free room. */
static void flip_bytes(uint64_t seed)
{
    static uint8_t whole[WHOLE_MAX];
    char before[ANSWER_SIZE], after[ANSWER_SIZE];
    pby_error err;
    int refused = 0;
    cr_assert_eq(answer(before, &err), PBY_OK, "%s", err.text);
    const long size = read_all(whole);
    for (long i = 0; i < size; i++) {
        const uint64_t u = stream_next(&seed);
        if (whole[i] == 0 && u % 8 != 0)
            continue;
        const uint8_t flip = (uint8_t)(u >> 8 & 1 ? 1u << (u >> 16) % 8 : 1 + (u >> 16) % 255);
        put(i, whole[i] ^ flip);
        const pby_status status = answer(after, &err);
        cr_assert(status == PBY_BAD || status == PBY_FAILED || strcmp(before, after) == 0,
                  "byte %ld, %02x for %02x: it answers %s", i, whole[i] ^ flip, whole[i], after);
        cr_assert(status == PBY_OK || strchr(err.text, '\n') == NULL, "byte %ld: %s", i, err.text);
        refused += status != PBY_OK;
        put(i, whole[i]);
    }
    cr_assert_gt(refused, 1500, "only %d flips were refused", refused);
    cr_assert_eq(answer(after, &err), PBY_OK, "%s", err.text);
}

Test(ledger_damage, no_flipped_byte_changes_an_answer, .timeout = 600)
{
    make();
    flip_bytes(1);
}

Test(ledger_damage, no_flipped_byte_changes_a_charge, .timeout = 600)
{
    pby_error err;
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "2", "1e-4");
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pby_spend_at(path, SPEC, "1/2", &err), PBY_OK, "%s", err.text);
    flip_bytes(2);
}

/* The page of the entries says that it has none: SQLite reads it as an empty table. */
static void empty_entries(void)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db,
                                    "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size"
                                    " WHERE name = 'spend'",
                                    -1, &statement, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    const long cells = (sqlite3_column_int(statement, 0) - 1) * sqlite3_column_int(statement, 1) + 3;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    put(cells, 0);
    put(cells + 1, 0);
}

Test(ledger_damage, a_page_without_its_entries_is_refused)
{
    make();
    empty_entries();
    expect_damaged("");
}

Test(ledger_damage, a_page_of_version_2_without_its_entries_is_refused)
{
    make_old();
    empty_entries();
    expect_damaged("");
}

Test(ledger_damage, a_part_of_the_file_is_refused)
{
    static uint8_t whole[WHOLE_MAX];
    char text[ANSWER_SIZE];
    pby_error err;
    make();
    for (long size = read_all(whole) - 1; size >= 0; size -= size % 1024 == 0 ? 1 : size % 1024) {
        cr_assert_eq(truncate(path, size), 0);
        cr_assert_eq(answer(text, &err), PBY_BAD, "%ld bytes: it answers %s", size, text);
        cr_assert_eq(pby_spend(path, SPEC, &err), PBY_BAD, "%ld bytes", size);
    }
}

/* ---- rows -------------------------------------------------------------------------------------- */

Test(ledger_damage, a_missing_entry_is_refused)
{
    make();
    pby_tamper(path, "DELETE FROM spend WHERE number = 2");
    expect_damaged("entry 2 is not as it was recorded");
}

Test(ledger_damage, missing_entries_that_leave_no_gap_are_refused)
{
    make();
    pby_tamper(path, "DELETE FROM spend WHERE number = 3; DELETE FROM chain WHERE number = 3");
    expect_damaged("its entries are not those that it counts");
    pby_tamper(path, "UPDATE head SET entries = 2");
    expect_damaged("its entries are not those that it counts");
}

Test(ledger_damage, all_entries_missing_are_refused)
{
    make();
    pby_tamper(path, "DELETE FROM spend; DELETE FROM chain; UPDATE sqlite_sequence SET seq = 0");
    expect_damaged("its entries are not those that it counts");
    pby_tamper(path, "DELETE FROM head");
    expect_damaged("its entries are not those that it counts");
}

Test(ledger_damage, swapped_entries_are_refused)
{
    make();
    pby_tamper(path,
               "UPDATE spend SET number = -1 WHERE number = 1; UPDATE spend SET number = 1 WHERE number = 2;"
               "UPDATE spend SET number = 2 WHERE number = -1");
    expect_damaged("entry 1 is not as it was recorded");
}

Test(ledger_damage, a_changed_entry_is_refused)
{
    static const char *const changes[] = {"at = '2026-11-15T12:00:01Z'", "spec = 'geometric:eps=1/8'",
                                          "epsilon = '0'", "delta = '0'"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char sql[128];
        make();
        snprintf(sql, sizeof sql, "UPDATE spend SET %s WHERE number = 2", changes[i]);
        pby_tamper(path, sql);
        expect_damaged("entry 2 is not as it was recorded");
        unlink(path);
    }
}

Test(ledger_damage, a_changed_budget_is_refused)
{
    static const char *const changes[] = {"budget SET epsilon = '20'", "budget SET delta = '1/2'",
                                          "budget SET neighbours = 'substitute'",
                                          "budget SET accounting = 'basic'", "terms SET rows = 2"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char sql[128];
        make();
        snprintf(sql, sizeof sql, "UPDATE %s", changes[i]);
        pby_tamper(path, sql);
        expect_damaged("");
        unlink(path);
        pby_make_ledger(path, PBY_COMPOSE_EXACT, "2", "1e-6");
        pby_tamper(path, sql);
        expect_damaged("");
        unlink(path);
    }
}

/* A ledger does not pass for an older one that has no digests, and has no tables, triggers or views but its
 * own. */
Test(ledger_damage, other_tables_are_refused)
{
    static const char *const changes[] = {
        "PRAGMA user_version = 2",   "DROP TRIGGER spend_kept",
        "DROP TABLE chain",          "CREATE TRIGGER t AFTER INSERT ON spend BEGIN SELECT 1; END",
        "CREATE VIEW v AS SELECT 1", "ALTER TABLE spend ADD COLUMN more TEXT"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *db;
        make();
        cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
        cr_assert_eq(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        expect_damaged("its tables are not as they were made");
        unlink(path);
    }
}

/* Without digests, SQLite's count of what was ever inserted tells. */
Test(ledger_damage, a_missing_entry_of_version_2_is_refused)
{
    make_old();
    pby_tamper(path, "DELETE FROM spend WHERE number = 3");
    expect_damaged("its entries are not those that it counts");
    unlink(path);
    make_old();
    pby_tamper(path, "DELETE FROM spend WHERE number = 1");
    expect_damaged("entry 1 is not as it was recorded");
}

/* ---- entries by hand --------------------------------------------------------------------------- */

/* Appends an entry with the digest that it has in the chain, as whoever may write to the place can. */
static void append_by_hand(const char *spec, const char *epsilon, const char *delta)
{
    static const char at[] = "2026-11-15T12:00:00Z";
    const pby_ledger_entry entry = {1, at, spec, epsilon, delta, "", ""};
    pby_chain chain = {0, ""};
    pby_ledger *ledger;
    pby_error err;
    char sql[1024];
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_digest(chain.digest, ledger, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    pby_chain_add(&chain, &entry);
    snprintf(sql, sizeof sql,
             "INSERT INTO spend VALUES (1, '%s', '%s', '%s', '%s'); INSERT INTO chain VALUES (1, '%s');"
             "UPDATE head SET entries = 1, digest = '%s'",
             at, spec, epsilon, delta, chain.digest, chain.digest);
    pby_tamper(path, sql);
}

/* One charge below 0 would give every other spender as much to spend; an escape would write on a terminal. */
Test(ledger_damage, an_entry_by_hand_gives_nothing)
{
    static const struct {
        const char *spec, *epsilon, *delta, *why;
    } entries[] = {
        {"pure:eps=1/2", "-100", "0", "epsilon '-100': expected a charge from 0 on"},
        {"pure:eps=1/2", "1/2", "-1e-7", "delta '-1e-7': expected a charge from 0 on"},
        {"pure:eps=1/2", "", "0", "expected a rational"},
        {"pure:eps=1/2", "1e999999999", "0", "expected an exponent"},
        {"pure:eps=1/2\033[2J", "1/2", "0", "entry 1 has characters that do not print"},
        {"pure:eps=1/2\302\2332J", "1/2", "0", "entry 1 has characters that do not print"}, /* U+009B */
        {"pure:eps=1/2\n     2  2026-11-15T12:00:00Z  pure:eps=1", "1/2", "0", "do not print"},
        {"pure:eps=1/2", "1/2\r", "0", "entry 1 has characters"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        pby_error err;
        pby_make_ledger(path, PBY_COMPOSE_BASIC, "1", "1e-6");
        pby_drop_sums(path);
        append_by_hand(entries[i].spec, entries[i].epsilon, entries[i].delta);
        cr_assert_eq(pby_spend_at(path, "pure:eps=1", "1", &err), PBY_BAD, "entry %zu", i);
        cr_assert_not_null(strstr(err.text, entries[i].why), "%s", err.text);
        cr_assert_null(strchr(err.text, '\n'), "%s", err.text);
        const pby_run *r = PBY_RUN(NULL, "ledger", "show", path);
        cr_assert_eq(r->status, 2, "%s", r->out);
        cr_assert_not_null(strstr(r->err, entries[i].why), "%s", r->err);
        cr_assert_eq(unlink(path), 0);
    }
    pby_error err;
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "1", "1e-6");
    pby_drop_sums(path);
    append_by_hand("pure:eps=1/2", "1/2", "0");
    cr_assert_eq(pby_spend_at(path, "pure:eps=1", "1", &err), PBY_NO, "a charge that is one counts");
    cr_assert_eq(pby_spend_at(path, "pure:eps=1/2", "1/2", &err), PBY_OK, "%s", err.text);
}
