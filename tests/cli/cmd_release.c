/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

#define SPEC   "stlap:eps=1/2,q=40"
#define GOLDEN "tests/vectors/stlap.json"

/* The count on the line that begins with the key, which must be followed by the end given. */
static long count_of(const char *text, const char *key, const char *end)
{
    const char *at = strstr(text, key);
    cr_assert_not_null(at, "no %s in %s", key, text);
    char *rest;
    const long count = strtol(at + strlen(key), &rest, 10);
    cr_assert_eq(strncmp(rest, end, strlen(end)), 0);
    return count;
}

static void check_released(const pby_run *r)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->err);
    const long a = count_of(r->out, "key,count\r\na,", "\r\n"),
               b = count_of(r->out, "\"b, \"\"c\"\"\",", "\r\n");
    cr_assert(60 <= a && a <= 100 && 9960 <= b && b <= 10000, "%s", r->out);
    cr_assert_eq(count_of(r->out, "\r\nempty,", "\r\n"), 0);
    const long last = count_of(r->out, "\r\n\xc3\xa9t\xc3\xa9,", "");
    cr_assert(0 <= last && last <= 7);
}

static const char histogram[] = "key,count\r\n"
                                "a,100\r\n"
                                "\"b, \"\"c\"\"\",10000\r\n"
                                "empty,0\r\n"
                                "\xc3\xa9t\xc3\xa9,7";

Test(release_command, keeps_keys_order_and_line_ends)
{
    check_released(PBY_RUN(histogram, "release", "--quiet", SPEC));
    check_released(PBY_RUN(histogram, "release", "--quiet", SPEC, "-"));
    check_released(PBY_RUN(histogram, "release", "--quiet", GOLDEN));
    check_released(PBY_RUN(histogram, "release", "--quiet", GOLDEN, "-", "-o", "-"));
}

Test(release_command, reads_and_writes_files)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(in, "x,0\ny,0\n");
    const pby_run *r = PBY_RUN(NULL, "release", "-o", out, GOLDEN, in);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 0);
    cr_assert(pby_file_is(out, "x,0\ny,0\n"));
    cr_assert(pby_file_is(in, "x,0\ny,0\n"));
    cr_assert_eq(pby_folder_entries(folder), 2);
    pby_folder_remove(folder);
}

/* The files of one release, each with a text of its own. */
struct files {
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], table[PBY_PATH_SIZE], map[PBY_PATH_SIZE],
        ledger[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE], link[PBY_PATH_SIZE];
};

static void files_make(struct files *f)
{
    pby_folder_make(f->folder);
    pby_folder_path(f->in, f->folder, "in.csv");
    pby_folder_path(f->table, f->folder, "table");
    pby_folder_path(f->map, f->folder, "map");
    pby_folder_path(f->ledger, f->folder, "ledger");
    pby_folder_path(f->certificate, f->folder, "certificate");
    pby_folder_path(f->link, f->folder, "link");
    pby_write_file(f->in, "x,0\ny,0\n");
    pby_write_file(f->table, "x\n");
    pby_write_file(f->map, "x,y\n");
    cr_assert_eq(PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "-o", f->certificate)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", f->ledger, "--epsilon", "9", "--delta", "1/10")->status, 0);
    cr_assert_eq(symlink("ledger", f->link), 0);
}

/* Every file that a release reads is refused as its output, by any name, and is afterwards what it was. */
Test(release_command, writes_over_nothing_that_it_reads)
{
    struct files f;
    files_make(&f);
    const struct {
        const char *output, *reason;
    } cases[] = {{f.in, "the input"},
                 {f.table, "the table"},
                 {f.ledger, "the ledger"},
                 {f.link, "the ledger"},
                 {f.certificate, "the certificate"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        PBY_REFUSED(2, cases[i].reason, NULL, "release", f.certificate, f.in, "--filter", f.table, "--ledger",
                    f.ledger, "-o", cases[i].output);
    PBY_REFUSED(2, "another file than the table", NULL, "release", SPEC, f.in, "--group-by", f.map, "-o",
                f.map);
    cr_assert(pby_file_is(f.in, "x,0\ny,0\n"));
    cr_assert(pby_file_is(f.table, "x\n"));
    cr_assert(pby_file_is(f.map, "x,y\n"));
    cr_assert_eq(PBY_RUN(NULL, "verify", f.certificate)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "ledger", "show", f.ledger, "--json");
    cr_assert(r->status == 0 && strstr(r->out, "\"entries\": []") != NULL, "%s", r->out);
    r = pby_run_to(f.in, NULL, PBY_ARGUMENTS("release", SPEC, f.in));
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "output 'standard output': expected another file than the input"), "%s",
                       r->err);
    pby_folder_remove(f.folder);
}

/* Two equal releases of 200 full bars have a chance below 1e-100. */
Test(release_command, draws_anew_every_time)
{
    static char in[8192], first[8192];
    for (int i = 0; i < 200; i++)
        sprintf(in + strlen(in), "k%d,1000\n", i);
    strcpy(first, PBY_RUN(in, "release", SPEC)->out);
    const pby_run *r = PBY_RUN(in, "release", SPEC);
    cr_assert_eq(r->status, 0);
    cr_assert_str_neq(r->out, first);
}

struct refusal {
    const char *input, *reason;
};

static const struct refusal refusals[] = {
    {"", "expected at least one row"},
    {"key,count\n", "expected at least one row"},
    {"a,-1\n", "line 1"},
    {"a,1\nb,1.5\n", "line 2"},
    {"a,1\nb,\n", "line 2"},
    {"a,1\nb\n", "line 2"},
    {"a,1\nb,2,3\n", "line 2"},
    {"a,1\nb,1e3\n", "line 2"},
    {"a,1\nb,nan\n", "line 2"},
    {"a,nan\n", "line 1"},
    {"a,9223372036854775808\n", "line 1"},
    {"a,1\n\nb,2\n", "line 2"},
    {"a,1\nb,2\na,3\n", "line 3"},
    {"a,1\n\"a\",3\n", "line 2"},
    {"a,1\r\nb,2\r\na,3\r\n", "line 3"},
    {"\"a,1\n", "line 1"},
    {"\xff,1\n", "line 1"},
};

Test(release_command, refuses_before_anything_is_written)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(out, "before");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        PBY_REFUSED(2, refusals[i].reason, refusals[i].input, "release", SPEC);
        pby_write_file(in, refusals[i].input);
        PBY_REFUSED(2, refusals[i].reason, NULL, "release", SPEC, in, "-o", out);
        cr_assert(pby_file_is(out, "before"));
        cr_assert_eq(pby_folder_entries(folder), 2);
    }
    pby_folder_remove(folder);
}

Test(release_command, tells_no_key_and_no_count)
{
    const pby_run *r = PBY_RUN("alice,41\nbob,5\nalice,41\n", "release", SPEC);
    cr_assert_eq(r->status, 2);
    cr_assert_null(strstr(r->err, "alice"));
    cr_assert_null(strstr(r->err, "41"));
    r = PBY_RUN("alice,-41\n", "release", SPEC);
    cr_assert_eq(r->status, 2);
    cr_assert_null(strstr(r->err, "alice"));
    cr_assert_null(strstr(r->err, "41"));
}

Test(release_command, a_certificate_that_does_not_hold_gives_no_permission)
{
    char folder[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(certificate, folder, "c");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(certificate, "{\"format\": \"probity-certificate\", \"version\": 1}\n");
    PBY_REFUSED(1, "certificate has no field", "a,5\n", "release", certificate);
    PBY_REFUSED(1, "certificate has no field", "a,5\n", "release", certificate, "-o", out);
    cr_assert_eq(pby_folder_entries(folder), 1);
    pby_folder_remove(folder);
}

Test(release_command, refuses_bad_arguments)
{
    PBY_REFUSED(2, "release: expected a certificate or a SPEC", NULL, "release");
    PBY_REFUSED(2, "argument 'c': expected FILE|SPEC... and IN.csv", NULL, "release", SPEC, "b", "c");
    PBY_REFUSED(2, "file 'nosuch.json': expected a file that can be read", NULL, "release", "nosuch.json");
    PBY_REFUSED(2, "'/nonexistent'", NULL, "release", SPEC, "/nonexistent");
    PBY_REFUSED(2, "'/tmp'", NULL, "release", SPEC, "/tmp");
    PBY_REFUSED(2, "output '/tmp': expected a file, not a folder", "a,5\n", "release", SPEC, "-o", "/tmp");
    PBY_REFUSED(2, "output '/nonexistent/o.csv': expected", "a,5\n", "release", SPEC, "-o",
                "/nonexistent/o.csv");
    PBY_REFUSED(2, "expected", "a,5\n", "release", "2*threshold:eps=1,T=9", "geometric:eps=1");
    PBY_REFUSED(2, "option '--seed'", "a,5\n", "release", SPEC, "--seed", "00");
}

/* Two mechanisms are two arguments or one, as in the other commands. 900 passes 300
 * and keeps its three digits but for a chance below 1e-42. */
Test(release_command, two_specs)
{
    static const char in[] = "a,900\nb,1\n";
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "in:1.csv");
    pby_write_file(path, in);
    const char *const both[][4] = {{"threshold:eps=1,T=300 geometric:eps=1", NULL},
                                   {"threshold:eps=1,T=300", "geometric:eps=1", NULL},
                                   {"threshold:eps=1,T=300", "geometric:eps=1", "-", NULL},
                                   {"threshold:eps=1,T=300", "geometric:eps=1", path, NULL},
                                   {"threshold:eps=1,T=300", path, NULL}};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        const pby_run *r = PBY_RUN(in, "release", both[i][0], both[i][1], both[i][2], both[i][3]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert(r->out_size == 6 && strncmp(r->out, "a,", 2) == 0, "%s", r->out);
    }
    pby_folder_remove(folder);
    PBY_REFUSED(2, "geometric parameter 'esp'", in, "release", "threshold:eps=1,T=300", "geometric:esp=1");
    PBY_REFUSED(2, "expected one mechanism, used once, or a threshold in front of stlap", in, "release",
                "geometric:eps=1", "geometric:eps=1");
    PBY_REFUSED(2, "threshold in front of stlap", in, "release",
                "threshold:eps=1,T=3 buckethist:eps=1,q=3,bound=9,width=1");
    PBY_REFUSED(2, "move by 2 and geometric by 1", in, "release", "threshold:eps=1/10,T=300,sensitivity=2",
                "geometric:eps=1");
    PBY_REFUSED(2, "input '/no/such:file'", in, "release", SPEC, "/no/such:file");
    PBY_REFUSED(2, "argument 'geometric:eps=1'", in, "release", SPEC, "-", "geometric:eps=1");
}

Test(release_command, passes_through_many_chunks)
{
    static char in[1 << 19];
    size_t at = 0;
    for (int i = 0; i < 40000; i++)
        at += (size_t)sprintf(in + at, "%d,%d\n", i, i % 3 == 0 ? 0 : 90);
    const pby_run *r = PBY_RUN(in, "release", SPEC);
    cr_assert_eq(r->status, 0, "%s", r->err);
    const char *line = r->out;
    for (int i = 0; i < 40000; i++) {
        int key, count, used;
        cr_assert_eq(sscanf(line, "%d,%d\n%n", &key, &count, &used), 2);
        cr_assert_eq(key, i);
        cr_assert(i % 3 == 0 ? count == 0 : 50 <= count && count <= 90, "%d,%d", key, count);
        line += used;
    }
    cr_assert_eq(*line, '\0');
}
