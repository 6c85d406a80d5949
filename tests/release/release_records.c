/* SPDX-License-Identifier: MIT */
#include "release/direction.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

/* ---- a direction -------------------------------------------------------------------------------- */

Test(release_records, a_direction_is_integers_between_commas)
{
    static const char *const wrong[] = {"",   "0,0", "1,",          "1,,2", ",1",         "1 2", "+1", "1.5",
                                        "0x", "a",   "99999999999", "1,2,", "2147483649", " 1",  "--1"};
    pby_project p;
    pby_error err;
    cr_assert_eq(pby_project_parse(&p, "along", "3,-2,0", &err), PBY_OK, "%s", err.text);
    cr_assert(p.dimension == 3 && p.factor[0] == 3 && p.factor[1] == -2 && p.factor[2] == 0);
    cr_assert_eq(pby_project_parse(&p, "along", "-2147483648", &err), PBY_OK, "%s", err.text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_eq(pby_project_parse(&p, "along", wrong[i], &err), PBY_BAD, "%s", wrong[i]);
}

/* ---- the command -------------------------------------------------------------------------------- */

#define NUMBERS  "fbquantile:eps=1000,q=1/2,n=3,bound=100,low=-50"
#define THREE    "1\n2\n40\n"
#define PLANE    "depth:eps=1000,level=2,bound=9"
#define TRIANGLE "x,y\n0,0\n8,0\n0,8\n0,0\n8,0\n0,8\n"

Test(release_records, a_number_has_a_header_and_a_line)
{
    const pby_run *run = PBY_RUN(THREE, "release", NUMBERS, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "value\n2\n");
    run = PBY_RUN(THREE, "release", NUMBERS, "--quiet", "--json", "-n", "2");
    cr_assert_not_null(
        strstr(run->out, "\"release\": [{\"key\": \"2\"}, {\"key\": \"2\"}], \"spec\": \"2*fbq"), "%s",
        run->out);
}

/* 2 x - y of (1, 3), (5, 2), (0, 9): -1, 8, -9. */
Test(release_records, points_are_projected_on_a_direction)
{
    const pby_run *run = PBY_RUN("a,b\n1,3\n5,2\n0,9\n", "release", NUMBERS, "--quiet", "--along", "2,-1");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "value\n-1\n");
}

/* Every point of a triangle whose corners have two records each is of depth 2; others have less. */
Test(release_records, points_lie_in_the_body)
{
    const pby_run *run = PBY_RUN(TRIANGLE, "release", PLANE, "--quiet", "-n", "200");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_eq(strncmp(run->out, "x,y\n", 4), 0);
    const char *line = strchr(run->out, '\n') + 1;
    size_t lines = 0, corners = 0;
    for (; *line != '\0'; line = strchr(line, '\n') + 1, lines++) {
        int x, y;
        cr_assert_eq(sscanf(line, "%d,%d", &x, &y), 2);
        cr_assert(x >= 0 && y >= 0 && x + y <= 8, "%d,%d", x, y);
        corners += x + y == 8;
    }
    cr_assert_eq(lines, 200);
    cr_assert_gt(corners, 0);
}

/* Neighbours are not told apart by a refusal: no records, and records outside, have an answer. */
Test(release_records, empty_data_and_records_outside_are_answered)
{
    const pby_run *run = PBY_RUN("", "release", PLANE, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    run = PBY_RUN("x,y\n", "release", PLANE, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    run = PBY_RUN("1e30,-7\n-5,1/3\n", "release", PLANE, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    PBY_REFUSED(2, "data of n records", "1\n2\n", "release", NUMBERS);
    PBY_REFUSED(2, "data of n records", "", "release", NUMBERS);
}

Test(release_records, what_is_no_point_is_refused)
{
    PBY_REFUSED(2, "line 2, column 1: expected a number", "1,2\nx,3\n", "release", PLANE);
    PBY_REFUSED(2, "line 1, column 2: expected a comma and a coordinate", "1\n2\n", "release", PLANE);
    PBY_REFUSED(2, "line 2, column 3: expected the end of the line", "1,2\n1,2,3\n", "release", PLANE);
    PBY_REFUSED(2, "--along '1,x': expected up to 62 integers", THREE, "release", NUMBERS, "--along", "1,x");
    PBY_REFUSED(2, "--along '1,2': expected a mechanism that reads numbers", TRIANGLE, "release", PLANE,
                "--along", "1,2");
    PBY_REFUSED(2, "-n '0': expected an integer from 1 to 4096", TRIANGLE, "release", PLANE, "-n", "0");
    PBY_REFUSED(2, "one mechanism, used once", TRIANGLE, "release", "2*" PLANE, "-n", "3");
    PBY_REFUSED(2, "a timing-safe release", TRIANGLE, "release", PLANE, "--timing-safe");
    PBY_REFUSED(2, "--truncate: expected a mechanism that reads counts", TRIANGLE, "release", PLANE,
                "--truncate", "3");
    PBY_REFUSED(2, "a mechanism that reads KEY,COUNT", TRIANGLE, "release", PLANE, "--keys", "x");
}

/* Before any record is read. */
Test(release_records, a_grid_that_takes_too_long_is_refused_with_the_estimate)
{
    PBY_REFUSED(2, "2e10 steps, not 1e+15", NULL, "loss", "depth:eps=1,level=5,bound=4000", "--epsilon", "1");
    PBY_REFUSED(2, "at most 16777216 points", NULL, "loss", "depth:eps=1,level=5,bound=4097,directions=1",
                "--epsilon", "1");
    PBY_REFUSED(2, "a bound of at most 16777216", NULL, "loss", "fbquantile:eps=1,q=1/2,n=5,bound=16777217",
                "--epsilon", "1");
}

Test(release_records, parameters_that_do_not_go_together_are_refused)
{
    static const struct {
        const char *spec, *expected;
    } wrong[] = {
        {"depth:eps=1,bound=5", "level, or q and n"},
        {"depth:eps=1,bound=5,level=2,q=1/2", "level, or q and n"},
        {"depth:eps=1,bound=5,q=1/2,neighbours=substitute", "n beside q"},
        {"depth:eps=1,bound=5,level=2,n=9", "no n between add-remove neighbours"},
        {"depth:eps=1,bound=5,level=2,dimension=5", "a dimension of 2, 3 or 4"},
        {"depth:eps=1,bound=1,level=2", "a bound of at least 2"},
        {"depth:eps=1,bound=5,level=2,low=1/2", "a low that is an integer"},
        {"fbquantile:eps=1,q=1/2,n=5,bound=9,reach=1", "a step beside a reach"},
        {"fbquantile:eps=1,q=1/2,n=5,bound=9,step=1,reach=3", "a reach below ceil(q n)"},
        {"fbquantile:eps=1,q=1/2,n=5,bound=9,step=1,reach=1/2", "a reach that is an integer"},
        {"fbquantile:eps=1,q=1/2,n=5,bound=9,step=1,reach=1,cap=3", "a cap of at most reach + 1"},
        {"fbquantile:eps=1,q=0,n=5,bound=9", "a rational above 0, at most 1"},
        {"fbquantile:eps=1,q=1/2,n=5,bound=9,low=1e40", "a low that is an integer"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        PBY_REFUSED(2, wrong[i].expected, NULL, "loss", wrong[i].spec, "--epsilon", "1");
    PBY_REFUSED(2, "expected substitute, which fbquantile is about", NULL, "loss",
                "fbquantile:eps=1,q=1/2,n=5,bound=9", "--epsilon", "1", "--neighbours", "add-remove");
    PBY_REFUSED(2, "expected add-remove, which depth is about", NULL, "loss", "depth:eps=1,bound=5,level=2",
                "--epsilon", "1", "--neighbours", "substitute");
}

/* So many points cost as many uses, and what is not there is not spent. */
Test(release_records, a_ledger_charges_every_point)
{
    char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "points.ledger");
    const pby_run *run = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "3", "--delta", "0");
    cr_assert_eq(run->status, 0, "%s", run->err);
    run =
        PBY_RUN(TRIANGLE, "release", "depth:eps=1,level=2,bound=9", "-n", "2", "--ledger", ledger, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    run =
        PBY_RUN(TRIANGLE, "release", "depth:eps=1,level=2,bound=9", "-n", "2", "--ledger", ledger, "--quiet");
    cr_assert_eq(run->status, 1, "%s", run->err);
    cr_assert_str_eq(run->out, "");
    run = PBY_RUN(TRIANGLE, "release", "depth:eps=1,level=2,bound=9", "--ledger", ledger, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    pby_folder_remove(folder);
}

Test(release_records, accuracy_asks_for_a_law_as_a_whole)
{
    static const char spec[] = "fbquantile:eps=1,q=3/4,n=100,bound=100,step=2,reach=3";
    PBY_REFUSED(2, "expected this and", NULL, "accuracy", spec, "--beta", "3", "--density", "1/10");
    PBY_REFUSED(2, "2 reach step", NULL, "accuracy", spec, "--beta", "3", "--density", "1/100", "--within",
                "11");
    PBY_REFUSED(2, "no law has more above", NULL, "accuracy", spec, "--beta", "3", "--density", "1/40",
                "--within", "12");
    PBY_REFUSED(2, "expected a mechanism that is about typical data", NULL, "accuracy",
                "depth:eps=1,level=2,bound=9", "--beta", "3", "--density", "1/40", "--within", "12");
    PBY_REFUSED(2, "expected no records and no support", NULL, "accuracy", spec, "--beta", "3", "--n", "100");
    const pby_run *run =
        PBY_RUN(NULL, "accuracy", spec, "--beta", "3", "--density", "1/100", "--within", "12");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_not_null(strstr(run->out, "untypical"));
}
