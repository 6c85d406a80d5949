/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

/* Panel 2 has one data set, whatever the seed: BNS and stlap find the 50th bar, which is flexibly right. */
Test(cli_experiment, a_panel_in_small)
{
    const pby_run *run = PBY_RUN(NULL, "experiment", "figure4", "--panel", "2", "--sets", "1");
    cr_assert_eq(run->status, 0);
    cr_assert_not_null(strstr(run->out, "panel 2     max, two steps\n"));
    cr_assert_not_null(
        strstr(run->out, "stlap         50.00  50.00  50.00  50.00  50.00  50.00  50.00  50.00\n"));
    cr_assert_not_null(
        strstr(run->out, "               0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00  flexible\n"));
}

Test(cli_experiment, refusals)
{
    PBY_REFUSED(2, "experiment: expected central, figure1 or figure4", NULL, "experiment");
    PBY_REFUSED(2, "EXPERIMENT 'figure5': expected central, figure1 or figure4", NULL, "experiment",
                "figure5");
    PBY_REFUSED(2, "--panel '7': expected an integer from 1 to 6", NULL, "experiment", "figure4", "--panel",
                "7");
    PBY_REFUSED(2, "--tuning 'worst': expected best or cited", NULL, "experiment", "figure4", "--tuning",
                "worst");
    PBY_REFUSED(2, "--sets '0': expected an integer from 1 to 10000", NULL, "experiment", "figure4", "--sets",
                "0");
    PBY_REFUSED(2, "--seed '12': expected 64 hexadecimal digits", NULL, "experiment", "figure4", "--seed",
                "12");
    PBY_REFUSED(2, "-o '/no/such': expected a folder that exists", NULL, "experiment", "figure4", "-o",
                "/no/such");
}
