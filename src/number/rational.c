/* SPDX-License-Identifier: MIT */
#include "probity/rational.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char EXPECTED[] = "a rational such as 3, 1/2, 0.1 or 5e-30";

/* The result of a scan of the text; digits point into the text. */
struct parts {
    bool negative;
    const char *whole, *fraction, *denominator;
    size_t whole_len, fraction_len, denominator_len;
    long exponent;
    const char *wrong; /* what was expected, when the text is not a rational */
};

static size_t digits_at(const char *s)
{
    return strspn(s, "0123456789");
}

/* The exponent's value, or beyond PBY_RATIONAL_EXPONENT_MAX when it is too large to say. */
static long exponent_at(const char *s, size_t len)
{
    long value = 0;
    for (size_t i = 0; i < len && value <= PBY_RATIONAL_EXPONENT_MAX; i++)
        value = 10 * value + (s[i] - '0');
    return value;
}

static struct parts scan(const char *s)
{
    struct parts p = {.negative = *s == '-', .wrong = EXPECTED};
    s += *s == '-' || *s == '+';
    p.whole = s;
    p.whole_len = digits_at(s);
    s += p.whole_len;
    if (*s == '/' && p.whole_len > 0) {
        p.denominator = ++s;
        p.denominator_len = digits_at(s);
        s += p.denominator_len;
        if (p.denominator_len > 0 && *s == '\0')
            p.wrong = NULL;
    } else {
        if (*s == '.') {
            p.fraction = ++s;
            p.fraction_len = digits_at(s);
            s += p.fraction_len;
        }
        if (p.whole_len + p.fraction_len == 0)
            return p;
        size_t exponent_len = 1;
        if (*s == 'e' || *s == 'E') {
            const bool minus = *++s == '-';
            s += *s == '-' || *s == '+';
            exponent_len = digits_at(s);
            p.exponent = exponent_at(s, exponent_len);
            if (p.exponent > PBY_RATIONAL_EXPONENT_MAX) {
                p.wrong = "an exponent of at most 10000 in size";
                return p;
            }
            p.exponent = minus ? -p.exponent : p.exponent;
            s += exponent_len;
        }
        if (exponent_len > 0 && *s == '\0')
            p.wrong = NULL;
        else if (*s == '%' && s[1] == '\0')
            p.wrong = "a rational without a percent sign, such as 0.05 for 5%";
        else if (*s == ',' && digits_at(s + 1) > 0)
            p.wrong = "a rational with a point and no comma, such as 0.5";
    }
    if (p.whole_len + p.fraction_len + p.denominator_len > PBY_RATIONAL_DIGITS_MAX)
        p.wrong = "at most 4096 digits";
    return p;
}

/* The integer whose digits are those of both runs, one after the other. */
static void set_digits(mpz_t z, const char *a, size_t a_len, const char *b, size_t b_len)
{
    char digits[PBY_RATIONAL_DIGITS_MAX + 1];
    memcpy(digits, a, a_len);
    if (b_len > 0)
        memcpy(digits + a_len, b, b_len);
    digits[a_len + b_len] = '\0';
    mpz_set_str(z, digits, 10);
}

pby_status pby_rational_parse(mpq_t q, const char *name, const char *text, pby_error *err)
{
    const struct parts p = scan(text);
    if (p.wrong != NULL)
        return pby_refuse(err, name, text, p.wrong);
    mpz_t num, den, ten;
    mpz_inits(num, den, ten, NULL);
    set_digits(num, p.whole, p.whole_len, p.fraction, p.fraction_len);
    mpz_set_ui(den, 1);
    if (p.denominator_len > 0)
        set_digits(den, p.denominator, p.denominator_len, NULL, 0);
    const long power = p.exponent - (long)p.fraction_len;
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(power));
    mpz_mul(power < 0 ? den : num, power < 0 ? den : num, ten);
    const bool whole = mpz_sgn(den) != 0;
    if (whole) {
        mpz_swap(mpq_numref(q), num);
        mpz_swap(mpq_denref(q), den);
        mpq_canonicalize(q);
        if (p.negative)
            mpq_neg(q, q);
    }
    mpz_clears(num, den, ten, NULL);
    return whole ? PBY_OK : pby_refuse(err, name, text, "a denominator that is not zero");
}
