/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flint/fmpz_vec.h>

#include "probity/release.h"
#include "probity/table.h"
#include "release/databases.h"
#include "tests/claims/decide.h"
#include "tests/cli/run.h"
#include "tests/exact/law.h"

enum { KINDS = 3, SIZE = 3, MOST = 3, DATABASES = 10 };

/* Answers of two queries: 0, 1/2, 1 and 1, 0, 0. */
static const char TABLE[] = "kind,half,first\na,0,1\nb,1/2,0\nc,1,0\n";

static pby_queries *table_of(const char *text)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_queries *q;
    pby_error err;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "queries.csv");
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    cr_assert(fputs(text, out) >= 0 && fclose(out) == 0);
    cr_assert_eq(pby_queries_read(&q, path, &err), PBY_OK, "%s", err.text);
    pby_folder_remove(folder);
    return q;
}

/* The scores of all databases, in units of 1/(size grain): whole numbers. */
struct scores {
    long score[DATABASES];
    size_t record[DATABASES][SIZE];
    size_t count;
};

static pby_status keep(void *what, const size_t *record, mpq_srcptr score, pby_error *err)
{
    struct scores *s = what;
    mpq_t x;
    (void)err;
    mpq_init(x);
    mpq_set_ui(x, 2 * SIZE, 1); /* the grain is 2 */
    mpq_mul(x, x, score);
    cr_assert(mpz_cmp_ui(mpq_denref(x), 1) == 0);
    cr_assert_lt(s->count, DATABASES);
    memcpy(s->record[s->count], record, sizeof s->record[0]);
    s->score[s->count++] = mpz_get_si(mpq_numref(x));
    mpq_clear(x);
    return PBY_OK;
}

static void scores_of(struct scores *out, const pby_queries *q, const long *data)
{
    fmpz *counts = _fmpz_vec_init(KINDS);
    for (size_t u = 0; u < KINDS; u++)
        fmpz_set_si(counts + u, data[u]);
    out->count = 0;
    cr_assert_eq(pby_databases_walk(q, counts, SIZE, keep, out, NULL), PBY_OK);
    cr_assert_eq(out->count, DATABASES);
    _fmpz_vec_clear(counts, KINDS);
}

Test(databases, how_many_there_are)
{
    cr_assert_eq(pby_databases_count(3, 3), 10);
    cr_assert_eq(pby_databases_count(1, 1000), 1);
    cr_assert_eq(pby_databases_count(2, 999999), 1000000);
    cr_assert_eq(pby_databases_count(2, 1000000), 0);
    cr_assert_eq(pby_databases_count(1000000, 1), 1000000);
    cr_assert_eq(pby_databases_count(1000000, 1000000), 0);
}

/* From the definition: minus the worst of |S_f(x) - n S_f(y)/m|, here times 2 m. */
Test(databases, scores_by_the_definition)
{
    static const long twice[2][KINDS] = {{0, 1, 2}, {2, 0, 0}};
    static const long data[][KINDS] = {{0, 0, 0}, {5, 0, 0}, {1, 2, 3}, {0, 7, 2}};
    pby_queries *q = table_of(TABLE);
    struct scores s;
    for (size_t d = 0; d < 4; d++) {
        const long n = data[d][0] + data[d][1] + data[d][2];
        scores_of(&s, q, data[d]);
        for (size_t y = 0; y < DATABASES; y++) {
            long worst = 0;
            for (size_t f = 0; f < 2; f++) {
                long x = 0, sum = 0;
                for (size_t u = 0; u < KINDS; u++)
                    x += data[d][u] * twice[f][u];
                for (size_t i = 0; i < SIZE; i++)
                    sum += twice[f][s.record[y][i]];
                const long gap = labs(SIZE * x - n * sum);
                worst = gap > worst ? gap : worst;
            }
            cr_assert_eq(s.score[y], -worst);
        }
    }
    pby_queries_free(q);
}

/* Every neighbour of all data of up to three records of each kind: one record more, and one changed. No score
 * moves by more than 1, which some do; and with weights 2^(2 m score), exp(epsilon) being 4^(2 m), no chance
 * changes by more than that.
 * claims: Survey/Theorem 6.9 */
Test(databases, no_record_moves_a_score_by_more_than_the_answers_differ)
{
    pby_queries *q = table_of(TABLE);
    struct scores s, t;
    long widest = 0;
    exact_law p, r;
    mpq_t x;
    mpq_init(x);
    exact_init(&p, DATABASES);
    exact_init(&r, DATABASES);
    mpz_ui_pow_ui(mpq_numref(x), 4, 2 * SIZE);
    for (long k = 0; k < 64; k++) {
        const long data[KINDS] = {k % 4, k / 4 % 4, k / 16};
        scores_of(&s, q, data);
        for (size_t more = 0; more < KINDS; more++)
            for (size_t less = 0; less <= KINDS; less++) {
                long other[KINDS] = {data[0], data[1], data[2]};
                other[more]++;
                if (less < KINDS && other[less]-- == 0)
                    continue;
                scores_of(&t, q, other);
                mpq_t sums[2];
                mpq_inits(sums[0], sums[1], NULL);
                for (size_t y = 0; y < DATABASES; y++) {
                    const long moved = labs(s.score[y] - t.score[y]);
                    widest = moved > widest ? moved : widest;
                    mpq_set_ui(p.p[y], 1, 1);
                    mpq_set_ui(r.p[y], 1, 1);
                    mpq_div_2exp(p.p[y], p.p[y], (mp_bitcnt_t)-s.score[y]);
                    mpq_div_2exp(r.p[y], r.p[y], (mp_bitcnt_t)-t.score[y]);
                    mpq_add(sums[0], sums[0], p.p[y]);
                    mpq_add(sums[1], sums[1], r.p[y]);
                }
                for (size_t y = 0; y < DATABASES; y++) {
                    mpq_div(p.p[y], p.p[y], sums[0]);
                    mpq_div(r.p[y], r.p[y], sums[1]);
                }
                cr_assert(claims_is(CLAIMS_ALL, exact_within(&p, &r, x) && exact_within(&r, &p, x)));
                mpq_clears(sums[0], sums[1], NULL);
            }
    }
    cr_assert_eq(widest, 2 * SIZE, "%ld", widest);
    exact_clear(&r);
    exact_clear(&p);
    mpq_clear(x);
    pby_queries_free(q);
}

/* alpha = 1/2 and two queries: log 2/alpha^2 = 2.77, rounded up 3 records. For all data of up to three
 * records of each kind some database is within alpha; and with epsilon = 4 m log 2 the chance that the error
 * is at least alpha
 * + 2 (m log 3 + j log 2)/(epsilon n) is at most 2^-j. In units of 1/(2 m n) that is: error >= m n + m
 * log2(3)
 * + j.
 * claims: Survey/Theorem 6.10; Survey/Theorem 6.11 */
Test(databases, the_error_of_the_survey)
{
    pby_queries *q = table_of(TABLE);
    struct scores s;
    mpq_t sum, bad, one;
    mpq_inits(sum, bad, one, NULL);
    for (long k = 1; k < 64; k++) {
        const long data[KINDS] = {k % 4, k / 4 % 4, k / 16}, n = data[0] + data[1] + data[2];
        long best = LONG_MAX;
        scores_of(&s, q, data);
        for (size_t y = 0; y < DATABASES; y++)
            best = -s.score[y] < best ? -s.score[y] : best;
        cr_assert(claims_le_si("Survey/Theorem 6.10", best, SIZE * n), "no database is within 1/2");
        for (long j = 0; j <= 6; j++) {
            mpq_set_ui(sum, 0, 1);
            mpq_set_ui(bad, 0, 1);
            for (size_t y = 0; y < DATABASES; y++) {
                const long beyond = -s.score[y] - SIZE * n - j; /* against log2(27) */
                mpq_set_ui(one, 1, 1);
                mpq_div_2exp(one, one, (mp_bitcnt_t)-s.score[y]);
                mpq_add(sum, sum, one);
                if (beyond > 4) /* 2^4 < 27 < 2^5 */
                    mpq_add(bad, bad, one);
            }
            mpq_div(bad, bad, sum);
            mpq_set_ui(one, 1, 1);
            mpq_div_2exp(one, one, (mp_bitcnt_t)j);
            cr_assert(claims_le("Survey/Theorem 6.11", bad, one));
        }
    }
    mpq_clears(sum, bad, one, NULL);
    pby_queries_free(q);
}

/* At this rate another database than the best is chosen with a chance below 1e-17. */
#define SURE "smalldb:eps=1000"

/* The digest of the table below, and another. */
#define SHA   "55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"
#define OTHER "65ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"

static void in_folder(char *path, const char *folder, const char *name, const char *text)
{
    pby_folder_path(path, folder, name);
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    cr_assert(fputs(text, out) >= 0 && fclose(out) == 0);
}

Test(databases, a_database_is_released)
{
    char folder[PBY_PATH_SIZE], queries[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];
    pby_folder_make(folder);
    in_folder(queries, folder, "q.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,1\n");
    const pby_run *r =
        PBY_RUN("a,100\nother,7\nb,100\nc,200\n", "smalldb", SURE, "--queries", queries, "--size", "4");
    cr_assert_eq(r->status, 0, "%s", r->err);
    /* half are old, a quarter is rich: two databases have exactly that */
    cr_assert(strcmp(r->out, "a,1\nb,1\nc,2\n") == 0 || strcmp(r->out, "a,2\nc,1\nd,1\n") == 0, "%s", r->out);
    cr_assert_not_null(strstr(r->err, "kinds, queries and size are public"), "%s", r->err);
    r = PBY_RUN("a,5\n", "smalldb", SURE, "--queries", queries, "--size", "2", "--json", "--quiet");
    cr_assert_not_null(strstr(r->out, "{\"release\": [{\"key\": \"a\", \"count\": 2}]"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"sha256\": \"" SHA "\""), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"smalldb:eps=1000,size=2,queries=" SHA "\""), "%s", r->out);
    pby_folder_path(ledger, folder, "l.db");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0")->status, 0);
    r = PBY_RUN("a,5\n", "smalldb", "smalldb:eps=1", "--queries", queries, "--size", "2", "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(1, "would overspend", "a,5\n", "smalldb", "smalldb:eps=1", "--queries", queries, "--size",
                "2", "--ledger", ledger);
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, "smalldb:eps=1,size=2,queries=" SHA), "the ledger names the table: %s",
                       r->out);
    pby_folder_remove(folder);
}

/* No data are read: ln(4)/(2/100) = 69.3, so that 70 records are enough, of which there are C(73, 3) = 62196
 * databases of four kinds. */
Test(databases, a_size_for_an_error)
{
    char folder[PBY_PATH_SIZE], queries[PBY_PATH_SIZE];
    pby_folder_make(folder);
    in_folder(queries, folder, "q.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,1\n");
    const pby_run *r = PBY_RUN(NULL, "smalldb", "smalldb:eps=1", "--queries", queries, "--alpha", "1/10",
                               "--records", "10000", "--beta", "1/20");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "mechanism   smalldb:eps=1,size=70,queries=" SHA "\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "databases   62196\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "error       [0.102796493, 0.102796494]"), "%s", r->out);
    r = PBY_RUN(NULL, "smalldb", "smalldb:eps=1", "--queries", queries, "--alpha", "1/100", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"size\": 6932, \"printed_size\": {\"lo\": \"6931.4718\""), "%s",
                       r->out);
    cr_assert_not_null(strstr(r->out, "\"databases\": null}"), "%s", r->out);
    PBY_REFUSED(2, "--alpha '0': expected a rational above 0 and up to 1", NULL, "smalldb", "smalldb:eps=1",
                "--queries", queries, "--alpha", "0");
    PBY_REFUSED(2, "--size '3': expected it without --alpha", NULL, "smalldb", "smalldb:eps=1", "--queries",
                queries, "--alpha", "1/2", "--size", "3");
    PBY_REFUSED(2, "expected one without a size, which follows from", NULL, "smalldb", "smalldb:eps=1,size=2",
                "--queries", queries, "--alpha", "1/2");
    PBY_REFUSED(2, "expected --records and --beta, or neither", NULL, "smalldb", "smalldb:eps=1", "--queries",
                queries, "--alpha", "1/2", "--beta", "1/2");
    PBY_REFUSED(2, "--records '5': expected it with --alpha", "a,1\n", "smalldb", "smalldb:eps=1",
                "--queries", queries, "--size", "2", "--records", "5");
    PBY_REFUSED(2, "expected a sensitivity of at least", NULL, "smalldb", "smalldb:eps=1,sensitivity=1/2",
                "--queries", queries, "--alpha", "1/2");
    PBY_REFUSED(2, "expected a SPEC and no data beside --alpha", NULL, "smalldb", "smalldb:eps=1", "in.csv",
                "--queries", queries, "--alpha", "1/2");
    pby_folder_remove(folder);
}

/* A certificate is for the table that it names. */
Test(databases, a_certificate_binds_the_table)
{
    char folder[PBY_PATH_SIZE], queries[PBY_PATH_SIZE], other[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE];
    pby_folder_make(folder);
    in_folder(queries, folder, "q.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,1\n");
    in_folder(other, folder, "o.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,0\n");
    pby_folder_path(certificate, folder, "c.json");
    const pby_run *r =
        PBY_RUN(NULL, "certify", "smalldb:eps=1000,size=2,queries=" SHA, "--epsilon", "1", "-o", certificate);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN("a,5\n", "smalldb", certificate, "--queries", queries);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "a,2\n");
    r = PBY_RUN("a,5\n", "release", certificate, "--queries", queries);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "a,2\n");
    PBY_REFUSED(2, "expected the table whose SHA-256 is " SHA, "a,5\n", "smalldb", certificate, "--queries",
                other);
    PBY_REFUSED(2, "none beside a certificate", "a,5\n", "smalldb", certificate, "--queries", queries,
                "--size", "2");
    pby_folder_remove(folder);
}

/* The library's side. */
Test(databases, a_table_in_memory_is_released)
{
    char folder[PBY_PATH_SIZE], queries[PBY_PATH_SIZE];
    pby_folder_make(folder);
    in_folder(queries, folder, "q.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,1\n");
    const pby_permission_options from = {.spec = "smalldb:eps=1000,size=2,queries=" SHA};
    const pby_release_options options = {.queries = queries};
    const char *const keys[] = {"a", "other"};
    const int64_t counts[] = {5, 3};
    pby_permission *permission;
    pby_table *table, *out;
    pby_error err;
    bool found;
    size_t size;
    cr_assert_eq(pby_permission_open(&permission, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_of(&table, keys, counts, 2, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_table(&out, permission, table, &options, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
    cr_assert(found);
    cr_assert_str_eq(pby_table_key(out, &size), "a");
    cr_assert_eq(pby_table_count(out), 2);
    pby_table_free(out);
    pby_table_free(table);
    pby_permission_close(permission);
    pby_folder_remove(folder);
}

Test(databases, refusals)
{
    char folder[PBY_PATH_SIZE], good[PBY_PATH_SIZE], bad[PBY_PATH_SIZE];
    pby_folder_make(folder);
    in_folder(good, folder, "q.csv", "kind,old,rich\na,0,0\nb,0,1\nc,1,0\nd,1,1\n");
    PBY_REFUSED(2, "expected --queries TABLE", "a,1\n", "smalldb", SURE, "--size", "2");
    PBY_REFUSED(2, "smalldb:size '': expected size=M", "a,1\n", "smalldb", SURE, "--queries", good);
    PBY_REFUSED(2, "--size '0': expected", "a,1\n", "smalldb", SURE, "--queries", good, "--size", "0");
    PBY_REFUSED(2, "expected at most 1000000 databases of that size, for 4 kinds", "a,1\n", "smalldb", SURE,
                "--queries", good, "--size", "400");
    PBY_REFUSED(2, "expected a sensitivity of at least", "a,1\n", "smalldb", "smalldb:eps=1,sensitivity=1/2",
                "--queries", good, "--size", "2");
    PBY_REFUSED(2, "expected each parameter once", "a,1\n", "smalldb", "smalldb:eps=1,size=3", "--queries",
                good, "--size", "2");
    PBY_REFUSED(2, "a mechanism that answers queries: smalldb", "a,1\n", "smalldb", "exponential:eps=1",
                "--queries", good, "--size", "2");
    PBY_REFUSED(2, "expected the table whose SHA-256 is " OTHER, "a,1\n", "smalldb",
                "smalldb:eps=1,size=2,queries=" OTHER, "--queries", good);
    PBY_REFUSED(2, "expected 64 hexadecimal digits", "a,1\n", "smalldb", "smalldb:eps=1,size=2,queries=12",
                "--queries", good);
    PBY_REFUSED(2, "a file that can be read", "a,1\n", "smalldb", SURE, "--queries", folder, "--size", "2");
    PBY_REFUSED(2, "--queries: expected the table that SPEC", "a,1\n", "release",
                "smalldb:eps=1,size=2,queries=" SHA);
    PBY_REFUSED(2, "expected a mechanism that answers queries: smalldb", "a,1\n", "release",
                "exponential:eps=1", "--queries", good);
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "line 1, column 1: expected a first line"},
        {"kind\na\n", "line 1, column 2: expected a column for each query"},
        {"kind,q\n", "line 2, column 1: expected a line KIND,ANSWER"},
        {"kind,q\na,1.5\n", "line 2, column 2: expected an answer from 0 to 1"},
        {"kind,q\na,-1\n", "line 2, column 2: expected an answer from 0 to 1"},
        {"kind,q\na,1\na,0\n", "line 3, column 1: expected a kind once; this is a duplicate"},
        {"kind,q\na\n", "line 2, column 2: expected as many columns"},
        {"kind,q\na,1,1\n", "line 2, column 3: expected as many columns"},
        {"kind,q\na,1/1000000007\nb,1/998244353\n", "one denominator of at most 10^9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_folder(bad, folder, "bad.csv", cases[i].text);
        PBY_REFUSED(2, cases[i].expected, "a,1\n", "smalldb", SURE, "--queries", bad, "--size", "2");
    }
    pby_folder_remove(folder);
}

/* ---- the spec ---------------------------------------------------------------------------------- */

static void completes(const char *text, unsigned long size, const char *path, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_databases_spec(&spec, text, path, "queries", size, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(spec), expected);
    pby_spec_free(spec);
}

static void does_not(const char *text, unsigned long size, const char *path, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_databases_spec(&spec, text, path, "queries", size, &err), PBY_BAD, "%s", text);
    cr_assert_null(spec);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
}

#define SHA256  "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" /* of hello */
#define ANOTHER "0000000000000000000000000000000000000000000000000000000000000abc"

Test(databases, a_spec_gets_its_size_and_its_table)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "queries.csv");
    pby_write_file(path, "hello\n");
    completes("smalldb:eps=1", 5, path, "smalldb:eps=1,size=5,queries=" SHA256);
    completes("smalldb:size=3,eps=2/4", 0, path, "smalldb:eps=1/2,size=3,queries=" SHA256);
    completes("smalldb:eps=1,queries=" ANOTHER, 7, path, "smalldb:eps=1,size=7,queries=" ANOTHER);
    completes("smalldb:eps=1,queries=" ANOTHER ",size=2", 0, "no such file",
              "smalldb:eps=1,size=2,queries=" ANOTHER);
    does_not("smalldb:eps=1,size=3", 3, path, "smalldb:size '3': expected each parameter once");
    does_not("smalldb:eps=1", 0, path, "smalldb:size '': expected size=M");
    does_not("smalldb", 2, path, "smalldb:eps '': expected eps=E");
    does_not("smalldb:eps=1", 2, "no such file", "queries 'no such file': expected a file that can be read");
    does_not("geometric:eps=1", 2, path, "expected a mechanism that answers queries: smalldb");
    does_not("2*smalldb:eps=1", 2, path, "expected one use of smalldb");
    does_not("smalldb:eps=1 smalldb:eps=1", 2, path, "expected one use of smalldb");
    pby_folder_remove(folder);
}
