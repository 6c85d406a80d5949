/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/cli/run.h"

/* claims: Flex/Remark 4 */
Test(cli_separator, it_is_exact)
{
    const char *points = "key,count\n0.5 0.5 0,10\n1.5 3.5 0,4\n4.5 1.5 5,7\n1 1 5,0\n6.5 6.5 5,2\n";
    const pby_run *run = PBY_RUN(points, "stat", "separator");
    cr_assert_eq(run->status, 0);
    cr_assert(claims_is(
        CLAIMS_ALL, strcmp(run->out, "first       0\nsecond      5\nnormal      -3.3 1.1\nlevel       -7.15\n"
                                     "margin      [3.47850542, 3.47850543]\n") == 0));
    run = PBY_RUN(points, "stat", "separator", "--json");
    cr_assert_str_eq(run->out,
                     "{\"statistic\": \"separator\", \"first\": \"0\", \"second\": \"5\", \"normal\": "
                     "[\"-3.3\", \"1.1\"], \"level\": \"-7.15\", \"margin\": {\"lo\": "
                     "\"3.47850542\", \"hi\": \"3.47850543\"}}\n");
}

/* The smaller label is the first, in whatever order they come. */
Test(cli_separator, labels_are_in_order)
{
    const pby_run *run = PBY_RUN("5 7,1\n1 3,1\n2 3,1\n", "stat", "separator");
    cr_assert_str_eq(run->out,
                     "first       3\nsecond      7\nnormal      -3\nlevel       -10.5\nmargin      3\n");
}

Test(cli_separator, none_is_an_answer)
{
    const pby_run *run = PBY_RUN("1 0,2\n1 1,3\n", "stat", "separator");
    cr_assert_eq(run->status, 0);
    cr_assert_str_eq(run->out, "first       0\nsecond      1\nseparator   none, because the hulls meet\n"
                               "margin      0\n");
    run = PBY_RUN("1 0,2\n", "stat", "separator", "--json");
    cr_assert_str_eq(run->out,
                     "{\"statistic\": \"separator\", \"normal\": null, \"level\": null, \"margin\": null}\n");
    run = PBY_RUN("", "stat", "separator");
    cr_assert_str_eq(run->out, "separator   none, because fewer than two labels occur\n");
}

Test(cli_separator, refusals)
{
    PBY_REFUSED(2, "keys: expected coordinates and a label", "1,2\n", "stat", "separator");
    PBY_REFUSED(2, "keys: expected coordinates and a label", "1 0,2\n1 1 0,2\n", "stat", "separator");
    PBY_REFUSED(2, "keys: expected at most two labels", "1 0,2\n1 1,2\n1 2,2\n", "stat", "separator");
    PBY_REFUSED(2, "keys: expected points of numbers", "1 x,2\n", "stat", "separator");
    PBY_REFUSED(2, "--k '3': expected no such option for separator", "1 0,2\n", "stat", "separator", "--k",
                "3");
}
