/* SPDX-License-Identifier: MIT */
#include "table/map/columns.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"
#include "tests/table/csv/csv_text.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "t");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(columns, .init = setup, .fini = teardown);

/* pby_columns_read of names as --keys has them. */
static pby_status read_columns(pby_csv **out, const char *keys, const char *counts, pby_error *err)
{
    static const pby_arguments arguments = {.options = true, .value = PBY_ARG_SUM};
    pby_key_names names = {.count = 0};
    if (keys != NULL)
        cr_assert_eq(pby_key_names_parse(&names, "--keys", keys, err), PBY_OK);
    const pby_status status = pby_columns_read(
        out, path,
        &(pby_columns_choice){keys == NULL ? NULL : &names, counts, &arguments, NULL, PBY_ARG_COUNTS}, err);
    pby_key_names_clear(&names);
    return status;
}

static void chosen(const char *table, const char *keys, const char *counts, const char *expected)
{
    pby_csv *c;
    pby_error err = {.text = ""};
    pby_write_file(path, table);
    cr_assert_eq(read_columns(&c, keys, counts, &err), PBY_OK, "%s", err.text);
    pby_csv_allow_empty(c);
    csv_is(c, expected);
    pby_csv_free(c);
}

Test(columns, two_of_them_are_a_histogram)
{
    static const char table[] = "id,town,visits\n1,Ulm,20\n2,Bonn,3\n";
    chosen(table, "town", "visits", "town,count\nUlm,20\nBonn,3\n");
    chosen(table, "visits", "id", "visits,count\n20,1\n3,2\n");
    chosen(table, "id", "visits", "id,count\n1,20\n2,3\n");
    chosen("id,town,visits", "id", "visits", "id,count\n");
}

Test(columns, the_other_of_two)
{
    chosen("town,2024\nUlm,20\n", NULL, "2024", "town,count\nUlm,20\n");
    chosen("2024,town\n20,Ulm\n", "town", NULL, "town,count\nUlm,20\n");
}

Test(columns, quotes_and_line_ends)
{
    chosen("\xef\xbb\xbf\"a \"\"b\"\"\",\"c,d\",e\r\n\"x,y\",\"7\",\"line\nbreak\"\r\n\"\",8,\r\n",
           "\"a \"\"b\"\"\"", "c,d", "\"a \"\"b\"\"\",count\n\"x,y\",7\n,8\n");
}

/* The key is a row of CSV, which needs quotes as a field of one. */
Test(columns, several_name_a_bar_together)
{
    static const char table[] = "id,town,sex,visits\n1,Ulm,f,20\n2,\"Bonn, Rhein\",\"a \"\"b\",3\n3,,,4\n";
    chosen(table, "town,sex", "visits",
           "\"town,sex\",count\n\"Ulm,f\",20\n\"\"\"Bonn, Rhein\"\",\"\"a \"\"\"\"b\"\"\",3\n\",\",4\n");
    chosen(table, "sex,id,town", NULL,
           "\"sex,id,town\",count\n\"f,1,Ulm\",20\n"
           "\"\"\"a \"\"\"\"b\"\",2,\"\"Bonn, Rhein\"\"\",3\n\",3,\",4\n");
    chosen("\"c,d\",e,n\nx,y,1\n", "\"c,d\",e", "n", "\"\"\"c,d\"\",e\",count\n\"x,y\",1\n");
}

static void refused(const char *table, const char *keys, const char *counts, const char *expected)
{
    pby_csv *c;
    pby_error err = {.text = ""};
    pby_write_file(path, table);
    cr_assert_eq(read_columns(&c, keys, counts, &err), PBY_BAD);
    cr_assert_null(c);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    cr_assert_null(strstr(err.text, "secret"), "%s", err.text);
}

Test(columns, refusals_tell_the_place_and_no_value)
{
    refused("a,b,c\n1,2,3\n", "a", NULL,
            "--counts: expected it beside --keys, as the table has not two columns");
    refused("a,b,c\n1,2,3\n", NULL, "b", "--keys: expected it beside --counts");
    refused("a,b,c\n1,2,secret\n", "a", "d",
            "--counts 'd': expected the name of a column in the first line: a, b, c");
    refused("a,b,c\nsecret,x,y\n", "a", "d",
            "--counts 'd': expected the name of a column in the first line: a, b, c");
    refused("secret,b\nsecret,x\n", "d", NULL, "--keys 'd': expected the name of a column in the first line");
    refused("secret,2\nx,3\n", "d", NULL, "--keys 'd': expected the name of a column in the first line");
    refused("a,b\n1,2\n", "A", NULL, "--keys 'A': expected the name of a column in the first line");
    refused("a,b\n1,2\n", "a", "a", "--counts 'a': expected another column than that of --keys");
    refused("a,b,a\n1,2,3\n", "a", "b", "--keys 'a': expected the name of one column, not of two");
    refused("a,b,c,d\n1,2,3,4\n", "a,b", NULL,
            "--counts: expected it beside --keys, as the table has not one column more");
    refused("a,b,c\n1,2,3\n", "a,c", "c", "--counts 'c': expected another column than that of --keys");
    refused("a,b,c\n1,2,3\n", "a,d", "c", "--keys 'd': expected the name of a column in the first line");
    refused("", "a", "b", "line 1, column 1: expected a line that names the columns");
    refused("a,b,c\nx,1,y\nx,secret,y\n", "a", "b", "t: line 3, column 2: expected a whole number from 0");
    refused("a,b,c\n\"x\ny\",1,y\n\"x\nz\",1.5,\"y\n\n\"\n", "a", "b",
            "t: line 5, column 2: expected a whole number");
    refused("a,b,c\nx,-1,y\n", "a", "b", "line 2, column 2: expected a whole number");
    refused("a,b,c\nx,\"1,000\",y\n", "a", "b",
            "line 2, column 2: expected digits alone, but they are grouped");
    refused("a,b,c\nx,1\n", "a", "b", "line 2, column 3: expected as many columns as the first line names");
    refused("a,b,c\nx,1,2,secret\n", "a", "b",
            "line 2, column 4: expected no more columns than the first line names");
    refused("a,b,c\nx,1,\"secret\n", "a", "b", "line 2, column 3: expected a closing quote");
    refused("a,b,c\nx,1,\"secret\"t\n", "a", "b",
            "line 2, column 3: expected a comma or the end of the line");
    refused("a,b,c\nx,1,\xff\n", "a", "b", "line 2, column 3: expected valid UTF-8");
}

/* The contents of other columns are not counted, even where they break a line. */
Test(columns, lines_of_an_error_are_those_of_the_table)
{
    static const char table[] = "a,b,c\nx,1,\"y\ny\"\nz,2,\"y\n\ny\"\nx,3,y\n";
    pby_csv *c;
    pby_error err;
    uint64_t rows;
    char expected[PBY_PATH_SIZE + 64];
    pby_write_file(path, table);
    cr_assert_eq(read_columns(&c, "a", "b", NULL), PBY_OK);
    cr_assert_eq(pby_csv_layout(c)->key[0], 1);
    cr_assert_eq(pby_csv_layout(c)->count, 2);
    cr_assert_eq(pby_csv_scan(c, &rows, &err), PBY_BAD);
    snprintf(expected, sizeof expected, "%s: line 7, column 1: expected a key once; this is a duplicate",
             path);
    cr_assert_str_eq(err.text, expected);
    pby_csv_free(c);
    cr_assert_eq(read_columns(&c, "c", "b", NULL), PBY_OK);
    pby_csv_demands(c, &(pby_csv_demand){.most = 1, .limit = INT64_MAX, .sum = UINT64_MAX});
    cr_assert_eq(pby_csv_scan(c, &rows, &err), PBY_BAD);
    snprintf(expected, sizeof expected, "%s: line 4, column 2: expected a whole number from 0 to 1", path);
    cr_assert_str_eq(err.text, expected);
    pby_csv_free(c);
}

/* So are its columns, wherever those of keys and counts stand. */
Test(columns, columns_of_an_error_are_those_of_the_table)
{
    pby_csv *c;
    pby_error err;
    uint64_t rows;
    pby_write_file(path, "a,b,c\n1,x,2\n1,x,3\n");
    cr_assert_eq(read_columns(&c, "b", "c", NULL), PBY_OK);
    cr_assert_eq(pby_csv_scan(c, &rows, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "line 3, column 2: expected a key once"), "%s", err.text);
    pby_csv_free(c);
    cr_assert_eq(read_columns(&c, "b", "c", NULL), PBY_OK);
    pby_csv_demands(c, &(pby_csv_demand){.most = 1, .limit = INT64_MAX, .sum = UINT64_MAX});
    cr_assert_eq(pby_csv_scan(c, &rows, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "line 2, column 3: expected a whole number from 0 to 1"), "%s",
                       err.text);
    pby_csv_free(c);
}
