/* SPDX-License-Identifier: MIT */
#include "session/memo_chain.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probity/experimental/memo.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

#define TWICE "rappor:bits=64,hashes=2,f=1/2,p=3/4,q=1/4,reports=2"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
static pby_spec *spec;

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(file, folder, "memo");
    spec = spec_of(TWICE);
}

static void teardown(void)
{
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

TestSuite(memo_chain, .init = setup, .fini = teardown);

static pby_status report(const char *value, pby_error *err)
{
    pby_memo *memo;
    char *text;
    pby_status status = pby_memo_open(&memo, file, spec, NULL, err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_report(&text, memo, value, strlen(value), err);
    free(text);
    pby_memo_close(memo);
    return status;
}

static void make(int reports)
{
    pby_error err;
    cr_assert_eq(pby_memo_create(file, spec, NULL, NULL, &err), PBY_OK, "%s", err.text);
    for (int i = 0; i < reports; i++)
        cr_assert_eq(report("gnu", &err), PBY_OK, "%s", err.text);
}

static void sql(const char *text)
{
    sqlite3 *db;
    char *why = NULL;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, text, NULL, NULL, &why), SQLITE_OK, "%s", why);
    sqlite3_close(db);
}

static size_t slurp(unsigned char **bytes)
{
    FILE *in = fopen(file, "rb");
    cr_assert_not_null(in);
    cr_assert_eq(fseek(in, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(in);
    rewind(in);
    *bytes = malloc(size);
    cr_assert_eq(fread(*bytes, 1, size, in), size);
    fclose(in);
    return size;
}

static void spill(const unsigned char *bytes, size_t size)
{
    FILE *to = fopen(file, "r+b");
    cr_assert_not_null(to);
    cr_assert_eq(fwrite(bytes, 1, size, to), size);
    cr_assert_eq(fclose(to), 0);
}

/* One flipped bit once gave 16 reports that nobody paid for. Every bit of every byte that is not 0 is flipped
 * in a memo that has reported all that it may: none of these reports again, the value that it has or another.
 */
Test(memo_chain, no_flipped_bit_gives_another_report)
{
    unsigned char *bytes;
    int flips = 0;
    make(2);
    const size_t size = slurp(&bytes);
    for (size_t i = 0; i < size; i++)
        for (unsigned bit = 0; bit < 8 && bytes[i] != 0; bit++, flips++) {
            bytes[i] ^= (unsigned char)(1U << bit);
            spill(bytes, size);
            cr_assert_neq(report("gnu", NULL), PBY_OK, "byte %zu, bit %u", i, bit);
            cr_assert_neq(report("zebra", NULL), PBY_OK, "byte %zu, bit %u", i, bit);
            bytes[i] ^= (unsigned char)(1U << bit);
            spill(bytes, size);
        }
    cr_assert_gt(flips, 3000);
    free(bytes);
}

/* A damaged count is told as damage, and not as a memo that is used up. */
Test(memo_chain, a_changed_record_is_damage)
{
    static const char *const cases[] = {
        "UPDATE permanent SET reports = 1",
        "UPDATE permanent SET value = CAST('zebra' AS BLOB)",
        "UPDATE permanent SET bits = zeroblob(8)",
        "DELETE FROM permanent",
        "INSERT INTO permanent VALUES (CAST('zebra' AS BLOB), zeroblob(8), 1)",
        "UPDATE memo SET user = CAST('ada' AS BLOB)",
        "UPDATE head SET reports = 1",
        "UPDATE head SET before = CAST('' AS BLOB)",
        "DELETE FROM head",
        "DROP TABLE head",
        "CREATE TABLE more (x)",
        "CREATE TRIGGER again AFTER UPDATE ON permanent BEGIN UPDATE permanent SET reports = 1; END",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 3",
        "PRAGMA application_id = 7",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        make(2);
        sql(cases[i]);
        cr_assert_eq(report("gnu", &err), PBY_BAD, "%s", cases[i]);
        cr_assert_not_null(strstr(err.text, "expected a memo that probity report --new made, but: "), "%s",
                           err.text);
        unlink(file);
    }
}

static pby_status read_number(void *out, sqlite3_stmt *row, pby_error *err)
{
    (void)err;
    *(int *)out = sqlite3_column_int(row, 0);
    return PBY_OK;
}

static int version(void)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    int found = 0;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &statement, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    cr_assert_eq(read_number(&found, statement, NULL), PBY_OK);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return found;
}

/* A memo of version 1 is read as it is; its first report seals it, and what it has counted stays. */
Test(memo_chain, a_memo_of_version_1_is_sealed_by_its_next_report)
{
    pby_memo *memo;
    pby_error err;
    uint64_t left;
    make(1);
    sql("DROP TABLE head; PRAGMA user_version = 1;");
    cr_assert_eq(pby_memo_open(&memo, file, spec, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_memo_left(&left, memo, &err), PBY_OK);
    cr_assert_eq(left, 0);
    pby_memo_close(memo);
    cr_assert_eq(version(), PBY_MEMO_OLD, "to look at it changes nothing");
    cr_assert_eq(report("zebra", &err), PBY_NO, "its one value is another");
    cr_assert_eq(version(), PBY_MEMO_OLD, "a refusal changes nothing");
    cr_assert_eq(report("gnu", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(version(), PBY_MEMO_VERSION);
    cr_assert_eq(report("gnu", &err), PBY_NO);
    sql("UPDATE permanent SET reports = 1");
    cr_assert_eq(report("gnu", &err), PBY_BAD);
}
