/* SPDX-License-Identifier: MIT */
/* [Survey] sections 3 to 5 in rationals: x stands for exp(epsilon). */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"
#include "tests/exact/law.h"
#include "tests/exact/lp.h"

static void two(exact_law *p, unsigned long num, unsigned long den)
{
    exact_set(p, 0, num, den);
    exact_set(p, 1, den - num, den);
}

/* P = (1/2, 1/2), Q = (1/5, 4/5), x = 2: the delta is 1/2 - 2/5 = 1/10 in one order and 0 in the other, and
 * the loss is above log 2 with chance P(0) = 1/2.
 * claims: Survey/Section 3.4.2, chance of a large loss */
Test(claims_survey, a_loss_above_epsilon_may_be_common)
{
    exact_law p, q;
    mpq_t x, delta;
    mpq_inits(x, delta, NULL);
    exact_init(&p, 2);
    exact_init(&q, 2);
    two(&p, 1, 2);
    two(&q, 1, 5);
    mpq_set_ui(x, 2, 1);
    exact_delta(delta, &p, &q, x);
    cr_assert_eq(mpq_cmp_ui(delta, 1, 10), 0);
    cr_assert(mpq_cmp(p.p[0], delta) > 0);
    mpq_mul(x, x, q.p[0]);
    cr_assert(mpq_cmp(p.p[0], x) > 0);
    claims_tell("Survey/Section 3.4.2, chance of a large loss", p.p[0], delta);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(x, delta, NULL);
}

/* (1/2, 1/2) and (1/4, 3/4) are within (log 2, 0), (1/4, 3/4) and (0, 1) within (0, 1/4). The first and the
 * last have 1/2 at log 2; the sum of the deltas is 1/4, and delta1 + exp(epsilon1) delta2 = 1/2.
 * claims: Survey/Section 3.4.3, triangle inequality */
Test(claims_survey, deltas_do_not_add_along_a_chain)
{
    exact_law a, b, c;
    mpq_t x, one, first, second, found;
    mpq_inits(x, one, first, second, found, NULL);
    exact_init(&a, 2);
    exact_init(&b, 2);
    exact_init(&c, 2);
    two(&a, 1, 2);
    two(&b, 1, 4);
    two(&c, 0, 1);
    mpq_set_ui(x, 2, 1);
    mpq_set_ui(one, 1, 1);
    exact_delta(first, &a, &b, x);
    exact_delta(second, &b, &c, one);
    exact_delta(found, &a, &c, x);
    mpq_add(second, first, second);
    cr_assert(mpq_cmp(found, second) > 0);
    claims_tell("Survey/Section 3.4.3, triangle inequality", found, second);
    exact_clear(&a);
    exact_clear(&b);
    exact_clear(&c);
    mpq_clears(x, one, first, second, found, NULL);
}

/* ---- Lemma 5.4 ---- */

enum { N = 3, TOTAL = 4 };

/* A law near `given`, in columns from `from`: X_i - up_i + down_i = given_i, the sum of X is 1 and that of up
 * plus a slack is `most`. Rows from `row`; N + 2 rows and 3 N + 1 columns. */
static void near(exact_lp *lp, size_t row, size_t from, const exact_law *given, mpq_srcptr most)
{
    for (size_t i = 0; i < N; i++) {
        mpq_set_si(exact_lp_at(lp, row + i, from + i), 1, 1);
        mpq_set_si(exact_lp_at(lp, row + i, from + N + i), -1, 1);
        mpq_set_si(exact_lp_at(lp, row + i, from + 2 * N + i), 1, 1);
        mpq_set(lp->b[row + i], given->p[i]);
        mpq_set_si(exact_lp_at(lp, row + N, from + i), 1, 1);
        mpq_set_si(exact_lp_at(lp, row + N + 1, from + N + i), 1, 1);
    }
    mpq_set_ui(lp->b[row + N], 1, 1);
    mpq_set_si(exact_lp_at(lp, row + N + 1, from + 3 * N), 1, 1);
    mpq_set(lp->b[row + N + 1], most);
}

static bool feasible(exact_lp *lp)
{
    mpq_t best;
    mpq_init(best);
    const bool found = exact_lp_solve(lp, best, NULL) == EXACT_OPTIMAL;
    exact_lp_clear(lp);
    mpq_clear(best);
    return found;
}

/* Some X within delta of Y has X <= x Z. */
static bool one_law(const exact_law *y, const exact_law *z, mpq_srcptr x, mpq_srcptr delta)
{
    enum { COLUMNS = 3 * N + 1 };
    exact_lp lp;
    exact_lp_init(&lp, 2 * N + 2, COLUMNS + N);
    near(&lp, 0, 0, y, delta);
    for (size_t i = 0; i < N; i++) {
        mpq_set_si(exact_lp_at(&lp, N + 2 + i, i), 1, 1);
        mpq_set_si(exact_lp_at(&lp, N + 2 + i, COLUMNS + i), 1, 1);
        mpq_mul(lp.b[N + 2 + i], x, z->p[i]);
    }
    return feasible(&lp);
}

/* Some Y', Z' within `off` of Y and Z have Y' <= x Z' and, if `both`, Z' <= x Y'. */
static bool two_laws(const exact_law *y, const exact_law *z, mpq_srcptr x, mpq_srcptr off, bool both)
{
    enum { COLUMNS = 3 * N + 1, ROWS = N + 2 };
    exact_lp lp;
    exact_lp_init(&lp, 2 * ROWS + (both ? 2 : 1) * N, 2 * COLUMNS + (both ? 2 : 1) * N);
    near(&lp, 0, 0, y, off);
    near(&lp, ROWS, COLUMNS, z, off);
    for (size_t i = 0; i < (both ? 2 : 1) * N; i++) {
        const size_t less = i < N ? i : COLUMNS + i - N, more = i < N ? COLUMNS + i : i - N;
        mpq_set_si(exact_lp_at(&lp, 2 * ROWS + i, less), 1, 1);
        mpq_neg(exact_lp_at(&lp, 2 * ROWS + i, more), x);
        mpq_set_si(exact_lp_at(&lp, 2 * ROWS + i, 2 * COLUMNS + i), 1, 1);
    }
    return feasible(&lp);
}

/* Both equivalences on all laws of quarters over three outcomes, x = 1, 3/2, 2, 3 and delta = 0, 1/8, ..,
 * 1/2. In the second, D(Z'||Y') too must be within epsilon, which the statement leaves out: with Y = (1, 0),
 * Z = (1/2, 1/2), x = 2 and delta = 0 the statement has Y' = Y, Z' = Z, and D(Z||Y) is infinite.
 * claims: Survey/Lemma 5.4 */
Test(claims_survey, approximate_divergence_by_nearby_laws)
{
    static const unsigned long xs[][2] = {{1, 1}, {3, 2}, {2, 1}, {3, 1}};
    exact_law y, z;
    mpq_t x, delta, off, forth, back;
    unsigned long a[N], b[N];
    mpq_inits(x, delta, off, forth, back, NULL);
    exact_init(&y, N);
    exact_init(&z, N);
    for (size_t i = 0; i < 4; i++)
        for (unsigned long eighths = 0; eighths <= 4; eighths++) {
            mpq_set_ui(x, xs[i][0], xs[i][1]);
            mpq_set_ui(delta, eighths, 8);
            mpq_canonicalize(delta);
            mpq_set_ui(off, 1, 1);
            mpq_add(off, off, x);
            mpq_div(off, delta, off);
            exact_first(a, N, TOTAL);
            do {
                exact_parts(&y, a, TOTAL);
                exact_first(b, N, TOTAL);
                do {
                    exact_parts(&z, b, TOTAL);
                    exact_hockey(forth, &y, &z, x);
                    exact_hockey(back, &z, &y, x);
                    cr_assert(claims_is("Survey/Lemma 5.4",
                                        (mpq_cmp(forth, delta) <= 0) == one_law(&y, &z, x, delta)));
                    const bool within = mpq_cmp(forth, delta) <= 0 && mpq_cmp(back, delta) <= 0;
                    cr_assert(claims_is("Survey/Lemma 5.4", within == two_laws(&y, &z, x, off, true)));
                } while (exact_next(b, N));
            } while (exact_next(a, N));
        }
    exact_set(&y, 0, 1, 1);
    exact_set(&y, 1, 0, 1);
    exact_set(&y, 2, 0, 1);
    exact_set(&z, 0, 1, 2);
    exact_set(&z, 1, 1, 2);
    exact_set(&z, 2, 0, 1);
    mpq_set_ui(x, 2, 1);
    mpq_set_ui(delta, 0, 1);
    cr_assert(two_laws(&y, &z, x, delta, false));
    exact_hockey(back, &z, &y, x);
    cr_assert(mpq_cmp(back, delta) > 0);
    exact_clear(&y);
    exact_clear(&z);
    mpq_clears(x, delta, off, forth, back, NULL);
}

/* ---- section 4 ---- */

/* P(|Y| >= t b) = exp(-t) for Laplace noise, so that k coordinates exceed ln(k/delta) b with 1 - (1 -
 * delta/k)^k: at most delta.
 * claims: Survey/Theorem 4.2 */
Test(claims_survey, the_largest_of_k_noises)
{
    mpq_t t, one, delta;
    mpq_inits(t, one, delta, NULL);
    mpq_set_ui(one, 1, 1);
    for (unsigned long k = 1; k <= 30; k++)
        for (unsigned long d = 1; d <= 20; d++) {
            mpq_set_ui(delta, d, 20);
            mpq_canonicalize(delta);
            mpq_set_ui(t, d, 20 * k);
            mpq_canonicalize(t);
            mpq_sub(t, one, t);
            claims_power(t, t, (long)k);
            mpq_sub(t, one, t);
            cr_assert(claims_le("Survey/Theorem 4.2", t, delta));
        }
    mpq_clears(t, one, delta, NULL);
}

/* The exponential mechanism with exp(epsilon/(2 Delta)) = 2 on integer scores of Delta = 1: mass 2^score. */
static void choose(exact_law *out, const long *score)
{
    mpq_t sum, base;
    mpq_inits(sum, base, NULL);
    mpq_set_ui(base, 2, 1);
    for (size_t i = 0; i < out->n; i++) {
        claims_power(out->p[i], base, score[i]);
        mpq_add(sum, sum, out->p[i]);
    }
    for (size_t i = 0; i < out->n; i++)
        mpq_div(out->p[i], out->p[i], sum);
    mpq_clears(sum, base, NULL);
}

/* All scores 0..3 of three candidates, and all neighbours whose scores differ by at most 1 each: within
 * exp(epsilon) = 4. The chance of a score of at most OPT - t is at most (n/n*) 2^-t, and with n* = 1 for n*
 * the corollary's.
 * claims: Survey/Theorem 4.4; Survey/Theorem 4.5; Survey/Corollary 4.6 */
Test(claims_survey, the_exponential_mechanism)
{
    exact_law p, q;
    mpq_t x, bad, bound, base;
    mpq_inits(x, bad, bound, base, NULL);
    mpq_set_ui(x, 4, 1);
    mpq_set_ui(base, 2, 1);
    exact_init(&p, 3);
    exact_init(&q, 3);
    for (long k = 0; k < 64; k++) {
        const long s[3] = {k % 4, k / 4 % 4, k / 16};
        const long best = s[0] > s[1] ? (s[0] > s[2] ? s[0] : s[2]) : (s[1] > s[2] ? s[1] : s[2]);
        choose(&p, s);
        for (long e = 0; e < 27; e++) {
            const long t[3] = {s[0] + e % 3 - 1, s[1] + e / 3 % 3 - 1, s[2] + e / 9 - 1};
            choose(&q, t);
            cr_assert(claims_is("Survey/Theorem 4.4", exact_within(&p, &q, x)));
        }
        for (long off = 0; off <= 3; off++) {
            unsigned long optimal = 0;
            mpq_set_ui(bad, 0, 1);
            for (size_t i = 0; i < 3; i++) {
                optimal += s[i] == best;
                if (s[i] <= best - off)
                    mpq_add(bad, bad, p.p[i]);
            }
            claims_power(bound, base, -off);
            mpq_set_ui(x, 3, optimal);
            mpq_canonicalize(x);
            mpq_mul(bound, bound, x);
            mpq_set_ui(x, 4, 1);
            cr_assert(claims_le("Survey/Theorem 4.5; Survey/Corollary 4.6", bad, bound));
        }
    }
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(x, bad, bound, base, NULL);
}

/* With the score -|f - h| on the integers the exponential mechanism has mass 2^-|f - h| where exp(epsilon/2)
 * = 2: neighbours 1 apart have a greatest ratio of 2, and the Laplace mechanism of epsilon one of
 * exp(epsilon) = 4.
 * claims: Survey/Section 4.1.2, Laplace as an instance */
Test(claims_survey, the_exponential_mechanism_is_not_the_laplace_mechanism)
{
    exact_law p, q;
    mpq_t a, found, promised, t;
    mpq_inits(a, found, promised, t, NULL);
    exact_init(&p, 7);
    exact_init(&q, 7);
    mpq_set_ui(a, 1, 2);
    exact_geometric(&p, a, 0, -3);
    exact_geometric(&q, a, 1, -3);
    for (size_t i = 0; i < p.n; i++) {
        mpq_div(t, p.p[i], q.p[i]);
        if (mpq_cmp(t, found) > 0)
            mpq_set(found, t);
    }
    mpq_set_ui(promised, 4, 1);
    mpq_set_ui(t, 2, 1);
    cr_assert(claims_eq("Survey/Section 4.1.2, Laplace as an instance", found, t));
    cr_assert(mpq_cmp(found, promised) < 0);
    claims_tell("Survey/Section 4.1.2, Laplace as an instance", found, promised);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(a, found, promised, t, NULL);
}

/* Odds g = 3/2, 2, 3, 10: the ratio of the two answers is g, and the estimator (Y (g+1) - 1)/(g-1) has the
 * bit as its mean; Warner's two coins are g = 3.
 * claims: Survey/Section 4.1.3, randomised response; Survey/Section 3.4.1, Warner */
Test(claims_survey, randomised_response)
{
    static const unsigned long odds[][2] = {{3, 2}, {2, 1}, {3, 1}, {10, 1}};
    exact_law p, q;
    mpq_t g, mean, t, one;
    mpq_inits(g, mean, t, one, NULL);
    mpq_set_ui(one, 1, 1);
    exact_init(&p, 2);
    exact_init(&q, 2);
    for (size_t i = 0; i < 4; i++) {
        mpq_set_ui(g, odds[i][0], odds[i][1]);
        two(&p, odds[i][0], odds[i][0] + odds[i][1]); /* the bit 0: answers 0, 1 */
        two(&q, odds[i][1], odds[i][0] + odds[i][1]);
        cr_assert(exact_within(&p, &q, g) && exact_within(&q, &p, g));
        mpq_mul(t, g, q.p[0]);
        cr_assert(claims_eq("Survey/Section 4.1.3, randomised response", p.p[0], t));
        for (int bit = 0; bit < 2; bit++) {
            mpq_add(t, g, one);
            mpq_mul(mean, bit ? q.p[1] : p.p[1], t);
            mpq_sub(mean, mean, one);
            mpq_sub(t, g, one);
            mpq_div(mean, mean, t);
            cr_assert_eq(mpq_cmp_si(mean, bit, 1), 0);
        }
    }
    for (int truth = 0; truth < 2;
         truth++) { /* two fair coins: tails, the truth; heads, what the second shows */
        unsigned yes = 0;
        for (int coins = 0; coins < 4; coins++)
            yes += (coins & 1) != 0 ? (coins & 2) != 0 : truth != 0;
        cr_assert(claims_eq_si("Survey/Section 3.4.1, Warner", (long)yes, truth ? 3 : 1));
    }
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(g, mean, t, one, NULL);
}
