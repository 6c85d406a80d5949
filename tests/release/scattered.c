/* SPDX-License-Identifier: MIT */
/* Records that move by a table, from the command to the ledger. At eps=40 noise is 0 but for a chance below
 * 1e-17. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/cli/run.h"

#define SURE "geometric:eps=40"

static char folder[PBY_PATH_SIZE], table[PBY_PATH_SIZE], in[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(table, folder, "table.csv");
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(other, folder, "other");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(scattered, .init = setup, .fini = teardown);

/* The bars are those of the table, in its order; keys that it lacks are left out. */
Test(scattered, every_record_moves_and_other_keys_are_left_out)
{
    pby_write_file(table, "b,y,1\na,\"x, 1\",1\nnobody,z,1/2\nc,y,1\nnobody,y,1/2");
    pby_write_file(in, "town,n\na,3\nb,5\nc,7\nd,11\n");
    const pby_run *r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--quiet");
    cr_assert_str_eq(r->out, "key,count\ny,12\n\"x, 1\",3\nz,0\n", "%s", r->err);
    r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--quiet", "--statistic", "mode");
    cr_assert_str_eq(r->out, "y\n", "%s", r->err);
    r = PBY_RUN(NULL, "release", "threshold:eps=40,T=4", SURE, in, "--scatter", table, "--quiet");
    cr_assert_str_eq(r->out, "key,count\ny,12\n", "%s", r->err);
    r = PBY_RUN(NULL, "release", "2*" SURE, in, "--scatter", table, "--quiet", "--truncate", "4");
    cr_assert_str_eq(r->out, "key,count_1,count_2\ny,4,4\n\"x, 1\",3,3\nz,0,0\n", "%s", r->err);
}

/* Half of 10^6 records: two draws agree with a chance below 1/1000, and four with one below 1e-9. No draw is
 * farther from the half than 4000 but for a chance below 1e-13. */
Test(scattered, every_release_draws_anew_and_no_record_is_lost)
{
    long first = -1;
    bool differ = false;
    pby_write_file(table, "a,x,1/2\na,y,1/2\n");
    pby_write_file(in, "a,1000000\n");
    for (int i = 0; i < 4; i++) {
        long x, y;
        const pby_run *r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--quiet");
        cr_assert_eq(sscanf(r->out, "x,%ld\ny,%ld", &x, &y), 2, "%s%s", r->out, r->err);
        cr_assert_eq(x + y, 1000000);
        cr_assert(x > 496000 && x < 504000, "%ld", x);
        differ = differ || (first >= 0 && x != first);
        first = x;
    }
    cr_assert(differ);
}

Test(scattered, a_bad_table_is_refused_by_its_line)
{
    static const char *const bad[][2] = {
        {"a,x,1/3\nb,x,1\na,y,1/3\n", "line 1, column 3: expected a key whose chances add up to 1"},
        {"b,x,1\na,x,2/3\na,x,1/3\n", "line 3, column 2: expected a new key that stands on no line"},
        {"a,x,1\nb,y,0\n", "line 2, column 3: expected a chance above 0 and at most 1"},
        {"a,x,4/3\n", "line 1, column 3: expected a chance above 0 and at most 1"},
        {"key,new,chance\na,x,1\n", "line 1, column 3: expected a chance"},
        {"a,x\n", "line 1, column 3: expected KEY,NEW,CHANCE"},
        {"a,x,1,2\n", "line 1, column 4: expected KEY,NEW,CHANCE"},
        {"a,x,1\n\n", "line 2, column 1: expected a key, the empty one as \"\""},
        {"a,,1\n", "line 1, column 2: expected a key"},
        {"", "line 1, column 1: expected a line KEY,NEW,CHANCE"},
    };
    pby_write_file(in, "a,3\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_write_file(table, bad[i][0]);
        PBY_REFUSED(2, bad[i][1], NULL, "release", SURE, in, "--scatter", table);
    }
    PBY_REFUSED(2, "not the data themselves", NULL, "release", SURE, in, "--scatter", in);
}

Test(scattered, what_cannot_stand_behind_is_refused)
{
    pby_write_file(table, "a,x,1\n");
    pby_write_file(in, "a,3\n");
    PBY_REFUSED(2, "release a histogram", NULL, "release", "stlap:eps=1,tau=1/3,n=3,bars=1", in, "--scatter",
                table);
    PBY_REFUSED(2, "release a histogram", NULL, "release", "exponential:eps=1", in, "--scatter", table);
    PBY_REFUSED(2, "timing-safe", NULL, "release", SURE, in, "--scatter", table, "--timing-safe");
    PBY_REFUSED(2, "not both", NULL, "release", SURE, in, "--scatter", table, "--filter", in);
    pby_write_file(in, "a,68719476736\nb,1\n");
    PBY_REFUSED(2, "line 2, column 2: expected counts that add up to at most 68719476736", NULL, "release",
                SURE, in, "--scatter", table);
}

/* The ledger and the certificate name the table, and a certificate permits that table alone. */
Test(scattered, ledger_certificate_and_receipt_name_the_table)
{
    char first[96], ledger[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE];
    pby_folder_path(ledger, folder, "l");
    pby_folder_path(certificate, folder, "c.json");
    pby_write_file(table, "a,x,1\n");
    pby_write_file(in, "a,3\n");
    const pby_run *r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--quiet", "--json");
    const char *found = strstr(r->out, "\"sha256\": \"");
    cr_assert_not_null(found, "%s", r->out);
    snprintf(first, sizeof first, "scatter:table=%.64s", found + strlen("\"sha256\": \""));
    cr_assert_not_null(strstr(r->out, first), "the receipt's spec: %s", r->out);
    r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "50", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--ledger", ledger, "--quiet");
    cr_assert_str_eq(r->out, "x,3\n", "%s", r->err);
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, first), "%s", r->out);
    r = PBY_RUN(NULL, "certify", first, SURE, "--epsilon", "40", "-o", certificate);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "release", certificate, in, "--scatter", table, "--quiet");
    cr_assert_str_eq(r->out, "x,3\n", "%s", r->err);
    PBY_REFUSED(2, "--scatter: expected the table that SPEC", NULL, "release", certificate, in);
    pby_write_file(other, "a,y,1\n");
    PBY_REFUSED(2, "expected the table whose SHA-256 is ", NULL, "release", certificate, in, "--scatter",
                other);
    r = PBY_RUN(NULL, "certify", SURE, "--epsilon", "40", "-o", certificate);
    PBY_REFUSED(2, "expected a SPEC that names it: scatter:table=", NULL, "release", certificate, in,
                "--scatter", table);
    PBY_REFUSED(2, "expected a mechanism behind it", NULL, "loss", first, "--epsilon", "1");
    PBY_REFUSED(2, "expected it once, in front of all others", NULL, "loss", SURE, first, "--epsilon", "1");
}

/* The library scatters a table in memory as the command does a file. */
Test(scattered, a_table_in_memory_moves_too)
{
    static const char *const keys[] = {"a", "b"};
    static const int64_t counts[] = {2, 9};
    char *spec = NULL, *text;
    pby_error err;
    pby_permission *p;
    pby_table *t, *out;
    pby_write_file(table, "a,x,1\nb,x,1\n");
    pby_write_file(in, "a,1\n");
    const pby_run *r = PBY_RUN(NULL, "release", SURE, in, "--scatter", table, "--quiet", "--json");
    const char *at = strstr(r->out, "scatter:table=");
    cr_assert_not_null(at);
    spec = strndup(at, strcspn(at, "\""));
    const pby_permission_options from = {.spec = spec};
    const pby_release_options options = {.scatter = table}, without = {.truncate = 0};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_of(&t, keys, counts, 2, &err), PBY_OK);
    cr_assert_eq(pby_release_table(&out, p, t, &options, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK);
    cr_assert_str_eq(text, "x,11\n");
    free(text);
    pby_table_free(out);
    cr_assert_eq(pby_release_table(&out, p, t, &without, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "scatter: expected the table"), "%s", err.text);
    pby_table_free(t);
    pby_permission_close(p);
    free(spec);
}
