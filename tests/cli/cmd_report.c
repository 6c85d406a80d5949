/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(file, folder, "memo");
    pby_folder_path(ledger, folder, "ledger");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(report_command, .init = setup, .fini = teardown);

#define SPEC "rappor:bits=16,hashes=2,f=1/2,values=2"

/* One-time: a value is always reported alike. */
Test(report_command, a_memo_from_new_to_full)
{
    char first[35];
    const pby_run *r =
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "9", "--delta", "0", "--neighbours", "local");
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "report", SPEC, "--memo", file, "--new", "--ledger", ledger, "--user", "ada");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "");
    r = PBY_RUN("gnu\r\nzebra\n", "report", SPEC, "--memo", file, "--user", "ada");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 34);
    memcpy(first, r->out, 35);
    r = PBY_RUN("gnu\nzebra", "report", SPEC, "--memo", file, "--user", "ada");
    cr_assert_str_eq(r->out, first);
    PBY_REFUSED(1, "all 2 that were paid for", "okapi\n", "report", SPEC, "--memo", file, "--user", "ada");
    PBY_REFUSED(1, "budget", NULL, "report", SPEC, "--memo", "other", "--new", "--ledger", ledger);
    PBY_REFUSED(2, "the user whose memo it is", "gnu\n", "report", SPEC, "--memo", file, "--user", "bob");
    PBY_REFUSED(2, "that the memo was made with", "gnu\n", "report", SPEC ",seed=2", "--memo", file, "--user",
                "ada");
}

/* With f = 0 next to nothing is turned: 1e-9 of the bits. */
Test(report_command, users_who_report_once)
{
    const pby_run *r = PBY_RUN("2\n0\n", "report", "rappor:bits=3,f=1/1000000000,reports=1", "--once",
                               "--seed", "0000000000000000000000000000000000000000000000000000000000000001");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "001\n100\n");
    r = PBY_RUN("gnu\n", "report", "rappor:bits=8,hashes=2,f=1/2,cohorts=9,reports=1", "--once");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(r->out[1], ':');
    cr_assert_eq(r->out_size, 11);
}

/* Nothing is printed, and no budget is spent, where one value cannot be. */
Test(report_command, refusals)
{
    PBY_REFUSED(2, "line 3: the value (not shown): expected an integer from 0 to 2", "2\n0\n3\n", "report",
                "rappor:bits=3,f=1/2,reports=1", "--once");
    PBY_REFUSED(2, "reports=1 and values=1", "2\n", "report", "rappor:bits=3,f=1/2", "--once");
    PBY_REFUSED(2, "reports=1 and values=1", "2\n", "report", "rappor:bits=3,f=1/2,reports=1,values=2",
                "--once");
    PBY_REFUSED(2, "--memo FILE", "2\n", "report", "rappor:bits=3,f=1/2");
    PBY_REFUSED(2, "nothing is reported without one", "2\n", "report", "rappor:bits=3,f=1/2", "--memo", file);
    PBY_REFUSED(2, "one use of rappor", "2\n", "report", "rr:eps=1", "--once");
    PBY_REFUSED(2, "--seed (not shown)", "2\n", "report", "rappor:bits=3,f=1/2,reports=1", "--once", "--seed",
                "xy");
    PBY_REFUSED(2, "with --once alone", "2\n", "report", SPEC, "--memo", file, "--seed", "00");
    PBY_REFUSED(2, "it with --new", "2\n", "report", SPEC, "--memo", file, "--ledger", ledger);
    PBY_REFUSED(2, "it with --memo alone", "2\n", "report", SPEC, "--once", "--user", "ada");
    PBY_REFUSED(2, "expected a SPEC", "2\n", "report", "--once");
    cr_assert_neq(access(file, F_OK), 0);
}

/* Reports of two users of one value each, judged by audit: epsilon is 2 log 3 = 2.197, and 1.9 is refuted. A
 * right verdict on 2.2 is missed with a chance of at most 1e-6, and the coins are the same in every run. */
Test(report_command, an_audit_finds_its_loss)
{
    char left[PBY_PATH_SIZE], right[PBY_PATH_SIZE], command[2 * PBY_PATH_SIZE];
    const char *const files[] = {left, right};
    pby_folder_path(left, folder, "left");
    pby_folder_path(right, folder, "right");
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(files[i], "w");
        cr_assert_not_null(f);
        for (int j = 0; j < 20000; j++)
            fprintf(f, "%d\n", i);
        fclose(f);
    }
    snprintf(command, sizeof command,
             "%s report rappor:bits=4,f=1/2,reports=1 --once {input} --seed "
             "0000000000000000000000000000000000000000000000000000000000000007",
             getenv("PROBITY"));
    cr_assert_eq(PBY_RUN(NULL, "audit", "--command", command, "--inputs", left, right, "-n", "20000",
                         "--epsilon", "2.2")
                     ->status,
                 0);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--command", command, "--inputs", left, right, "-n", "20000",
                         "--epsilon", "1.9")
                     ->status,
                 1);
}
