/* SPDX-License-Identifier: MIT */
#include "audit/run/arrow.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/cli/run.h"

Test(audit_arrow, files_are_told_by_their_names)
{
    cr_assert(pby_arrow_named("a.arrow") && pby_arrow_named("b/c.feather") && pby_arrow_named("d.parquet"));
    cr_assert_not(pby_arrow_named(".arrow") || pby_arrow_named("a.arrows") || pby_arrow_named("parquet"));
}

/* The outputs are the lines that Python prints; where it fails nothing is judged. tests/python/test_audit.py
 * has the files themselves. */
Test(audit_arrow, what_python_prints_is_read)
{
    char folder[PBY_PATH_SIZE], left[PBY_PATH_SIZE], right[PBY_PATH_SIZE], python[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(left, folder, "it's left.arrow");
    pby_folder_path(right, folder, "right.parquet");
    pby_folder_path(python, folder, "python");
    pby_write_file(left, "0\n");
    pby_write_file(right, "1\n");
    pby_write_file(
        python,
        "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do cat \"$3\"; done; done\n");
    cr_assert_eq(chmod(python, 0700), 0);
    cr_assert_eq(setenv("PYTHON", python, 1), 0);
    const pby_run *r = PBY_RUN(NULL, "audit", left, right, "--epsilon", "1/2", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"samples\": 162"), "%s", r->out);
    cr_assert_eq(setenv("PYTHON", "false", 1), 0);
    PBY_REFUSED(2, "expected an Arrow or Parquet file, and python3 with pyarrow", NULL, "audit", left, right,
                "--epsilon", "1/2");
    PBY_REFUSED(2, "expected an Arrow or Parquet file", NULL, "audit", left, "--law", "geometric:eps=1");
    pby_folder_remove(folder);
}
