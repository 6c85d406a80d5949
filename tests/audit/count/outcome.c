/* SPDX-License-Identifier: MIT */
#include "audit/count/outcome.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pby_outcome read(const char *text)
{
    pby_outcome o;
    pby_outcome_read(&o, text, strlen(text));
    return o;
}

Test(audit_outcome, numbers)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0", 0},
                 {"-17", -17},
                 {"+3", 3},
                 {"0.25", 0.25},
                 {".5", 0.5},
                 {"1e-3", 0.001},
                 {" 7\t", 7},
                 {"0x3ff0000000000000", 1},
                 {"0xC000000000000000", -2},
                 {"123456789012345678901234567890", 123456789012345678901234567890.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_outcome o = read(cases[i].text);
        cr_assert_eq(o.count, 1);
        cr_assert_eq(o.token[0].kind, PBY_NUMBER, "%s", cases[i].text);
        cr_assert_eq(o.token[0].value, cases[i].value, "%s", cases[i].text);
    }
}

/* As strtod reads them, to the last bit: all places of a point among 1 to 17 digits, with and without a sign.
 */
Test(audit_outcome, decimals_are_rounded_as_strtod_rounds_them)
{
    uint64_t state = 1;
    for (int k = 0; k < 200000; k++) {
        char text[24], *at = text;
        const int digits = 1 + k % 17, point = k / 17 % (digits + 2) - 1;
        if (k % 3 == 0)
            *at++ = '-';
        for (int i = 0; i <= digits; i++) {
            if (i == point)
                *at++ = '.';
            state = state * 6364136223846793005 + 1442695040888963407;
            if (i < digits)
                *at++ = (char)('0' + (state >> 33) % 10);
        }
        *at = '\0';
        const double wanted = strtod(text, NULL);
        const pby_outcome o = read(text);
        cr_assert_eq(o.token[0].kind, PBY_NUMBER, "%s", text);
        cr_assert_eq(memcmp(&o.token[0].value, &wanted, sizeof wanted), 0, "%s", text);
    }
}

/* Texts that strtod would take and texts that are no number at all are words alike. */
Test(audit_outcome, words)
{
    static const char *const words[] = {"nan",
                                        "NaN",
                                        "inf",
                                        "-infinity",
                                        "0x1p3",
                                        "yes",
                                        "1e",
                                        "--1",
                                        "k1",
                                        "2024-01-05",
                                        "192.168.0.1",
                                        "0x7ff8000000000000",
                                        "0x3ff000000000000",
                                        "1e999"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_assert_eq(read(words[i]).token[0].kind, PBY_WORD, "%s", words[i]);
    cr_assert_eq(read("yes").token[0].hash, read(" yes ").token[0].hash);
    cr_assert_neq(read("yes").token[0].hash, read("no").token[0].hash);
}

Test(audit_outcome, vectors_and_suppressed_coordinates)
{
    const pby_outcome o = read("1, ,x,-2.5,");
    cr_assert_eq(o.coordinates, 5);
    cr_assert_eq(o.token[0].kind, PBY_NUMBER);
    cr_assert_eq(o.token[1].kind, PBY_EMPTY);
    cr_assert_eq(o.token[2].kind, PBY_WORD);
    cr_assert_eq(o.token[3].value, -2.5);
    cr_assert_eq(o.token[4].kind, PBY_EMPTY);
    const pby_outcome nothing = read("");
    cr_assert_eq(nothing.coordinates, 1);
    cr_assert_eq(nothing.token[0].kind, PBY_EMPTY);
}

/* However a program sets its numbers apart, they are found; what is around them are words. */
Test(audit_outcome, numbers_among_words)
{
    static const struct {
        const char *text, *kinds; /* # a number, w a word */
        double last;
    } cases[] = {
        {"1 2", "##", 2},           {"1.5;-2.5", "##", -2.5}, {"1\t2e3", "##", 2000},
        {"count=0.25", "w#", 0.25}, {"count: -7", "w#", -7},  {"{\"a\": 1.5, \"b\": -2.5}", "w#w#w", -2.5},
        {"(1, 2)", "w##w", 2},      {"[.5]", "w#w", 0.5},     {"3;", "#w", 3},
        {"12 km, k1", "#ww", 12},   {"a 1e999 b", "w", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_outcome o = read(cases[i].text);
        double last = 0;
        cr_assert_eq(o.count, strlen(cases[i].kinds), "%s", cases[i].text);
        for (size_t k = 0; k < o.count; k++) {
            cr_assert_eq(o.token[k].kind, cases[i].kinds[k] == '#' ? PBY_NUMBER : PBY_WORD, "%s",
                         cases[i].text);
            last = o.token[k].kind == PBY_NUMBER ? o.token[k].value : last;
        }
        cr_assert_eq(last, cases[i].last, "%s", cases[i].text);
    }
}

Test(audit_outcome, a_long_vector_is_cut_but_counted)
{
    char text[401];
    memset(text, ',', 400);
    text[400] = '\0';
    const pby_outcome o = read(text);
    cr_assert_eq(o.coordinates, 401);
    cr_assert_eq(o.count, PBY_COORDINATES);
}

/* The text ends where its length says, whatever comes behind it. */
Test(audit_outcome, reads_no_further_than_its_length)
{
    char *text = malloc(2);
    pby_outcome o;
    cr_assert_not_null(text);
    memcpy(text, "12", 2);
    pby_outcome_read(&o, text, 2);
    cr_assert_eq(o.token[0].value, 12);
    pby_outcome_read(&o, text, 1);
    cr_assert_eq(o.token[0].value, 1);
    free(text);
}
