/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/outputs.h"

/* Constant outputs that change at 17: any pair but 16 and 17 shows nothing. */
#define STEP "awk -v n={n} -v x={input} 'BEGIN { for (i = 0; i < n; i++) print (x < 17) }'"

Test(audit_inputs, a_command_is_searched_by_values)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", STEP, "--search", "values:n=1,from=0,to=20", "-n",
                               "300", "--epsilon", "1", "--pairs", "40", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"search\""));
    cr_assert(strstr(r->out, "\"left\": \"16\"") != NULL || strstr(r->out, "\"left\": \"17\"") != NULL, "%s",
              r->out);
}

Test(audit_inputs, files_of_inputs_are_kept_where_asked)
{
    char folder[PBY_PATH_SIZE], ranges[PBY_PATH_SIZE], kept[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(ranges, folder, "ranges.csv");
    pby_folder_path(kept, folder, "left.csv");
    pby_write_file(ranges, "blue,0,30\nred,0,3\n");
    const pby_run *r = PBY_RUN(NULL, "audit", "--release", "threshold:eps=4,T=1", "--search", ranges, "-n",
                               "400", "--epsilon", "1/2", "--delta", "7e-3", "--pairs", "20", "--keep",
                               folder);
    cr_assert_eq(r->status, 1, "%s %s", r->err, r->out);
    cr_assert_not_null(strstr(r->out, "search "));
    cr_assert_eq(access(kept, F_OK), 0);
    pby_folder_remove(folder);
}

Test(audit_inputs, what_cannot_be_searched_is_refused)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--search", "values:n=1,from=0,to=20", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    r = PBY_RUN(NULL, "audit", "--command", STEP, "--search", "values:n=1", "-n", "9", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "'values:n=1': expected"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--command", STEP, "--search", "values:n=1,from=0,to=2", "--inputs", "1", "2",
                "-n", "9", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    r = PBY_RUN(NULL, "audit", "--release", "stlap:eps=1,q=40", "--search", "values:n=1,from=0,to=2", "-n",
                "9", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    r = PBY_RUN(NULL, "audit", "--command", "exit 3; {input}", "--search", "values:n=1,from=0,to=2", "-n",
                "9", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "status 3"), "%s", r->err);
}

/* The program treats one value of its first column as no other; rows.csv does not have it. */
Test(audit_inputs, rows_are_searched_with_the_constants_of_the_program)
{
    char folder[PBY_PATH_SIZE], rows[PBY_PATH_SIZE], program[PBY_PATH_SIZE], command[3 * PBY_PATH_SIZE],
        inputs[3 * PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(rows, folder, "rows.csv");
    pby_folder_path(program, folder, "program.awk");
    pby_write_file(rows, "1,blue\nnan,red\n");
    pby_write_file(program, "/^42,/ { b = 1 } END { for (i = 0; i < n; i++) print b + 0 }\n");
    snprintf(command, sizeof command, "awk -v n={n} -f %s {input}", program);
    snprintf(inputs, sizeof inputs, "rows:n=2,of=%s,constants=%s", rows, program);
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", command, "--search", inputs, "-n", "300",
                               "--epsilon", "1", "--pairs", "20", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "42,blue"), "%s", r->out);
    r = PBY_RUN(NULL, "audit", "--command", command, "--search", "rows:n=2,of=/nowhere/rows", "-n", "9",
                "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    r = PBY_RUN(NULL, "audit", "--command", command, "--search", "rows:n=2,to=9", "-n", "9", "--epsilon",
                "1");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "rows:n=N,of=FILE"), "%s", r->err);
    pby_folder_remove(folder);
}
