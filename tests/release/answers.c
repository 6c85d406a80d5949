/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

/* At these odds a report differs from the truth with a chance below 1e-17. */
#define SURE "rr:eps=40"

Test(answers, a_column_in_and_a_column_out)
{
    const pby_run *r = PBY_RUN("smokes\n1\n0\n\"1\"\r\n0", "release", SURE);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "smokes\n1\n0\n1\n0\n");
    r = PBY_RUN("1\n0\n", "release", SURE, "--json");
    cr_assert_not_null(strstr(r->out, "\"release\": [1, 0]"), "%s", r->out);
    r = PBY_RUN("", "release", SURE);
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(r->out, "", "no users, no reports");
}

Test(answers, every_report_is_an_answer)
{
    const pby_run *r = PBY_RUN("2\n2\n2\n2\n2\n2\n2\n2\n", "release", "krr:eps=1/10,k=3");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(strspn(r->out, "012\n"), 16);
    cr_assert_eq(strlen(r->out), 16);
}

Test(answers, what_is_no_answer_is_refused_without_its_value)
{
    PBY_REFUSED(2, "standard input: line 2, column 1: expected one answer, a whole number from 0 to 1",
                "0\n2\n", "release", SURE);
    PBY_REFUSED(2, "line 1, column 1", "-1\n", "release", SURE);
    PBY_REFUSED(2, "line 3, column 1", "x\n0\nyes\n", "release", SURE);
    PBY_REFUSED(2, "line 1, column 1", "99999999999999999999\n", "release", SURE);
    PBY_REFUSED(2, "line 2, column 1", "1\n1,0\n", "release", SURE);
    PBY_REFUSED(2, "line 2, column 1", "1\n\n1\n", "release", SURE);
}

Test(answers, histogram_options_are_refused)
{
    PBY_REFUSED(2, "--statistic", "0\n", "release", SURE, "--statistic", "max");
    PBY_REFUSED(2, "--truncate", "0\n", "release", SURE, "--truncate", "3");
    PBY_REFUSED(2, "--filter", "0\n", "release", SURE, "--filter", "list.txt");
}

Test(answers, a_local_ledger_is_charged_and_a_central_one_refuses)
{
    char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "local.ledger");
    const pby_run *r =
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "3", "--delta", "1e-6", "--neighbours", "local");
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN("1\n", "release", "rr:eps=2", "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(1, "would overspend", "1\n", "release", "rr:eps=2", "--ledger", ledger);
    PBY_REFUSED(2, "neighbours 'local'", "a,1\n", "release", "geometric:eps=1/10", "--ledger", ledger);
    pby_folder_path(ledger, folder, "central.ledger");
    r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "3", "--delta", "1e-6");
    cr_assert_eq(r->status, 0);
    PBY_REFUSED(2, "neighbours 'add-remove': expected local", "1\n", "release", "rr:eps=2", "--ledger",
                ledger);
    pby_folder_remove(folder);
}
