/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=40"

static bool starts_with(const char *path, const char *bytes, size_t size)
{
    char start[16] = "";
    FILE *in = fopen(path, "rb");
    cr_assert_not_null(in, "%s is missing", path);
    const bool same = fread(start, 1, size, in) == size && memcmp(start, bytes, size) == 0;
    fclose(in);
    return same;
}

static bool holds(const char *path, const char *text)
{
    static char whole[1 << 20];
    FILE *in = fopen(path, "rb");
    cr_assert_not_null(in);
    whole[fread(whole, 1, sizeof whole - 1, in)] = '\0';
    fclose(in);
    return strstr(whole, text) != NULL;
}

Test(plot, svg_has_its_title_and_axes)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.svg");
    const pby_run *r = PBY_RUN(NULL, "loss", SPEC, "--plot", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->out);
    cr_assert(starts_with(path, "<?xml", 5));
    cr_assert(holds(path, SPEC) && holds(path, "ε") && holds(path, "δ, enclosed (add-remove neighbours)"));
    cr_assert(holds(path, "certified band"));
    cr_assert_eq(pby_folder_entries(folder), 1);
    pby_folder_remove(folder);
}

Test(plot, png_beside_the_csv)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.png");
    pby_write_file(path, "what was there before");
    const pby_run *r = PBY_RUN(NULL, "loss", "gauss:sigma2=1", "--profile", "0:40:21", "--plot", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "epsilon,delta_lo,delta_hi\n0,"));
    cr_assert(starts_with(path, "\x89PNG", 4));
    pby_folder_remove(folder);
}

/* From epsilon on delta is 0, which a logarithm cannot show: a line and words do. */
Test(plot, a_delta_of_zero_is_marked)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.svg");
    cr_assert_eq(PBY_RUN(NULL, "loss", "geometric:eps=1", "--plot", path)->status, 0);
    cr_assert(holds(path, "= 0 from"));
    cr_assert_eq(PBY_RUN(NULL, "loss", "pure:eps=1", "--profile", "2:3:5", "--plot", path)->status, 0);
    cr_assert(holds(path, "= 0 from"), "nothing but zeros");
    pby_folder_remove(folder);
}

Test(plot, a_band_that_stays_wider_says_so)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.svg");
    const pby_run *r = PBY_RUN(NULL, "loss", "3*dgauss:sigma2=1", "--profile", "0:1000:2", "--plot", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert(holds(path, "certified band, wider than asked for"));
    r = PBY_RUN(NULL, "loss", "3*dgauss:sigma2=1", "--profile", "0:10:2", "--plot", path);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert(holds(path, "certified band") && !holds(path, "wider"));
    pby_folder_remove(folder);
}

Test(plot, refusals)
{
    PBY_REFUSED(2, "--plot 'a.pdf': expected a file that ends in .svg or .png", NULL, "loss", SPEC, "--plot",
                "a.pdf");
    PBY_REFUSED(2, "--plot '.svg'", NULL, "loss", SPEC, "--plot", ".svg");
    PBY_REFUSED(2, "--plot 'a.svg': expected --profile", NULL, "loss", SPEC, "--epsilon", "1", "--plot",
                "a.svg");
}

/* Without gnuplot the command says which package it needs, before any work, and leaves no file. */
Test(plot, a_missing_gnuplot_is_named)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.svg");
    setenv("PATH", folder, 1);
    PBY_REFUSED(3, "gnuplot-nox", NULL, "loss", SPEC, "--plot", path);
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}

Test(plot, a_folder_that_is_not_there)
{
    PBY_REFUSED(2, "", NULL, "loss", SPEC, "--plot", "/nowhere/at/all/a.svg");
}
