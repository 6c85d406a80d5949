#include "number/text.h"

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>

#include "probity/rational.h"

/* Far more than PBY_TEXT_DIGITS digits take: a rational that is such a decimal rounds to it. */
enum { PRECISION = 256 };

void pby_rational_text(char *text, const fmpq_t x)
{
    mpq_t q, back;
    mpfr_t near;
    mpq_inits(q, back, (mpq_ptr)0);
    mpfr_init2(near, PRECISION);
    fmpq_get_mpq(q, x);
    mpfr_set_q(near, q, MPFR_RNDN);
    mpfr_snprintf(text, PBY_DECIMAL_SIZE, "%.*Rg", PBY_TEXT_DIGITS, near);
    const bool exact = pby_rational_parse(back, "", text, NULL) == PBY_OK && mpq_equal(q, back) != 0;
    if (!exact && gmp_snprintf(text, PBY_DECIMAL_SIZE, "%Qd", q) >= PBY_DECIMAL_SIZE)
        mpfr_snprintf(text, PBY_DECIMAL_SIZE, "%.*Rg", PBY_TEXT_DIGITS, near);
    mpfr_clear(near);
    mpq_clears(q, back, (mpq_ptr)0);
}

pby_status pby_refuse_rational(pby_error *err, const char *name, const fmpq_t value, const char *expected)
{
    char text[PBY_DECIMAL_SIZE];
    pby_rational_text(text, value);
    return pby_refuse(err, name, text, expected);
}

pby_status pby_refuse_mpq(pby_error *err, const char *name, mpq_srcptr value, const char *expected)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_mpq(x, value);
    const pby_status status = pby_refuse_rational(err, name, x, expected);
    fmpq_clear(x);
    return status;
}
