/* SPDX-License-Identifier: MIT */
/* Counts by group of raw records, against a brute force from the definition. */
#include "table/records/records.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"
#include "tests/kernel/stream.h"
#include "tests/table/csv/csv_text.h"

static pby_error err;

static pby_records *of(const char *text, const pby_records_options *options)
{
    pby_csv_input *in;
    pby_records *r;
    cr_assert_eq(pby_csv_input_memory(&in, "records", text, strlen(text), &err), PBY_OK);
    cr_assert_eq(pby_records_new(&r, in, options, "", &pby_arguments_library, &err), PBY_OK, "%s", err.text);
    return r;
}

static void counts(const char *text, const pby_records_options *options, const char *expected)
{
    pby_records *r = of(text, options);
    pby_csv *csv;
    cr_assert_eq(pby_records_count(&csv, r, NULL, &err), PBY_OK, "%s", err.text);
    csv_is(csv, expected);
    pby_csv_free(csv);
    pby_records_free(r);
}

static void refuses(const char *text, const pby_records_options *options, const char *expected)
{
    pby_records *r = of(text, options);
    pby_csv *csv;
    cr_assert_eq(pby_records_count(&csv, r, NULL, &err), PBY_BAD, "%s", text);
    cr_assert_null(csv);
    cr_assert(strstr(err.text, expected) != NULL, "%s: %s", text, err.text);
    pby_records_free(r);
}

/* ---- the law of bounded counts ------------------------------------------------------------------ */

enum { ROWS = 6, GROUPS = 3, USERS = 3 };

/* Six records: who and where. */
static const struct {
    unsigned user, group;
} row[ROWS] = {{0, 0}, {1, 2}, {0, 1}, {0, 0}, {1, 2}, {2, 1}};

/* The word of each row; and of each record that is read, its row. */
static uint64_t word[ROWS];
static size_t row_of[ROWS];

static uint64_t given(const pby_lots *lots, uint64_t record, uint64_t k)
{
    (void)lots;
    cr_assert_eq(k, 0, "no two words are equal here");
    return word[row_of[record]];
}

/* The counts of all rows but those of one user. */
static void count_without(unsigned user, uint64_t contributions, int64_t out[GROUPS])
{
    char text[256] = "user,group\n";
    const char *keys[GROUPS] = {"g0", "g1", "g2"};
    const pby_map map = {.keys = keys, .count = GROUPS};
    size_t n = 0, chunk;
    for (size_t i = 0; i < ROWS; i++)
        if (row[i].user != user) {
            sprintf(text + strlen(text), "u%u,g%u\n", row[i].user, row[i].group);
            row_of[n++] = i;
        }
    const pby_records_options o = {
        .by = "group", .user = "user", .contributions = contributions, .map = &map};
    pby_records *r = of(text, &o);
    pby_csv *csv;
    uint64_t bars;
    r->word = given;
    cr_assert_eq(pby_records_count(&csv, r, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_csv_scan(csv, &bars, &err), PBY_OK);
    cr_assert_eq(pby_csv_next_chunk(csv, out, GROUPS, &chunk, &err), PBY_OK);
    cr_assert_eq(chunk, GROUPS);
    pby_csv_free(csv);
    pby_records_free(r);
}

enum { PLACES = (ROWS + 1) * (ROWS + 1) * (ROWS + 1) };

static size_t place(const int64_t count[GROUPS])
{
    return (size_t)((count[0] * (ROWS + 1) + count[1]) * (ROWS + 1) + count[2]);
}

/* The number of ways, and the counts, from the definition: of each user every subset of the right size. */
static void expect_law(uint64_t contributions, double law[PLACES])
{
    double ways = 0;
    for (unsigned set = 0; set < 1u << ROWS; set++) {
        uint64_t taken[USERS] = {0}, all[USERS] = {0};
        int64_t count[GROUPS] = {0};
        bool right = true;
        for (size_t i = 0; i < ROWS; i++) {
            all[row[i].user]++;
            taken[row[i].user] += set >> i & 1;
            count[row[i].group] += set >> i & 1;
        }
        for (size_t u = 0; u < USERS; u++)
            right = right && taken[u] == (all[u] < contributions ? all[u] : contributions);
        ways += right;
        law[place(count)] += right;
    }
    for (size_t i = 0; i < PLACES; i++)
        law[i] /= ways;
}

static const unsigned long orders = 720; /* 6! */

/* Every order of the words once: the counts with all users, and without each. */
static void each_order(size_t from, void (*visit)(uint64_t contributions, unsigned long *times),
                       uint64_t contributions, unsigned long *times)
{
    if (from == ROWS) {
        visit(contributions, times);
        return;
    }
    for (size_t i = from; i < ROWS; i++) {
        uint64_t kept = word[from];
        word[from] = word[i];
        word[i] = kept;
        each_order(from + 1, visit, contributions, times);
        kept = word[from];
        word[from] = word[i];
        word[i] = kept;
    }
}

static void tally(uint64_t contributions, unsigned long *times)
{
    int64_t count[GROUPS];
    count_without(USERS, contributions, count);
    times[place(count)]++;
}

Test(records, the_law_of_bounded_counts_is_that_of_the_definition)
{
    for (uint64_t contributions = 1; contributions <= 2; contributions++) {
        static unsigned long times[PLACES];
        static double law[PLACES];
        memset(times, 0, sizeof times);
        memset(law, 0, sizeof law);
        for (size_t i = 0; i < ROWS; i++)
            word[i] = i;
        each_order(0, tally, contributions, times);
        expect_law(contributions, law);
        for (size_t i = 0; i < PLACES; i++)
            cr_assert_float_eq((double)times[i], law[i] * (double)orders, 1e-6, "%zu", i);
    }
}

/* The coupling: every row keeps its word. A user more raises counts by at most the contributions in total,
 * and lowers none. */
static void compare(uint64_t contributions, unsigned long *most)
{
    int64_t with[GROUPS], without[GROUPS];
    count_without(USERS, contributions, with);
    for (unsigned user = 0; user < USERS; user++) {
        uint64_t moved = 0;
        count_without(user, contributions, without);
        for (size_t g = 0; g < GROUPS; g++) {
            cr_assert_geq(with[g], without[g]);
            moved += (uint64_t)(with[g] - without[g]);
        }
        cr_assert_leq(moved, contributions);
        *most = moved > *most ? moved : *most;
    }
}

Test(records, a_user_moves_counts_by_at_most_the_contributions)
{
    unsigned long most = 0;
    for (size_t i = 0; i < ROWS; i++)
        word[i] = i;
    each_order(2, compare, 2, &most);
    cr_assert_eq(most, 2);
}

/* ---- groups ------------------------------------------------------------------------------------- */

Test(records, groups_are_columns_buckets_and_maps)
{
    static const char table[] = "\xef\xbb\xbfwho,\"pla,ce\",age,x\r\n"
                                "a,\"p\"\"q\",9.99,1\r\n"
                                "b,r,-3,2\r\n"
                                "a,r,1e9,3\r\n"
                                "\"c\nd\",r,1/3,\r\n";
    const char *keys[] = {"r", "nobody"}, *rows[] = {"r,0", "r,5"}, *groups[] = {"one", "two"};
    counts(table, &(pby_records_options){.by = "\"pla,ce\""}, "\"pla,ce\",count\n\"p\"\"q\",1\nr,3\n");
    counts(table, &(pby_records_options){.by = "\"pla,ce\"", .map = &(pby_map){.keys = keys, .count = 2}},
           "\"pla,ce\",count\nr,3\nnobody,0\n");
    counts(table, &(pby_records_options){.by = "age:0:15:5"}, "age,count\n0,2\n5,1\n10,1\n");
    counts(table, &(pby_records_options){.by = "age:-1/2:1:0.5"}, "age,count\n-0.5,1\n0,1\n0.5,2\n");
    counts(table,
           &(pby_records_options){.by = "\"pla,ce\",age:0:10:5",
                                  .map = &(pby_map){.keys = rows, .groups = groups, .count = 2}},
           "key,count\none,2\ntwo,1\n");
    counts(table, &(pby_records_options){.by = "who", .user = "who", .contributions = 1},
           "who,count\na,1\nb,1\n\"c\nd\",1\n");
}

/* The rows that a map lacks take no place of those that it has. */
Test(records, a_map_stands_in_front_of_the_choice)
{
    const char *keys[] = {"in"};
    char text[1024] = "u,g\n";
    for (size_t i = 0; i < 50; i++)
        strcat(text, i == 20 ? "me,in\n" : "me,out\n");
    for (size_t i = 0; i < 20; i++)
        counts(text,
               &(pby_records_options){
                   .by = "g", .user = "u", .contributions = 1, .map = &(pby_map){.keys = keys, .count = 1}},
               "g,count\nin,1\n");
}

/* A list of keys of several columns is a row a line. */
Test(records, a_list_has_a_field_for_each_column)
{
    static const struct {
        const char *list, *refused;
    } lists[] = {{"a,1\n\"b,c\",2\n", NULL},
                 {"a,1\na\n", "line 2, column 2: expected as many fields"},
                 {"a,1,2\n", "line 1, column 3: expected the end of the line"},
                 {"\"a\n\",1\na,2\na,2\n", "line 4, column 1: expected a key once; this is a duplicate"},
                 {"", "line 1, column 1: expected a line with a field for each column"}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    static const char table[] = "x,y\na,1\n\"b,c\",2\na,2\na,1\n";
    pby_folder_make(folder);
    pby_folder_path(path, folder, "list");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const pby_map map = {.path = path};
        const pby_records_options o = {.by = "x,y", .map = &map};
        pby_csv_input *in;
        pby_records *r;
        pby_write_file(path, lists[i].list);
        if (lists[i].refused == NULL) {
            pby_csv *csv;
            r = of(table, &o);
            cr_assert_eq(pby_records_count(&csv, r, NULL, &err), PBY_OK, "%s", err.text);
            cr_assert_eq(pby_groups_public(&r->groups), true);
            csv_is(csv, "\"x,y\",count\n\"a,1\",2\n\"\"\"b,c\"\",2\",1\n");
            pby_csv_free(csv);
            pby_records_free(r);
            continue;
        }
        cr_assert_eq(pby_csv_input_memory(&in, "records", table, strlen(table), &err), PBY_OK);
        cr_assert_eq(pby_records_new(&r, in, &o, "", &pby_arguments_library, &err), PBY_BAD);
        cr_assert(strstr(err.text, lists[i].refused) != NULL, "%s", err.text);
    }
    pby_folder_remove(folder);
}

/* ---- refusals ----------------------------------------------------------------------------------- */

Test(records, what_does_not_parse_is_refused_by_its_place)
{
    const pby_records_options o = {.by = "g", .user = "u", .contributions = 2}, n = {.by = "n:0:9:1"};
    refuses("", &o, "records: line 1, column 1: expected a line that names the columns");
    refuses("u,g\n", &n, "by 'n': expected the name of a column in the first line");
    refuses("u,x\n", &o, "by 'g': expected the name of a column in the first line");
    refuses("g,x\n", &o, "user 'u': expected the name of a column in the first line");
    refuses("u,g,g\n", &o, "by 'g': expected the name of one column, not of two");
    refuses("u,g\na,b\nc\n", &o, "line 3, column 2: expected as many columns as the first line names");
    refuses("u,g\na,b,c\n", &o, "line 2, column 3: expected no more columns");
    refuses("u,g\n\"a\nb\",c\nd,\"e\n", &o, "line 4, column 2");
    refuses("u,g\na,\xff\n", &o, "line 2, column 2");
    refuses("n\n1\nsecret\n", &n, "line 3, column 1: expected a number");
    refuses("n\n1\n\n", &n, "line 3, column 1: expected a number");
    cr_assert(strstr(err.text, "secret") == NULL);
}

Test(records, options_are_checked)
{
    static const struct {
        pby_records_options options;
        const char *expected;
    } bad[] = {{{.by = NULL}, "by: expected the columns"},
               {{.by = "g", .user = "u"}, "contributions: expected it beside user 'u'"},
               {{.by = "g", .contributions = 2}, "contributions '2': expected the column of the user"},
               {{.by = "g", .user = "u", .contributions = 1000000001}, "contributions '1000000001'"},
               {{.by = "g,g"}, "by 'g,g': expected each column once"},
               {{.by = "g:3:2:1"}, "by 'g:3:2:1': expected NAME:LO:HI:WIDTH"},
               {{.by = "g:0:2:0"}, "by 'g:0:2:0': expected NAME:LO:HI:WIDTH"},
               {{.by = "g:0:1:1e-7"}, "by 'g:0:1:1e-7': expected NAME:LO:HI:WIDTH"},
               {{.by = "g:0:2000:1,h:0:2000:1"}, "at most 1048576 buckets"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_csv_input *in;
        pby_records *r;
        cr_assert_eq(pby_csv_input_memory(&in, "records", "g\n", 2, &err), PBY_OK);
        cr_assert_eq(pby_records_new(&r, in, &bad[i].options, "", &pby_arguments_library, &err), PBY_BAD);
        cr_assert_null(r);
        cr_assert(strstr(err.text, bad[i].expected) != NULL, "%s", err.text);
    }
}

/* ---- much of it --------------------------------------------------------------------------------- */

enum { MANY = 60000, USERS_MANY = 3000 };

/* Rows of many lengths, so that every window ends somewhere else, and what they come to; each user has at
 * most so many records in a group of its own, and all of them in it. */
static char *many(int64_t total[USERS_MANY])
{
    char *text = malloc((size_t)MANY * 64 + 64), *at = text;
    uint64_t seed = 5;
    at += sprintf(at, "note,user\n");
    for (size_t i = 0; i < MANY; i++) {
        const unsigned user = (unsigned)(stream_next(&seed) % USERS_MANY),
                       size = (unsigned)(stream_next(&seed) % 30);
        at += sprintf(at, i % 7 == 0 ? "\"%.*s\n,\",u%u\r\n" : "%.*s,\"u%u\"\n", (int)size,
                      "abcdefghijklmnopqrstuvwxyzabcdef", user);
        total[user]++;
    }
    return text;
}

static void many_counts(const char *text, const int64_t *total, uint64_t contributions, size_t memory)
{
    const pby_records_options o = {.by = "user", .user = "user", .contributions = contributions};
    pby_records *r = of(text, &o);
    pby_csv *csv;
    uint64_t bars;
    size_t n = 1, seen = 0;
    static int64_t count[1 << 12];
    uint8_t scratch[PBY_ROW_KEY_MAX];
    r->memory = memory;
    cr_assert_eq(pby_records_count(&csv, r, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_csv_scan(csv, &bars, &err), PBY_OK);
    for (; n > 0; seen += n) {
        cr_assert_eq(pby_csv_next_chunk(csv, count, sizeof count / sizeof *count, &n, &err), PBY_OK);
        for (size_t i = 0; i < n; i++) {
            size_t size;
            const char *key = (const char *)pby_csv_key(csv, i, scratch, &size);
            const long user = strtol(key + 1, NULL, 10);
            cr_assert_eq(count[i],
                         total[user] < (int64_t)contributions ? total[user] : (int64_t)contributions);
        }
    }
    cr_assert_eq(seen, USERS_MANY);
    pby_csv_free(csv);
    pby_records_free(r);
}

/* In memory, and through a file whose parts are small. */
Test(records, many_are_counted_in_memory_and_through_a_file)
{
    static int64_t total[USERS_MANY];
    char *text = many(total);
    many_counts(text, total, 5, 1 << 26);
    many_counts(text, total, 5, 1 << 16);
    many_counts(text, total, 1000, 100000);
    free(text);
}

/* ---- numbers ------------------------------------------------------------------------------------ */

/* The nearest multiple of the step from LO to HI, halves up, from the definition, in doubles: the numbers
 * here are quarters. */
static int64_t nearest(double x)
{
    const double k = x * 2 + 0.5; /* in halves */
    int64_t whole = (int64_t)k - (k < (double)(int64_t)k ? 1 : 0);
    return whole < -6 ? -6 : whole > 7 ? 7 : whole;
}

Test(records, numbers_are_added_up_in_steps)
{
    static char text[1 << 16] = "g,x\n";
    char *at = text + strlen(text);
    uint64_t seed = 11;
    int64_t sum[2] = {0}, square[2] = {0}, count[2] = {0};
    pby_moments m;
    for (size_t i = 0; i < 1000; i++) {
        const int quarters = (int)(stream_next(&seed) % 41) - 20;
        const size_t g = stream_next(&seed) % 2;
        const int64_t x = nearest(quarters / 4.0) - 2;
        at += sprintf(at, "g%zu,%g\n", g, quarters / 4.0);
        count[g]++;
        sum[g] += x;
        square[g] += x * x;
    }
    const char *keys[] = {"g1", "g0"};
    pby_records *r = of(text, &(pby_records_options){.by = "g",
                                                     .value = "x:-3:3.5:0.5",
                                                     .map = &(pby_map){.keys = keys, .count = 2}});
    cr_assert_eq(r->first, -6);
    cr_assert_eq(r->points.cells, 14);
    cr_assert_eq(pby_records_measure(&m, r, 2, NULL, &err), PBY_OK, "%s", err.text);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(m.count[i], count[1 - i]);
        cr_assert_eq(m.sum[i], sum[1 - i]);
        cr_assert_eq(m.square[i], square[1 - i]);
    }
    pby_moments_clear(&m);
    cr_assert_eq(pby_records_measure(&m, r, 2, NULL, &err), PBY_FAILED, "records are read once");
    pby_moments_clear(&m);
    pby_records_free(r);
}

/* Under the coupling of rows and words, with the number of a row its place: 0 to 5, from the middle 2. */
static void measure_without(unsigned user, pby_moments *m)
{
    char text[256] = "user,group,x\n";
    const char *keys[GROUPS] = {"g0", "g1", "g2"};
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (row[i].user != user) {
            sprintf(text + strlen(text), "u%u,g%u,%zu\n", row[i].user, row[i].group, i);
            row_of[n++] = i;
        }
    pby_records *r = of(text, &(pby_records_options){.by = "group",
                                                     .user = "user",
                                                     .contributions = 2,
                                                     .value = "x:0:5:1",
                                                     .map = &(pby_map){.keys = keys, .count = GROUPS}});
    r->word = given;
    cr_assert_eq(pby_records_measure(m, r, 2, NULL, &err), PBY_OK, "%s", err.text);
    pby_records_free(r);
}

static void compare_sums(uint64_t contributions, unsigned long *most)
{
    pby_moments with, without;
    measure_without(USERS, &with);
    for (unsigned user = 0; user < USERS; user++) {
        uint64_t sums = 0, squares = 0;
        measure_without(user, &without);
        for (size_t g = 0; g < GROUPS; g++) {
            sums += (uint64_t)llabs(with.sum[g] - without.sum[g]);
            squares += (uint64_t)llabs(with.square[g] - without.square[g]);
        }
        cr_assert_leq(sums, contributions * 3);
        cr_assert_leq(squares, contributions * 9);
        *most = sums > *most ? sums : *most;
        pby_moments_clear(&without);
    }
    pby_moments_clear(&with);
}

Test(records, a_user_moves_sums_by_at_most_the_contributions_times_the_reach)
{
    unsigned long most = 0;
    for (size_t i = 0; i < ROWS; i++)
        word[i] = i;
    each_order(3, compare_sums, 2, &most);
    cr_assert_gt(most, 2);
}
