/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "number/scoped.h"
#include "probity/rational.h"

enum { HEX_DIGITS_MAX = 64, BINARY_EXPONENT_MAX = 20000, CLOSE_BITS = 40 };

void pby_trace_number_init(pby_trace_number *x)
{
    x->kind = PBY_TRACE_FINITE;
    mpq_init(x->q);
}

void pby_trace_number_clear(pby_trace_number *x)
{
    mpq_clear(x->q);
}

void pby_trace_number_set(pby_trace_number *x, const pby_trace_number *y)
{
    x->kind = y->kind;
    mpq_set(x->q, y->q);
}

pby_trace_number *pby_trace_numbers_new(size_t n)
{
    pby_trace_number *x = n == 0 ? NULL : malloc(n * sizeof *x);
    for (size_t i = 0; i < n && x != NULL; i++)
        pby_trace_number_init(&x[i]);
    return x;
}

void pby_trace_numbers_free(pby_trace_number *x, size_t n)
{
    for (size_t i = 0; i < n && x != NULL; i++)
        pby_trace_number_clear(&x[i]);
    free(x);
}

/* The exponent of a hexadecimal float behind its p. */
static bool read_exponent(long *exponent, const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits) || strlen(digits) > 6 ||
        strspn(digits, "0123456789") != strlen(digits))
        return false;
    *exponent = strtol(text, NULL, 10);
    return labs(*exponent) <= BINARY_EXPONENT_MAX;
}

/* [-]0xH.HHHp[+-]D, exactly. */
static bool read_hexadecimal(mpq_t q, const char *text)
{
    const bool negative = *text == '-';
    char digits[HEX_DIGITS_MAX + 1];
    size_t n = 0;
    long exponent, behind = 0;
    bool point = false;
    const char *at = text + negative + 2;
    for (; isxdigit((unsigned char)*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        if (n == HEX_DIGITS_MAX)
            return false;
        digits[n++] = *at;
        behind += point;
    }
    digits[n] = '\0';
    if (n == 0 || (*at != 'p' && *at != 'P') || !read_exponent(&exponent, at + 1))
        return false;
    exponent -= 4 * behind;
    mpq_set_ui(q, 0, 1);
    if (mpz_set_str(mpq_numref(q), digits, 16) != 0)
        return false;
    if (exponent >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-exponent);
    if (negative)
        mpq_neg(q, q);
    return true;
}

bool pby_trace_number_parse(pby_trace_number *x, const char *text)
{
    const bool negative = *text == '-';
    const char *size = text + negative;
    PBY_MPQ(q);
    if (strcmp(text, "nan") == 0) {
        x->kind = PBY_TRACE_NAN;
        mpq_set_ui(x->q, 0, 1);
        return true;
    }
    if (strcmp(size, "inf") == 0) {
        x->kind = PBY_TRACE_INFINITE;
        mpq_set_si(x->q, negative ? -1 : 1, 1);
        return true;
    }
    if (size[0] == '0' && (size[1] == 'x' || size[1] == 'X')
            ? !read_hexadecimal(q, text)
            : pby_rational_parse(q, "", text, NULL) != PBY_OK)
        return false;
    x->kind = PBY_TRACE_FINITE;
    mpq_swap(x->q, q);
    return true;
}

bool pby_trace_number_finite(const pby_trace_number *x)
{
    return x->kind == PBY_TRACE_FINITE;
}

bool pby_trace_number_equal(const pby_trace_number *x, const pby_trace_number *y)
{
    return x->kind == y->kind && x->kind != PBY_TRACE_NOISY && mpq_equal(x->q, y->q);
}

bool pby_trace_close(mpq_srcptr x, mpq_srcptr y)
{
    PBY_MPQ(difference, greater, other);
    mpq_sub(difference, x, y);
    mpq_abs(difference, difference);
    mpq_abs(greater, x);
    mpq_abs(other, y);
    if (mpq_cmp(greater, other) < 0)
        mpq_swap(greater, other);
    mpq_div_2exp(greater, greater, CLOSE_BITS);
    return mpq_cmp(difference, greater) <= 0;
}

void pby_trace_number_affine(pby_trace_number *out, const pby_trace_number *a, const pby_trace_number *x,
                             const pby_trace_number *b)
{
    if (x->kind == PBY_TRACE_NOISY || b->kind == PBY_TRACE_NOISY || a->kind == PBY_TRACE_NOISY) {
        out->kind = PBY_TRACE_NOISY;
        mpq_set_ui(out->q, 0, 1);
        return;
    }
    const bool nan = a->kind != PBY_TRACE_FINITE || x->kind == PBY_TRACE_NAN || b->kind == PBY_TRACE_NAN ||
                     (x->kind == PBY_TRACE_INFINITE && mpq_sgn(a->q) == 0);
    PBY_MPQ(product);
    mpq_mul(product, a->q, x->q);
    const int x_sign = x->kind == PBY_TRACE_INFINITE ? mpq_sgn(product) : 0;
    const int b_sign = b->kind == PBY_TRACE_INFINITE ? mpq_sgn(b->q) : 0;
    if (nan || x_sign * b_sign < 0) {
        out->kind = PBY_TRACE_NAN;
        mpq_set_ui(out->q, 0, 1);
    } else if (x_sign != 0 || b_sign != 0) {
        out->kind = PBY_TRACE_INFINITE;
        mpq_set_si(out->q, x_sign + b_sign > 0 ? 1 : -1, 1);
    } else {
        out->kind = PBY_TRACE_FINITE;
        mpq_add(out->q, product, b->q);
    }
}
