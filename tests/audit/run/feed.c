/* SPDX-License-Identifier: MIT */
#include "audit/run/feed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Lines of a command: with and without a newline at the end, an empty one, one longer than the first room. */
Test(audit_feed, a_command_is_read_line_by_line)
{
    pby_feed feed;
    pby_error err;
    const char *text;
    size_t length;
    cr_assert_eq(pby_feed_run(&feed, "printf '%s\\n\\n%0300d\\nlast' {input} 7", 0, "it's", 4, &err), PBY_OK);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(length == 4 && memcmp(text, "it's", 4) == 0);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(text != NULL && length == 0);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(length == 300 && text[0] == '0' && text[299] == '7');
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(length == 4 && memcmp(text, "last", 4) == 0);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert_null(text);
    cr_assert_eq(pby_feed_missing(&feed), 0);
    cr_assert_eq(pby_feed_close(&feed, false, false, &err), PBY_OK);
}

Test(audit_feed, a_command_that_goes_on_is_cut_off_and_one_that_ends_early_owes)
{
    pby_feed feed;
    pby_error err;
    const char *text;
    size_t length;
    cr_assert_eq(pby_feed_run(&feed, "yes {input}", 0, "1", 3, &err), PBY_OK);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(text == NULL && feed.cut);
    cr_assert_eq(pby_feed_close(&feed, false, false, &err), PBY_OK);

    cr_assert_eq(pby_feed_run(&feed, "echo {input}", 0, "1", 3, &err), PBY_OK);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert(text == NULL && !feed.cut);
    cr_assert_eq(pby_feed_missing(&feed), 2);
    cr_assert_eq(pby_feed_close(&feed, false, false, &err), PBY_OK);
}

/* A line without an end is refused before it fills the memory. */
Test(audit_feed, a_line_without_an_end_is_refused)
{
    pby_feed feed;
    pby_error err;
    const char *text;
    size_t length;
    cr_assert_eq(pby_feed_run(&feed, "cat {input}", 0, "/dev/zero", 1, &err), PBY_OK);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "at most 16777216 bytes"), "%s", err.text);
    cr_assert_eq(pby_feed_close(&feed, false, true, &err), PBY_OK);
}

/* Bytes that are no text, such as those of an archive, are not judged as if they were. */
Test(audit_feed, a_zero_byte_is_refused)
{
    pby_feed feed;
    pby_error err;
    const char *text;
    size_t length;
    cr_assert_eq(pby_feed_run(&feed, "echo {input}; printf 'a\\000b\\n'", 0, "1", 2, &err), PBY_OK);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_OK);
    cr_assert_eq(pby_feed_next(&feed, &text, &length, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "1: expected text"), "%s", err.text);
    cr_assert_eq(pby_feed_close(&feed, false, true, &err), PBY_OK);
}
