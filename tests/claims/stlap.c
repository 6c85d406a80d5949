/* SPDX-License-Identifier: MIT */
#include "tests/claims/stlap.h"

#include <stdlib.h>

void claims_power(mpq_t out, mpq_srcptr base, long k)
{
    mpq_t b;
    mpq_init(b);
    mpq_set(b, base);
    if (k < 0)
        mpq_inv(b, b);
    mpz_pow_ui(mpq_numref(out), mpq_numref(b), (unsigned long)labs(k));
    mpz_pow_ui(mpq_denref(out), mpq_denref(b), (unsigned long)labs(k));
    mpq_clear(b);
}

/* The integral of epsilon exp(-epsilon |z - c|) up to z: exp below the middle c, 2 - exp above. */
static void integral(mpq_t out, mpq_srcptr r, long c, long z)
{
    mpq_t two;
    claims_power(out, r, labs(z - c));
    if (z <= c)
        return;
    mpq_init(two);
    mpq_set_ui(two, 2, 1);
    mpq_sub(out, two, out);
    mpq_clear(two);
}

void claims_noise(mpq_t out, mpq_srcptr r, long q, long lo, long hi)
{
    mpq_t from, norm;
    const long a = lo < -q ? -q : lo, b = hi > 0 ? 0 : hi;
    mpq_set_ui(out, 0, 1);
    if (a >= b)
        return;
    mpq_inits(from, norm, NULL);
    integral(out, r, -q / 2, b);
    integral(from, r, -q / 2, a);
    mpq_sub(out, out, from);
    claims_power(norm, r, q / 2);
    mpq_set_ui(from, 1, 1);
    mpq_sub(norm, from, norm);
    mpq_set_ui(from, 2, 1);
    mpq_mul(norm, norm, from);
    mpq_div(out, out, norm);
    mpq_clears(from, norm, NULL);
}

/* One bar: max(0, x + R), R the nearest integer to z; an empty bar stays 0. */
static void bar_law(exact_law *out, mpq_srcptr r, long q, unsigned x)
{
    mpq_t mass;
    mpq_init(mass);
    for (size_t i = 0; i < out->n; i++)
        mpq_set_ui(out->p[i], 0, 1);
    for (long j = 0; 4 * j - 2 < q; j++) {
        const long y = (long)x > j ? (long)x - j : 0;
        claims_noise(mass, r, q, -4 * j - 2, -4 * j + 2);
        mpq_add(out->p[y], out->p[y], mass);
    }
    mpq_clear(mass);
}

void claims_release(exact_law *out, mpq_srcptr r, const unsigned *x, size_t bars, unsigned top)
{
    exact_law bar;
    unsigned n = 0;
    size_t radix = 1;
    for (size_t i = 0; i < bars; i++)
        n += x[i];
    exact_init(&bar, top + 1u);
    for (size_t i = 0; i < out->n; i++)
        mpq_set_ui(out->p[i], i == 0, 1);
    /* From the outcomes of the bars so far to one bar more, the largest places first: they are read before
     * they are written. */
    for (size_t i = 0; i < bars; i++, radix *= top + 1u) {
        bar_law(&bar, r, 2 * (long)n, x[i]);
        for (size_t k = radix; k-- > 0;)
            for (size_t y = top + 1u; y-- > 0;)
                mpq_mul(out->p[y * radix + k], out->p[k], bar.p[y]);
    }
    exact_clear(&bar);
}

void claims_corollary_3(mpq_t out, mpq_srcptr r, unsigned n)
{
    mpq_t one, below;
    mpq_inits(one, below, NULL);
    mpq_set_ui(one, 1, 1);
    claims_power(out, r, -4);
    mpq_sub(out, out, one);
    claims_power(below, r, -(long)n);
    mpq_sub(below, below, one);
    mpq_div(out, out, below);
    mpq_set_ui(one, 2, 1);
    mpq_div(out, out, one);
    mpq_clears(one, below, NULL);
}
