/* SPDX-License-Identifier: MIT */
#include "number/text.h"

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>

#include "number/scoped.h"
#include "probity/rational.h"

/* Far more than PBY_TEXT_DIGITS digits take: a rational that is such a decimal rounds to it. */
enum { PRECISION = 256 };

void pby_mpq_text(char *text, mpq_srcptr q)
{
    PBY_MPQ(back);
    PBY_MPFR(PRECISION, near);
    mpfr_set_q(near, q, MPFR_RNDN);
    mpfr_snprintf(text, PBY_DECIMAL_SIZE, "%.*Rg", PBY_TEXT_DIGITS, near);
    const bool exact = pby_rational_parse(back, "", text, NULL) == PBY_OK && mpq_equal(q, back) != 0;
    if (!exact && gmp_snprintf(text, PBY_DECIMAL_SIZE, "%Qd", q) >= PBY_DECIMAL_SIZE)
        mpfr_snprintf(text, PBY_DECIMAL_SIZE, "%.*Rg", PBY_TEXT_DIGITS, near);
}

void pby_rational_text(char *text, const fmpq_t x)
{
    PBY_MPQ(q);
    fmpq_get_mpq(q, x);
    pby_mpq_text(text, q);
}

pby_status pby_refuse_rational(pby_error *err, const char *name, const fmpq_t value, const char *expected)
{
    char text[PBY_DECIMAL_SIZE];
    pby_rational_text(text, value);
    return pby_refuse(err, name, text, expected);
}

pby_status pby_refuse_mpq(pby_error *err, const char *name, mpq_srcptr value, const char *expected)
{
    char text[PBY_DECIMAL_SIZE];
    pby_mpq_text(text, value);
    return pby_refuse(err, name, text, expected);
}
