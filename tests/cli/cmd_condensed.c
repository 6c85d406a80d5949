/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], metric[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(metric, folder, "metric.csv");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_condensed, .init = setup, .fini = teardown);

static const char channel[] = "input,a,b\n0,2/3,1/3\n1,1/2,1/2\n3,1/3,2/3\n";

Test(cli_condensed, a_channel_and_a_metric)
{
    const pby_run *run = PBY_RUN(channel, "condensed", "-", "--metric", "line");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "alpha       [0.405465108, 0.405465109]  the least for which it is private\n"
                               "worst       inputs '1' and '0', output 'b'\n");
    run = PBY_RUN(channel, "condensed", "-", "--metric", "discrete", "--json");
    cr_assert_str_eq(run->out,
                     "{\"alpha\": {\"lo\": \"0.69314718\", \"hi\": \"0.693147181\"}, \"worst\": {\"x\": "
                     "\"0\", \"y\": \"3\", \"output\": \"a\"}}\n");
    pby_write_file(metric, ",3,1,0\n3,0,1,9\n1,1,0,5\n0,9,5,0\n");
    run = PBY_RUN(channel, "condensed", "-", "--metric", metric, "--alpha", "2/5", "--digits", "4");
    cr_assert_eq(run->status, 1);
    cr_assert_str_eq(run->out, "alpha       [0.4054, 0.4055]  the least for which it is private\n"
                               "worst       inputs '1' and '3', output 'a'\nverdict     violated\n");
    cr_assert_str_eq(run->err, "probity: not private at alpha 2/5\n");
    run = PBY_RUN(channel, "condensed", "-", "--metric", metric, "--alpha", "0.41");
    cr_assert(run->status == 0 && strstr(run->out, "verdict     it holds\n") != NULL);
}

/* Geometric noise on the integers is private at its rate; clipped noise at no alpha. */
Test(cli_condensed, a_mechanism)
{
    const pby_run *run =
        PBY_RUN(NULL, "condensed", "geometric:eps=1/2", "--distance", "12", "--alpha", "1/2");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "alpha       0.5  the least for which it is private\nworst       inputs at "
                               "distance 1\nverdict     it holds\n");
    run = PBY_RUN(NULL, "condensed", "tgeometric:eps=1/2,bound=9", "--json");
    cr_assert(strstr(run->out, "\"lo\": \"inf\"") != NULL, "%s", run->out);
    run = PBY_RUN(NULL, "condensed", "krr:eps=1,k=4", "--alpha", "0.99");
    cr_assert_eq(run->status, 1);
    PBY_REFUSED(2, "--distance '2': expected 1 of a local mechanism", NULL, "condensed", "krr:eps=1,k=4",
                "--distance", "2");
}

Test(cli_condensed, refusals)
{
    PBY_REFUSED(2, "condensed: expected the table of a channel", NULL, "condensed");
    PBY_REFUSED(2, "condensed: expected --metric line", channel, "condensed", "-");
    PBY_REFUSED(2, "--metric 'line': expected a channel whose inputs are numbers", "i,a\nx,1\n", "condensed",
                "-", "--metric", "line");
    PBY_REFUSED(2, "--metric 'line': expected a channel", NULL, "condensed", "geometric:eps=1", "--metric",
                "line");
    PBY_REFUSED(2, "--distance '3': expected a mechanism", channel, "condensed", "-", "--distance", "3");
    PBY_REFUSED(2, "--alpha '-1': expected a rational from 0 on", channel, "condensed", "-", "--alpha", "-1",
                "--metric", "line");
    PBY_REFUSED(2, "line 3, column 3: expected as many columns as the first line has", "i,a,b\nx,1,0\ny,1\n",
                "condensed", "-", "--metric", "discrete");
    PBY_REFUSED(2, "line 3, column 1: expected a name that occurs once", "i,a,b\nx,1,0\nx,0,1\n", "condensed",
                "-", "--metric", "discrete");
    PBY_REFUSED(2, "line 2, column 3: expected a rational", "i,a,b\nx,1,z\n", "condensed", "-", "--metric",
                "discrete");
    PBY_REFUSED(2, "line 1, column 2: expected a column beside", "i\nx\n", "condensed", "-", "--metric",
                "discrete");
    PBY_REFUSED(2, "input 1: expected chances that add up to 1", "i,a,b\nx,1,1\n", "condensed", "-",
                "--metric", "discrete");
    pby_write_file(metric, ",0,1\n0,0,1\n1,1,0\n");
    PBY_REFUSED(2, "expected a row and a column for every input of the channel", channel, "condensed", "-",
                "--metric", metric);
}
