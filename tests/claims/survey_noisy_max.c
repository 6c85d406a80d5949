/* SPDX-License-Identifier: MIT */
/* [Survey] Theorems 4.3 and 4.7 on the integers: the exact law of the index of the largest noisy count, ties
 * to the least index. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"
#include "tests/exact/law.h"

enum { K = 3 };

/* Noise of ratio a: two-sided, mass (1-a)/(1+a) a^|d|, or one-sided, (1-a) a^d for d >= 0. */
typedef struct {
    mpq_srcptr a;
    bool two_sided;
    mpq_t one, below; /* 1, and 1 + a or 1 */
} noise;

static void mass(mpq_t out, const noise *z, long d)
{
    mpq_t t;
    mpq_init(t);
    claims_power(out, z->a, labs(d));
    mpq_sub(t, z->one, z->a);
    mpq_mul(out, out, t);
    mpq_div(out, out, z->below);
    if (!z->two_sided && d < 0)
        mpq_set_ui(out, 0, 1);
    mpq_clear(t);
}

/* P(noise <= d): 1 - a^(d+1)/below from -1 on; under that a^-d/(1+a), or nothing. */
static void cdf(mpq_t out, const noise *z, long d)
{
    claims_power(out, z->a, d >= -1 ? d + 1 : -d);
    mpq_div(out, out, z->below);
    if (d >= -1)
        mpq_sub(out, z->one, out);
    else if (!z->two_sided)
        mpq_set_ui(out, 0, 1);
}

/* The chance that i wins with the value t, in `out`. */
static void wins_at(mpq_t out, const noise *z, const long *c, size_t i, long t)
{
    mpq_t f;
    mpq_init(f);
    mass(out, z, t - c[i]);
    for (size_t j = 0; j < K; j++)
        if (j != i) {
            cdf(f, z, t - c[j] - (j < i));
            mpq_mul(out, out, f);
        }
    mpq_clear(f);
}

/* The sum over t >= from, where all noise is from 0 on: the product of 1 - A_j a^t expanded over the sets of
 * j. */
static void upper_tail(mpq_t out, const noise *z, const long *c, size_t i, long from)
{
    mpq_t term, t, rate;
    mpq_inits(term, t, rate, NULL);
    mpq_set_ui(out, 0, 1);
    for (unsigned set = 0; set < 1u << K; set++) {
        long power = from - c[i], factors = 1;
        int sign = 1;
        if (set >> i & 1)
            continue;
        mpq_sub(term, z->one, z->a);
        mpq_div(term, term, z->below);
        for (size_t j = 0; j < K; j++)
            if (set >> j & 1) {
                power += from - c[j] - (j < i) + 1;
                factors++;
                sign = -sign;
                mpq_div(term, term, z->below);
            }
        claims_power(t, z->a, power);
        mpq_mul(term, term, t);
        claims_power(rate, z->a, factors);
        mpq_sub(rate, z->one, rate);
        mpq_div(term, term, rate);
        if (sign > 0)
            mpq_add(out, out, term);
        else
            mpq_sub(out, out, term);
    }
    mpq_clears(term, t, rate, NULL);
}

/* The law of the winner. Below `from` everything falls by a^K a step. */
static void winner(exact_law *out, const noise *z, const long *c)
{
    long least = c[0], most = c[0];
    mpq_t t, rate;
    mpq_inits(t, rate, NULL);
    for (size_t j = 1; j < K; j++) {
        least = c[j] < least ? c[j] : least;
        most = c[j] > most ? c[j] : most;
    }
    for (size_t i = 0; i < K; i++) {
        upper_tail(out->p[i], z, c, i, most + 1);
        for (long at = least - 2; at <= most; at++) {
            wins_at(t, z, c, i, at);
            mpq_add(out->p[i], out->p[i], t);
        }
        wins_at(t, z, c, i, least - 3); /* and all below it */
        claims_power(rate, z->a, K);
        mpq_sub(rate, z->one, rate);
        mpq_div(t, t, rate);
        mpq_add(out->p[i], out->p[i], t);
    }
    cr_assert(exact_is_law(out));
    mpq_clears(t, rate, NULL);
}

static void noise_init(noise *z, mpq_srcptr a, bool two_sided)
{
    z->a = a;
    z->two_sided = two_sided;
    mpq_inits(z->one, z->below, NULL);
    mpq_set_ui(z->one, 1, 1);
    mpq_set(z->below, z->one);
    if (two_sided)
        mpq_add(z->below, z->below, a);
}

/* Asserts that on all counts 0..3 no neighbour is beyond x; counts fall together if `monotone`, else each
 * moves by at most one. */
static void assert_private(const char *rows, const noise *z, mpq_srcptr x, bool monotone)
{
    exact_law p, q;
    exact_init(&p, K);
    exact_init(&q, K);
    for (long k = 0; k < 64; k++)
        for (long e = 0; e < 27; e++) {
            const long c[K] = {k % 4, k / 4 % 4, k / 16};
            const long d[K] = {c[0] + e % 3 - 1, c[1] + e / 3 % 3 - 1, c[2] + e / 9 - 1};
            if (monotone && (d[0] > c[0] || d[1] > c[1] || d[2] > c[2]))
                continue;
            winner(&p, z, c);
            winner(&q, z, d);
            cr_assert(claims_is(rows, exact_within(&p, &q, x) && exact_within(&q, &p, x)));
        }
    exact_clear(&p);
    exact_clear(&q);
}

/* Counting queries, noise of rate epsilon = log 2: within 2, as the theorem says of them. Queries that may
 * move against each other lose up to 2 epsilon: (0, 12, 0) against (1, 11, 0).
 * claims: Survey/Theorem 4.3; Survey/Algorithm 2, for any queries */
Test(claims_noisy_max, two_sided)
{
    static const long here[K] = {0, 12, -40}, there[K] = {1, 11, -40};
    noise z;
    exact_law p, q;
    mpq_t a, x, ratio;
    mpq_inits(a, x, ratio, NULL);
    mpq_set_ui(a, 1, 2);
    mpq_set_ui(x, 2, 1);
    noise_init(&z, a, true);
    assert_private("Survey/Theorem 4.3", &z, x, true);
    exact_init(&p, K);
    exact_init(&q, K);
    winner(&p, &z, here);
    winner(&q, &z, there);
    mpq_div(ratio, q.p[0], p.p[0]);
    cr_assert(mpq_cmp(ratio, x) > 0);
    claims_tell("Survey/Algorithm 2, for any queries", ratio, x);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(z.one, z.below, a, x, ratio, NULL);
}

/* One-sided noise of rate epsilon/2 = log 2, any queries: within 4; and of rate epsilon, counting queries:
 * within 2.
 * claims: Survey/Theorem 4.7 */
Test(claims_noisy_max, one_sided)
{
    noise z;
    mpq_t a, x;
    mpq_inits(a, x, NULL);
    mpq_set_ui(a, 1, 2);
    noise_init(&z, a, false);
    mpq_set_ui(x, 4, 1);
    assert_private("Survey/Theorem 4.7", &z, x, false);
    mpq_set_ui(x, 2, 1);
    assert_private("Survey/Theorem 4.7", &z, x, true);
    mpq_clears(z.one, z.below, a, x, NULL);
}
