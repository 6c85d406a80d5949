/* SPDX-License-Identifier: MIT */
#include "probity/table.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

static pby_error err;
static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "t.csv");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(table, .init = setup, .fini = teardown);

/* ---- helpers ------------------------------------------------------------------------------------ */

static pby_table *of_file(const char *text, const pby_csv_options *options)
{
    pby_table *t;
    pby_write_file(path, text);
    cr_assert_eq(pby_table_csv(&t, path, options, &err), PBY_OK, "%s", err.text);
    return t;
}

/* All rows as KEY=COUNT; of the table as it stands. */
static const char *rows_of(pby_table *t)
{
    static char all[1 << 12];
    bool found = true;
    size_t used = 0;
    all[0] = '\0';
    while (found) {
        cr_assert_eq(pby_table_next(t, &found, &err), PBY_OK, "%s", err.text);
        if (found)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s=%lld;", pby_table_key(t, NULL),
                                     (long long)pby_table_count(t));
    }
    return all;
}

static void is_refused(pby_status status, const char *text)
{
    cr_assert_eq(status, PBY_BAD, "%s: %d", text, (int)status);
    cr_assert_not_null(strstr(err.text, text), "%s", err.text);
    cr_assert_null(strstr(err.text, "--"), "a flag of the command: %s", err.text);
}

static void writes(pby_table *t, pby_table_format format, const char *expected)
{
    char *text;
    size_t size;
    cr_assert_eq(pby_table_write_memory(&text, &size, t, format, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(text, expected);
    cr_assert_eq(size, strlen(expected));
    free(text);
}

/* A few bytes at a time. */
struct dribble {
    const char *text;
    size_t at, step, fails_at;
};

static pby_status read_dribble(void *what, void *buffer, size_t size, size_t *got, pby_error *e)
{
    struct dribble *d = what;
    const size_t left = strlen(d->text) - d->at;
    if (d->fails_at > 0 && d->at >= d->fails_at) {
        *e = (pby_error){.status = PBY_FAILED, .text = "the wire was cut"};
        d->fails_at = 0; /* once */
        return PBY_FAILED;
    }
    *got = left < d->step ? left : d->step;
    *got = *got < size ? *got : size;
    memcpy(buffer, d->text + d->at, *got);
    d->at += *got;
    return PBY_OK;
}

/* ---- rows --------------------------------------------------------------------------------------- */

Test(table, a_file_is_read_as_often_as_is_wanted)
{
    pby_table *t = of_file("town,n\r\nUlm,20\r\n\"a,\"\"b\"\"\",7\n,0", NULL);
    for (int i = 0; i < 3; i++) {
        cr_assert_str_eq(rows_of(t), "Ulm=20;a,\"b\"=7;=0;");
        cr_assert_eq(pby_table_rewind(t, &err), PBY_OK);
    }
    bool found;
    cr_assert_eq(pby_table_next(t, &found, &err), PBY_OK);
    cr_assert_eq(pby_table_rewind(t, &err), PBY_OK, "from the middle");
    cr_assert_str_eq(pby_table_key(t, NULL), "", "before the first row");
    cr_assert_eq(pby_table_count(t), PBY_SUPPRESSED);
    cr_assert_str_eq(rows_of(t), "Ulm=20;a,\"b\"=7;=0;");
    cr_assert_eq(pby_table_columns(t), 1);
    cr_assert_str_eq(pby_table_column(t, 0), "count");
    cr_assert_null(pby_table_column(t, 1));
    cr_assert_str_eq(pby_table_unit(t), "1");
    pby_table_free(t);
}

Test(table, a_pipe_and_a_callback_are_read_again_too)
{
    static const char text[] = "a,1\nb,22\nc,333\n";
    int ends[2];
    pby_table *t;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    cr_assert_eq(pby_table_csv_descriptor(&t, ends[0], NULL, &err), PBY_OK, "%s", err.text);
    close(ends[0]);
    cr_assert_str_eq(rows_of(t), "a=1;b=22;c=333;");
    cr_assert_eq(pby_table_rewind(t, &err), PBY_OK);
    cr_assert_str_eq(rows_of(t), "a=1;b=22;c=333;");
    pby_table_free(t);
    for (size_t step = 1; step < 9; step++) {
        struct dribble d = {text, 0, step, 0};
        cr_assert_eq(pby_table_csv_callback(&t, read_dribble, &d, NULL, &err), PBY_OK);
        cr_assert_eq(pby_table_rewind(t, &err), PBY_OK, "before anything was read");
        cr_assert_str_eq(rows_of(t), "a=1;b=22;c=333;");
        cr_assert_eq(pby_table_rewind(t, &err), PBY_OK);
        cr_assert_str_eq(rows_of(t), "a=1;b=22;c=333;");
        pby_table_free(t);
    }
}

/* Bytes that a stream lost stay lost: a later reading must not pass for the whole. */
Test(table, a_callback_that_fails_fails_the_table)
{
    struct dribble d = {"a,1\nb,22\nc,333\n", 0, 5, 5};
    bool found;
    pby_table *t;
    cr_assert_eq(pby_table_csv_callback(&t, read_dribble, &d, NULL, &err), PBY_OK);
    cr_assert_eq(pby_table_next(t, &found, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "the wire was cut");
    cr_assert_eq(pby_table_next(t, &found, &err), PBY_FAILED);
    cr_assert(!found);
    cr_assert_not_null(strstr(err.text, "the input: an earlier reading failed"), "%s", err.text);
    pby_table_free(t);
}

Test(table, columns_are_chosen_by_name)
{
    static const char text[] = "id,town,visits\n1,Ulm,20\n2,Bonn,3\n";
    const pby_csv_options town = {.keys = "town", .counts = "visits"};
    pby_table *t = of_file(text, &town);
    cr_assert_str_eq(rows_of(t), "Ulm=20;Bonn=3;");
    writes(t, PBY_FORMAT_CSV, "town,count\nUlm,20\nBonn,3\n");
    pby_table_free(t);
    struct dribble d = {text, 0, 3, 0};
    cr_assert_eq(pby_table_csv_callback(&t, read_dribble, &d, &town, &err), PBY_OK);
    cr_assert_str_eq(rows_of(t), "Ulm=20;Bonn=3;");
    pby_table_free(t);
    const pby_csv_options wrong = {.keys = "city", .counts = "visits"}, same = {.keys = "id", .counts = "id"};
    is_refused(pby_table_csv(&t, path, &wrong, &err), "keys 'city': expected the name of a column");
    cr_assert_null(t);
    is_refused(pby_table_csv(&t, path, &same, &err),
               "counts 'id': expected another column than that of keys");
    is_refused(pby_table_csv(&t, path, &(pby_csv_options){.keys = "id"}, &err),
               "counts: expected it beside keys");
}

Test(table, memory)
{
    static const char *const keys[] = {"x", "a,b", "line\nend", ""};
    static const int64_t counts[] = {3, INT64_MAX, 0, 7};
    pby_table *t;
    cr_assert_eq(pby_table_of(&t, keys, counts, 4, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(rows_of(t), "x=3;a,b=9223372036854775807;line\nend=0;=7;");
    writes(t, PBY_FORMAT_CSV, "x,3\n\"a,b\",9223372036854775807\n\"line\nend\",0\n,7\n");
    writes(t, PBY_FORMAT_JSON,
           "[{\"key\": \"x\", \"count\": 3}, {\"key\": \"a,b\", \"count\": 9223372036854775807}, "
           "{\"key\": \"line\\u000aend\", \"count\": 0}, {\"key\": \"\", \"count\": 7}]\n");
    pby_table_free(t);
    cr_assert_eq(pby_table_of(&t, NULL, NULL, 0, &err), PBY_OK);
    cr_assert_str_eq(rows_of(t), "");
    writes(t, PBY_FORMAT_JSON, "[]\n");
    pby_table_free(t);
}

Test(table, memory_that_is_no_table_is_refused_by_its_row_alone)
{
    static const char *const twice[] = {"secret", "b", "secret"}, *const bad[] = {"a", "\xff"};
    static const int64_t counts[] = {1, 2, 3}, negative[] = {1, -4711};
    pby_table *t;
    is_refused(pby_table_of(&t, twice, counts, 3, &err), "line 3, column 1");
    cr_assert_null(strstr(err.text, "secret"));
    cr_assert_null(t);
    is_refused(pby_table_of(&t, bad, counts, 2, &err), "keys: row 2: expected");
    is_refused(pby_table_of(&t, twice, negative, 2, &err), "counts: row 2: expected");
    cr_assert_null(strstr(err.text, "4711"));
}

Test(table, a_file_that_is_no_table_is_refused_by_its_place)
{
    bool found;
    pby_table *t = of_file("a,1\nb,x\n", NULL);
    is_refused(pby_table_next(t, &found, &err), "line 2, column 2");
    is_refused(pby_table_next(t, &found, &err), "line 2, column 2"); /* as often as it is asked */
    cr_assert(!found);
    char *text;
    is_refused(pby_table_write_memory(&text, NULL, t, PBY_FORMAT_CSV, &err), "line 2, column 2");
    cr_assert_null(text);
    pby_table_free(t);
    is_refused(pby_table_csv(&t, "/nowhere/at all", NULL, &err), "input '/nowhere/at all'");
    cr_assert_null(t);
    is_refused(pby_table_csv_descriptor(&t, -1, NULL, &err), "input 'the input'");
}

/* ---- maps --------------------------------------------------------------------------------------- */

Test(table, a_map_decides_the_rows)
{
    static const char *const keys[] = {"b", "nobody", "a"}, *const groups[] = {"g", "h", "g"};
    pby_table *t = of_file("k,n\na,1\nb,20\nc,300\n", NULL), *m;
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.keys = keys, .count = 3}, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(rows_of(m), "b=20;nobody=0;a=1;");
    pby_table_free(m);
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.keys = keys, .groups = groups, .count = 3}, &err), PBY_OK);
    cr_assert_str_eq(rows_of(t), "a=1;b=20;c=300;", "the table itself is what it was");
    pby_table_free(t);
    cr_assert_str_eq(rows_of(m), "g=21;h=0;");
    writes(m, PBY_FORMAT_CSV, "key,count\ng,21\nh,0\n");
    pby_table_free(m);
}

Test(table, a_map_in_a_file)
{
    char file[PBY_PATH_SIZE];
    pby_table *t = of_file("a,1\nb,20\n", NULL), *m;
    pby_folder_path(file, folder, "map");
    pby_write_file(file, "b,x\na,x\n");
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.path = file, .grouped = true}, &err), PBY_OK, "%s",
                 err.text);
    cr_assert_str_eq(rows_of(m), "x=21;");
    pby_table_free(m);
    is_refused(pby_table_map(&m, t, &(pby_map){.path = path}, &err), "map '");
    cr_assert_null(m);
    is_refused(pby_table_map(&m, t, &(pby_map){.keys = NULL}, &err), "map: expected at least one key");
    static const char *const twice[] = {"a", "a"}, *const sums[] = {"a", "b"}, *const one[] = {"s", "s"};
    is_refused(pby_table_map(&m, t, &(pby_map){.keys = twice, .count = 2}, &err), "map: row 2");
    pby_table_free(t);
    t = of_file("a,9223372036854775807\nb,1\n", NULL);
    is_refused(pby_table_map(&m, t, &(pby_map){.keys = sums, .groups = one, .count = 2}, &err),
               "map: expected counts of a group");
    pby_table_free(t);
}

/* ---- writing ------------------------------------------------------------------------------------ */

Test(table, a_file_is_written_whole_or_not_at_all)
{
    char out[PBY_PATH_SIZE];
    pby_table *t = of_file("a,1\nb,2\n", NULL);
    pby_folder_path(out, folder, "out.csv");
    cr_assert_eq(pby_table_write(t, out, PBY_FORMAT_CSV, &err), PBY_OK, "%s", err.text);
    cr_assert(pby_file_is(out, "a,1\nb,2\n"));
    pby_table_free(t);
    t = of_file("a,1\nb,2\nc,no\n", NULL);
    is_refused(pby_table_write(t, out, PBY_FORMAT_JSON, &err), "line 3");
    cr_assert(pby_file_is(out, "a,1\nb,2\n"), "what was there stays");
    cr_assert_eq(pby_folder_entries(folder), 2);
    is_refused(pby_table_write(t, folder, PBY_FORMAT_CSV, &err), "output");
    is_refused(pby_table_write(t, out, (pby_table_format)7, &err), "format");
    pby_table_free(t);
}

struct taken {
    char text[1 << 20];
    size_t size, pieces, most;
};

static pby_status take(void *what, const void *bytes, size_t size, pby_error *e)
{
    struct taken *t = what;
    (void)e;
    if (t->pieces == t->most)
        return PBY_NO;
    memcpy(t->text + t->size, bytes, size);
    t->size += size;
    t->pieces++;
    return PBY_OK;
}

Test(table, pieces_make_the_whole)
{
    enum { N = 20000 };
    static char text[N * 16];
    static struct taken taken;
    size_t at = 0;
    for (int i = 0; i < N; i++)
        at += (size_t)sprintf(text + at, "key %d,%d\n", i, i % 7);
    pby_table *t = of_file(text, NULL);
    taken.most = SIZE_MAX;
    cr_assert_eq(pby_table_write_callback(t, take, &taken, PBY_FORMAT_CSV, &err), PBY_OK, "%s", err.text);
    cr_assert_gt(taken.pieces, 2);
    cr_assert_eq(taken.size, at);
    cr_assert_eq(memcmp(taken.text, text, at), 0);
    taken = (struct taken){.most = 1};
    cr_assert_eq(pby_table_write_callback(t, take, &taken, PBY_FORMAT_CSV, &err), PBY_NO);
    pby_table_free(t);
}
