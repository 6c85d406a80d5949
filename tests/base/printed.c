/* SPDX-License-Identifier: MIT */
#include "base/printed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

Test(printed, nothing_printed_is_an_empty_text)
{
    pby_printed p;
    cr_assert_not_null(pby_printed_begin(&p));
    char *text = pby_printed_text(&p);
    cr_assert_str_eq(text, "");
    free(text);
}

Test(printed, a_text_is_whole)
{
    pby_printed p;
    char *text;
    FILE *out = pby_printed_begin(&p);
    cr_assert_not_null(out);
    for (int i = 0; i < 10000; i++)
        fprintf(out, "%d,", i % 10);
    cr_assert_eq(pby_printed_end(&text, &p, PBY_OK, NULL), PBY_OK);
    cr_assert_eq(strlen(text), 20000);
    cr_assert_str_eq(text + 19980, "0,1,2,3,4,5,6,7,8,9,");
    free(text);
}

Test(printed, a_failure_leaves_no_text_and_stays_as_it_was)
{
    pby_printed p;
    pby_error err;
    char *text;
    cr_assert_not_null(pby_printed_begin(&p));
    fputs("half of it", p.out);
    const pby_status failed = pby_fail(&err, PBY_BAD, "sum: expected a number");
    cr_assert_eq(pby_printed_end(&text, &p, failed, &err), PBY_BAD);
    cr_assert_null(text);
    cr_assert_str_eq(err.text, "sum: expected a number");
}
