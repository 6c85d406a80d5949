/* SPDX-License-Identifier: MIT */
/* [Thresh] sections 3 and 4 with geometric noise of ratio 1/2, where every chance is rational:
 * exp(epsilon/Delta) = 2. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"
#include "tests/exact/law.h"

enum { WIDE = 24 };

/* The law of a range of reach L around `value`: one outcome for each centre -WIDE .. WIDE, and silence last.
 */
static void range_law(exact_law *out, mpq_srcptr a, long value, long reach)
{
    exact_law noise;
    exact_init(&noise, 2 * WIDE + 1);
    exact_geometric(&noise, a, value, -WIDE);
    for (size_t i = 0; i < out->n; i++)
        mpq_set_ui(out->p[i], 0, 1);
    for (size_t i = 0; i < noise.n; i++) {
        const long centre = (long)i - WIDE;
        const size_t to = labs(centre - value) <= reach ? i : noise.n;
        mpq_add(out->p[to], out->p[to], noise.p[i]);
    }
    exact_clear(&noise);
}

/* The greater delta of both orders of counts 0 and `apart`, at exp(epsilon) = a^-apart. */
static void range_delta(mpq_t out, mpq_srcptr a, long apart, long reach)
{
    exact_law p, q;
    mpq_t x;
    mpq_init(x);
    exact_init(&p, 2 * WIDE + 2);
    exact_init(&q, 2 * WIDE + 2);
    claims_power(x, a, -apart);
    range_law(&p, a, 0, reach);
    range_law(&q, a, apart, reach);
    cr_assert(exact_is_law(&p) && exact_is_law(&q));
    exact_delta(out, &p, &q, x);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clear(x);
}

/* Sensitivity 1: the delta at epsilon is (1-a)/(1+a) a^L, for a = 1/2, 1/3, 2/3 and L to 8; at most a^L.
 * claims: Thresh/Lemma 1; Thresh/Section 3, size of the range */
Test(claims_thresh, a_range_of_sensitivity_one)
{
    static const unsigned long ratio[][2] = {{1, 2}, {1, 3}, {2, 3}};
    mpq_t a, found, promised, t;
    mpq_inits(a, found, promised, t, NULL);
    for (size_t i = 0; i < 3; i++)
        for (long reach = 0; reach <= 8; reach++) {
            mpq_set_ui(a, ratio[i][0], ratio[i][1]);
            range_delta(found, a, 1, reach);
            claims_power(promised, a, reach);
            cr_assert(claims_le("Thresh/Section 3, size of the range", found, promised));
            mpq_set_ui(t, ratio[i][1] - ratio[i][0], ratio[i][1] + ratio[i][0]);
            mpq_canonicalize(t);
            mpq_mul(promised, promised, t);
            cr_assert(claims_eq("Thresh/Lemma 1", found, promised));
        }
    mpq_clears(a, found, promised, t, NULL);
}

/* Two dimensions of which one record moves one: the law of both ranges, for a = 1/2, 1/3, 2/3 and L to 3. The
 * delta at epsilon is that of one dimension, and twice it is promised.
 * claims: Thresh/Lemma 2 */
Test(claims_thresh, a_range_of_two_dimensions)
{
    enum { ONE = 2 * WIDE + 2 };
    static const unsigned long ratio[][2] = {{1, 2}, {1, 3}, {2, 3}};
    exact_law same, other, p, q;
    mpq_t a, x, found, one, promised;
    mpq_inits(a, x, found, one, promised, NULL);
    exact_init(&same, ONE);
    exact_init(&other, ONE);
    exact_init(&p, ONE * ONE);
    exact_init(&q, ONE * ONE);
    for (size_t i = 0; i < 3; i++)
        for (long reach = 0; reach <= 3; reach++) {
            mpq_set_ui(a, ratio[i][0], ratio[i][1]);
            mpq_inv(x, a);
            range_law(&same, a, 0, reach);
            range_law(&other, a, 1, reach);
            exact_product(&p, &same, &same);
            exact_product(&q, &other, &same);
            exact_delta(found, &p, &q, x);
            range_delta(one, a, 1, reach);
            cr_assert(mpq_equal(found, one));
            mpq_add(promised, one, one);
            cr_assert(claims_le("Thresh/Lemma 2", found, promised));
        }
    exact_clear(&q);
    exact_clear(&p);
    exact_clear(&other);
    exact_clear(&same);
    mpq_clears(a, x, found, one, promised, NULL);
}

/* exp(epsilon) = 4, one dimension, delta = 1/3: L = ln(3)/epsilon = 0.79, and a range of noise 1 or more does
 * not hold the count, so that L is 0 in effect. The delta is (1 - 1/4)/(1 + 1/4) = 3/5.
 * claims: Thresh/Section 3, size of the range */
Test(claims_thresh, a_range_of_a_fraction)
{
    mpq_t a, found, promised;
    mpq_inits(a, found, promised, NULL);
    mpq_set_ui(a, 1, 4);
    range_delta(found, a, 1, 0); /* 4^0 < 3 < 4^1 */
    mpq_set_ui(promised, 1, 3);
    claims_tell("Thresh/Section 3, size of the range", found, promised);
    mpq_clears(a, found, promised, NULL);
}

/* The release [0, inf) of every count: it holds each count, and has one law on all of them.
 * claims: Thresh/Fact 4 */
Test(claims_thresh, a_range_without_an_upper_end)
{
    exact_law here, there;
    mpq_t most, delta, one;
    mpq_inits(most, delta, one, NULL);
    mpq_set_ui(one, 1, 1);
    exact_init(&here, 2); /* the release [0, inf), and any other */
    exact_init(&there, 2);
    for (long count = 0; count < 40; count++) {
        exact_set(count % 2 ? &here : &there, 0, count >= 0, 1);
        if (count > 0) {
            exact_delta(delta, &here, &there, one);
            if (mpq_cmp(delta, most) > 0)
                mpq_set(most, delta);
        }
    }
    mpq_set_ui(delta, 0, 1);
    claims_tell("Thresh/Fact 4", most, delta);
    exact_clear(&there);
    exact_clear(&here);
    mpq_clears(most, delta, one, NULL);
}

/* Delta = 2, L = 1, one dimension, exp(epsilon) = 4: counts 0 and 2 share the interval [0, 2] alone. On 0 the
 * intervals around -1 and 0 are impossible on the other side: 1/6 + 1/3 = 1/2. Promised is exp(-omega (L +
 * Delta - 1)) = 1/4.
 * claims: Thresh/Theorem 2 */
Test(claims_thresh, a_range_of_sensitivity_two)
{
    mpq_t a, found, promised, right, one;
    mpq_inits(a, found, promised, right, one, NULL);
    mpq_set_ui(a, 1, 2);
    mpq_set_ui(one, 1, 1);
    range_delta(found, a, 2, 1);
    claims_power(promised, a, 1 + 2 - 1);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Thresh/Theorem 2", found, promised);
    /* a^(L-D+1) (1 - a^D)/(1 + a) is what the sum above the theorem comes to, for D <= L + 1. */
    for (long moves = 1; moves <= 5; moves++)
        for (long reach = moves - 1; reach <= 8; reach++) {
            range_delta(found, a, moves, reach);
            claims_power(promised, a, reach - moves + 1);
            claims_power(right, a, moves);
            mpq_sub(right, one, right);
            mpq_mul(promised, promised, right);
            mpq_set_ui(right, 2, 3);
            mpq_mul(promised, promised, right);
            cr_assert(claims_eq("Thresh/Theorem 2", found, promised), "D = %ld, L = %ld", moves, reach);
        }
    mpq_clears(a, found, promised, right, one, NULL);
}

/* ---- what a small count may show (Theorem 4) ---- */

/* p_k, the most that exp(epsilon) = 11/10 and delta = 1/10 allow a bar of k records to be shown, by the
 * recursion of both directions; returns the first k that is shown for certain. */
static size_t shown(mpq_t *p, size_t most)
{
    mpq_t x, delta, one, t;
    size_t k = 0;
    mpq_inits(x, delta, one, t, NULL);
    mpq_set_ui(x, 11, 10);
    mpq_set_ui(delta, 1, 10);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(p[0], 0, 1);
    for (; k + 1 < most && mpq_cmp(p[k], one) < 0; k++) {
        mpq_mul(p[k + 1], p[k], x);
        mpq_add(p[k + 1], p[k + 1], delta);
        mpq_sub(t, one, p[k]);
        mpq_sub(t, t, delta);
        mpq_div(t, t, x);
        mpq_sub(t, one, t);
        if (mpq_cmp(t, p[k + 1]) < 0)
            mpq_set(p[k + 1], t);
        if (mpq_cmp(p[k + 1], one) > 0)
            mpq_set(p[k + 1], one);
    }
    mpq_clears(x, delta, one, t, NULL);
    return k;
}

/* A mechanism that shows a bar of k records with p_k is (log 11/10, 1/10)-private, all neighbours checked. It
 * shows three records with 331/1000. The theorem wants v >= log(p/delta + 1)/epsilon - 1, that is
 * (11/10)^(v+1) >= p/delta + 1 = 431/100; at v = 3 the left side is 14641/10000.
 * claims: Thresh/Theorem 4 */
Test(claims_thresh, three_records_may_be_shown)
{
    enum { KS = 40 };
    mpq_t p[KS], x, delta, found, promised;
    exact_law here, there;
    mpq_inits(x, delta, found, promised, NULL);
    for (size_t k = 0; k < KS; k++)
        mpq_init(p[k]);
    exact_init(&here, 2);
    exact_init(&there, 2);
    mpq_set_ui(x, 11, 10);
    const size_t certain = shown(p, KS);
    cr_assert(certain < KS - 1);
    for (size_t k = 0; k < certain; k++) {
        mpq_set(here.p[1], p[k]);
        mpq_set(there.p[1], p[k + 1]);
        mpq_set_ui(delta, 1, 1);
        mpq_sub(here.p[0], delta, p[k]);
        mpq_sub(there.p[0], delta, p[k + 1]);
        exact_delta(delta, &here, &there, x);
        cr_assert(mpq_cmp_ui(delta, 1, 10) <= 0);
    }
    cr_assert_eq(mpq_cmp_ui(p[3], 331, 1000), 0);
    claims_power(found, x, 3 + 1);
    mpq_set_ui(delta, 10, 1);
    mpq_mul(promised, p[3], delta);
    mpq_set_ui(delta, 1, 1);
    mpq_add(promised, promised, delta);
    cr_assert(mpq_cmp(found, promised) < 0);
    claims_tell("Thresh/Theorem 4", found, promised);
    /* Corrected: ((11/10)^k - 1)/(1/10) delta >= p where the first branch of the recursion holds. */
    for (size_t k = 1; k <= 6; k++) {
        claims_power(found, x, (long)k);
        mpq_sub(found, found, delta);
        cr_assert(claims_le("Thresh/Theorem 4", p[k], found));
    }
    for (size_t k = 0; k < KS; k++)
        mpq_clear(p[k]);
    exact_clear(&here);
    exact_clear(&there);
    mpq_clears(x, delta, found, promised, NULL);
}

/* ---- new bars and a threshold (Lemmas 4 and 5) ---- */

/* P(count + G < T) for ratio 1/2. */
static void silent(mpq_t out, mpq_srcptr a, long count, long threshold)
{
    exact_law g;
    exact_init(&g, 2 * WIDE + 1);
    exact_geometric(&g, a, count, -WIDE);
    mpq_set_ui(out, 0, 1);
    for (size_t i = 0; i < g.n && (long)i - WIDE < threshold; i++)
        mpq_add(out, out, g.p[i]);
    exact_clear(&g);
}

/* New bars of counts c1 + c2 + c3 <= Delta, each 1 or more where it is there: the chance that all are silent
 * is at least (1 - g)^Delta, and that one shows at most Delta g, g = a^(T-Delta)/(1 + a), for T >= Delta.
 * claims: Thresh/Lemma 4; Thresh/Lemma 5 */
Test(claims_thresh, new_bars_stay_silent)
{
    mpq_t a, g, all, one, t, bound;
    mpq_inits(a, g, all, one, t, bound, NULL);
    mpq_set_ui(a, 1, 2);
    mpq_set_ui(one, 1, 1);
    for (long D = 1; D <= 4; D++)
        for (long T = D; T <= 9; T++) {
            claims_power(g, a, T - D);
            mpq_set_ui(t, 2, 3);
            mpq_mul(g, g, t);
            for (long c = 0; c < (D + 1) * (D + 1) * (D + 1); c++) {
                const long count[] = {c % (D + 1), c / (D + 1) % (D + 1), c / (D + 1) / (D + 1)};
                if (count[0] + count[1] + count[2] > D)
                    continue;
                mpq_set_ui(all, 1, 1);
                for (size_t i = 0; i < 3; i++)
                    if (count[i] > 0) {
                        silent(t, a, count[i], T);
                        mpq_mul(all, all, t);
                    }
                mpq_sub(bound, one, g);
                if (mpq_sgn(bound) > 0) {
                    claims_power(bound, bound, D);
                    cr_assert(claims_le("Thresh/Lemma 4", bound, all), "D = %ld, T = %ld", D, T);
                }
                mpq_sub(all, one, all);
                mpq_set_si(bound, D, 1);
                mpq_mul(bound, bound, g);
                cr_assert(claims_le("Thresh/Lemma 5", all, bound), "D = %ld, T = %ld", D, T);
            }
        }
    mpq_clears(a, g, all, one, t, bound, NULL);
}

/* Delta = 1, exp(epsilon) = 2, gamma = 1, delta = 1/64: T >= 1 + 2 log2(64) = 13 is asked for, whatever omega
 * <= epsilon/2. At ratio 63/64, a bar of one record that only one side has passes 13 with a^12/(1 + a);
 * nothing of it can occur on the other side.
 * claims: Thresh/Theorem 5 */
Test(claims_thresh, a_smaller_rate_passes_the_threshold)
{
    mpq_t a, found, promised, t;
    mpq_inits(a, found, promised, t, NULL);
    mpq_set_ui(a, 63, 64);
    mpq_mul(t, a, a);
    cr_assert(mpq_cmp_ui(t, 1, 2) >= 0); /* omega <= epsilon/2: exp(-2 omega) >= 1/2 */
    silent(found, a, 1, 13);
    mpq_set_ui(t, 1, 1);
    mpq_sub(found, t, found);
    mpq_set_ui(promised, 1, 64);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Thresh/Theorem 5", found, promised);
    mpq_clears(a, found, promised, t, NULL);
}

/* ---- maps that keep the norm (Lemma 9, Theorem 7) ---- */

/* All records into the first bar if their number is even, into the second if it is odd: one record is (0, 1),
 * two are (2, 0). Behind the map geometric noise of ratio 1/2, log 2 private: 3 apart, so that the delta at
 * log 2 is positive, where 0 is promised.
 * claims: Thresh/Lemma 9; Thresh/Theorem 7 */
Test(claims_thresh, keeping_the_norm_keeps_no_neighbours)
{
    exact_law bar[4], p, q;
    mpq_t a, x, found, promised;
    mpq_inits(a, x, found, promised, NULL);
    mpq_set_ui(a, 1, 2);
    mpq_set_ui(x, 2, 1);
    for (size_t i = 0; i < 4; i++)
        exact_init(&bar[i], 9);
    exact_geometric(&bar[0], a, 0, -3);
    exact_geometric(&bar[1], a, 1, -3);
    exact_geometric(&bar[2], a, 2, -3);
    exact_geometric(&bar[3], a, 0, -3);
    exact_init(&p, 81);
    exact_init(&q, 81);
    exact_product(&p, &bar[0], &bar[1]);
    exact_product(&q, &bar[2], &bar[3]);
    exact_delta(found, &p, &q, x);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Thresh/Lemma 9", found, promised);
    claims_tell("Thresh/Theorem 7", found, promised);
    for (size_t i = 0; i < 4; i++)
        exact_clear(&bar[i]);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(a, x, found, promised, NULL);
}
