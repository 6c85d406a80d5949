/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

static const char answers[] = "answer\n1\n0\n1\n1\n\"0\"\n1\n1\n0\n";

Test(cli_estimate, prints_estimate_interval_and_variance)
{
    const pby_run *r = PBY_RUN(answers, "estimate", "rr:odds=3");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "mechanism   rr:odds=3\n"
                             "reports     8\n"
                             "error       0.05\n"
                             "\n"
                             "truth       1\n"
                             "reports     5\n"
                             "estimate    0.75  unbiased\n"
                             "interval    [0, 1]  of these users\n"
                             "population  [0, 1]  of which they are a random sample\n"
                             "variance    0.09375  of the estimate, in this interval\n"
                             "  at most   0.09375  over all truths\n"
                             "  at least  0.09375\n");
}

Test(cli_estimate, answers_of_k_values_in_json)
{
    const pby_run *r =
        PBY_RUN("0\n2\n2\n", "estimate", "krr:eps=1,k=3", "-", "--json", "--error", "1e-3", "--digits=3");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "{\"mechanism\": \"krr:eps=1,k=3\", \"reports\": 3, \"error\": "
                                      "\"0.001\", \"estimates\": [{\"truth\": \"0\", \"reports\": 1, "),
                       "%s", r->out);
    cr_assert_not_null(strstr(r->out, "{\"truth\": \"2\", \"reports\": 2, "), "%s", r->out);
}

Test(cli_estimate, refuses_bad_input)
{
    PBY_REFUSED(2, "estimate: expected a SPEC", NULL, "estimate");
    PBY_REFUSED(2, "one SPEC and one file", NULL, "estimate", "rr:eps=1", "a", "b");
    PBY_REFUSED(2, "line 2", "1\n2\n", "estimate", "rr:eps=1");
    PBY_REFUSED(2, "a report of krr, a whole number from 0 to 2", "3\n", "estimate", "krr:eps=1,k=3");
    PBY_REFUSED(2, "at least 1 report", "", "estimate", "rr:eps=1");
    PBY_REFUSED(2, "--error '1': expected a rational above 0 and below 1", "1\n", "estimate", "rr:eps=1",
                "--error", "1");
    PBY_REFUSED(2, "reports to estimate from", "1\n", "estimate", "geometric:eps=1");
    PBY_REFUSED(2, "one mechanism, used once", "1\n", "estimate", "2*rr:eps=1");
    PBY_REFUSED(2, "--digits", "1\n", "estimate", "rr:eps=1", "--digits", "0");
    PBY_REFUSED(2, "no-such-file", NULL, "estimate", "rr:eps=1", "no-such-file");
}

/* The first and the third bit of four speak for "2" and "0": exact numbers by hand. */
Test(cli_estimate, shares_of_candidates)
{
    char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(file, folder, "candidates");
    FILE *f = fopen(file, "w");
    cr_assert_not_null(f);
    fputs("2\r\n0\n", f);
    fclose(f);
    const pby_run *r = PBY_RUN("1000\n0010\n0010\n0111\n", "estimate", "rappor:bits=4,f=1/2,reports=1",
                               "--candidates", file, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(
        strstr(r->out, "\"truth\": \"2\", \"reports\": 4, \"estimate\": {\"lo\": \"1\", \"hi\": \"1\"}"),
        "%s", r->out);
    cr_assert_not_null(
        strstr(r->out, "\"truth\": \"0\", \"reports\": 4, \"estimate\": {\"lo\": \"0\", \"hi\": \"0\"}"),
        "%s", r->out);
    PBY_REFUSED(2, "candidate '2'", "10\n", "estimate", "rappor:bits=2,f=1/2,reports=1", "--candidates",
                file);
    PBY_REFUSED(2, "4 characters 0 or 1", "10\n", "estimate", "rappor:bits=4,f=1/2,reports=1", "--candidates",
                file);
    pby_folder_remove(folder);
}
