/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

static const char data[] = "1,540\n2,500\n3,490\n4,0\n5,60\n6,1\n";

Test(cli_given, of_data)
{
    const pby_run *run = PBY_RUN(data, "accuracy", "stlap:eps=1/2,q=40", "--input", "-", "--statistic", "max",
                                 "--not-private", "--alpha", "1/200");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(
        run->out,
        "mechanism   stlap:eps=1/2,q=40\nstatistic   max\nwarning     not private: these numbers "
        "follow from the data and must stay secret like them\ntruth       6\nalpha       0.005\n"
        "gamma       0\nnone        5\nerror       [0.999993552, 0.999993553]  the mean distance from "
        "the truth\nflexible    0  the mean distance from an answer with records dropped, but for "
        "gamma\nbeta        0\nanswers     5 with chance [0.999993552, 0.999993553], explained\n");
    run = PBY_RUN(data, "accuracy", "stlap:eps=1/2,q=40", "--input", "-", "--statistic", "max_k", "--k",
                  "495", "--not-private", "--json", "--digits", "3");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert(strstr(run->out, "{\"answer\": null, \"lo\": \"0\", \"hi\": \"0\", \"explained\": false}") !=
                  NULL,
              "%s", run->out);
}

Test(cli_given, refusals)
{
    PBY_REFUSED(2, "--not-private: expected it", data, "accuracy", "stlap:eps=1/2,q=40", "--input", "-",
                "--statistic", "max");
    PBY_REFUSED(2, "--statistic: expected max", data, "accuracy", "stlap:eps=1/2,q=40", "--input", "-",
                "--not-private");
    PBY_REFUSED(2, "--not-private: expected it with --input", NULL, "accuracy", "stlap:eps=1/2,q=40",
                "--not-private");
    PBY_REFUSED(2, "--alpha '2': expected a rational from 0 to 1", data, "accuracy", "stlap:eps=1/2,q=40",
                "--input", "-", "--statistic", "max", "--not-private", "--alpha", "2");
    PBY_REFUSED(2, "--n '5': expected it without --input", data, "accuracy", "stlap:eps=1/2,q=40", "--input",
                "-", "--n", "5");
}
