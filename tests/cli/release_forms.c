/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "release/publish.h"
#include "table/csv/csv.h"
#include "tests/cli/run.h"

/* ---- through the command ---------------------------------------------------------------------- */

/* Counts so far from the threshold that noise which crosses it has a chance below 1e-40. */
Test(release_forms, threshold_publishes_what_passed_and_nothing_else)
{
    const pby_run *r =
        PBY_RUN("\xef\xbb\xbfword,count\r\nzebra,5000\r\n\"ant\",7000\r\nsecret,1\r\nempty,0\r\n", "release",
                "threshold:eps=1,T=100");
    cr_assert_eq(r->status, 0, "%s", r->err);
    long long ant = 0, zebra = 0;
    cr_assert_eq(sscanf(r->out, "key,count\nant,%lld\nzebra,%lld\n", &ant, &zebra), 2, "%s", r->out);
    cr_assert(llabs(ant - 7000) < 100 && llabs(zebra - 5000) < 100);
    cr_assert_null(strstr(r->out, "secret"));
    cr_assert_null(strstr(r->out, "empty"));
    cr_assert_eq(r->out_size, strlen("key,count\nant,0000\nzebra,0000\n"));
}

Test(release_forms, an_empty_threshold_release_is_an_empty_output)
{
    const pby_run *r = PBY_RUN("a,1\nb,2\n", "release", "threshold:eps=1,T=200");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 0);
}

Test(release_forms, partition_publishes_names_alone)
{
    const pby_run *r = PBY_RUN("b,5000\n\"a\nx\",7000\nnone,0\n", "release", "partition:eps=1,delta=1/1000");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "\"a\nx\"\nb\n");
}

Test(release_forms, range_holds_the_count)
{
    const pby_run *r = PBY_RUN("k,n\nb,50\na,70\nz,0\n", "release", "range:eps=1,L=100");
    long long lo[3], hi[3];
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "k,low,high\nb,%lld,%lld\na,%lld,%lld\nz,%lld,%lld\n", &lo[0], &hi[0], &lo[1],
                        &hi[1], &lo[2], &hi[2]),
                 6, "%s", r->out);
    cr_assert(lo[0] <= 50 && 50 <= hi[0] && lo[1] <= 70 && 70 <= hi[1] && lo[2] <= 0 && 0 <= hi[2]);
    cr_assert(hi[0] - lo[0] == 200 && hi[2] - lo[2] == 200);
}

/* 3000 is below the threshold but for a chance below 1e-400, and noise beyond 200 has one below 1e-80. */
Test(release_forms, ranges_of_what_passed)
{
    static const char in[] = "k,n\nb,7000\nz,3000\na,9000\n",
                      spec[] = "threshold:eps=1,T=5000 range:eps=1,L=200";
    long long lo[2], hi[2];
    const pby_run *r = PBY_RUN(in, "release", spec);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "key,low,high\na,%lld,%lld\nb,%lld,%lld\n", &lo[0], &hi[0], &lo[1], &hi[1]),
                 4, "%s", r->out);
    cr_assert(lo[0] <= 9000 && 9000 <= hi[0] && lo[1] <= 7000 && 7000 <= hi[1]);
    cr_assert(hi[0] - lo[0] == 400 && hi[1] - lo[1] == 400);
    cr_assert_null(strchr(r->out, 'z'));
    r = PBY_RUN(in, "release", spec, "--json");
    cr_assert_eq(
        sscanf(r->out, "{\"release\": [{\"key\": \"a\", \"low\": %lld, \"high\": %lld}", &lo[0], &hi[0]), 2,
        "%s", r->out);
    cr_assert_str_eq(PBY_RUN("", "release", spec)->out, "");
    PBY_REFUSED(2, "--statistic", in, "release", spec, "--statistic", "max");
}

Test(release_forms, geometric_keeps_every_key)
{
    const pby_run *r = PBY_RUN("b,5000\na,0\n", "release", "geometric:eps=1");
    long long b, a;
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "b,%lld\na,%lld\n", &b, &a), 2, "%s", r->out);
    cr_assert(llabs(b - 5000) < 100 && llabs(a) < 100);
}

/* 15 standard deviations have a chance below 1e-40. */
Test(release_forms, dgauss_keeps_every_key)
{
    long long b, a;
    const char *const safe[] = {"--quiet", "--timing-safe"};
    for (size_t i = 0; i < 2; i++) {
        const pby_run *r = PBY_RUN("k,n\nb,5000\na,0\n", "release", "dgauss:sigma2=16", safe[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_eq(sscanf(r->out, "k,count\nb,%lld\na,%lld\n", &b, &a), 2, "%s", r->out);
        cr_assert(llabs(b - 5000) <= 60 && llabs(a) <= 60, "%s", r->out);
    }
    const pby_run *r = PBY_RUN("b,5000\na,0\n", "release", "dgauss:sigma2=16", "--statistic", "mode");
    cr_assert_str_eq(r->out, "b\n");
    r = PBY_RUN("b,5000\na,1\n", "release", "threshold:eps=1,T=400", "dgauss:sigma2=16");
    cr_assert_eq(sscanf(r->out, "b,%lld\n", &b), 1, "%s", r->out);
    cr_assert(llabs(b - 5000) <= 60 && strchr(r->out, 'a') == NULL, "%s", r->out);
}

Test(release_forms, laplace_releases_multiples_of_its_grid)
{
    double b, a;
    const pby_run *r = PBY_RUN("k,n\n\"b,c\",\"5000\"\na,0\n", "release", "laplace:scale=4,grid=1/4");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "k,count\n\"b,c\",%lf\na,%lf\n", &b, &a), 2, "%s", r->out);
    cr_assert(4 * b == (double)(long long)(4 * b) && 4 * a == (double)(long long)(4 * a), "%s", r->out);
    cr_assert(b > 4600 && b < 5400 && a > -400 && a < 400, "%s", r->out);
    r = PBY_RUN("b,5002\n", "release", "laplace:scale=4,grid=5", "--json");
    long long steps;
    cr_assert_eq(sscanf(r->out, "{\"release\": [{\"key\": \"b\", \"count\": %lld}]", &steps), 1, "%s",
                 r->out);
    cr_assert(steps % 5 == 0 && steps > 4600 && steps < 5400, "%s", r->out);
    r = PBY_RUN("b,5000\n", "release", "laplace:scale=1/1000,grid=1/3", "--json");
    cr_assert_not_null(strstr(r->out, "{\"key\": \"b\", \"count\": \"5000\"}"), "%s", r->out);
    PBY_REFUSED(2, "expected a mechanism that has a timing-safe release", "b,1\n", "release",
                "laplace:scale=4,grid=1/4", "--timing-safe");
    PBY_REFUSED(2, "whole counts", "b,1\n", "release", "laplace:scale=4,grid=1/4", "--statistic", "max");
    cr_assert_eq(
        PBY_RUN("b,1\n", "release", "laplace:scale=4,grid=1", "--timing-safe", "--statistic", "max")->status,
        0);
}

/* Clipped noise never goes beyond its bound, and is released where one bar moves by one alone. */
Test(release_forms, clipped_noise_keeps_its_bound)
{
    long long b, a;
    for (int i = 0; i < 2; i++) {
        const pby_run *r = PBY_RUN("b,50\na,0\n", "release", "tgeometric:eps=1/10,bound=3",
                                   i == 0 ? "--quiet" : "--timing-safe");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_eq(sscanf(r->out, "b,%lld\na,%lld\n", &b, &a), 2, "%s", r->out);
        cr_assert(llabs(b - 50) <= 3 && llabs(a) <= 3);
    }
    PBY_REFUSED(2, "expected sensitivity=1 and add-remove neighbours", "b,1\n", "release",
                "tgeometric:eps=1,bound=3,sensitivity=2");
}

/* At a rate where noise other than 0 has a chance below 1e-12, every use shows the counts themselves. */
Test(release_forms, several_uses_are_columns)
{
    const pby_run *r = PBY_RUN("\xef\xbb\xbfk,n\r\n\"b,c\",\"5000\"\r\na,0", "release", "3*geometric:eps=30");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "k,count_1,count_2,count_3\n\"b,c\",5000,5000,5000\na,0,0,0\n");
    r = PBY_RUN("k,n\nb,7\n", "release", "2*geometric:eps=30", "--json", "--timing-safe");
    cr_assert_not_null(strstr(r->out, "{\"release\": [{\"key\": \"b\", \"count_1\": 7, \"count_2\": 7}], "
                                      "\"spec\": \"2*geometric:eps=30\""),
                       "%s", r->out);
    cr_assert_str_eq(PBY_RUN("b,7\n", "release", "2*laplace:scale=1/60,grid=1/2")->out, "b,7,7\n");
    PBY_REFUSED(2, "expected one use: several release several histograms", "b,7\n", "release",
                "2*geometric:eps=30", "--statistic", "max");
    PBY_REFUSED(2, "up to 4096", "b,7\n", "release", "4097*geometric:eps=30");
}

/* More rows than a chunk of so many uses has. */
Test(release_forms, several_uses_of_many_rows)
{
    enum { ROWS = 2000, USES = 300 };
    static char input[1 << 16];
    char *at = input;
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "k%d,%d\n", i, i);
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    const pby_run *r = PBY_RUN(input, "release", "300*geometric:eps=40", "-o", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    FILE *out = fopen(path, "r");
    for (int i = 0; i < ROWS; i++) {
        int key = -1, value = -1;
        cr_assert_eq(fscanf(out, "k%d", &key), 1);
        cr_assert_eq(key, i);
        for (int u = 0; u < USES; u++) {
            cr_assert_eq(fscanf(out, ",%d", &value), 1);
            cr_assert_eq(value, i, "row %d, use %d", i, u);
        }
        cr_assert_eq(fgetc(out), '\n');
    }
    cr_assert_eq(fgetc(out), EOF);
    fclose(out);
    pby_folder_remove(folder);
}

/* A certificate of several uses is charged and released as such. */
Test(release_forms, a_certificate_of_several_uses)
{
    char folder[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(certificate, folder, "c.json");
    pby_folder_path(ledger, folder, "l");
    pby_write_file(certificate, PBY_RUN(NULL, "certify", "3*dgauss:sigma2=50", "--epsilon", "1")->out);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1/10")->status, 0);
    const pby_run *r = PBY_RUN("k,n\nb,7\n", "release", certificate, "--ledger", ledger);
    int v[3];
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "k,count_1,count_2,count_3\nb,%d,%d,%d\n", &v[0], &v[1], &v[2]), 3, "%s",
                 r->out);
    cr_assert_not_null(strstr(PBY_RUN(NULL, "ledger", "show", ledger)->out, "  3*dgauss:sigma2=50\n"));
    pby_folder_remove(folder);
}

Test(release_forms, data_of_another_size_are_refused)
{
    static const char spec[] = "stlap:eps=1/2,tau=1/75,n=3000,bars=3";
    cr_assert_eq(PBY_RUN("a,1000\nb,1000\nc,1000\n", "release", spec)->status, 0);
    cr_assert_eq(PBY_RUN("a,1000\nb,1000\nc,1001\n", "release", spec)->status, 0);
    PBY_REFUSED(2, "n=3000", "a,1000\nb,1000\nc,999\n", "release", spec);
    PBY_REFUSED(2, "n=3000", "a,1000\nb,1000\nc,1002\n", "release", spec);
    PBY_REFUSED(2, "n=3000", "a,9223372036854775807\nb,9223372036854775807\nc,3002\n", "release", spec);
    PBY_REFUSED(2, "bars=3", "a,1000\nb,1000\nc,999\nd,1\n", "release", spec);
    PBY_REFUSED(2, "bars=3", "a,1500\nb,1500\n", "release", spec);
}

Test(release_forms, points)
{
    static char input[1 << 16];
    char *at = input;
    for (int i = 0; i < 2000; i++)
        at += sprintf(at, "0.%d,3e0\r\n", i % 10);
    const pby_run *r = PBY_RUN(input, "release", "buckethist:eps=1,q=10,bound=4,width=2,dimension=2");
    long long n;
    char rest;
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "centre,count\n1 3,%lld\n%c", &n, &rest), 1, "%s", r->out);
    cr_assert(n <= 2000 && n >= 1990, "%lld", n);
}

Test(release_forms, bad_points_are_refused_by_place_and_never_shown)
{
    static const char spec[] = "buckethist:eps=1,q=10,bound=4,width=2,dimension=2";
    PBY_REFUSED(2, "line 3, column 2", "x,y\n1,1\n1,77123\n", "release", spec);
    PBY_REFUSED(2, "line 2, column 1", "1,1\nabc77123,1\n", "release", spec);
    PBY_REFUSED(2, "line 1, column 2", "1\n", "release", spec);
    PBY_REFUSED(2, "line 1, column 3", "1,1,1\n", "release", spec);
    PBY_REFUSED(2, "line 2, column 2", "1,1\n\n", "release", spec);
    cr_assert_null(strstr(PBY_RUN("1,77123\n", "release", spec)->err, "77123"));
    cr_assert_null(strstr(PBY_RUN("77x123,1\n", "release", spec)->err, "77x123"));
    cr_assert_eq(
        PBY_RUN("1,77123\n", "release", "buckethist:eps=1,q=10,bound=4,width=2,dimension=2,outside=clamp")
            ->status,
        0);
}

/* No record and one record are neighbours: a refusal of the first would tell them apart. */
Test(release_forms, nothing_at_all_looks_like_nothing_shown)
{
    static const char *const specs[] = {"threshold:eps=1,T=200",
                                        "partition:eps=1,delta=1/1000000000000000000000000",
                                        "threshold:eps=1,T=200 geometric:eps=1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        static char first[256];
        strcpy(first, PBY_RUN("word,count\na,1\n", "release", specs[i])->out);
        const pby_run *r = PBY_RUN("word,count\n", "release", specs[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_str_eq(r->out, first, "%s", specs[i]);
        cr_assert_eq(strncmp(first, "key", 3), 0);
        r = PBY_RUN("", "release", specs[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_eq(r->out_size, 0);
    }
    cr_assert_str_eq(PBY_RUN("", "release", "buckethist:eps=1,q=10,bound=4,width=2")->out, "centre,count\n");
    cr_assert_str_eq(PBY_RUN("x\n", "release", "buckethist:eps=1,q=10,bound=4,width=2")->out,
                     "centre,count\n");
}

/* A header stands once, in front, however many chunks there are. */
Test(release_forms, threshold_passes_through_many_chunks)
{
    static char in[1 << 20];
    size_t at = (size_t)sprintf(in, "key,count\n");
    for (int i = 99999; i >= 10000; i--)
        at += (size_t)sprintf(in + at, "%d,%d\n", i, i % 3 == 0 ? 1 : 900);
    const pby_run *r = PBY_RUN(in, "release", "threshold:eps=1,T=300");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strncmp(r->out, "key,count\n", 10), 0);
    const char *line = r->out + 10;
    for (int i = 10000; i <= 99999; i++) {
        int key, count, used;
        if (i % 3 == 0)
            continue;
        cr_assert_eq(sscanf(line, "%d,%d\n%n", &key, &count, &used), 2);
        cr_assert(key == i && count > 300 && count < 1500, "%d,%d", key, count);
        line += used;
    }
    cr_assert_eq(*line, '\0');
}

/* One step gives what two do; a statistic is one of the counts as they were released. */
Test(release_forms, a_statistic_in_the_place_of_the_release)
{
    static const char in[] = "1,900\n2,0\n10,700\n3,3\n";
    cr_assert_str_eq(PBY_RUN(in, "release", "stlap:eps=1,q=40", "--statistic", "max_k", "--k", "500")->out,
                     "10\n");
    cr_assert_str_eq(PBY_RUN(in, "release", "stlap:eps=1,q=40", "--statistic", "median")->out, "1\n");
    cr_assert_str_eq(
        PBY_RUN(in, "release", "stlap:eps=1,q=40", "--statistic", "quantile", "--q", "9/10")->out, "10\n");
    cr_assert_str_eq(PBY_RUN(in, "release", "threshold:eps=1,T=300", "--statistic", "support")->out,
                     "1\n10\n");
    cr_assert_str_eq(PBY_RUN(in, "release", "threshold:eps=1,T=3000", "--statistic", "max")->out, "none\n");
    cr_assert_str_eq(PBY_RUN("1\n3\n", "release", "buckethist:eps=1,q=10,bound=4,width=2", "--statistic",
                             "max_k", "--k", "40")
                         ->out,
                     "none\n");
    PBY_REFUSED(2, "a mechanism that releases counts", in, "release", "range:eps=1,L=3", "--statistic",
                "max");
    PBY_REFUSED(2, "a mechanism that releases counts", in, "release", "partition:eps=1,delta=1/10",
                "--statistic", "max");
    PBY_REFUSED(2, "--statistic NAME", in, "release", "stlap:eps=1,q=40", "--k", "5");
    PBY_REFUSED(2, "statistic 'mx'", in, "release", "stlap:eps=1,q=40", "--statistic", "mx");
}

/* A first row whose count is a word is taken for a header, and may be a record all the same. */
Test(release_forms, no_text_of_the_first_row_is_shown_but_a_public_key)
{
    static const char in[] = "Jane Doe,unknown\nshop,1000\n";
    static const char *const hidden[] = {"threshold:eps=1,T=20", "partition:eps=1,delta=1/1000",
                                         "threshold:eps=1,T=20 geometric:eps=1"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        const pby_run *r = PBY_RUN(in, "release", hidden[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_null(strstr(r->out, "Jane"), "%s", r->out);
        const char *begin = i == 1 ? "key\nshop\n" : "key,count\nshop,";
        cr_assert_eq(strncmp(r->out, begin, strlen(begin)), 0, "%s", r->out);
    }
    static const char *const kept[] = {"geometric:eps=1", "range:eps=1,L=9", "stlap:eps=1,q=9"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const pby_run *r = PBY_RUN(in, "release", kept[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_null(strstr(r->out, "unknown"), "%s", r->out);
        const char *header = i == 1 ? "Jane Doe,low,high\n" : "Jane Doe,count\n";
        cr_assert_eq(strncmp(r->out, header, strlen(header)), 0, "%s", r->out);
    }
    PBY_REFUSED(2, "line 1, column 2", "Jane Doe,\xef\xbc\x95\nshop,1000\n", "release", "geometric:eps=1");
}

/* ---- nothing else leaks ----------------------------------------------------------------------- */

/* Publishes an input with the noise of a tape. */
static void publish(const char *path, const char *text, const char *spec_text, const uint64_t *words,
                    size_t count)
{
    pby_spec *spec = NULL;
    pby_release *release = NULL;
    pby_publish *p = NULL;
    pby_csv *csv = NULL;
    pby_spool *spool = NULL;
    pby_entropy *tape = NULL;
    int64_t counts[64];
    uint64_t bars;
    size_t n;
    cr_assert_eq(pby_spec_parse(&spec, &spec_text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_tape(&tape, words, count, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, tape, NULL), PBY_OK);
    cr_assert_eq(pby_spool_open(&spool, path, NULL), PBY_OK);
    cr_assert_eq(pby_csv_open_memory(&csv, "input", text, strlen(text), NULL), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &bars, NULL), PBY_OK);
    cr_assert_eq(pby_publish_new(&p, pby_release_form_of(release), 0, 1, csv, NULL), PBY_OK);
    pby_rows rows = {.spool = spool};
    while (pby_csv_next_chunk(csv, counts, 64, &n, NULL) == PBY_OK && n > 0) {
        cr_assert_eq(pby_release_counts(release, counts, counts, n, NULL), PBY_OK);
        cr_assert_eq(pby_publish_chunk(p, &rows, counts, n, NULL), PBY_OK);
    }
    cr_assert_eq(pby_publish_end(p, &rows, NULL), PBY_OK);
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
    pby_publish_free(p);
    pby_csv_free(csv);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* Inputs that differ in what was suppressed, in how many of it there are, in the form of their rows, in
 * rows that hold nothing and in what a header says: the same noise gives the same bytes. */
Test(release_forms, what_was_suppressed_leaves_no_trace)
{
    static const char *const specs[] = {"threshold:eps=1,T=100", "partition:eps=1,delta=1/100"};
    static const char *const same[] = {"b,5000\na,6000\n",
                                       "b,5000\na,6000\nsecret,1\n",
                                       "zero,0\nb,5000\n\"a\",6000\nother,1\nsecret,1\nmore,1\n",
                                       "\"b\",\"5000\"\r\nnothing,0\r\na,6000\r\nsecret,1",
                                       "key,count\nb,5000\na,6000\n",
                                       "Jane Doe,unknown\nb,5000\na,6000\nsecret,1\n",
                                       "\"J \"\"D\"\"\",\"not, known\"\r\nb,5000\r\na,6000\r\n"};
    enum { INPUTS = sizeof same / sizeof *same, HEADED = 4 }; /* the first that has a header */
    uint64_t words[16];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    static char first[256], text[256];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    /* partition: the lowest words take the most away, so that a bar of 1 stays hidden and one of 5000 is
     * shown */
    for (size_t i = 0; i < 16; i++)
        words[i] = (uint64_t)(2 * i + 1) << 55 | (uint64_t)(2 * i + 2) << 23; /* both halves decide */
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < INPUTS; i++) {
            publish(path, same[i], specs[s], words, 16);
            FILE *file = fopen(path, "r");
            const size_t n = fread(text, 1, sizeof text - 1, file);
            fclose(file);
            text[n] = '\0';
            if (i == 0 || i == HEADED)
                strcpy(first, text);
            cr_assert_str_eq(text, first, "%s, input %zu", specs[s], i);
            cr_assert(n > 3);
        }
    pby_folder_remove(folder);
}
