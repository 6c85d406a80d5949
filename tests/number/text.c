/* SPDX-License-Identifier: MIT */
#include "number/text.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/rational.h"

/* The rational that a user typed, as it is shown. */
static void shows(const char *typed, const char *expected)
{
    char text[PBY_DECIMAL_SIZE];
    mpq_t q;
    fmpq_t x;
    mpq_init(q);
    fmpq_init(x);
    cr_assert_eq(pby_rational_parse(q, "x", typed, NULL), PBY_OK);
    fmpq_set_mpq(x, q);
    pby_rational_text(text, x);
    cr_assert_str_eq(text, expected, "%s is shown as %s", typed, text);
    fmpq_clear(x);
    mpq_clear(q);
}

Test(rational_text, short_decimals_are_decimals)
{
    shows("0", "0");
    shows("1/2", "0.5");
    shows("10", "10");
    shows("1000000", "1000000");
    shows("-50", "-50");
    shows("1.5e-5", "1.5e-05");
    shows("3/200000", "1.5e-05");
    shows("1.4726618650060221602e-05", "1.4726618650060221602e-05");
    shows("1e-300", "1e-300");
    shows("123456789012345678901234567890", "123456789012345678901234567890");
}

/* Rounded to so many digits they would be other numbers. */
Test(rational_text, others_are_fractions)
{
    shows("1/3", "1/3");
    shows("0.1234567890123456789012345678901",
          "1234567890123456789012345678901/10000000000000000000000000000000");
    shows("1/1152921504606846976", "1/1152921504606846976");
}

Test(rational_text, what_fits_no_line_is_the_nearest_decimal)
{
    char digits[1200];
    memset(digits, '3', sizeof digits);
    memcpy(digits, "0.", 2);
    digits[sizeof digits - 1] = '\0';
    shows(digits, "0.333333333333333333333333333333");
}

Test(rational_text, a_refusal_shows_either_kind_of_rational_alike)
{
    pby_error err;
    mpq_t q;
    fmpq_t x;
    mpq_init(q);
    fmpq_init(x);
    mpq_set_si(q, -6, 9);
    mpq_canonicalize(q);
    fmpq_set_mpq(x, q);
    cr_assert_eq(pby_refuse_mpq(&err, "it", q, "more"), PBY_BAD);
    cr_assert_str_eq(err.text, "it '-2/3': expected more");
    err.text[0] = '\0';
    cr_assert_eq(pby_refuse_rational(&err, "it", x, "more"), PBY_BAD);
    cr_assert_str_eq(err.text, "it '-2/3': expected more");
    cr_assert_eq(pby_refuse_mpq(NULL, "it", q, "more"), PBY_BAD);
    fmpq_clear(x);
    mpq_clear(q);
}
