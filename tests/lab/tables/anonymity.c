/* SPDX-License-Identifier: MIT */
#include "probity/experimental/anonymity.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

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

TestSuite(anonymity, .init = setup, .fini = teardown);

static pby_anonymity *found(const char *table, const char *quasi)
{
    pby_anonymity *a;
    pby_error err = PBY_NO_ERROR;
    pby_write_file(path, table);
    cr_assert_eq(pby_anonymity_csv(&a, path, quasi, &err), PBY_OK, "%s", err.text);
    return a;
}

static void refused(const char *table, const char *quasi, const char *text)
{
    pby_anonymity *a = NULL;
    pby_error err = PBY_NO_ERROR;
    pby_write_file(path, table);
    cr_assert_eq(pby_anonymity_csv(&a, path, quasi, &err), PBY_BAD);
    cr_assert_null(a);
    cr_assert(strstr(err.text, text) != NULL, "%s", err.text);
}

/* Columns a, b, c of digits; the classes of every choice of columns against a comparison of all records. */
Test(anonymity, classes_are_records_that_agree)
{
    enum { RECORDS = 40 };
    static const char *const choices[] = {"a", "b", "c", "a,b", "c,a", "a,b,c"};
    static const char *const letters[] = {"a", "b", "c", "ab", "ca", "abc"};
    unsigned seed = 1;
    for (int round = 0; round < 20; round++) {
        char record[RECORDS][3], table[16 + 8 * RECORDS] = "a,b,c\n";
        for (size_t i = 0; i < RECORDS; i++)
            for (size_t c = 0; c < 3; c++) {
                seed = seed * 1103515245U + 12345U;
                record[i][c] = (char)('0' + (seed >> 16) % (2 + c));
                sprintf(table + strlen(table), "%c%s", record[i][c], c < 2 ? "," : "\n");
            }
        for (size_t q = 0; q < 6; q++) {
            uint64_t of_size[RECORDS + 1] = {0}, least = RECORDS, classes = 0;
            for (size_t i = 0; i < RECORDS; i++) {
                uint64_t like = 0;
                for (size_t j = 0; j < RECORDS; j++) {
                    bool same = true;
                    for (const char *c = letters[q]; *c != '\0'; c++)
                        same = same && record[i][*c - 'a'] == record[j][*c - 'a'];
                    like += same;
                }
                of_size[like]++;
                least = like < least ? like : least;
            }
            pby_anonymity *a = found(table, choices[q]);
            size_t i = 0;
            uint64_t records, with;
            for (uint64_t size = 1; size <= RECORDS; size++)
                if (of_size[size] > 0) {
                    cr_assert(pby_anonymity_size_at(&records, &with, a, i++));
                    cr_assert(records == size && with == of_size[size] / size);
                    classes += with;
                }
            cr_assert_not(pby_anonymity_size_at(&records, &with, a, i));
            cr_assert_eq(pby_anonymity_sizes(a), i);
            cr_assert_eq(pby_anonymity_least(a), least);
            cr_assert_eq(pby_anonymity_classes(a), classes);
            cr_assert_eq(pby_anonymity_records(a), RECORDS);
            pby_anonymity_free(a);
        }
    }
}

/* A class is a tuple of fields: neither their text behind each other nor their quotes. */
Test(anonymity, fields_do_not_run_together)
{
    pby_anonymity *a = found("\xEF\xBB\xBFx,\"y,z\"\nab,c\na,bc\n\"a\",\"bc\"\n\"a\nb\",c\n", "x,\"y,z\"");
    cr_assert_eq(pby_anonymity_classes(a), 3);
    cr_assert_eq(pby_anonymity_least(a), 1);
    cr_assert_eq(pby_anonymity_columns(a), 2);
    cr_assert_str_eq(pby_anonymity_column(a, 1), "y,z");
    cr_assert_null(pby_anonymity_column(a, 2));
    pby_anonymity_free(a);
}

Test(anonymity, a_table_without_records_has_no_class)
{
    pby_anonymity *a = found("x,y\n", "y");
    cr_assert_eq(pby_anonymity_least(a), 0);
    cr_assert_eq(pby_anonymity_sizes(a), 0);
    cr_assert_eq(pby_anonymity_records(a), 0);
    pby_anonymity_free(a);
}

Test(anonymity, what_is_refused)
{
    refused("x,y\n1,2\n", "z", "quasi 'z': expected the name of a column in the first line");
    refused("x,x\n1,2\n", "x", "quasi 'x': expected the name of one column, not of two");
    refused("x,y\n1,2\n", "x,x", "quasi 'x,x': expected each column once");
    refused("x,y\n1,2\n3\n", "x", "line 3, column 2: expected as many columns as the first line names");
    refused("x,y\n1,2,3\n", "x", "line 2, column 3: expected no more columns than the first line names");
    refused("", "x", "line 1, column 1: expected a line that names the columns");
    refused("x,y\n1,a\"b\n", "x", "line 2, column 2");
}
