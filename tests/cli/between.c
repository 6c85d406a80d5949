/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/accuracy.h"
#include "tests/cli/run.h"

/* Two files, of which the second is standard input where it is "-". */
struct files {
    char folder[PBY_PATH_SIZE], a[PBY_PATH_SIZE], b[PBY_PATH_SIZE];
};

static void make(struct files *f, const char *a, const char *b)
{
    pby_folder_make(f->folder);
    pby_folder_path(f->a, f->folder, "a.csv");
    pby_folder_path(f->b, f->folder, "b.csv");
    pby_write_file(f->a, a);
    pby_write_file(f->b, b);
}

static void expect(const char *out, const char *input, const char *const *arguments)
{
    const pby_run *run = pby_run_command(input, arguments);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, out);
}

#define BETWEEN(out, input, ...) expect(out, input, PBY_ARGUMENTS("accuracy", "--between", __VA_ARGS__))

Test(cli_between, numbers)
{
    struct files f;
    make(&f, "\xef\xbb\xbfpoint,mass\r\n0,3\r\n1.5,1/2\r\n1.5,1/2\r\n", "0,2\n3/2,1");
    BETWEEN("gamma       0\n"
            "lossy       1.5\n"
            "average     0.125\n"
            "variation   1/12\n"
            "drop        0.25\n"
            "move        inf\n"
            "eta         2\n"
            "drop-move   0.25\n",
            NULL, f.a, f.b, "--average", "--eta", "2");
    BETWEEN("{\"gamma\": \"1/12\", \"lossy\": \"0\", \"variation\": \"1/12\", "
            "\"drop\": \"0.25\", \"move\": \"inf\"}\n",
            NULL, f.a, f.b, "--gamma", "1/12", "--json");
    BETWEEN("gamma       0\nlossy       1.5\nvariation   1/12\ndrop        inf\nmove        inf\n", NULL, f.b,
            f.a);
    pby_folder_remove(f.folder);
}

/* A question about laws has no answer, whether gamma is left out or given. */
Test(cli_between, an_empty_histogram_is_no_law)
{
    struct files f;
    make(&f, "\"0\",3\n1.5,\"1\"\n2,-7\n", "");
    const char *empty = "\"0\",0\n1.5,-2\n";
#define NO_LAW "none: the second file is empty, and in proportion to no law\n"
    BETWEEN("gamma       0\nlossy       " NO_LAW "variation   " NO_LAW "drop        1\nmove        inf\n"
            "eta         2\ndrop-move   1\n",
            empty, f.a, "-", "--eta", "2");
    BETWEEN("gamma       0\nlossy       " NO_LAW "variation   " NO_LAW "drop        1\nmove        inf\n",
            empty, f.a, "-", "--gamma", "0");
#undef NO_LAW
#define NO_LAW "none: the first file is empty, and in proportion to no law\n"
    BETWEEN("gamma       0.5\nlossy       " NO_LAW "average     " NO_LAW "variation   " NO_LAW
            "drop        inf\nmove        inf\n",
            empty, "-", f.a, "--gamma", "1/2", "--average");
    BETWEEN("{\"gamma\": \"0\", \"lossy\": null, \"variation\": null, \"drop\": \"0\", \"move\": \"0\", "
            "\"average\": null, "
            "\"no_law\": \"the first file is empty, and in proportion to no law\"}\n",
            empty, "-", f.b, "--average", "--json");
#undef NO_LAW
    pby_folder_remove(f.folder);
}

/* Names, as a threshold releases them: dropping and total variation need no distance. */
Test(cli_between, names)
{
    struct files f;
    make(&f, "animal,count\ncat,50\n\"dog, \"\"the\"\"\",3\nowl,1\n", "owl,1\ncat,48\n");
#define NO_DISTANCE "none: names have no distance\n"
    BETWEEN("gamma       0.5\nlossy       " NO_DISTANCE "average     " NO_DISTANCE
            "variation   40/441\ndrop        5/54\nmove        " NO_DISTANCE
            "eta         1\ndrop-move   " NO_DISTANCE,
            "ox,1\nowl,5\ncat,48\n", "-", f.b, "--gamma", "1/2", "--average", "--eta", "1");
#undef NO_DISTANCE
    const pby_run *run = PBY_RUN(NULL, "accuracy", "--between", f.a, f.b);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_not_null(strstr(run->out, "variation   1/18\ndrop        5/54\nmove        none"), "%s",
                       run->out);
    run = PBY_RUN(NULL, "accuracy", "--between", f.a, f.b, "--json");
    cr_assert_not_null(strstr(run->out, "\"variation\": \"1/18\", \"drop\": \"5/54\", \"move\": null"));
    cr_assert_not_null(strstr(run->out, "\"no_distance\": \"names have no distance\""));
    pby_folder_remove(f.folder);
}

/* Centres of squares, as a release writes them, and 1/2 0.5 is the same point as 0.5 0.5. */
Test(cli_between, points_in_the_maximum_norm)
{
    struct files f;
    make(&f, "0.5 0.5,2\n1.5 0.5,3\n", "1/2 1.5,2\n1.5 1/2,2\n");
    BETWEEN(
        "gamma       0.1\nlossy       1\naverage     0.4\nvariation   0.5\ndrop        inf\nmove        inf\n"
        "eta         0.1\ndrop-move   0.3\n",
        NULL, f.a, f.b, "--gamma", "1/10", "--average", "--eta", "1/10");
    pby_write_file(f.b, "0 -2 9,5\n");
    BETWEEN("gamma       0\nlossy       7\nvariation   1\ndrop        inf\nmove        7\n",
            "3 5 4,2\n3 5 4,3\n", "-", f.b);
    pby_folder_remove(f.folder);
}

/* They are equal as points all the same. */
Test(cli_between, points_of_different_dimension)
{
    struct files f;
    make(&f, "0.5 0.5,3\n", "0.5 1/2,2\n0 -2 9,1\n");
#define NO_DISTANCE                                                                                       \
    "none: points of different dimension have no distance, and the second file, line 2, is the first of " \
    "another\n"
    BETWEEN("gamma       0\nlossy       " NO_DISTANCE
            "variation   1/3\ndrop        inf\nmove        " NO_DISTANCE,
            NULL, f.a, f.b);
#undef NO_DISTANCE
    pby_folder_remove(f.folder);
}

Test(cli_between, points_of_many_coordinates)
{
    enum { DIMENSION = 65 };
    struct files f;
    char text[2 * DIMENSION + 3];
    for (size_t k = 0; k < DIMENSION; k++)
        memcpy(text + 2 * k, "0 ", 2);
    strcpy(text + 2 * DIMENSION - 1, ",1\n");
    make(&f, text, text);
    text[0] = '7';
    pby_write_file(f.b, text);
    BETWEEN("gamma       0\nlossy       7\nvariation   1\ndrop        inf\nmove        7\n", NULL, f.a, f.b);
    pby_folder_remove(f.folder);
}

#define ACCENTS "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"

/* A path is any bytes and JSON is UTF-8, which a path that is cut after some byte need not be either. */
Test(cli_between, paths_that_are_not_utf8)
{
    static const char *const names[] = {"\xff\xfe.csv", ACCENTS ACCENTS ACCENTS, "x" ACCENTS ACCENTS ACCENTS};
    struct files f;
    make(&f, "cat,1\n", "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pby_folder_path(f.b, f.folder, names[i]);
        pby_write_file(f.b, "");
        BETWEEN("{\"gamma\": \"0\", \"lossy\": null, \"variation\": null, \"drop\": \"inf\", \"move\": null, "
                "\"no_law\": \"the first file is empty, and in proportion to no law\", "
                "\"no_distance\": \"names have no distance\"}\n",
                NULL, f.b, f.a, "--json");
        pby_write_file(f.b, "dog,1\n");
        BETWEEN(
            "{\"gamma\": \"0\", \"lossy\": null, \"variation\": \"1\", \"drop\": \"inf\", \"move\": null, "
            "\"no_distance\": \"names have no distance\"}\n",
            NULL, f.b, f.a, "--json");
    }
    pby_folder_remove(f.folder);
}

/* Words beside a year: all are names then, and the first that keeps them from being numbers is named, for it
 * may be a slip. */
Test(cli_between, keys_of_different_kinds_are_names)
{
    static const struct {
        const char *a, *b, *reason;
    } rows[] = {
        {"0,1\n1/0,2\n", "0,1\n", "the first file, line 2, is the first that is no number"},
        {"0,1\n", "0,1\n1,1\n 1,2\n", "the second file, line 3, is the first that is no number"},
        {"0x1,1\n", "2,1\n", "the first file, line 1, is the first that is no number"},
        {"1,1\n", "cat,1\n", "the second file, line 1, is the first that is no number"},
        {"1 2,1\n", "2,1\n", "the first file, line 1, is the first that is no number"},
        {"1 2,1\n1  2,1\n", "2 1,1\n", "the first file, line 2, is the first that is no point"},
        {"1 2,1\n", "1e10001,1\n", "the second file, line 1, is the first that is no point"},
        {"cat,1\n", "2 1,1\n", "the first file, line 1, is the first that is no point"},
        {"1 2,1\n3,1\ncat,1\n", "", "the first file, line 1, is the first that is no number"},
        {"\"a\nb\",1\n7,1\n", "8,1\n1e10001,1\n", "the first file, line 1, is the first that is no number"}};
    struct files f;
    char expected[256];
    make(&f, "", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_write_file(f.a, rows[i].a);
        pby_write_file(f.b, rows[i].b);
        const pby_run *run = PBY_RUN(NULL, "accuracy", "--between", f.a, f.b);
        cr_assert_eq(run->status, 0, "%s", run->err);
        snprintf(expected, sizeof expected, "\nmove        none: names have no distance, and %s\n",
                 rows[i].reason);
        cr_assert_not_null(strstr(run->out, expected), "%s", run->out);
    }
    pby_folder_remove(f.folder);
}

/* 2020 beside a word is a name: another spelling of the number is another name. */
Test(cli_between, words_beside_numbers)
{
    struct files f;
    make(&f, "when,count\n2020,4\n2021,4\nunknown,2\n", "unknown,1\n2020,4\n2021,3\n");
#define NO_DISTANCE \
    "none: names have no distance, and the first file, line 4, is the first that is no number\n"
    BETWEEN("gamma       0\nlossy       " NO_DISTANCE
            "variation   0.1\ndrop        0.2\nmove        " NO_DISTANCE,
            NULL, f.a, f.b);
    BETWEEN("gamma       0\nlossy       " NO_DISTANCE
            "variation   0.4\ndrop        inf\nmove        " NO_DISTANCE,
            "unknown,2\n2020.0,4\n2021,4\n", f.a, "-");
#undef NO_DISTANCE
    pby_folder_remove(f.folder);
}

/* Only its length makes a number of too many digits none, unless something else is a name. */
Test(cli_between, refuses_numbers_that_are_beyond)
{
    static const char beyond[] = "column 1: expected a number of at most 4096 digits";
    struct files f;
    make(&f, "1,1\n1e10001,1\n", "1,1\n");
    PBY_REFUSED(2, "a.csv: line 2, ", NULL, "accuracy", "--between", f.a, f.b);
    PBY_REFUSED(2, beyond, NULL, "accuracy", "--between", f.a, f.b);
    pby_write_file(f.a, "");
    pby_write_file(f.b, "1e10001,1\n");
    PBY_REFUSED(2, "b.csv: line 1, ", NULL, "accuracy", "--between", f.a, f.b);
    PBY_REFUSED(2, beyond, NULL, "accuracy", "--between", f.a, f.b);
    char digits[4100];
    memset(digits, '7', 4097);
    strcpy(digits + 4097, ",1");
    pby_write_file(f.b, "1,1\n");
    pby_write_file(f.a, digits);
    PBY_REFUSED(2, beyond, NULL, "accuracy", "--between", f.a, f.b);
    pby_write_file(f.b, "cat,1\n"); /* as the hexadecimal name 1e10001 is */
    pby_write_file(f.a, "1e10001,1\n");
    const pby_run *run = PBY_RUN(NULL, "accuracy", "--between", f.a, f.b);
    cr_assert_not_null(strstr(run->out, "none: names have no distance\n"), "%s", run->err);
    pby_folder_remove(f.folder);
}

Test(cli_between, too_many_points_for_a_flow)
{
    struct files f;
    char *text = malloc(32 * (PBY_METRIC_MAX + 1)), *end = text;
    cr_assert_not_null(text);
    for (int i = 0; i <= PBY_METRIC_MAX; i++)
        end += sprintf(end, "%d 0,1\n", i);
    make(&f, text, "0 0,1\n");
    BETWEEN("gamma       0\nlossy       none: more than 1024 points\nvariation   1024/1025\ndrop        "
            "1024/1025\n"
            "move        none: more than 1024 points\n",
            NULL, f.a, f.b);
    free(text);
    pby_folder_remove(f.folder);
}

Test(cli_between, refuses_files_that_are_no_measures)
{
    PBY_REFUSED(2, "--between '-': expected standard input once", "1,2\n", "accuracy", "--between", "-", "-");
    static const struct {
        const char *text, *told;
    } rows[] = {{"0,1\n1;2\n", "line 2, column 2: expected a comma and a mass"},
                {"0,1\n1,-1/2\n", "line 2, column 2"},
                {"0,1\n1,nan\n", "line 2, column 2"},
                {"cat,1\n\"d\no\ng\",2\nowl,x\n", "line 5, column 2"},
                {"0,1\n\n", "line 2, column 1: expected a key"},
                {"0,1,2\n", "line 1, column 3: expected two columns"},
                {"\"0,1\n", "line 1, column 1: expected a closing quote"},
                {"0,1\n\xff,2\n", "line 2, column 1: expected valid UTF-8"}};
    struct files f;
    make(&f, "", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_write_file(f.a, rows[i].text);
        PBY_REFUSED(2, rows[i].told, NULL, "accuracy", "--between", f.a, f.a);
    }
    pby_folder_remove(f.folder);
}
