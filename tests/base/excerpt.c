/* SPDX-License-Identifier: MIT */
#include "base/excerpt.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/status.h"

static void shows(const char *text, size_t most, const char *expected)
{
    cr_assert_str_eq(pby_excerpt_of(text, most).text, expected);
}

Test(excerpt, a_text_that_fits_is_itself)
{
    shows("", 0, "");
    shows("", 10, "");
    shows("abc", 3, "abc");
    shows("na\xc3\xafve", 6, "na\xc3\xafve");
    cr_assert_str_eq(PBY_EXCERPT("a"), "a");
}

Test(excerpt, a_cut_is_seen_and_lies_between_characters)
{
    shows("abcd", 3, "abc...");
    shows("abcd", 0, "...");
    shows("na\xc3\xafve", 3, "na...");
    shows("na\xc3\xafve", 4, "na\xc3\xaf...");
    shows("\xe2\x82\xac\xe2\x82\xac", 5, "\xe2\x82\xac...");
    shows("\xf0\x9f\x98\x80", 3, "...");
    shows("a\xf0\x9f\x98\x80z", 5, "a\xf0\x9f\x98\x80...");
}

/* Bytes that are no UTF-8 are cut somewhere, and nothing is read behind the end. */
Test(excerpt, any_bytes_have_a_cut)
{
    static const char none[] = "\x80\x80\x80\x80\x80\x80\x80\x80";
    for (size_t most = 0; most < 8; most++)
        cr_assert_eq(pby_whole_characters(none, most), most);
    cr_assert_eq(pby_whole_characters(none, 8), 8);
}

/* Every prefix of a text of characters of 1 to 4 bytes, against a walk over its characters. */
Test(excerpt, the_greatest_prefix_of_whole_characters)
{
    static const char text[] = "a\xc3\xaf\xe2\x82\xac\xf0\x9f\x98\x80z\xc3\xaf";
    static const size_t ends[] = {0, 1, 3, 6, 10, 11, 13};
    for (size_t most = 0; most < 2 * sizeof text; most++) {
        size_t greatest = 0;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            greatest = ends[i] <= most ? ends[i] : greatest;
        cr_assert_eq(pby_whole_characters(text, most), greatest, "%zu", most);
    }
}

Test(excerpt, no_more_than_there_is_room_for)
{
    char text[2 * PBY_EXCERPT_MOST];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const pby_excerpt shown = pby_excerpt_of(text, sizeof text);
    cr_assert_eq(strlen(shown.text), PBY_EXCERPT_MOST + 3);
    cr_assert_str_eq(shown.text + PBY_EXCERPT_MOST, "...");
    cr_assert_eq(strlen(PBY_EXCERPT(text)), PBY_EXCERPT_USUAL + 3);
}

/* An error that is too long, and a value in one, ended in the middle of a character without a sign of it. */
Test(excerpt, errors_are_cut_so_too)
{
    char text[1000];
    pby_error err = PBY_NO_ERROR;
    memset(text, 'x', sizeof text);
    for (size_t at = 1; at + 2 < sizeof text; at += 2)
        memcpy(text + at, "\xc3\xaf", 2);
    text[sizeof text - 1] = '\0';
    cr_assert_eq(pby_fail(&err, PBY_BAD, "%s", text), PBY_BAD);
    const size_t length = strlen(err.text);
    cr_assert(length < sizeof err.text && length + 3 > sizeof err.text - 1, "%zu", length);
    cr_assert_str_eq(err.text + length - 3, "...");
    cr_assert_eq((unsigned char)err.text[length - 4], 0xaf);
    cr_assert_eq(pby_refuse(&err, "n", text, "less"), PBY_BAD);
    cr_assert_eq(strncmp(err.text, "n 'x\xc3\xaf", 6), 0);
    cr_assert_not_null(strstr(err.text, "\xc3\xaf...': expected less"), "%s", err.text);
}
