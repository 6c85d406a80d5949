/* SPDX-License-Identifier: MIT */
#include "audit/timing/times_read.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "io/source.h"

static pby_status read(pby_times **t, const char *text, pby_error *err)
{
    pby_csv_input *input;
    pby_lines *lines;
    cr_assert_eq(pby_times_new(t, NULL), PBY_OK);
    cr_assert_eq(pby_csv_input_memory(&input, "times.csv", text, strlen(text), NULL), PBY_OK);
    cr_assert_eq(pby_lines_of(&lines, input, NULL), PBY_OK);
    const pby_status status = pby_times_read(*t, lines, err);
    pby_lines_close(lines);
    pby_csv_input_free(input);
    return status;
}

Test(audit_times_read, a_line_is_a_run)
{
    static const char *const same[] = {"side,nanoseconds\nleft,5\nright,9223372036854775807\nright,0\n",
                                       "left,5\r\nright,9223372036854775807\r\nright,0"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        pby_times *t;
        cr_assert_eq(read(&t, same[i], NULL), PBY_OK);
        cr_assert_eq(t->runs[PBY_LEFT], 1);
        cr_assert_eq(t->runs[PBY_RIGHT], 2);
        cr_assert_eq(t->time[PBY_LEFT][0], 5);
        cr_assert_eq(t->time[PBY_RIGHT][0], INT64_MAX);
        cr_assert_eq(t->changes, 1);
        pby_times_free(t);
    }
}

Test(audit_times_read, another_line_is_refused)
{
    static const char *const bad[] = {"left",
                                      "left,",
                                      "left,-1",
                                      "left,1.5",
                                      "left, 1",
                                      "left,9223372036854775808",
                                      "left,00000000000000000001",
                                      "up,1",
                                      "",
                                      "Left,1",
                                      "left,1,2",
                                      "side,nanoseconds",
                                      "left;1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        pby_times *t;
        pby_error err = PBY_NO_ERROR;
        snprintf(text, sizeof text, "left,1\n%s\nright,2\n", bad[i]);
        cr_assert_eq(read(&t, text, &err), PBY_BAD, "%s", bad[i]);
        cr_assert_not_null(strstr(err.text, "times.csv, line 2: expected left or right, a comma and a time"),
                           "%s", err.text);
        pby_times_free(t);
    }
}
