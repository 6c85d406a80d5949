/* SPDX-License-Identifier: MIT */
/* [Float]: statements of the appendices that a small case decides. */
#include <arb.h>
#include <arb_hypgeom.h>
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { PREC = 128 };

static void tell(const char *row, long found, unsigned long over, long promised, unsigned long under)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_si(a, found, over);
    mpq_set_si(b, promised, under);
    mpq_canonicalize(a);
    mpq_canonicalize(b);
    claims_tell(row, a, b);
    mpq_clears(a, b, NULL);
}

/* ---- quantiles of close laws (Lemma 18) ---- */

enum { PLACES = 4 };

/* Masses at places in order; the place of the quantile: the least whose distribution function reaches q. */
static size_t quantile(const long *mass, long q)
{
    size_t i = 0;
    for (long sum = mass[0]; sum < q; sum += mass[++i])
        ;
    return i;
}

/* The mass at `places` up to x. */
static long below(const long *mass, const long *place, size_t n, long x)
{
    long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += place[i] <= x ? mass[i] : 0;
    return sum;
}

/* The greatest distance of the distribution functions. */
static long apart(const long *x, const long *y, size_t n)
{
    long a = 0, b = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        a += x[i];
        b += y[i];
        most = labs(a - b) > most ? labs(a - b) : most;
    }
    return most;
}

/* Places in halves, masses in hundredths. X has -2: 55, 0: 30, 1/2: 15 and Y has -2: 65, 0: 20, 1/2: 15, so b
 * = 10. At q = 60 the quantile of X is 0, where its distribution function is 85 already. Within a = 1 it
 * rises by 15 above and by 30 below, both more than b. The quantile of Y is -2.
 * claims: Float/Lemma 18 */
Test(claims_float_texts, a_jump_at_the_quantile)
{
    static const long place[3] = {-4, 0, 1}, x[3] = {55, 30, 15}, y[3] = {65, 20, 15};
    const long b = apart(x, y, 3), at = place[quantile(x, 60)];
    cr_assert_eq(b, 10);
    cr_assert_gt(below(x, place, 3, at + 2) - below(x, place, 3, at), b);
    cr_assert_gt(below(x, place, 3, at) - below(x, place, 3, at - 2), b);
    tell("Float/Lemma 18", labs(at - place[quantile(y, 60)]), 2, 1, 1);
}

/* With q in place of the distribution function at the quantile: F(Q + a) - q >= b and q - F(Q - a) > b. All
 * laws of sixths on 0 to 3, q in twelfths, a = 0, 1 and 2.
 * claims: Float/Lemma 18 */
Test(claims_float_texts, a_rise_beyond_q_on_both_sides)
{
    enum { SIXTHS = 6, LAWS = 84 };
    static const long place[PLACES] = {0, 1, 2, 3};
    static long law[LAWS][PLACES];
    size_t laws = 0;
    int asked = 0;
    for (long i = 0; i <= SIXTHS; i++)
        for (long j = 0; i + j <= SIXTHS; j++)
            for (long k = 0; i + j + k <= SIXTHS; k++, laws++) {
                const long parts[PLACES] = {i, j, k, SIXTHS - i - j - k};
                for (size_t t = 0; t < PLACES; t++)
                    law[laws][t] = 2 * parts[t];
            }
    cr_assert_eq(laws, LAWS);
    for (size_t x = 0; x < LAWS; x++)
        for (size_t y = 0; y < LAWS; y++)
            for (long q = 1; q < 2 * SIXTHS; q++)
                for (long a = 0; a <= 2; a++) {
                    const long b = apart(law[x], law[y], PLACES), at = place[quantile(law[x], q)];
                    if (below(law[x], place, PLACES, at + a) - q < b ||
                        q - below(law[x], place, PLACES, at - a) <= b)
                        continue;
                    asked++;
                    cr_assert(claims_le_si("Float/Lemma 18", labs(at - place[quantile(law[y], q)]), a));
                }
    cr_assert_gt(asked, 1000);
}

/* ---- the radius of log-concave laws (Proposition 33, Lemma 35) ---- */

/* The standard normal distribution function. */
static void normal(arb_t out, const arb_t x)
{
    arb_t half;
    arb_init(half);
    arb_set_ui(half, 2);
    arb_sqrt(half, half, PREC);
    arb_div(half, x, half, PREC);
    arb_hypgeom_erf(out, half, PREC);
    arb_add_ui(out, out, 1, PREC);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(half);
}

/* log(1/(2(1-q))) for q in hundredths. */
static void log_term(arb_t out, ulong q)
{
    arb_set_ui(out, 100);
    arb_div_ui(out, out, 2 * (100 - q), PREC);
    arb_log(out, out, PREC);
}

/* The quantiles of the uniform law, the Laplace law and the normal law of variance 1. */
static void quantiles(arb_struct *out, ulong q)
{
    arb_t lo, hi, x, p;
    arb_init(lo);
    arb_init(hi);
    arb_init(x);
    arb_init(p);
    arb_set_ui(out, 3);
    arb_sqrt(out, out, PREC);
    arb_mul_ui(out, out, 2 * q - 100, PREC);
    arb_div_ui(out, out, 100, PREC);
    log_term(out + 1, q);
    arb_set_ui(x, 2);
    arb_sqrt(x, x, PREC);
    arb_div(out + 1, out + 1, x, PREC);
    arb_set_ui(hi, 8);
    for (int i = 0; i < 60; i++) { /* bisection: P(lo) < q <= P(hi) */
        arb_add(x, lo, hi, PREC);
        arb_mul_2exp_si(x, x, -1);
        normal(p, x);
        arb_mul_ui(p, p, 100, PREC);
        arb_sub_ui(p, p, q, PREC);
        cr_assert(arb_is_negative(p) || arb_is_positive(p));
        arb_set(arb_is_negative(p) ? lo : hi, x);
    }
    arb_union(out + 2, lo, hi, PREC);
    arb_clear(p);
    arb_clear(x);
    arb_clear(hi);
    arb_clear(lo);
}

/* q = 3/5: log(1/(2(1-q))) = log(5/4) = 0.2231, and the quantile of a standard normal, which is symmetric,
 * isotropic and log-concave, is 0.2533. With the 1 of Lemma 35 the three laws keep the bound, and are at
 * least q - 1/2, at every q.
 * claims: Float/Proposition 33; Float/Lemma 35 */
Test(claims_float_texts, a_normal_quantile_beyond_the_radius)
{
    arb_ptr at = _arb_vec_init(3);
    arb_t bound;
    arb_init(bound);
    for (ulong q = 51; q < 100; q++) {
        quantiles(at, q);
        for (size_t i = 0; i < 3; i++) {
            arb_set_ui(bound, q - 50);
            arb_div_ui(bound, bound, 100, PREC);
            cr_assert(claims_le_arb("Float/Lemma 35; Float/Proposition 33", bound, at + i));
            log_term(bound, q);
            arb_add_ui(bound, bound, 1, PREC);
            cr_assert(claims_le_arb("Float/Lemma 35; Float/Proposition 33", at + i, bound));
        }
    }
    quantiles(at, 60);
    log_term(bound, 60);
    claims_tell_arb("Float/Proposition 33", at + 2, bound);
    arb_clear(bound);
    _arb_vec_clear(at, 3);
}

/* ---- a walk that stays at its start (Theorem 26) ---- */

/* The body is [-1, 1], so that its Steiner point is 0, Rmin = Rmax = 1 and d = 1. Projections bring no point
 * further from 0 and steps are independent of the place, so the mean square of the walk is at most k eta^2
 * after k steps. The uniform law has 1/3, and a coupling moves by at least the difference of the roots. With
 * eta = alpha^2/4, k = 64/alpha^2 and alpha = 1/10: k eta^2 = 1/25, and (1/sqrt 3 - 1/5)^2 = 0.1424.
 * claims: Float/Theorem 26 */
Test(claims_float_texts, a_walk_that_stays_at_its_start)
{
    enum { ALPHA = 10, STEPS = 64 * ALPHA * ALPHA, SIDE = 4 * ALPHA * ALPHA };
    static double law[2][2 * SIDE + 1];
    double square = 0;
    arb_t found, x;
    arb_init(found);
    arb_init(x);
    /* Fair coins in place of normal steps have the same variance: the bound, on the exact law of such a walk.
     */
    law[0][SIDE] = 1;
    for (int t = 0; t < STEPS; t++) {
        const double *here = law[t % 2];
        double *next = law[1 - t % 2];
        for (int i = 0; i <= 2 * SIDE; i++)
            next[i] = 0;
        for (int i = 0; i <= 2 * SIDE; i++) {
            next[i > 0 ? i - 1 : 0] += here[i] / 2;
            next[i < 2 * SIDE ? i + 1 : 2 * SIDE] += here[i] / 2;
        }
    }
    for (int i = 0; i <= 2 * SIDE; i++)
        square += law[STEPS % 2][i] * (i - SIDE) * (i - SIDE) / ((double)SIDE * SIDE);
    cr_assert(claims_le_d("Float/Theorem 26", square, (double)STEPS / ((double)SIDE * SIDE) * (1 + 1e-9)));
    arb_set_ui(found, 3);
    arb_rsqrt(found, found, PREC);
    arb_set_ui(x, STEPS);
    arb_sqrt(x, x, PREC);
    arb_div_ui(x, x, SIDE, PREC);
    arb_sub(found, found, x, PREC);
    cr_assert(arb_is_positive(found));
    arb_mul(found, found, found, PREC);
    arb_one(x);
    arb_div_ui(x, x, ALPHA, PREC);
    claims_tell_arb("Float/Theorem 26", found, x);
    arb_clear(x);
    arb_clear(found);
}

/* ---- typical samples (Lemma 20) ---- */

/* Uniform samples along one direction: the records of ranks m and m + 1 are more than x = 2W/n of the mass
 * apart with the chance (1 - x)^n, and the sample is then not typical in this direction, at kappa = 1. n =
 * 10^6 and W = 10 give 2.06e-9. The formula has W exp(-(W + d)) and exp(-(L^2 r^2 n + d)), which fall with
 * the number of directions: 10 exp(-110) and at most exp(-100) at d = 100.
 * claims: Float/Lemma 20 */
Test(claims_float_texts, more_directions_are_not_more_typical)
{
    enum { N = 1000000, W = 10, D = 100 };
    arb_t found, promised, x;
    arb_init(found);
    arb_init(promised);
    arb_init(x);
    arb_set_ui(found, N - 2 * W);
    arb_div_ui(found, found, N, PREC);
    arb_pow_ui(found, found, N, PREC);
    arb_set_si(promised, -(W + D));
    arb_exp(promised, promised, PREC);
    arb_mul_ui(promised, promised, W, PREC);
    arb_set_si(x, -D);
    arb_exp(x, x, PREC);
    arb_add(promised, promised, x, PREC);
    claims_tell_arb("Float/Lemma 20", found, promised);
    arb_clear(x);
    arb_clear(promised);
    arb_clear(found);
}

/* For n = 3 to 6 records on 1 .. 12, all places equally likely and different, the share of samples whose
 * records of ranks m and m + 1 are more than x apart is that of the spacing law on the circle: a spacing of
 * the grid has C(12 - x, n)/C(12, n).
 * claims: Float/Lemma 20 */
Test(claims_float_texts, a_spacing_is_wide_as_often_as_no_record_is_near)
{
    enum { PLACE = 12 };
    mpq_t found, expected;
    mpq_inits(found, expected, NULL);
    for (unsigned n = 3; n <= 6; n++)
        for (unsigned m = 1; m < n; m++)
            for (unsigned x = 0; x < 6; x++) {
                unsigned long wide = 0, all = 0;
                for (unsigned set = 0; set < 1U << PLACE; set++) {
                    unsigned seen = 0, at = 0;
                    if ((unsigned)__builtin_popcount(set) != n)
                        continue;
                    all++;
                    for (unsigned i = 0; i < PLACE; i++)
                        if (set >> i & 1) {
                            if (++seen == m)
                                at = i;
                            else if (seen == m + 1)
                                wide += i - at > x;
                        }
                }
                mpq_set_ui(found, wide, all);
                mpq_canonicalize(found);
                mpz_bin_uiui(mpq_numref(expected), PLACE - x, n);
                mpz_bin_uiui(mpq_denref(expected), PLACE, n);
                mpq_canonicalize(expected);
                cr_assert(claims_eq("Float/Lemma 20", found, expected), "n = %u, m = %u, x = %u", n, m, x);
            }
    mpq_clears(found, expected, NULL);
}

/* ---- an oracle that is farther off than it says (Lemma 32) ---- */

/* Rmax = Rmin = r = 1 and x = 0, which the body contains: the projection is 0. The constant of Corollary 31
 * is K = 5 sqrt((|x| + Rmax + r) (Rmax + r)/Rmin) = 10, and the density (20) is positive on the ball of
 * radius 2 K (Rmax + r/2) = 30. 4 (Rmax + r) = 8 is promised.
 * claims: Float/Lemma 32 */
Test(claims_float_texts, the_density_reaches_beyond_the_oracle)
{
    const long rmax = 1, rmin = 1, r = 1, far = 0;
    const long square = 25 * (far + rmax + r) * (rmax + r) / rmin;
    long k = 0;
    while (k * k < square)
        k++;
    cr_assert_eq(k * k, square);
    tell("Float/Lemma 32", k * (2 * rmax + r), 1, 4 * (rmax + r), 1);
}

/* ---- statements in the text ---- */

/* P(|g| > sqrt(d) log(dk)) E |g|^2 for a standard normal g of d dimensions: Gamma(d/2, d
 * log(dk)^2/2)/Gamma(d/2) times d. At d = 2 and k = 1 it is 2 exp(-log(2)^2) = 1.237, where 1/k = 1 is
 * promised; from d k = 3 on it holds, d and k up to 12.
 * claims: Float/Section D.4, inequality (27) */
Test(claims_float_texts, a_normal_beyond_the_ball)
{
    static const char *const row = "Float/Section D.4, inequality (27)";
    arb_t found, half, square, bound;
    arb_init(found);
    arb_init(half);
    arb_init(square);
    arb_init(bound);
    for (ulong d = 1; d <= 12; d++)
        for (ulong k = 1; k <= 12; k++) {
            arb_set_ui(half, d);
            arb_mul_2exp_si(half, half, -1);
            arb_log_ui(square, d * k, PREC);
            arb_mul(square, square, square, PREC);
            arb_mul(square, square, half, PREC);
            arb_hypgeom_gamma_upper(found, half, square, 1, PREC);
            arb_mul_ui(found, found, d, PREC);
            arb_one(bound);
            arb_div_ui(bound, bound, k, PREC);
            cr_assert(d * k < 3 || claims_le_arb(row, found, bound), "d = %lu, k = %lu", d, k);
            if (d == 2 && k == 1)
                claims_tell_arb(row, found, bound);
        }
    arb_clear(bound);
    arb_clear(square);
    arb_clear(half);
    arb_clear(found);
}

/* On [0, 1] with phi(x) = 10 x the density exp(-phi) has (exp(-5) - exp(-10))/(1 - exp(-10)) = exp(-5)/(1 +
 * exp(-5)) on the half where phi is greatest.
 * claims: Float/Section D.7, sampling maximises */
Test(claims_float_texts, the_density_is_greatest_where_phi_is_least)
{
    arb_t found, half;
    arb_init(found);
    arb_init(half);
    arb_set_si(found, -5);
    arb_exp(found, found, PREC);
    arb_add_ui(half, found, 1, PREC);
    arb_div(found, found, half, PREC);
    arb_set_d(half, 0.5);
    claims_tell_arb("Float/Section D.7, sampling maximises", found, half);
    arb_clear(half);
    arb_clear(found);
}

/* Records at 1, 2, 3, 4 and q = 3/4. By the formula the body is [2, 3], which has two of them. A half-line
 * with at least 1 - q = 1/4 of the records is x <= 1, or x >= 4, and no place is in both.
 * claims: Float/Section A.1, halfspaces */
Test(claims_float_texts, halfspaces_with_a_share_of_q)
{
    static const long at[4] = {1, 2, 3, 4}, mass[4] = {1, 1, 1, 1};
    long body = 0, text = 0;
    for (long x = 1; x <= 4; x++) {
        bool in = true;
        body += x <= at[quantile(mass, 3)] && -x <= -at[3 - quantile(mass, 3)];
        for (long t = 0; t <= 5; t++) { /* the half-lines up to t, and from t on */
            const long left = below(mass, at, 4, t), right = 4 - below(mass, at, 4, t - 1);
            in = in && (left < 1 || x <= t) && (right < 1 || x >= t);
        }
        text += in;
    }
    tell("Float/Section A.1, halfspaces", body, 1, text, 1);
}
