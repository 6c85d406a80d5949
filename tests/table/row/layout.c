/* SPDX-License-Identifier: MIT */
/* The lines of a release on standard error about how it read its input. */
#include "table/row/layout.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

#define DISJOINT "rows are disjoint: one record is in one row\n"
#define COUNTS   "geometric:eps=1"
#define HIDING   "threshold:eps=1,T=20"

static void says(const char *expected, const char *input, const char *const *arguments)
{
    const pby_run *r = pby_run_command(input, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->err, expected);
}

#define SAYS(expected, input, ...) says(expected, input, PBY_ARGUMENTS(__VA_ARGS__))

/* The records of the issue, taken for a histogram: the words of the header tell what was done. */
Test(layout, a_release_says_how_it_read_the_columns)
{
    SAYS("probity: standard input: column 1 'name' names a bar, column 2 'age' is taken as its "
         "count; " DISJOINT,
         "name,age\nalice,33\nbob,44\n", "release", COUNTS);
    SAYS(
        "probity: standard input: no header: column 1 names a bar, column 2 is taken as its count; " DISJOINT,
        "alice,33\nbob,44\n", "release", COUNTS);
    SAYS("probity: standard input: column 2 'age' names a bar, column 3 'visits' is taken as its "
         "count; " DISJOINT,
         "name,age,visits\nalice,33,2\nbob,44,1\n", "release", COUNTS, "--keys", "age", "--counts", "visits");
    SAYS("probity: standard input: each line is a point; points are disjoint: one record is in one point\n",
         "1\n2\n", "release", "buckethist:eps=1,q=20,bound=10,width=1");
    SAYS("", "name,age\nalice,33\n", "release", COUNTS, "--quiet");
    SAYS("", "1\n2\n", "release", "buckethist:eps=1,q=20,bound=10,width=1", "--quiet");
}

/* Where keys are hidden, so is a row that passes for a header. */
Test(layout, no_word_of_a_header_where_keys_are_hidden)
{
    SAYS("probity: standard input: column 1 names a bar, column 2 is taken as its count; " DISJOINT,
         "name,age\nalice,33\n", "release", HIDING);
    SAYS("probity: standard input: column 1 'name' names a bar, column 2 'age' is taken as its "
         "count; " DISJOINT,
         "name,age\nalice,33\n", "release", HIDING, "--counts", "age");
    char folder[PBY_PATH_SIZE], table[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(table, folder, "table");
    pby_write_file(table, "alice\n");
    SAYS("probity: standard input: column 1 names a bar, column 2 is taken as its count; " DISJOINT,
         "name,age\nalice,33\n", "release", COUNTS, "--filter", table);
    pby_folder_remove(folder);
}

/* The line depends on the header alone: rows more, rows fewer and other counts change nothing of it. */
Test(layout, no_record_changes_the_line)
{
    static const char *const inputs[] = {"k,n\na,1\n", "k,n\na,2\n", "k,n\na,1\nb,0\n",
                                         "k,n\nb,900\nlong key,7\n"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        SAYS("probity: standard input: column 1 'k' names a bar, column 2 'n' is taken as its "
             "count; " DISJOINT,
             inputs[i], "release", COUNTS);
}

/* A count that is none: one line that says what to do, the same for all values of one form and all keys. */
Test(layout, bad_counts_are_refused_by_their_form)
{
    static const char *const values[][3] = {
        {"3.5", "0.25", ".1"}, {"-1", "-77", "-3.5"}, {"secret", "other", "<5"}, {"", "nan", "NULL"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char first[4096] = "";
        for (size_t j = 0; j < 3; j++) {
            char input[128];
            snprintf(input, sizeof input, "name,age\nalice,33\n%s,%s\n", j == 0 ? "bob" : "carol",
                     values[i][j]);
            PBY_REFUSED(2, "standard input: line 3, column 2: expected ", input, "release", COUNTS);
            const pby_run *r = PBY_RUN(input, "release", COUNTS);
            cr_assert(strstr(r->err, "bob") == NULL && strstr(r->err, "carol") == NULL);
            if (j == 0)
                strcpy(first, r->err);
            if (strcmp(values[i][j], "<5") != 0)
                cr_assert_str_eq(r->err, first);
        }
    }
    PBY_REFUSED(2, "raw records, one a row, are counted by release SPEC --by COLUMN", "name\nalice\nbob\n",
                "release", COUNTS);
    PBY_REFUSED(2, "--keys COLUMN and --counts COLUMN choose two of the columns",
                "name,age,zip\nalice,33,1\n", "release", COUNTS);
}

/* The command that the refusal advises counts the records. */
Test(layout, the_advice_works)
{
    const pby_run *r = PBY_RUN("name\nalice\nbob\nalice\n", "release", "threshold:eps=30,T=1");
    cr_assert_not_null(strstr(r->err, "--by COLUMN"), "%s", r->err);
    r = PBY_RUN("name\nalice\nbob\nalice\n", "release", "threshold:eps=30,T=1", "--by", "name");
    cr_assert_not_null(strstr(r->out, ",count\nalice,2\nbob,1\n"), "%s%s", r->out, r->err);
}

Test(layout, columns_are_for_histograms_that_have_them)
{
    PBY_REFUSED(2, "--keys 'x': expected a mechanism that reads KEY,COUNT", "1\n", "release",
                "buckethist:eps=1,q=20,bound=10,width=1", "--keys", "x");
    PBY_REFUSED(2, "--counts 'x': expected the name of a column in the first line", "a,b\nc,1\n", "release",
                COUNTS, "--counts", "x");
    PBY_REFUSED(2, "expected a key once; this is a duplicate", "a,b,c\nc,1,1\nc,1,1\n", "release", COUNTS,
                "--keys", "a", "--counts", "b");
}

/* Only the two columns come out, and the names as for any header. */
Test(layout, other_columns_are_not_released)
{
    const pby_run *r = PBY_RUN("name,visits,secret\nalice,33,x\n\"b,c\",44,x\n", "release",
                               "geometric:eps=30", "--keys", "name", "--counts", "visits");
    cr_assert_str_eq(r->out, "name,count\nalice,33\n\"b,c\",44\n");
    r = PBY_RUN("name,visits,secret\nalice,33,x\n", "release", "threshold:eps=30,T=20", "--keys", "name",
                "--counts", "visits");
    cr_assert_str_eq(r->out, "key,count\nalice,33\n");
}

/* Every form has the columns again, under their names; two rows are one bar if they agree in all. */
Test(layout, several_columns_name_a_bar)
{
    static const char table[] = "town,secret,sex,n\nUlm,x,f,50\nUlm,y,m,3\n\"Bonn, Rhein\",z,\"a\"\"b\",44\n";
    const struct {
        const char *spec, *out;
    } cases[] = {
        {"geometric:eps=40", "sex,town,count\nf,Ulm,50\nm,Ulm,3\n\"a\"\"b\",\"Bonn, Rhein\",44\n"},
        {"2*geometric:eps=40",
         "sex,town,count_1,count_2\nf,Ulm,50,50\nm,Ulm,3,3\n\"a\"\"b\",\"Bonn, Rhein\",44,44\n"},
        {"threshold:eps=40,T=20", "sex,town,count\n\"a\"\"b\",\"Bonn, Rhein\",44\nf,Ulm,50\n"},
        {"partition:eps=40,delta=1e-99", "sex,town\n\"a\"\"b\",\"Bonn, Rhein\"\nf,Ulm\n"},
        {"range:eps=40,L=1", "sex,town,low,high\nf,Ulm,49,51\nm,Ulm,2,4\n\"a\"\"b\",\"Bonn, Rhein\",43,45\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_run *r = PBY_RUN(table, "release", cases[i].spec, "--keys", "sex,town", "--counts", "n");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_str_eq(r->out, cases[i].out);
        cr_assert_str_eq(r->err, "probity: standard input: column 3 'sex' and column 1 'town' name a bar, "
                                 "column 4 'n' is taken as its count; " DISJOINT);
    }
    const pby_run *r =
        PBY_RUN(table, "release", "threshold:eps=40,T=20", "--keys", "sex,town", "--counts", "n", "--json");
    cr_assert_not_null(strstr(r->out,
                              "{\"release\": [{\"key\": [\"a\\\"b\", \"Bonn, Rhein\"], \"count\": 44}, "
                              "{\"key\": [\"f\", \"Ulm\"], \"count\": 50}]"),
                       "%s", r->out);
}

Test(layout, what_knows_a_bar_by_one_name_refuses_several)
{
    static const char table[] = "town,sex,n\nUlm,f,50\nUlm,f,3\n";
    PBY_REFUSED(2, "expected a key once; this is a duplicate", table, "release", COUNTS, "--keys",
                "town,sex");
    PBY_REFUSED(2, "--statistic 'max': expected one column of --keys", table, "release", COUNTS, "--keys",
                "town,sex", "--statistic", "max");
    PBY_REFUSED(2, "--filter 'list': expected one column of --keys", table, "release", COUNTS, "--keys",
                "town,sex", "--filter", "list");
    PBY_REFUSED(2, "--group-by 'map': expected one column of --keys", table, "release", COUNTS, "--keys",
                "town,sex", "--group-by", "map");
    PBY_REFUSED(2, "--keys 'town,town': expected each column once", table, "release", COUNTS, "--keys",
                "town,town");
}

Test(layout, a_name_is_shown_on_one_line)
{
    char name[PBY_LAYOUT_NAME];
    pby_layout_name(name, (const uint8_t *)"a\nb\x7f", 4);
    cr_assert_str_eq(name, "a?b?");
    uint8_t longer[100];
    memset(longer, 'x', sizeof longer);
    memcpy(longer + 39, "\xc3\xa9", 2);
    pby_layout_name(name, longer, sizeof longer);
    cr_assert_eq(strlen(name), 39 + 3, "%s", name);
    cr_assert_str_eq(name + 39, "...");
}

Test(layout, overlapping_rows_are_said)
{
    const pby_layout layout = {.keys = 1, .key = {1}, .count = 2};
    char *text = pby_layout_text(&layout, "in.csv", true, 50);
    cr_assert_str_eq(text, "in.csv: no header: column 1 names a bar, column 2 is taken as its count; "
                           "rows overlap: one record is in at most 50 of them");
    free(text);
}
