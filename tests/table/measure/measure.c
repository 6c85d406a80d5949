/* SPDX-License-Identifier: MIT */
#include "table/measure/measure.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

/* Reads a file of this text; returns its status. */
static pby_status read_text(const char *text, pby_error *err)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_measures m;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "m.csv");
    pby_write_file(path, text);
    const char *const twice[2] = {path, path};
    const pby_status status = pby_measures_read(&m, twice, err);
    pby_measures_clear(&m);
    pby_folder_remove(folder);
    return status;
}

Test(measure_file, a_header_names_both_columns)
{
    static const char *const good[] = {"point,mass\n1,2\n", "\xef\xbb\xbfx,\"m\"\r\n1,2", "1,2\n",
                                       "x,mass\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert_eq(read_text(good[i], NULL), PBY_OK, "%s", good[i]);
}

/* A first row that is a bad number is refused, as it is on any other line. */
Test(measure_file, a_bad_first_row_is_no_header)
{
    static const char *const bad[] = {"1,nan\n2,1\n",  "1,inf\n2,1\n",    "a,N/A\n2,1\n", "a,null\n2,1\n",
                                      "1,mass\n2,1\n", "nan,mass\n2,1\n", "x,m,z\n2,1\n", "x\n2,1\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_error err = {0};
        cr_assert_eq(read_text(bad[i], &err), PBY_BAD, "%s", bad[i]);
        cr_assert_not_null(strstr(err.text, "m.csv: line 1, column "), "%s", err.text);
    }
}
