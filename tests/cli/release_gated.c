/* SPDX-License-Identifier: MIT */
/* Counts on a rational grid, bars that are kept by a utility, and bars of a public list.
 *
 * The releases are unseeded; noise other than 0 has a chance below 1e-20 of a bar, so the output is known. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], data[PBY_PATH_SIZE], list[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(data, folder, "data.csv");
    pby_folder_path(list, folder, "list.csv");
    pby_write_file(data, "word,n,score\na,1.5,10\nb,2,0\nc,100,60\n");
    pby_write_file(list, "b\nz\n");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_release_gated, .init = setup, .fini = teardown);

static void gives(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, text);
}

/* T is in steps: 100 are 200 halves, and 2 are 4. */
Test(cli_release_gated, a_step_makes_counts_of_values)
{
    gives(PBY_RUN(NULL, "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n", "--step",
                  "1/2", "--quiet"),
          "word,count\na,1.5\nb,2\nc,100\n");
    gives(PBY_RUN(NULL, "release", "threshold:eps=50,T=4", data, "--keys", "word", "--counts", "n", "--step",
                  "1/2", "--quiet"),
          "key,count\nb,2\nc,100\n");
    gives(PBY_RUN(NULL, "release", "threshold:eps=50,T=5", data, "--keys", "word", "--counts", "n", "--step",
                  "1/2", "--quiet"),
          "key,count\nc,100\n");
}

/* 3e0, 1/2 and 0.25 are 12, 2 and 1 quarters; 2^63 - 1 steps are the most. */
Test(cli_release_gated, the_ends_of_a_step)
{
    pby_write_file(data, "word,n\na,3e0\nb,1/2\nc,0.25\n");
    gives(PBY_RUN(NULL, "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n", "--step",
                  "1/4", "--quiet"),
          "word,count\na,3\nb,0.5\nc,0.25\n");
    pby_write_file(data, "word,n\na,0\nb,1e-30\n");
    gives(PBY_RUN(NULL, "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n", "--step",
                  "1e-30", "--quiet"),
          "word,count\na,0\nb,0.000000000000000000000000000001\n");
    pby_write_file(data, "word,n\na,9223372036854775808\n");
    PBY_REFUSED(2, "line 2, column 2: expected a multiple of the step, 0 or more, below 2^63 steps", NULL,
                "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n", "--step", "1");
}

/* L is in steps, the ends of an interval are in the values of the column. */
Test(cli_release_gated, an_interval_on_a_step)
{
    pby_write_file(data, "word,n\na,1.5\nb,20\n");
    gives(PBY_RUN(NULL, "release", "range:eps=50,L=4", data, "--keys", "word", "--counts", "n", "--step",
                  "1/2", "--quiet"),
          "word,low,high\na,-0.5,3.5\nb,18,22\n");
    gives(PBY_RUN(NULL, "release", "threshold:eps=50,T=10,sensitivity=2", "range:eps=50,L=4,sensitivity=2",
                  data, "--keys", "word", "--counts", "n", "--step", "1/2", "--quiet"),
          "key,low,high\nb,18,22\n");
}

Test(cli_release_gated, refusals_of_a_step)
{
    static const char multiple[] = "line 2, column 2: expected a multiple of the step, 0 or more";
    PBY_REFUSED(2, multiple, NULL, "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n",
                "--step", "1/3");
    PBY_REFUSED(2, "--step '0': expected a rational above 0", NULL, "release", "geometric:eps=50", data,
                "--keys", "word", "--counts", "n", "--step", "0");
    PBY_REFUSED(2, "--step 'half': expected a rational", NULL, "release", "geometric:eps=50", data, "--keys",
                "word", "--counts", "n", "--step", "half");
    PBY_REFUSED(2, "--step: expected --counts beside it", NULL, "release", "geometric:eps=50", data, "--step",
                "1/2");
    PBY_REFUSED(2, "--step '0.5': expected a mechanism of counts or ranges with a sensitivity", NULL,
                "release", "stlap:eps=50,q=4", data, "--keys", "word", "--counts", "n", "--step", "1/2");
    pby_write_file(data, "word,n\na,-1\n");
    PBY_REFUSED(2, multiple, NULL, "release", "geometric:eps=50", data, "--keys", "word", "--counts", "n",
                "--step", "1");
}

/* c has a utility above T, a and b have not; b stands on the list, and so does z, which the data lack. */
Test(cli_release_gated, a_utility_keeps_bars_and_a_list_does)
{
    static const char spec[] = "threshold:eps=50,T=40,sensitivity=3,of=utility";
    gives(PBY_RUN(NULL, "release", spec, "geometric:eps=50", data, "--keys", "word", "--counts", "n",
                  "--utility", "score", "--step", "1/2", "--quiet"),
          "key,count\nc,100\n");
    gives(PBY_RUN(NULL, "release", spec, "geometric:eps=50", data, "--keys", "word", "--counts", "n",
                  "--utility", "score", "--step", "1/2", "--keep", list, "--quiet"),
          "key,count\nb,2\nc,100\nz,0\n");
    gives(PBY_RUN(NULL, "release", "threshold:eps=50,T=100", data, "--keys", "word", "--counts", "n",
                  "--step", "1/2", "--keep", list, "--quiet"),
          "key,count\nb,2\nc,100\nz,0\n");
}

Test(cli_release_gated, refusals_of_a_utility_and_a_list)
{
    static const char spec[] = "threshold:eps=50,T=40,of=utility";
    PBY_REFUSED(2, "--utility: expected the column", NULL, "release", spec, "geometric:eps=50", data,
                "--keys", "word", "--counts", "n", "--step", "1/2");
    PBY_REFUSED(2, "--utility 'score': expected a threshold with of=utility", NULL, "release",
                "threshold:eps=50,T=40", data, "--keys", "word", "--counts", "n", "--utility", "score",
                "--step", "1/2");
    PBY_REFUSED(2, "--utility", NULL, "release", spec, "geometric:eps=50", data, "--keys", "word", "--counts",
                "n", "--utility", "none", "--step", "1/2");
    PBY_REFUSED(2, "expected a threshold of the rows KEY,COUNT", NULL, "release", "geometric:eps=50", data,
                "--keys", "word", "--counts", "n", "--step", "1/2", "--keep", list);
    PBY_REFUSED(2, "expected a public table, not the data themselves", NULL, "release",
                "threshold:eps=50,T=40", data, "--keys", "word", "--counts", "n", "--step", "1/2", "--keep",
                data);
    pby_write_file(data, "word,n,score\na,1,-1\n");
    PBY_REFUSED(2, "line 2, column 3: expected", NULL, "release", spec, "geometric:eps=50", data, "--keys",
                "word", "--counts", "n", "--utility", "score");
}
