/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

#define SQUARE "x,y\n0,0\n2,0\n0,2\n2,2\n1,1\n"

Test(cli_geometry, regions_have_exact_corners_and_a_steiner_point)
{
    const pby_run *run =
        PBY_RUN(SQUARE, "geometry", "--levels", "1,2", "--point", "5,1", "--direction", "1,1");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_not_null(strstr(run->out, "corners     (0, 0)\n            (2, 0)\n            (2, 2)\n"), "%s",
                       run->out);
    cr_assert_not_null(strstr(run->out, "support     4\n"));
    cr_assert_not_null(strstr(run->out, "nearest     (2, 1)\nits square  9\n"));
    cr_assert_not_null(strstr(run->out, "corners     (1, 1)\n"));
    cr_assert_not_null(strstr(run->out, "hausdorff^2 2\n"), "%s", run->out);
    run = PBY_RUN(SQUARE, "geometry", "--levels", "2,9", "--json");
    cr_assert_not_null(strstr(run->out, "\"corners\": [[\"1\", \"1\"]]"), "%s", run->out);
    cr_assert_not_null(strstr(run->out, "\"corners\": []"), "%s", run->out);
}

Test(cli_geometry, a_picture_appears_beside_the_answer)
{
    char folder[PBY_PATH_SIZE], svg[PBY_PATH_SIZE], samples[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(svg, folder, "regions.svg");
    pby_folder_path(samples, folder, "samples.csv");
    FILE *out = fopen(samples, "w");
    cr_assert(out != NULL && fputs("x,y\n1,1\n0,1\n", out) >= 0 && fclose(out) == 0);
    const pby_run *run = PBY_RUN(SQUARE, "geometry", "--levels", "1", "--svg", svg, "--samples", samples);
    cr_assert_eq(run->status, 0, "%s", run->err);
    char text[1 << 13] = "";
    FILE *in = fopen(svg, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    size_t circles = 0;
    for (const char *at = text; (at = strstr(at, "<circle")) != NULL; at++)
        circles++;
    cr_assert_eq(circles, 7);
    cr_assert(strstr(text, "<polygon") != NULL && strstr(text, "<path") != NULL &&
              strstr(text, "<title>depth 1</title>") != NULL && strstr(text, ">samples</tspan>") != NULL &&
              strstr(text, "</svg>") != NULL);
    pby_folder_remove(folder);
}

/* (1, 1) is 5/sqrt(13), less than 7/5, inside of 2 X + 3 Y >= 0; the others are at its border, and 1 and 2 of
 * 1/sqrt(13) outside. */
Test(cli_geometry, points_that_move_a_little_are_in_a_half_plane_or_not)
{
    static const char points[] = "x,y\n1,1\n3,-2\n1,-1\n-1,0\n";
    const pby_run *run = PBY_RUN(points, "geometry", "--halfplane", "2,3,0");
    cr_assert_str_eq(run->out, "points      4\ninside      2\nfewest      2\nmost        2\n", "%s",
                     run->err);
    run = PBY_RUN(points, "geometry", "--halfplane", "2,3,0", "--move", "1/2");
    cr_assert_str_eq(run->out, "points      4\ninside      2\nfewest      1\nmost        3\n");
    run = PBY_RUN(points, "geometry", "--halfplane", "2,3,0", "--move", "7/5", "--json");
    cr_assert_str_eq(run->out, "{\"points\": 4, \"inside\": 2, \"fewest\": 0, \"most\": 4}\n", "%s",
                     run->out);
}

/* [Flex] appendix B holds query by query: a point between two half-planes may be in either by a move, and in
 * both by none, as they have no point in common. */
Test(cli_geometry, one_move_does_not_serve_two_half_planes)
{
    static const char *const planes[] = {"0,1,1/10", "0,-1,1/10"};
    for (int i = 0; i < 2; i++) {
        const pby_run *run = PBY_RUN("1,0\n", "geometry", "--halfplane", planes[i], "--move", "1/10");
        cr_assert_str_eq(run->out, "points      1\ninside      0\nfewest      0\nmost        1\n");
    }
}

Test(cli_geometry, half_planes_that_are_none_are_refused)
{
    PBY_REFUSED(2, "--halfplane '0,0,1': expected A,B,C", "1,1\n", "geometry", "--halfplane", "0,0,1");
    PBY_REFUSED(2, "--halfplane '1,2': expected A,B,C", "1,1\n", "geometry", "--halfplane", "1,2");
    PBY_REFUSED(2, "--move '-1': expected how far", "1,1\n", "geometry", "--halfplane", "1,2,3", "--move",
                "-1");
    PBY_REFUSED(2, "it with --halfplane", "1,1\n", "geometry", "--levels", "1", "--move", "1");
    PBY_REFUSED(2, "it without --halfplane", "1,1\n", "geometry", "--levels", "1", "--halfplane", "1,2,3");
    PBY_REFUSED(2, "line 2", "1,1\n1,b\n", "geometry", "--halfplane", "1,2,3");
}

Test(cli_geometry, what_is_no_question_is_refused)
{
    PBY_REFUSED(2, "--levels: expected integers", SQUARE, "geometry");
    PBY_REFUSED(2, "--levels '0': expected up to 64", SQUARE, "geometry", "--levels", "0");
    PBY_REFUSED(2, "--levels '1,': expected up to 64", SQUARE, "geometry", "--levels", "1,");
    PBY_REFUSED(2, "--point '1': expected X,Y", SQUARE, "geometry", "--levels", "1", "--point", "1");
    PBY_REFUSED(2, "--direction 'x,1': expected X,Y", SQUARE, "geometry", "--levels", "1", "--direction",
                "x,1");
    PBY_REFUSED(2, "expected at least one point", "x,y\n", "geometry", "--levels", "1");
    PBY_REFUSED(2, "line 2, column 2: expected an integer", "1,1\n1,1/2\n", "geometry", "--levels", "1");
    PBY_REFUSED(2, "--svg beside it", SQUARE, "geometry", "--levels", "1", "--samples", "x.csv");
}
