/* SPDX-License-Identifier: MIT */
#include "number/exact.h"

#include <stdbool.h>
#include <stdio.h>

/* The least n with 10^n x an integer; -1 where there is none. */
static long places(mpq_srcptr x)
{
    mpz_t rest, two, five;
    mpz_inits(rest, two, five, NULL);
    mpz_set_ui(two, 2);
    mpz_set_ui(five, 5);
    const mp_bitcnt_t twos = mpz_remove(rest, mpq_denref(x), two);
    const mp_bitcnt_t fives = mpz_remove(rest, rest, five);
    const bool finite = mpz_cmp_ui(rest, 1) == 0;
    mpz_clears(rest, two, five, NULL);
    return !finite ? -1 : (long)(twos > fives ? twos : fives);
}

char *pby_exact_text(mpq_srcptr x)
{
    const long n = places(x);
    char *text = NULL;
    if (n <= 0) {
        const int size = gmp_asprintf(&text, "%Qd", x);
        return size < 0 ? NULL : text;
    }
    mpz_t scaled, ten;
    mpz_inits(scaled, ten, NULL);
    mpz_ui_pow_ui(ten, 10, (unsigned long)n);
    mpz_mul(scaled, mpq_numref(x), ten);
    mpz_divexact(scaled, scaled, mpq_denref(x));
    mpz_tdiv_qr(scaled, ten, scaled, ten);
    mpz_abs(scaled, scaled);
    mpz_abs(ten, ten);
    if (gmp_asprintf(&text, "%s%Zd.%0*Zd", mpq_sgn(x) < 0 ? "-" : "", scaled, (int)n, ten) < 0)
        text = NULL;
    mpz_clears(scaled, ten, NULL);
    return text;
}
