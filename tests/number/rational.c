/* SPDX-License-Identifier: MIT */
#include "probity/rational.h"

#include <criterion/criterion.h>
#include <string.h>

static void accepts(const char *text, const char *value)
{
    mpq_t q, expected;
    pby_error err;
    mpq_inits(q, expected, NULL);
    cr_assert_eq(pby_rational_parse(q, "x", text, &err), PBY_OK, "%s was refused: %s", text, err.text);
    mpq_set_str(expected, value, 10);
    mpq_canonicalize(expected);
    cr_assert(mpq_equal(q, expected), "%s is not %s", text, value);
    mpq_clears(q, expected, NULL);
}

static void refuses(const char *text, const char *reason)
{
    mpq_t q;
    pby_error err = {0};
    mpq_init(q);
    mpq_set_si(q, 7, 3);
    cr_assert_eq(pby_rational_parse(q, "--epsilon", text, &err), PBY_BAD, "'%s' was accepted", text);
    cr_assert_eq(err.status, PBY_BAD);
    cr_assert_eq(mpq_cmp_si(q, 7, 3), 0, "a refusal changed the value");
    cr_assert_eq(strncmp(err.text, "--epsilon '", 11), 0, "%s", err.text);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    cr_assert_null(strchr(err.text, '\n'));
    mpq_clear(q);
}

Test(rational, integers)
{
    accepts("0", "0");
    accepts("42", "42");
    accepts("-17", "-17");
    accepts("+5", "5");
    accepts("007", "7");
    accepts("123456789012345678901234567890", "123456789012345678901234567890");
}

Test(rational, fractions_in_lowest_terms)
{
    accepts("1/2", "1/2");
    accepts("-6/4", "-3/2");
    accepts("0/5", "0");
    accepts("10/5", "2");
}

Test(rational, decimals_are_exact)
{
    accepts("0.1", "1/10");
    accepts(".5", "1/2");
    accepts("2.", "2");
    accepts("-0.25", "-1/4");
    accepts("3.14159", "314159/100000");
}

Test(rational, scientific_notation)
{
    accepts("5e-30", "5/1000000000000000000000000000000");
    accepts("1.5E3", "1500");
    accepts("1e+2", "100");
    accepts("0e0", "0");
    accepts("25e-1", "5/2");
    accepts("1e0000000000000000000000002", "100");
}

Test(rational, refusals)
{
    const char *const texts[] = {
        "",      " ",     " 1",    "1 ",   "nan",   "NaN",   "inf", "-inf",  "Infinity", "0x1p3", "0x10",
        "1/",    "/2",    "1/2/3", "1/-2", "1/2.5", ".",     "-",   "+",     "1e",       "1e+",   "e5",
        "1.2.3", "1_000", "1,5",   "--1",  "+-1",   "1e1.5", "one", "1/2e3", "\xc2\xbd", "1\n",   "1\t"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        refuses(texts[i], "expected a rational");
}

Test(rational, zero_denominator)
{
    refuses("1/0", "not zero");
    refuses("0/0", "not zero");
    refuses("1/000", "not zero");
}

Test(rational, limits)
{
    char text[PBY_RATIONAL_DIGITS_MAX + 8];
    memset(text, '9', sizeof text);
    text[PBY_RATIONAL_DIGITS_MAX] = '\0';
    mpq_t q;
    pby_error err;
    mpq_init(q);
    cr_assert_eq(pby_rational_parse(q, "x", text, &err), PBY_OK);
    mpq_clear(q);
    text[PBY_RATIONAL_DIGITS_MAX] = '9';
    text[PBY_RATIONAL_DIGITS_MAX + 1] = '\0';
    refuses(text, "4096 digits");
    text[2000] = '/';
    text[PBY_RATIONAL_DIGITS_MAX + 1] = '9';
    text[PBY_RATIONAL_DIGITS_MAX + 2] = '\0';
    refuses(text, "4096 digits");
    refuses("1e10001", "10000");
    refuses("1e-10001", "10000");
    refuses("1e99999999999999999999999999", "10000");
    mpq_init(q);
    cr_assert_eq(pby_rational_parse(q, "x", "1e10000", NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(q, "x", "1e-10000", NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(q, "x", "nan", NULL), PBY_BAD, "no error to write to is no error");
    mpq_clear(q);
}
