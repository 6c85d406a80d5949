/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/cli/run.h"

static void expect(const char *out, const char *input, const char *const *arguments)
{
    const pby_run *run = pby_run_command(input, arguments);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, out);
}

#define STAT(out, input, ...) expect(out, input, PBY_ARGUMENTS("stat", __VA_ARGS__))

static const char numbers[] = "at,count\n10,3\n9.5,0\n-2,9\n1e0,1\n";
static const char names[] = "red,3\ngreen,0\n\"blue, dark\",9\nblack,1\nwhite,0\n";

Test(cli_stat, numbers_are_positions)
{
    STAT("10\n", numbers, "max");
    STAT("-2\n", numbers, "min");
    STAT("12\n", numbers, "range");
    STAT("-2\n1e0\n10\n", numbers, "support");
    STAT("-2\n", numbers, "mode");
    STAT("-2\n", numbers, "median");
    STAT("1e0\n", numbers, "quantile", "--q", "10/13");
    STAT("10\n", numbers, "quantile", "--q=0.77");
    STAT("10\n", numbers, "max_k", "--k", "3");
    STAT("-2\n", numbers, "max_k", "--k", "4");
    STAT("-2\n", numbers, "min_k", "--k", "2");
    STAT("1.25\n", "0.5,1\n1.75,2\n", "range");
}

Test(cli_stat, other_keys_stand_in_the_order_of_the_rows)
{
    STAT("black\n", names, "max");
    STAT("red\n", names, "min");
    STAT("3\n", names, "range");
    STAT("red\n\"blue, dark\"\nblack\n", names, "support");
    STAT("\"blue, dark\"\n", names, "median");
    STAT("2\n", "2,1\n10,0\nx,0\n", "max"); /* one word makes words of them all */
}

/* Each line is one bar, whatever its name, and no name is taken for none. */
Test(cli_stat, names_are_quoted_as_in_csv)
{
    STAT("\"none\"\n", "none,1\n", "max");
    STAT("\"\"\n", ",1\n", "max");
    STAT("\"a\nb\"\n\"c\"\"d\"\nnone at all\n", "\"a\nb\",1\n\"c\"\"d\",1\nnone at all,1\n", "support");
    STAT("{\"statistic\": \"max\", \"order\": \"rows\", \"value\": \"none\"}\n", "none,1\n", "max", "--json");
}

/* An order that may surprise is told, and one that hangs on what cannot be read is refused. */
Test(cli_stat, which_order)
{
    const pby_run *r = PBY_RUN("2,1\n10,1\nx,1\n", "stat", "range");
    cr_assert(r->status == 0 && strstr(r->err, "the bars stand in the order of the rows") != NULL, "%s",
              r->err);
    cr_assert_str_eq(r->out, "2\n");
    cr_assert_str_empty(PBY_RUN("2,1\n10,1\n", "stat", "range")->err);
    cr_assert_str_empty(PBY_RUN("x,1\ny,1\n", "stat", "range")->err);
    cr_assert_str_empty(PBY_RUN("2,1\nx,1\n", "stat", "support")->err);
    PBY_REFUSED(2, "line 1, column 1: expected a number of at most 4096 digits", "1e99999,5\n2,5\n", "stat",
                "range");
    PBY_REFUSED(2, "line 2, column 1", "2,5\n1e99999,5\n", "stat", "support");
    STAT("2\n", "2,5\n1e99999,5\nx,5\n", "range");
}

Test(cli_stat, only_a_rank_needs_the_sum)
{
    STAT("b\n", "a,9223372036854775807\nb,1\n", "max");
    STAT("a\n", "a,9223372036854775807\nb,1\n", "mode");
    PBY_REFUSED(2, "counts: expected a sum", "a,9223372036854775807\nb,1\n", "stat", "quantile", "--q",
                "1/2");
}

Test(cli_stat, what_is_not_there_is_none)
{
    STAT("none\n", "1,0\n2,0\n", "max");
    STAT("none\n", "1,0\n2,0\n", "mode");
    STAT("none\n", "1,0\n2,0\n", "range");
    STAT("none\n", "", "median");
    STAT("none\n", "1,0\n", "support");
    STAT("none\n", "1,5\n", "max_k", "--k", "6");
    STAT("{\"statistic\": \"max\", \"order\": \"numbers\", \"value\": null}\n", "1,0\n", "max", "--json");
    STAT("{\"statistic\": \"support\", \"order\": \"numbers\", \"value\": []}\n", "1,0\n", "support",
         "--json");
}

Test(cli_stat, json)
{
    STAT("{\"statistic\": \"max_k\", \"k\": \"3\", \"order\": \"rows\", \"value\": \"blue, dark\"}\n", names,
         "max_k", "--k", "3", "--json");
    STAT("{\"statistic\": \"quantile\", \"q\": \"1/2\", \"order\": \"numbers\", \"value\": \"-2\"}\n",
         numbers, "quantile", "--q", "1/2", "--json");
    STAT("{\"statistic\": \"support\", \"order\": \"rows\", "
         "\"value\": [\"red\", \"blue, dark\", \"black\"]}\n",
         names, "support", "--json");
}

Test(cli_stat, refusals)
{
    PBY_REFUSED(2, "stat: expected the NAME", "1,1\n", "stat");
    PBY_REFUSED(2, "statistic 'mean'", "1,1\n", "stat", "mean");
    PBY_REFUSED(2, "k: expected a number of records", "1,1\n", "stat", "max_k");
    PBY_REFUSED(2, "k '0'", "1,1\n", "stat", "max_k", "--k", "0");
    PBY_REFUSED(2, "q '3/2'", "1,1\n", "stat", "quantile", "--q", "3/2");
    PBY_REFUSED(2, "q '1/2'", "1,1\n", "stat", "max", "--q", "1/2");
    PBY_REFUSED(2, "line 2, column 2", "1,1\n2,-\n", "stat", "max");
    PBY_REFUSED(2, "line 2, column 2", "1,1\n2,9223372036854775808\n", "stat", "max");
    PBY_REFUSED(2, "line 3, column 1", "1,1\n2,1\n1.0,4\n", "stat", "max");
    PBY_REFUSED(2, "line 3, column 1", "a,1\nb,1\na,4\n", "stat", "max");
    PBY_REFUSED(2, "line 2", "1,1\n2\n", "stat", "max");
    PBY_REFUSED(2, "counts: expected a sum", "1,9223372036854775807\n2,1\n", "stat", "median");
    PBY_REFUSED(2, "file '/nonexistent.csv'", NULL, "stat", "max", "/nonexistent.csv");
    PBY_REFUSED(2, "argument 'c'", NULL, "stat", "max", "b", "c");
}

/* Two numbers with a space between are a point of the plane; a name with a space is a name. */
Test(cli_stat, points_of_several_coordinates_have_no_order)
{
    static const char points[] = "centre,count\n0.5 0.5,499\n0.5 9.5,498\n";
    static const char *const ordered[] = {"max", "min", "range", "median"};
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
        PBY_REFUSED(2, "expected support or mode: points of several coordinates", points, "stat", ordered[i]);
    PBY_REFUSED(2, "statistic 'max_k'", points, "stat", "max_k", "--k", "2");
    PBY_REFUSED(2, "statistic 'quantile'", points, "stat", "quantile", "--q", "1/3");
    cr_assert_str_eq(PBY_RUN(points, "stat", "mode")->out, "0.5 0.5\n");
    cr_assert_str_eq(PBY_RUN(points, "stat", "support")->out, "0.5 0.5\n0.5 9.5\n");
    cr_assert_str_eq(PBY_RUN("0.5 0.5,499\nnew york,3\n", "stat", "max")->out, "new york\n");
    cr_assert_str_eq(PBY_RUN("", "stat", "max")->out, "none\n");
}

/* Geometric noise makes counts below 0: such a bar is empty. */
Test(cli_stat, a_count_below_zero_holds_nothing)
{
    cr_assert_str_eq(PBY_RUN("1,-5\n2,3\n3,\"-9223372036854775807\"\n", "stat", "support")->out, "2\n");
    cr_assert_str_eq(PBY_RUN("1,-5\n", "stat", "max")->out, "none\n");
    cr_assert_str_eq(PBY_RUN("1,-9223372036854775808\n2,1\n", "stat", "max")->out, "2\n");
    PBY_REFUSED(2, "column 2: expected a whole number from -9223372036854775808 to",
                "1,-9223372036854775809\n", "stat", "max");
    PBY_REFUSED(2, "column 2", "1,--5\n", "stat", "max");
    PBY_REFUSED(2, "column 2", "1,-\n", "stat", "max");
    PBY_REFUSED(2, "column 2", "1,5-\n", "stat", "max");
}

static const char people[] = "name,zip,sex,ill\nA,1,f,no\nB,1,f,yes\nC,2,m,no\nD,2,f,no\nE,2,f,no\n";

Test(cli_stat, anonymity)
{
    STAT("anonymity   1\nrecords     5\nclasses     3\n  of 1      1\n  of 2      2\n"
         "private     no: these numbers describe the records, and k-anonymity is no privacy guarantee\n",
         people, "anonymity", "--quasi", "zip,sex");
    STAT("{\"statistic\": \"anonymity\", \"quasi\": [\"zip\"], \"value\": 2, \"records\": 5, \"classes\": 2, "
         "\"sizes\": [{\"records\": 2, \"classes\": 1}, {\"records\": 3, \"classes\": 1}], "
         "\"private\": false}\n",
         people, "anonymity", "-", "--quasi=zip", "--k", "2", "--json");
    STAT(
        "{\"statistic\": \"anonymity\", \"quasi\": [\"x\"], \"value\": null, \"records\": 0, \"classes\": 0, "
        "\"sizes\": [], \"private\": false}\n",
        "x\n", "anonymity", "--quasi=x", "--k=9", "--json");
}

Test(cli_stat, a_table_that_is_not_anonymous_enough)
{
    const pby_run *run = PBY_RUN(people, "stat", "anonymity", "--quasi", "zip", "--k", "3");
    cr_assert_eq(run->status, 1);
    cr_assert(strncmp(run->out, "anonymity   2\n", 14) == 0, "%s", run->out);
    cr_assert_str_eq(run->err, "probity: not 3-anonymous\n");
}

Test(cli_stat, anonymity_needs_its_columns)
{
    PBY_REFUSED(2, "anonymity: expected --quasi COLUMN,...", people, "stat", "anonymity");
    PBY_REFUSED(2, "--quasi 'zap': expected the name of a column in the first line", people, "stat",
                "anonymity", "--quasi", "zap");
    PBY_REFUSED(2, "--k '0': expected", people, "stat", "anonymity", "--quasi", "zip", "--k", "0");
    PBY_REFUSED(2, "--q '1/2': expected no such option for anonymity", people, "stat", "anonymity", "--quasi",
                "zip", "--q", "1/2");
    PBY_REFUSED(2, "--quasi 'zip': expected it with anonymity alone", "a,1\n", "stat", "max", "--quasi",
                "zip");
}
