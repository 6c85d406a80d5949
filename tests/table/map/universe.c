/* SPDX-License-Identifier: MIT */
#include "table/map/universe.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"
#include "tests/kernel/stream.h"
#include "tests/table/csv/csv_text.h"

/* A folder with a table and data in it. */
struct files {
    char folder[PBY_PATH_SIZE], table[PBY_PATH_SIZE], data[PBY_PATH_SIZE];
};

static void files_make(struct files *f, const char *table, const char *data)
{
    pby_folder_make(f->folder);
    pby_folder_path(f->table, f->folder, "table");
    pby_folder_path(f->data, f->folder, "data");
    pby_write_file(f->table, table);
    pby_write_file(f->data, data);
}

static void counted(const char *table, bool grouped, const char *data, const char *expected)
{
    struct files f;
    pby_universe *u = NULL;
    pby_csv *csv, *bars;
    pby_error err = {0};
    files_make(&f, table, data);
    cr_assert_eq(pby_universe_read(&u, f.table, grouped, "--filter", f.data, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_csv_open(&csv, f.data, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_universe_count(&bars, u, csv, "bars", &err), PBY_OK, "%s", err.text);
    pby_csv_free(csv);
    pby_universe_free(u);
    csv_is(bars, expected);
    pby_csv_free(bars);
    pby_folder_remove(f.folder);
}

Test(universe, the_bars_are_those_of_the_table)
{
    counted("b\na\nnobody\n", false, "a,1\nb,2\nc,3\n", "b,2\na,1\nnobody,0\n");
    counted("b\na", false, "c,3\n", "b,0\na,0\n");
    counted("\xef\xbb\xbf\"x,\"\"y\"\"\"\r\n\"\"\r\n", false, "\"x,\"\"y\"\"\",7\n,9\n",
            "\"x,\"\"y\"\"\",7\n,9\n");
    counted("b,g\na,h\nc,g\n", true, "a,1\nb,20\nc,300\nd,4000\n", "g,320\nh,1\n");
    counted("a,a\nb,a\n", true, "b,9223372036854775806\na,1\n", "a,9223372036854775807\n");
}

/* That there is a header is kept, and nothing of what it says: the keys of the data are not public here. */
Test(universe, a_header_is_a_constant)
{
    counted("b\n", false, "\xef\xbb\xbfsecret,word\r\na,1\r\nb,2\r\n", "key,count\nb,2\n");
    counted("b,g\n", true, "\"Jane \"\"D\"\"\",unknown\nb,2\n", "key,count\ng,2\n");
}

/* Against a plain sum, with more keys than fit one chunk and names that grow. */
Test(universe, many_keys)
{
    enum { N = 20000, GROUPS = 37 };
    static char table[1 << 20], data[1 << 20];
    long long sum[GROUPS] = {0};
    char *t = table, *d = data;
    uint64_t state = 9;
    for (int i = 0; i < N; i++) {
        const long long count = (long long)(stream_next(&state) % 1000);
        if (i % 3 != 0) {
            t += sprintf(t, "key %d,group %d\n", i, i % GROUPS);
            sum[i % GROUPS] += count;
        }
        d += sprintf(d, "key %d,%lld\n", i, count);
    }
    struct files f;
    pby_universe *u = NULL;
    pby_csv *csv, *bars;
    int64_t counts[GROUPS + 1];
    uint64_t rows;
    size_t n;
    files_make(&f, table, data);
    cr_assert_eq(pby_universe_read(&u, f.table, true, "--group-by", f.data, NULL), PBY_OK);
    cr_assert_eq(pby_csv_open(&csv, f.data, NULL), PBY_OK);
    cr_assert_eq(pby_universe_count(&bars, u, csv, "bars", NULL), PBY_OK);
    pby_csv_free(csv);
    pby_universe_free(u);
    cr_assert_eq(pby_csv_scan(bars, &rows, NULL), PBY_OK);
    cr_assert_eq(rows, GROUPS);
    cr_assert_eq(pby_csv_next_chunk(bars, counts, GROUPS + 1, &n, NULL), PBY_OK);
    cr_assert_eq(n, GROUPS);
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const char *name = (const char *)pby_csv_key(bars, i, NULL, &size);
        char group[32];
        snprintf(group, sizeof group, "%.*s", (int)size, name);
        cr_assert_eq(strncmp(group, "group ", 6), 0);
        cr_assert_eq(counts[i], sum[atoi(group + 6)], "%s", group);
        sum[atoi(group + 6)] = -1;
    }
    pby_csv_free(bars);
    pby_folder_remove(f.folder);
}

static void refused(const char *table, bool grouped, const char *reason)
{
    struct files f;
    pby_universe *u;
    pby_error err = {0};
    files_make(&f, table, "a,1\n");
    cr_assert_eq(pby_universe_read(&u, f.table, grouped, "--filter", f.data, &err), PBY_BAD, "%s", table);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    cr_assert_null(u);
    pby_folder_remove(f.folder);
}

Test(universe, bad_tables_are_refused)
{
    refused("", false, "expected a line KEY");
    refused("", true, "expected a line KEY,GROUP");
    refused("a\n\nb\n", false, "line 2, column 1: expected a key");
    refused("a,1\n", false, "line 1, column 2: expected the end of the line");
    refused("a\nb\na\n", false, "line 3, column 1: expected a key once; this is a duplicate");
    refused("\"a\nb\"\n\"a\nb\"\n", false, "line 3, column 1: expected a key once; this is a duplicate");
    refused("a,g\nb\n", true, "line 2, column 2: expected a comma and a group");
    refused("a,\n", true, "line 1, column 2: expected a group");
    refused("a,g,h\n", true, "line 1, column 3: expected the end of the line");
    refused("\"a\"b\n", false, "line 1, column 2: expected the end of the line");
    refused("\"a\"b,g\n", true, "line 1, column 2: expected a comma");
    refused("\xff\n", false, "UTF-8");
}

/* ---- through the command ---------------------------------------------------------------------- */

/* Counts so far from the threshold that noise which crosses it has a chance below 1e-40. */
Test(universe, in_front_of_a_release)
{
    struct files f;
    long long a, b;
    files_make(&f, "x,one\nz,two\ny,one\n", "w,90000\nx,4000\ny,3000\n");
    const pby_run *r = PBY_RUN(NULL, "release", "geometric:eps=1", f.data, "--group-by", f.table);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "one,%lld\ntwo,%lld\n", &a, &b), 2, "%s", r->out);
    cr_assert(6900 < a && a < 7100 && -100 < b && b < 100);
    r = PBY_RUN(NULL, "release", "threshold:eps=1,T=200", f.data, "--group-by", f.table, "--truncate", "500");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(sscanf(r->out, "one,%lld\n", &a), 1, "%s", r->out);
    cr_assert(400 < a && a < 600);
    cr_assert_null(strstr(r->out, "two"));
    pby_write_file(f.table, "y\nq\n");
    r = PBY_RUN("w,90000\nx,4000\ny,3000\n", "release", "stlap:eps=1,q=10", "--filter", f.table);
    cr_assert_eq(sscanf(r->out, "y,%lld\nq,%lld\n", &a, &b), 2, "%s%s", r->out, r->err);
    cr_assert(2990 <= a && a <= 3000 && b == 0);
    pby_folder_remove(f.folder);
}

/* The data say nothing about which bars there are, nor how many rows there were. */
Test(universe, keys_of_the_data_alone_leave_no_trace)
{
    struct files f;
    static char first[256];
    files_make(&f, "x\ny\n", "x,0\ny,0\n");
    strcpy(first, PBY_RUN(NULL, "release", "stlap:eps=1,q=4", f.data, "--filter", f.table)->out);
    cr_assert_str_eq(first, "x,0\ny,0\n");
    pby_write_file(f.data, "secret,90000\nother,5\n");
    cr_assert_str_eq(PBY_RUN(NULL, "release", "stlap:eps=1,q=4", f.data, "--filter", f.table)->out, first);
    pby_folder_remove(f.folder);
}

Test(universe, refused_in_front_of_a_release)
{
    struct files f;
    files_make(&f, "x,g\ny,g\n", "x,9223372036854775807\ny,1\n");
    PBY_REFUSED(2, "expected a public table, not the data themselves", NULL, "release", "geometric:eps=1",
                f.data, "--filter", f.data);
    PBY_REFUSED(2, "does not read its size", NULL, "release", "stlap:eps=1/2,tau=1/75,n=3000,bars=3", f.data,
                "--group-by", f.table);
    PBY_REFUSED(2, "does not read its size", NULL, "release", "stlap:eps=1/2,tau=1/75,n=3000,bars=3", f.data,
                "--truncate", "5");
    PBY_REFUSED(2, "a mechanism that reads KEY,COUNT", NULL, "release",
                "buckethist:eps=1,q=10,bound=4,width=2", f.data, "--group-by", f.table);
    PBY_REFUSED(2, "--group-by: expected counts of a group", NULL, "release", "geometric:eps=1", f.data,
                "--group-by", f.table);
    PBY_REFUSED(2, "--truncate", NULL, "release", "geometric:eps=1", f.data, "--truncate", "0");
    PBY_REFUSED(2, "--filter", NULL, "release", "geometric:eps=1", f.data, "--filter", f.table, "--group-by",
                f.table);
    PBY_REFUSED(2, "column 2", NULL, "release", "geometric:eps=1", f.data, "--filter", f.table);
    PBY_REFUSED(2, "'/nonexistent'", NULL, "release", "geometric:eps=1", f.data, "--filter", "/nonexistent");
    pby_folder_remove(f.folder);
}

/* In memory too: nothing reads these names again. */
Test(universe, bad_names_in_memory_are_refused)
{
    static const char *const good[] = {"a", "b"}, *const bad[] = {"a", "\xc3"};
    static char huge[PBY_ROW_KEY_MAX + 2];
    const char *const one[] = {huge};
    pby_universe *u;
    pby_error err = {0};
    cr_assert_eq(pby_universe_of(&u, bad, NULL, 2, "map", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "map: row 2: expected valid UTF-8");
    cr_assert_null(u);
    cr_assert_eq(pby_universe_of(&u, good, bad, 2, "map", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "map: row 2: expected valid UTF-8");
    memset(huge, 'x', PBY_ROW_KEY_MAX + 1);
    cr_assert_eq(pby_universe_of(&u, one, NULL, 1, "map", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "map: row 1: expected at most 1048576 bytes");
    huge[PBY_ROW_KEY_MAX] = '\0';
    cr_assert_eq(pby_universe_of(&u, one, NULL, 1, "map", &err), PBY_OK);
    pby_universe_free(u);
}
