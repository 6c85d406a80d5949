/* SPDX-License-Identifier: MIT */
/* A charge reads the sums that a ledger keeps: its answer is that of all entries, and its cost does not grow
 * with them. Sums that were forged, changed or put back do not pass. */
#include "certificate/ledger/kept_sums.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/ledger/ledger.h"
#include "probity/experimental/ledgers.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"
#include "tests/kernel/stream.h"

enum { WHOLE_MAX = 1 << 17, SQL_SIZE = 4096, IO_SIZE = 4096 };

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    pby_folder_path(other, folder, "other");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_sums, .init = setup, .fini = teardown);

typedef pby_status opener(pby_ledger **out, const char *name, pby_error *err);

/* Opens, and charges or only asks. */
static pby_status charge(opener *open_it, const char *name, const char *text, const char *part, bool ask,
                         pby_error *err)
{
    pby_ledger *ledger;
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, err), PBY_OK, "%s", err->text);
    pby_status status = open_it(&ledger, name, err);
    if (status == PBY_OK)
        status = pby_ledger_for_part(ledger, part, err);
    if (status == PBY_OK)
        status = ask ? pby_ledger_affords(ledger, spec, NULL, err)
                     : pby_ledger_spend(ledger, spec, NULL, err);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    return status;
}

/* ---- the same answers --------------------------------------------------------------------------- */

static void sums_of(char **bound, const char *name)
{
    pby_ledger *ledger;
    pby_error err;
    pby_kept_sums sums;
    cr_assert_eq(pby_ledger_open(&ledger, name, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(
        pby_sums_write(&sums, &ledger->totals, ledger->accounting == PBY_COMPOSE_EXACT, &ledger->begin, &err),
        PBY_OK);
    *bound = sums.text;
    pby_ledger_close(ledger);
}

/* One ledger is charged by its sums, and one of version 3 by all of its entries. */
static void charge_both(const pby_ledger_terms *terms, uint64_t seed)
{
    static const char *const specs[] = {
        "zcdp:rho=1/30",        "gauss:sigma2=40",           "pure:eps=1/8",
        "2*geometric:eps=1/16", "approx:eps=1/9,delta=1e-9", "stlap:eps=1/20,q=60"};
    static const char *const parts[] = {NULL, "eu", "us", "a part=b"};
    pby_error err, old_err;
    char *sums, *old_sums;
    int charged = 0;
    remove(path);
    remove(other);
    cr_assert_eq(pby_ledger_create_terms(path, terms, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_create_terms(other, terms, &err), PBY_OK, "%s", err.text);
    pby_drop_sums(other);
    for (int i = 0; i < 24; i++) {
        const char *spec = specs[stream_next(&seed) % 6];
        const char *part = terms->parts == NULL ? NULL : parts[stream_next(&seed) % 4];
        const pby_status status = charge(pby_ledger_open_to_charge, path, spec, part, false, &err);
        cr_assert_eq(status, charge(pby_ledger_open, other, spec, part, false, &old_err), "%s: %s", spec,
                     err.text);
        cr_assert(status == PBY_OK || strcmp(err.text, old_err.text) == 0, "%s\n%s", err.text, old_err.text);
        charged += status == PBY_OK;
    }
    sums_of(&sums, path);
    sums_of(&old_sums, other);
    cr_assert_str_eq(sums, old_sums);
    cr_assert(0 < charged, "%s: %d of 24", terms->accounting, charged);
    free(old_sums);
    free(sums);
}

Test(ledger_sums, answer_as_all_entries_do)
{
    static const pby_ledger_terms terms[] = {
        {.accounting = "exact", .bound = "1", .delta = "1e-6"},
        {.accounting = "zcdp", .bound = "1/2", .delta = "1e-6"},
        {.accounting = "filter", .bound = "2", .delta = "1e-5"},
        {.accounting = "renyi", .bound = "1/2", .delta = "1e-6", .order = "4"},
        {.accounting = "odometer", .delta = "1e-8"},
        {.accounting = "zcdp", .bound = "1/2", .delta = "1e-6", .parts = "region", .every = "30d"},
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        charge_both(&terms[i], 46 + i);
}

/* Two mechanisms that read the size of different data are told apart where charges add, too. */
Test(ledger_sums, know_the_size_of_the_data)
{
    pby_error err;
    const pby_ledger_terms terms = {.accounting = "zcdp", .bound = "100", .delta = "1/2"};
    const char *const sized = "stlap:eps=1/20,tau=1/4,n=1000,bars=4",
                      *const same = "stlap:eps=1/30,tau=1/5,n=1000,bars=4",
                      *const unlike = "stlap:eps=1/20,tau=1/4,n=1001,bars=4";
    cr_assert_eq(pby_ledger_create_terms(path, &terms, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(charge(pby_ledger_open_to_charge, path, sized, NULL, false, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(charge(pby_ledger_open_to_charge, path, unlike, NULL, false, &err), PBY_BAD);
    cr_assert_eq(charge(pby_ledger_open_to_charge, path, same, NULL, false, &err), PBY_OK, "%s", err.text);
}

/* ---- the cost ----------------------------------------------------------------------------------- */

/* Entries with their digests, which no charge made. */
static void fill(long long entries)
{
    static const char at[] = "2026-11-15T12:00:00Z";
    const pby_ledger_terms terms = {.accounting = "zcdp", .bound = "1000", .delta = "0"};
    char sql[SQL_SIZE], spec[64];
    sqlite3 *db;
    pby_ledger *ledger;
    pby_error err;
    remove(path);
    remove(other);
    cr_assert_eq(pby_ledger_create_terms(other, &terms, &err), PBY_OK, "%s", err.text);
    pby_drop_sums(other);
    cr_assert_eq(pby_ledger_open(&ledger, other, &err), PBY_OK, "%s", err.text);
    pby_chain chain = ledger->begin;
    pby_ledger_close(ledger);
    cr_assert_eq(sqlite3_open(other, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    for (long long n = 1; n <= entries; n++) {
        snprintf(spec, sizeof spec, "zcdp:rho=%lld/1000000", n);
        const pby_ledger_entry entry = {n, at, spec, "1/100000", "0", "", ""};
        pby_chain_add(&chain, &entry);
        snprintf(sql, sizeof sql,
                 "INSERT INTO spend VALUES (%lld, '%s', '%s', '1/100000', '0');"
                 "INSERT INTO chain VALUES (%lld, '%s'); UPDATE head SET entries = %lld, digest = '%s'",
                 n, at, spec, n, chain.digest, n, chain.digest);
        cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
    cr_assert_eq(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    cr_assert_eq(pby_ledger_copy(other, path, &err), PBY_OK, "%s", err.text);
}

/* The bytes that this process has read and written. */
static long long moved(void)
{
    char text[IO_SIZE];
    long long in = 0, out = 0;
    FILE *io = fopen("/proc/self/io", "re");
    cr_assert_not_null(io);
    while (fgets(text, sizeof text, io) != NULL) {
        (void)sscanf(text, "rchar: %lld", &in);
        (void)sscanf(text, "wchar: %lld", &out);
    }
    fclose(io);
    return in + out;
}

static long long cost(opener *open_it)
{
    pby_error err;
    const long long before = moved();
    cr_assert_eq(charge(open_it, path, "zcdp:rho=1/7", NULL, false, &err), PBY_OK, "%s", err.text);
    return moved() - before;
}

/* All entries have a spec of their own. A file of 16 times as many is a level of its tree deeper, and all
 * of it is read by who opens it whole. */
Test(ledger_sums, a_charge_does_not_grow_with_the_entries)
{
    enum { LITTLE = 500, PAGES = 32 * 4096 };
    fill(LITTLE);
    const long long little = cost(pby_ledger_open_to_charge), whole = cost(pby_ledger_open);
    fill(16 * LITTLE);
    const long long much = cost(pby_ledger_open_to_charge), whole_much = cost(pby_ledger_open);
    cr_expect(much < little + PAGES, "%lld bytes, and %lld of 16 times as many entries", little, much);
    cr_expect(whole_much > 4 * whole, "%lld bytes, and %lld of 16 times as many entries", whole, whole_much);
}

/* ---- damage and forgery ------------------------------------------------------------------------- */

static void make_spent(void)
{
    pby_error err;
    const pby_ledger_terms terms = {.accounting = "zcdp", .bound = "1", .delta = "0"};
    remove(path);
    cr_assert_eq(pby_ledger_create_terms(path, &terms, &err), PBY_OK, "%s", err.text);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(charge(pby_ledger_open_to_charge, path, "zcdp:rho=1/4", NULL, false, &err), PBY_OK, "%s",
                     err.text);
}

static void expect_refused(opener *open_it, const char *why)
{
    pby_error err;
    cr_assert_eq(charge(open_it, path, "zcdp:rho=1/8", NULL, false, &err), PBY_BAD, "%s", why);
    cr_assert_not_null(strstr(err.text, "the sums that it keeps are not those of its entries"), "%s",
                       err.text);
}

Test(ledger_sums, changed_ones_are_refused)
{
    static const char *const changes[] = {"text = replace(text, '3/4', '1/4')",
                                          "text = ''",
                                          "entries = 2",
                                          "entries = -1",
                                          "seal = digest",
                                          "digest = seal",
                                          "text = text || 'spec 1 pure:eps=1'"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char sql[SQL_SIZE];
        make_spent();
        snprintf(sql, sizeof sql, "UPDATE sums SET %s", changes[i]);
        pby_tamper(path, sql);
        expect_refused(pby_ledger_open_to_charge, changes[i]);
        expect_refused(pby_ledger_open, changes[i]);
    }
}

/* A budget that was raised has another first digest, which the seal covers. */
Test(ledger_sums, are_of_one_budget)
{
    make_spent();
    pby_tamper(path, "UPDATE budget SET epsilon = '100'");
    expect_refused(pby_ledger_open_to_charge, "a raised budget");
}

Test(ledger_sums, of_before_are_refused)
{
    pby_error err;
    make_spent();
    pby_tamper(path, "CREATE TABLE kept AS SELECT * FROM sums");
    pby_tamper(path, "CREATE TABLE saved AS SELECT * FROM kept; DROP TABLE kept");
    sqlite3 *db;
    char before[SQL_SIZE] = "";
    sqlite3_stmt *row;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(
        sqlite3_prepare_v2(db,
                           "SELECT 'UPDATE sums SET entries = ' || entries || ', digest = ''' || digest"
                           " || ''', seal = ''' || seal || ''', text = ''' || text || '''' FROM saved",
                           -1, &row, NULL),
        SQLITE_OK);
    cr_assert_eq(sqlite3_step(row), SQLITE_ROW);
    snprintf(before, sizeof before, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(db);
    pby_tamper(path, "DROP TABLE saved");
    cr_assert_eq(charge(pby_ledger_open_to_charge, path, "zcdp:rho=1/8", NULL, false, &err), PBY_OK, "%s",
                 err.text);
    pby_tamper(path, before);
    expect_refused(pby_ledger_open_to_charge, "sums of before");
    expect_refused(pby_ledger_open, "sums of before");
}

/* Who may write the file can write a seal, too: `show` computes all sums again. */
Test(ledger_sums, a_forged_seal_is_found_by_who_reads_all)
{
    pby_ledger *ledger;
    pby_error err;
    pby_kept_sums forged;
    char sql[SQL_SIZE];
    make_spent();
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    mpq_set_ui(ledger->totals.all.bound, 0, 1);
    cr_assert_eq(pby_sums_write(&forged, &ledger->totals, false, &ledger->begin, &err), PBY_OK);
    pby_ledger_close(ledger);
    snprintf(sql, sizeof sql, "UPDATE sums SET text = '%s', seal = '%s'", forged.text, forged.seal);
    free(forged.text);
    pby_tamper(path, sql);
    expect_refused(pby_ledger_open, "forged sums");
    const pby_run *r = PBY_RUN(NULL, "ledger", "show", path);
    cr_assert_eq(r->status, 2, "%s", r->out);
    cr_assert_not_null(strstr(r->err, "the sums that it keeps"), "%s", r->err);
    char digest[PBY_LEDGER_DIGEST_SIZE];
    snprintf(digest, sizeof digest, "%s", forged.chain.digest);
    r = PBY_RUN(NULL, "ledger", "spend", path, "zcdp:rho=1/8", "--after", digest);
    cr_assert_eq(r->status, 2, "--after reads all entries");
}

static void put(long at, uint8_t byte)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    cr_assert_geq(fd, 0);
    cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* No byte that changes makes room for what would overspend. */
Test(ledger_sums, no_changed_byte_gives_more_to_spend)
{
    static uint8_t whole[WHOLE_MAX];
    uint64_t seed = 5;
    pby_error err;
    int refused = 0, tried = 0;
    make_spent();
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const long size = (long)read(fd, whole, WHOLE_MAX);
    close(fd);
    cr_assert(size > 4096 && size < WHOLE_MAX);
    for (long at = 0; at < size; at++) {
        const uint64_t draw = stream_next(&seed);
        if (whole[at] == 0 || draw % 4 != 0)
            continue;
        put(at, (uint8_t)(whole[at] ^ (1u << (draw >> 8) % 8)));
        const pby_status status = charge(pby_ledger_open_to_charge, path, "zcdp:rho=1/2", NULL, true, &err);
        cr_assert_neq(status, PBY_OK, "byte %ld gives more to spend", at);
        refused += status != PBY_NO;
        tried++;
        put(at, whole[at]);
    }
    cr_assert(refused > tried / 20, "%d of %d", refused, tried);
    cr_assert_eq(charge(pby_ledger_open_to_charge, path, "zcdp:rho=1/4", NULL, false, &err), PBY_OK, "%s",
                 err.text);
}
