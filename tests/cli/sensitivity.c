/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/cli/run.h"

static const char laws[] = "records,0,1,2\nnone,1,0,0\none,1/2,1/4,1/4\ntwo,0,1/2,1/2\n";

Test(cli_sensitivity, of_a_table)
{
    const pby_run *run = PBY_RUN(laws, "accuracy", "--sensitivity", "-", "--neighbours", "next");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out,
                     "theta       0\npairs       2\nsensitivity 2\nworst       inputs 'none' and 'one'\n");
    run = PBY_RUN(laws, "accuracy", "--sensitivity", "-", "--theta", "1/4", "--neighbours", "next", "--json");
    cr_assert_str_eq(run->out,
                     "{\"theta\": \"0.25\", \"pairs\": 2, \"sensitivity\": \"1\", \"worst\": {\"x\": "
                     "\"none\", \"y\": \"one\"}}\n");
    run = PBY_RUN(laws, "accuracy", "--sensitivity", "-", "--theta", "1/4");
    cr_assert_str_eq(run->out,
                     "theta       0.25\npairs       3\nsensitivity 2\nworst       inputs 'none' and 'two'\n");
    run = PBY_RUN("a,0,1\nx,1,0\n", "accuracy", "--sensitivity", "-");
    cr_assert_str_eq(run->out, "theta       0\npairs       0\nsensitivity 0\n");
}

Test(cli_sensitivity, refusals)
{
    PBY_REFUSED(2, "accuracy --sensitivity: expected a table of laws", NULL, "accuracy", "--sensitivity");
    PBY_REFUSED(2, "--theta '1': expected a rational from 0 on, below 1", laws, "accuracy", "--sensitivity",
                "-", "--theta", "1");
    PBY_REFUSED(2, "--neighbours '-': expected standard input once", laws, "accuracy", "--sensitivity", "-",
                "--neighbours", "-");
    PBY_REFUSED(2, "--theta '1/2': expected it with --sensitivity", NULL, "accuracy", "geometric:eps=1",
                "--theta", "1/2");
    PBY_REFUSED(2, "--gamma '1/2': expected it without --sensitivity", laws, "accuracy", "--sensitivity", "-",
                "--gamma", "1/2");
    PBY_REFUSED(2, "laws 'standard input': expected lines whose chances add up to 1", "a,0,1\nx,1/2,1/3\n",
                "accuracy", "--sensitivity", "-");
    PBY_REFUSED(2, "laws 'standard input': expected chances from 0 on", "a,0,1\nx,3/2,-1/2\n", "accuracy",
                "--sensitivity", "-");
    PBY_REFUSED(2, "laws 'standard input': expected a first line of answers, all numbers", "a,0,b\nx,1,0\n",
                "accuracy", "--sensitivity", "-");
}
