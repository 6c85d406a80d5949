/* SPDX-License-Identifier: MIT */
#include "probity/enclosure.h"

#include <stdio.h>
#include <string.h>

void pby_enclosure_init(pby_enclosure *x)
{
    mpfr_inits2(64, x->lo, x->hi, (mpfr_ptr)0);
}

void pby_enclosure_clear(pby_enclosure *x)
{
    mpfr_clears(x->lo, x->hi, (mpfr_ptr)0);
}

/* Digits d1 d2 d3 ... of 0.d1d2d3 * 10^point, written plainly. */
static void write_plain(char *text, const char *digits, size_t n, mpfr_exp_t point)
{
    size_t at = 0;
    if (point <= 0) {
        text[at++] = '0';
        text[at++] = '.';
        for (; point < 0; point++)
            text[at++] = '0';
        memcpy(text + at, digits, n + 1);
        return;
    }
    for (size_t i = 0; i < n || (mpfr_exp_t)i < point; i++) {
        if ((mpfr_exp_t)i == point)
            text[at++] = '.';
        text[at++] = i < n ? digits[i] : '0';
    }
    text[at] = '\0';
}

static void write_scientific(char *text, const char *digits, size_t n, mpfr_exp_t point)
{
    const long exponent = (long)point - 1;
    snprintf(text, PBY_DECIMAL_SIZE, "%c%s%.*se%c%02ld", digits[0], n > 1 ? "." : "", (int)(n - 1),
             digits + 1, exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
}

void pby_decimal(char *text, mpfr_srcptr x, unsigned digits, bool lower)
{
    if (!mpfr_regular_p(x)) {
        strcpy(text, mpfr_zero_p(x) ? "0" : mpfr_nan_p(x) ? "nan" : mpfr_sgn(x) > 0 ? "inf" : "-inf");
        return;
    }
    char number[PBY_DIGITS_MAX + 2];
    mpfr_exp_t point;
    /* one digit alone is more than mpfr_get_str takes */
    const size_t asked = digits < 2 ? 2 : digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : digits;
    mpfr_get_str(number, &point, 10, asked, x, lower ? MPFR_RNDD : MPFR_RNDU);
    char *first = number;
    if (*first == '-') {
        *text++ = '-';
        first++;
    }
    size_t n = strlen(first);
    while (n > 1 && first[n - 1] == '0')
        n--;
    first[n] = '\0';
    if (point > -4 && point <= (mpfr_exp_t)asked)
        write_plain(text, first, n, point);
    else
        write_scientific(text, first, n, point);
}
