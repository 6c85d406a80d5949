/* SPDX-License-Identifier: MIT */
/* [Survey] section 2: tails of sums, on exact binomial laws. */
#include <arb.h>
#include <criterion/criterion.h>
#include <fmpq.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/exact/law.h"

enum { PREC = 128, N_MAX = 20, TENTHS = 10 };

/* tail = P(Bin(n, p/TENTHS) >= k) */
static void upper_tail(mpq_t tail, unsigned n, unsigned p, unsigned k)
{
    mpz_t sum, term;
    mpz_inits(sum, term, NULL);
    for (unsigned j = k; j <= n; j++) {
        mpz_bin_uiui(term, n, j);
        for (unsigned i = 0; i < n; i++)
            mpz_mul_ui(term, term, i < j ? p : TENTHS - p);
        mpz_add(sum, sum, term);
    }
    mpq_set_z(tail, sum);
    mpz_ui_pow_ui(mpq_denref(tail), TENTHS, n);
    mpq_canonicalize(tail);
    mpz_clears(sum, term, NULL);
}

/* True if tail <= factor exp(-power), decided. */
static bool within(const char *rows, mpq_srcptr tail, unsigned factor, mpq_srcptr power)
{
    fmpq_t q;
    arb_t x, y;
    fmpq_init(q);
    arb_init(x);
    arb_init(y);
    fmpq_set_mpq(q, power);
    fmpq_neg(q, q);
    arb_set_fmpq(x, q, PREC);
    arb_exp(x, x, PREC);
    arb_mul_ui(x, x, factor, PREC);
    fmpq_set_mpq(q, tail);
    arb_set_fmpq(y, q, PREC);
    cr_assert(arb_le(y, x) || arb_gt(y, x));
    const bool yes = claims_le_arb(rows, y, x);
    arb_clear(y);
    arb_clear(x);
    fmpq_clear(q);
    return yes;
}

static void told(const char *row, mpq_srcptr found, long power, unsigned long den, unsigned factor)
{
    fmpq_t q;
    arb_t x, y;
    fmpq_init(q);
    arb_init(x);
    arb_init(y);
    fmpq_set_si(q, -power, den);
    arb_set_fmpq(x, q, PREC);
    arb_exp(x, x, PREC);
    arb_mul_ui(x, x, factor, PREC);
    fmpq_set_mpq(q, found);
    arb_set_fmpq(y, q, PREC);
    cr_assert(arb_gt(y, x));
    claims_tell_arb(row, y, x);
    arb_clear(y);
    arb_clear(x);
    fmpq_clear(q);
}

/* exp(-2 n e^2), e = k/n - p: 2 (10 k - n p)^2/(100 n). Of the other side the same with 1 - p.
 * claims: Survey/Theorem 2.1 */
Test(claims_tails, additive)
{
    mpq_t tail, power;
    mpq_inits(tail, power, NULL);
    for (unsigned n = 1; n <= N_MAX; n++)
        for (unsigned p = 1; p < TENTHS; p++)
            for (unsigned k = n * p / TENTHS + 1; k <= n; k++) {
                const unsigned long off = TENTHS * k - n * p;
                upper_tail(tail, n, p, k);
                mpq_set_ui(power, 2 * off * off, TENTHS * TENTHS * n);
                mpq_canonicalize(power);
                cr_assert(within("Survey/Theorem 2.1", tail, 1, power));
            }
    mpq_clears(tail, power, NULL);
}

/* Odds 3 and values 0, 1 and 2 of m = 2: a one has chance 1/4, 1/2 and 3/4. The estimate of the mean is off
 * by theta m where the sum of n ones is off by theta n/2, for every number of users of each value up to 8 in
 * all.
 * claims: Survey/Lemma 7.6; Survey/Theorem 7.7 */
Test(claims_tails, one_bit_means)
{
    enum { USERS_MAX = 8 };
    mpq_t tail, power;
    mpq_inits(tail, power, NULL);
    for (unsigned code = 1; code < 9 * 9 * 9; code++) {
        const unsigned users[3] = {code % 9, code / 9 % 9, code / 81};
        const unsigned n = users[0] + users[1] + users[2];
        if (n > USERS_MAX)
            continue;
        unsigned long ways[USERS_MAX + 1] = {1}; /* of 4^n, by the number of ones */
        for (unsigned value = 0; value < 3; value++)
            for (unsigned i = 0; i < users[value]; i++)
                for (unsigned k = n + 1; k-- > 0;)
                    ways[k] = ways[k] * (3 - value) + (k > 0 ? ways[k - 1] * (value + 1) : 0);
        const long mean = users[0] + 2 * users[1] + 3 * users[2]; /* in quarters */
        for (unsigned k = 0; k <= n; k++) {
            const long off = labs(4 * (long)k - mean);
            unsigned long beyond = 0;
            for (unsigned j = 0; j <= n; j++)
                beyond += labs(4 * (long)j - mean) >= off ? ways[j] : 0;
            mpq_set_ui(tail, beyond, 1UL << 2 * n);
            mpq_canonicalize(tail);
            mpq_set_ui(power, (unsigned long)(off * off), 8 * n);
            mpq_canonicalize(power);
            cr_assert(within("Survey/Lemma 7.6; Survey/Theorem 7.7", tail, 2, power));
        }
    }
    mpq_clears(tail, power, NULL);
}

/* Ten coins of 1/10 and e = 9/10: two or more heads, 1 - 0.9^10 - 0.9^9 = 0.2639, and exp(-20 0.81/3) =
 * 0.0045.
 * claims: Survey/Theorem 2.2 */
Test(claims_tails, a_multiplicative_bound_without_the_mean)
{
    mpq_t tail;
    mpq_init(tail);
    upper_tail(tail, 10, 1, 2);
    told("Survey/Theorem 2.2", tail, 54, 10, 1);
    mpq_clear(tail);
}

/* exp(-n p e^2/3) above and exp(-n p e^2/2) below, for e up to 1.
 * claims: Survey/Theorem 2.2 */
Test(claims_tails, multiplicative)
{
    mpq_t tail, power;
    mpq_inits(tail, power, NULL);
    for (unsigned n = 1; n <= N_MAX; n++)
        for (unsigned p = 1; p < TENTHS; p++)
            for (unsigned k = 0; k <= n; k++) {
                const unsigned long mean = n * p;
                const bool above = TENTHS * k > mean;
                if (TENTHS * k == mean || TENTHS * k > 2 * mean)
                    continue;
                const unsigned long off = above ? TENTHS * k - mean : mean - TENTHS * k;
                upper_tail(tail, n, above ? p : TENTHS - p, above ? k : n - k);
                mpq_set_ui(power, off * off, TENTHS * mean * (above ? 3 : 2));
                mpq_canonicalize(power);
                cr_assert(within("Survey/Theorem 2.2", tail, 1, power));
            }
    mpq_clears(tail, power, NULL);
}

/* Four equal variables of 0 or 1/5, by one fair coin: the sum is always 2/5 away from its mean, and alpha =
 * 39/100 is promised 2 exp(-2 0.39^2/(4/25)) = 2 exp(-1.90125).
 * claims: Survey/Theorem 2.3 */
Test(claims_tails, variables_that_depend_on_each_other)
{
    unsigned long beyond = 0;
    mpq_t off;
    mpq_init(off);
    for (long coin = 0; coin < 2; coin++) { /* in hundredths */
        long sum = 0;
        for (int i = 0; i < 4; i++)
            sum += 20 * coin;
        beyond += labs(sum - 4 * 10) > 39;
    }
    mpq_set_ui(off, beyond, 2);
    mpq_canonicalize(off);
    told("Survey/Theorem 2.3", off, 190125, 100000, 2);
    mpq_clear(off);
}

/* Independent variables of 0 or Delta, Delta 1, 2 or 3, with chances of 1 to 3 fourths, up to three of them:
 * more than alpha away from the mean with at most 2 exp(-2 alpha^2/(sum of the squares)), at every alpha of
 * fourths.
 * claims: Survey/Theorem 2.3 */
Test(claims_tails, intervals_of_several_lengths)
{
    enum { MOST = 3, KINDS = 9 };
    mpq_t tail, power;
    mpq_inits(tail, power, NULL);
    for (unsigned n = 1; n <= MOST; n++)
        for (unsigned code = 0; code < (n == 1   ? KINDS
                                        : n == 2 ? KINDS * KINDS
                                                 : KINDS * KINDS * KINDS);
             code++) {
            const unsigned kind[MOST] = {code % KINDS, code / KINDS % KINDS, code / KINDS / KINDS};
            long mean = 0, squares = 0; /* the mean in fourths */
            for (unsigned k = 0; k < n; k++) {
                mean += (1 + (long)kind[k] % 3) * (1 + (long)kind[k] / 3);
                squares += (1 + (long)kind[k] % 3) * (1 + (long)kind[k] % 3);
            }
            for (long alpha = 0; alpha < 12 * (long)n; alpha++) {
                unsigned long beyond = 0;
                for (unsigned set = 0; set < 1U << n; set++) {
                    unsigned long ways = 1;
                    long sum = 0;
                    for (unsigned k = 0; k < n; k++) {
                        ways *= set >> k & 1 ? 1 + kind[k] / 3 : 3 - kind[k] / 3;
                        sum += set >> k & 1 ? 4 * (1 + (long)kind[k] % 3) : 0;
                    }
                    beyond += labs(sum - mean) > alpha ? ways : 0;
                }
                mpq_set_ui(tail, beyond, 1UL << 2 * n);
                mpq_canonicalize(tail);
                mpq_set_ui(power, 2 * (unsigned long)(alpha * alpha), 16 * (unsigned long)squares);
                mpq_canonicalize(power);
                cr_assert(within("Survey/Theorem 2.3", tail, 2, power));
            }
        }
    mpq_clears(tail, power, NULL);
}

/* 1 < n!/(sqrt(2 pi n) (n/e)^n) < exp(1/(12 n)).
 * claims: Survey/Theorem 2.4 */
Test(claims_tails, stirling)
{
    arb_t ratio, root, most;
    arb_init(ratio);
    arb_init(root);
    arb_init(most);
    for (ulong n = 1; n <= 200; n++) {
        arb_fac_ui(ratio, n, 512);
        arb_const_pi(root, 512);
        arb_mul_ui(root, root, 2 * n, 512);
        arb_sqrt(root, root, 512);
        arb_div(ratio, ratio, root, 512);
        arb_const_e(root, 512);
        arb_div_ui(root, root, n, 512);
        arb_pow_ui(root, root, n, 512);
        arb_mul(ratio, ratio, root, 512);
        arb_set_ui(most, 1);
        arb_div_ui(most, most, 12 * n, 512);
        arb_exp(most, most, 512);
        arb_sub_ui(root, ratio, 1, 512);
        cr_assert(arb_is_positive(root) && claims_lt_arb("Survey/Theorem 2.4", ratio, most));
    }
    arb_clear(most);
    arb_clear(root);
    arb_clear(ratio);
}

/* ---- Azuma ---- */

/* Outcome 2 x + y of bits x and y; m and w are the mass and the sum of f times the mass. c = how far the mean
 * of f moves with a bit, 0 where one of its values cannot be. */
static void spread(mpq_t c, mpq_srcptr m0, mpq_srcptr w0, mpq_srcptr m1, mpq_srcptr w1)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_ui(c, 0, 1);
    if (mpq_sgn(m0) > 0 && mpq_sgn(m1) > 0) {
        mpq_div(c, w0, m0);
        mpq_div(other, w1, m1);
        mpq_sub(c, c, other);
        mpq_abs(c, c);
    }
    mpq_clear(other);
}

static void check_azuma(const exact_law *p, const unsigned *f)
{
    mpq_t w[4], m[2], s[2], c, squares, mean, tail, t;
    mpq_inits(m[0], m[1], s[0], s[1], c, squares, mean, tail, t, NULL);
    for (size_t o = 0; o < 4; o++) {
        mpq_init(w[o]);
        mpq_set_ui(t, f[o], 1);
        mpq_mul(w[o], p->p[o], t);
        mpq_add(m[o / 2], m[o / 2], p->p[o]);
        mpq_add(s[o / 2], s[o / 2], w[o]);
        mpq_add(mean, mean, w[o]);
    }
    spread(c, m[0], s[0], m[1], s[1]);
    mpq_mul(squares, c, c);
    mpq_set_ui(tail, 0, 1);
    for (size_t x = 0; x < 2; x++) { /* the greater spread of the second bit */
        spread(c, p->p[2 * x], w[2 * x], p->p[2 * x + 1], w[2 * x + 1]);
        if (mpq_cmp(c, tail) > 0)
            mpq_set(tail, c);
    }
    mpq_mul(tail, tail, tail);
    mpq_add(squares, squares, tail);
    for (unsigned level = 0; level <= 2; level++) {
        mpq_set_ui(t, level, 1);
        mpq_sub(t, t, mean);
        mpq_set_ui(tail, 0, 1);
        for (size_t o = 0; o < 4; o++)
            if (f[o] >= level)
                mpq_add(tail, tail, p->p[o]);
        if (mpq_sgn(t) <= 0)
            continue;
        if (mpq_sgn(squares) == 0) {
            cr_assert_eq(mpq_sgn(tail), 0);
            continue;
        }
        mpq_mul(t, t, t);
        mpq_div(t, t, squares);
        mpq_mul_2exp(t, t, 1);
        cr_assert(within("Survey/Theorem 2.5", tail, 1, t));
    }
    for (size_t o = 0; o < 4; o++)
        mpq_clear(w[o]);
    mpq_clears(m[0], m[1], s[0], s[1], c, squares, mean, tail, t, NULL);
}

/* All laws of quarters of two bits, which may depend on each other, and all functions with values 0, 1, 2.
 * claims: Survey/Theorem 2.5 */
Test(claims_tails, azuma)
{
    exact_law p;
    unsigned long parts[4];
    exact_init(&p, 4);
    exact_first(parts, 4, 4);
    do {
        exact_parts(&p, parts, 4);
        for (unsigned code = 0; code < 81; code++)
            check_azuma(&p, (unsigned[]){code % 3, code / 3 % 3, code / 9 % 3, code / 27});
    } while (exact_next(parts, 4));
    exact_clear(&p);
}

/* True if k of m drawn records lie farther from m p/TENTHS than sqrt(m ln(queries)), which is m alpha where
 * m = ln(queries)/alpha^2. */
static bool is_beyond(unsigned k, unsigned m, unsigned p, unsigned queries)
{
    const long off = (long)TENTHS * (long)k - (long)(m * p);
    arb_t most;
    arb_init(most);
    arb_log_ui(most, queries, PREC);
    arb_mul_ui(most, most, (ulong)TENTHS * TENTHS * m, PREC);
    arb_sub_si(most, most, off * off, PREC);
    const bool beyond = arb_is_negative(most);
    cr_assert(beyond || arb_is_positive(most));
    arb_clear(most);
    return beyond;
}

/* m records drawn from the data answer one query wrongly with a chance below 1/|Q|, whatever share of the
 * data it counts. So all are right with a chance above 0, and some database of m records is: for any data and
 * queries.
 * claims: Survey/Theorem 6.10 */
Test(claims_tails, a_drawn_database_answers_all_queries)
{
    static const unsigned queries[] = {2, 3, 4, 6, 10, 20, 50};
    mpq_t tail, chance, most;
    mpq_inits(tail, chance, most, NULL);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        for (unsigned m = 1; m <= N_MAX; m++)
            for (unsigned p = 1; p < TENTHS; p++) {
                unsigned above = m + 1, below = m + 1;
                while (above > 0 && (TENTHS * (above - 1) > m * p && is_beyond(above - 1, m, p, queries[i])))
                    above--;
                while (below > 0 && TENTHS * (below - 1) > m * (TENTHS - p) &&
                       is_beyond(below - 1, m, TENTHS - p, queries[i]))
                    below--;
                upper_tail(chance, m, p, above);
                upper_tail(tail, m, TENTHS - p, below);
                mpq_add(chance, chance, tail);
                mpq_set_ui(most, 1, queries[i]);
                cr_assert(claims_lt("Survey/Theorem 6.10", chance, most), "%u queries, %u records, %u/10",
                          queries[i], m, p);
            }
    mpq_clears(tail, chance, most, NULL);
}
