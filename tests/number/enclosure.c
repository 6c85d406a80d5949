/* SPDX-License-Identifier: MIT */
#include "probity/enclosure.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <string.h>

#include "probity/rational.h"

static void prints(const char *value, unsigned digits, const char *down, const char *up)
{
    char text[PBY_DECIMAL_SIZE];
    mpfr_t x;
    mpfr_init2(x, 4000);
    mpq_t q;
    mpq_init(q);
    cr_assert_eq(pby_rational_parse(q, "x", value, NULL), PBY_OK);
    mpfr_set_q(x, q, MPFR_RNDN);
    pby_decimal(text, x, digits, true);
    cr_assert_str_eq(text, down);
    pby_decimal(text, x, digits, false);
    cr_assert_str_eq(text, up);
    mpq_clear(q);
    mpfr_clear(x);
}

Test(enclosure, rounds_outwards)
{
    prints("2/3", 5, "0.66666", "0.66667");
    prints("-2/3", 5, "-0.66667", "-0.66666");
    prints("14401.5e-9", 5, "1.4401e-05", "1.4402e-05");
    prints("-14401.5e-9", 5, "-1.4402e-05", "-1.4401e-05");
}

Test(enclosure, exact_values_stay_exact)
{
    prints("0.5", 9, "0.5", "0.5");
    prints("2", 9, "2", "2");
    prints("-100", 9, "-100", "-100");
    prints("1024", 9, "1024", "1024");
    prints("0.3125", 9, "0.3125", "0.3125");
}

Test(enclosure, magnitudes)
{
    prints("1/16384", 3, "6.1e-05", "6.11e-05");
    prints("1/1024", 3, "0.000976", "0.000977");
    prints("12345", 3, "1.23e+04", "1.24e+04");
    prints("99999", 4, "9.999e+04", "1e+05");
    prints("999.5", 3, "999", "1e+03");
}

Test(enclosure, infinities_and_zero)
{
    char text[PBY_DECIMAL_SIZE];
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfr_set_zero(x, 1);
    pby_decimal(text, x, 9, true);
    cr_assert_str_eq(text, "0");
    mpfr_set_zero(x, -1);
    pby_decimal(text, x, 9, true);
    cr_assert_str_eq(text, "0");
    mpfr_set_inf(x, 1);
    pby_decimal(text, x, 9, true);
    cr_assert_str_eq(text, "inf");
    mpfr_set_inf(x, -1);
    pby_decimal(text, x, 9, true);
    cr_assert_str_eq(text, "-inf");
    mpfr_clear(x);
}

Test(enclosure, a_thousand_digits)
{
    char text[PBY_DECIMAL_SIZE];
    mpfr_t x;
    mpfr_init2(x, 4000);
    mpfr_set_ui(x, 2, MPFR_RNDN);
    mpfr_div_ui(x, x, 3, MPFR_RNDN);
    pby_decimal(text, x, PBY_DIGITS_MAX, false);
    cr_assert_eq(strlen(text), PBY_DIGITS_MAX + 2u);
    cr_assert_eq(text[PBY_DIGITS_MAX + 1], '7');
    mpfr_div_2ui(x, x, 5000, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    pby_decimal(text, x, PBY_DIGITS_MAX, true);
    cr_assert_not_null(strstr(text, "e-15"));
    mpfr_clear(x);
}
