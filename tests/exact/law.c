/* SPDX-License-Identifier: MIT */
#include "tests/exact/law.h"

#include <stdlib.h>

void exact_init(exact_law *law, size_t n)
{
    law->n = n;
    law->p = malloc((n ? n : 1) * sizeof *law->p);
    if (law->p == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        mpq_init(law->p[i]);
}

void exact_clear(exact_law *law)
{
    for (size_t i = 0; i < law->n; i++)
        mpq_clear(law->p[i]);
    free(law->p);
}

void exact_set(exact_law *law, size_t i, unsigned long num, unsigned long den)
{
    mpq_set_ui(law->p[i], num, den);
    mpq_canonicalize(law->p[i]);
}

void exact_copy(exact_law *out, const exact_law *law)
{
    for (size_t i = 0; i < law->n; i++)
        mpq_set(out->p[i], law->p[i]);
}

bool exact_is_law(const exact_law *law)
{
    bool is = true;
    mpq_t sum;
    mpq_init(sum);
    for (size_t i = 0; i < law->n; i++) {
        is = is && mpq_sgn(law->p[i]) >= 0;
        mpq_add(sum, sum, law->p[i]);
    }
    is = is && mpq_cmp_ui(sum, 1, 1) == 0;
    mpq_clear(sum);
    return is;
}

void exact_hockey(mpq_t out, const exact_law *p, const exact_law *q, mpq_srcptr x)
{
    mpq_t sum, t;
    mpq_inits(sum, t, NULL);
    for (size_t i = 0; i < p->n; i++) {
        mpq_mul(t, x, q->p[i]);
        mpq_sub(t, p->p[i], t);
        if (mpq_sgn(t) > 0)
            mpq_add(sum, sum, t);
    }
    mpq_set(out, sum);
    mpq_clears(sum, t, NULL);
}

void exact_delta(mpq_t out, const exact_law *p, const exact_law *q, mpq_srcptr x)
{
    mpq_t back;
    mpq_init(back);
    exact_hockey(back, q, p, x);
    exact_hockey(out, p, q, x);
    if (mpq_cmp(out, back) < 0)
        mpq_set(out, back);
    mpq_clear(back);
}

void exact_variation(mpq_t out, const exact_law *p, const exact_law *q)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    exact_hockey(out, p, q, one);
    mpq_clear(one);
}

bool exact_within(const exact_law *p, const exact_law *q, mpq_srcptr x)
{
    bool within = true;
    mpq_t t;
    mpq_init(t);
    for (size_t i = 0; i < p->n && within; i++) {
        mpq_mul(t, x, q->p[i]);
        within = mpq_cmp(p->p[i], t) <= 0;
    }
    mpq_clear(t);
    return within;
}

bool exact_moment(mpq_t out, const exact_law *p, const exact_law *q, unsigned long order)
{
    bool finite = true;
    mpq_t sum, t;
    mpq_inits(sum, t, NULL);
    for (size_t i = 0; i < p->n && finite; i++) {
        if (mpq_sgn(p->p[i]) == 0)
            continue;
        finite = mpq_sgn(q->p[i]) > 0;
        mpq_set(t, p->p[i]);
        for (unsigned long k = 1; k < order && finite; k++) {
            mpq_mul(t, t, p->p[i]);
            mpq_div(t, t, q->p[i]);
        }
        mpq_add(sum, sum, t);
    }
    if (finite)
        mpq_set(out, sum);
    mpq_clears(sum, t, NULL);
    return finite;
}

void exact_product(exact_law *out, const exact_law *p, const exact_law *q)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < q->n; j++)
            mpq_mul(out->p[i * q->n + j], p->p[i], q->p[j]);
}

void exact_push(exact_law *out, const exact_law *p, const size_t *map)
{
    for (size_t i = 0; i < out->n; i++)
        mpq_set_ui(out->p[i], 0, 1);
    for (size_t i = 0; i < p->n; i++)
        mpq_add(out->p[map[i]], out->p[map[i]], p->p[i]);
}

void exact_mix(exact_law *out, const exact_law *p, const exact_law *rows)
{
    mpq_t t;
    mpq_init(t);
    for (size_t j = 0; j < out->n; j++) {
        mpq_set_ui(out->p[j], 0, 1);
        for (size_t i = 0; i < p->n; i++) {
            mpq_mul(t, p->p[i], rows[i].p[j]);
            mpq_add(out->p[j], out->p[j], t);
        }
    }
    mpq_clear(t);
}

/* a^k for k >= 0. */
static void power(mpq_t out, mpq_srcptr a, unsigned long k)
{
    mpz_pow_ui(mpq_numref(out), mpq_numref(a), k);
    mpz_pow_ui(mpq_denref(out), mpq_denref(a), k);
}

/* P(G >= k) for k >= 0 is a^k / (1 + a); below, by symmetry. */
static void upper_tail(mpq_t out, mpq_srcptr a, long k)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    power(out, a, (unsigned long)(k >= 0 ? k : 1 - k));
    mpq_div(out, out, (mpq_add(one, one, a), one));
    if (k < 0) {
        mpq_set_ui(one, 1, 1);
        mpq_sub(out, one, out);
    }
    mpq_clear(one);
}

void exact_geometric(exact_law *out, mpq_srcptr a, long centre, long first)
{
    mpq_t next;
    mpq_init(next);
    mpq_set_ui(out->p[0], 1, 1);
    for (size_t i = 0; i + 1 < out->n; i++) {
        upper_tail(next, a, first + (long)i + 1 - centre);
        mpq_sub(out->p[i], out->p[i], next);
        mpq_set(out->p[i + 1], next);
    }
    mpq_clear(next);
}

void exact_first(unsigned long *parts, size_t n, unsigned long total)
{
    for (size_t i = 0; i < n; i++)
        parts[i] = 0;
    parts[0] = total;
}

/* Compositions of the total in reverse lexicographic order. */
bool exact_next(unsigned long *parts, size_t n)
{
    size_t i = n - 1;
    const unsigned long last = parts[n - 1];
    parts[n - 1] = 0;
    while (i > 0 && parts[i - 1] == 0)
        i--;
    if (i == 0)
        return false;
    parts[i - 1]--;
    parts[i] = last + 1;
    return true;
}

void exact_parts(exact_law *law, const unsigned long *parts, unsigned long total)
{
    for (size_t i = 0; i < law->n; i++)
        exact_set(law, i, parts[i], total);
}
