/* SPDX-License-Identifier: MIT */
/* [Survey] section 9.2 on the integers: the bounds on the divergence of a sparse vector, against the exact
 * law of all streams of two queries from T - 2 to T + 1 and of all their neighbours at distance 1. Of these
 * none comes near the bounds. Streams of thirty queries do: all but the last ones rise by 1 and are below all
 * the same, the last ones fall by 1 and are above. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/claims/decide.h"

enum { FAR = 80, QUERIES = 2, OUTPUTS = 4 };

/* Variances of the threshold and of Gaussian answers; the rate of geometric ones. */
static long double s1 = 4, s2 = 9, rate = 0.5L;

static long double threshold[2 * FAR + 1], reaches[2 * FAR + 1], misses[2 * FAR + 1];

static long double weight(long k, bool geometric)
{
    return geometric ? expl(-rate * (long double)labs(k)) : expl(-(long double)(k * k) / (2 * s2));
}

static void make_tables(bool geometric)
{
    long double sum = 0;
    for (long k = -FAR; k <= FAR; k++)
        sum += threshold[k + FAR] = expl(-(long double)(k * k) / (2 * s1));
    for (long k = -FAR; k <= FAR; k++)
        threshold[k + FAR] /= sum;
    sum = 0;
    for (long k = FAR; k >= -FAR; k--)
        reaches[k + FAR] = sum += weight(k, geometric);
    for (long k = -FAR; k < FAR; k++)
        misses[k + 1 + FAR] = misses[k + FAR] + weight(k, geometric);
    for (long k = -FAR; k <= FAR; k++) {
        reaches[k + FAR] /= sum;
        misses[k + FAR] /= sum;
    }
}

static long double yes(long z, long answer)
{
    const long at = z - answer;
    return at < -FAR ? 1 : at > FAR ? 0 : reaches[at + FAR];
}

/* 1 - yes, without cancellation: long streams ask for chances far below its rounding. */
static long double no(long z, long answer)
{
    const long at = z - answer;
    return at < -FAR ? 0 : at > FAR ? 1 : misses[at + FAR];
}

/* law[2 a + b]: whether the first is above and whether the second is. With c = 1 it halts at the first. */
static void law_of(long double *law, const long *answer, int c)
{
    memset(law, 0, OUTPUTS * sizeof *law);
    for (long z = -FAR; z <= FAR; z++) {
        const long double p = threshold[z + FAR], one = yes(z, answer[0]), two = yes(z, answer[1]);
        law[0] += p * (1 - one) * (1 - two);
        law[1] += p * (1 - one) * two;
        law[2] += c == 1 ? p * one : p * one * (1 - two);
        law[3] += c == 1 ? 0 : p * one * two;
    }
}

static long double divergence(const long double *p, const long double *q, double a)
{
    long double sum = 0;
    for (size_t i = 0; i < OUTPUTS; i++)
        sum += p[i] > 0 ? powl(p[i], a) * powl(q[i], 1 - a) : 0;
    return logl(sum) / (a - 1);
}

/* The supremum of E[K | z] and E[E[K | z]^2], K being the number of answers below, and 1. */
static void lengths(long double *most, long double *square, const long *answer)
{
    *most = *square = 0;
    for (long z = -FAR; z <= FAR; z++) {
        const long double no = 1 - yes(z, answer[0]), k = 1 + no + no * (1 - yes(z, answer[1]));
        *most = fmaxl(*most, k);
        *square += threshold[z + FAR] * k * k;
    }
}

typedef void on_neighbours(const long *x, const long *y, double a);

static void walk_all(on_neighbours *check)
{
    static const double orders[] = {1.25, 2, 3, 8};
    long x[QUERIES], y[QUERIES];
    for (x[0] = -2; x[0] <= 1; x[0]++)
        for (x[1] = -2; x[1] <= 1; x[1]++)
            for (y[0] = x[0] - 1; y[0] <= x[0] + 1; y[0]++)
                for (y[1] = x[1] - 1; y[1] <= x[1] + 1; y[1]++)
                    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
                        check(x, y, orders[i]);
}

/* The theorem that is held against the streams. */
static const char *row;

static void expect(long double found, long double bound, double a)
{
    cr_assert(claims_le_d(row, (double)found, (double)bound + 1e-12), "order %g", a);
}

static void check_gaussian(const long *x, const long *y, double a)
{
    long double p[OUTPUTS], q[OUTPUTS], most, square;
    law_of(p, x, 1);
    law_of(q, y, 1);
    lengths(&most, &square, x);
    const long double found = divergence(p, q, a), answer = 2 * a / s2;
    expect(found, a / (2 * s1) + answer + logl(most) / (a - 1), a);
    expect(found, (a - 0.5) / (a - 1) * 2 * a / (2 * s1) + answer + logl(square) / (2 * (a - 1)), a);
}

static void check_hybrid(const long *x, const long *y, double a)
{
    long double p[OUTPUTS], q[OUTPUTS];
    law_of(p, x, 1);
    law_of(q, y, 1);
    expect(divergence(p, q, a), a / (2 * s1) + 2 * rate, a);
}

/* ---- long streams ---- */

enum { LONG = 30, LEVEL = 30, PLACES = (LONG + 1) * (LONG + 1) };

/* law[i (LONG + 1) + j]: the first positive answer is the i-th and the second the j-th, LONG for none, of
 * queries at `low` but for the last c, which are at `high`; it halts at the c-th. `most` is the greatest mean
 * length. */
static void long_law(long double *law, long double *most, int c, long low, long high)
{
    memset(law, 0, PLACES * sizeof *law);
    *most = 0;
    for (long z = -FAR; z <= FAR; z++) {
        const long double p = threshold[z + FAR], above[] = {yes(z, low), yes(z, high)},
                          below[] = {no(z, low), no(z, high)};
        long double none = 1, length = 1;
        for (int i = 0; i < LONG; i++) {
            const long double one = p * none * above[i >= LONG - c];
            long double quiet = 1;
            for (int j = i + 1; j < LONG && c == 2; j++) {
                law[i * (LONG + 1) + j] += one * quiet * above[j >= LONG - c];
                quiet *= below[j >= LONG - c];
            }
            law[i * (LONG + 1) + LONG] += one * quiet;
            none *= below[i >= LONG - c];
            length += none;
        }
        law[PLACES - 1] += p * none;
        *most = fmaxl(*most, length);
    }
}

/* The divergence of the stream at LEVEL, the last queries at `high`, from its neighbour, at order 30. */
static long double long_divergence(long double *most, int c, long high)
{
    static long double p[PLACES], q[PLACES];
    const double a = LONG;
    long double sum = 0, other;
    long_law(p, most, c, LEVEL, high);
    long_law(q, &other, c, LEVEL + 1, high - 1);
    for (size_t i = 0; i < PLACES; i++) /* powers of p and q would leave the range of numbers */
        sum += p[i] > 0 ? p[i] * expl((a - 1) * (logl(p[i]) - logl(q[i]))) : 0;
    return logl(sum) / (a - 1);
}

/* The three bounds for one positive answer, the second with gamma = 2.
 * claims: Survey/Theorem 9.9; Survey/Section 9.2.1, bounded length */
Test(claims_gsvt, theorem_9_9)
{
    row = "Survey/Theorem 9.9";
    make_tables(false);
    walk_all(check_gaussian);
    make_tables(true);
    walk_all(check_hybrid);
    long double most;
    s1 = 25;
    rate = 2;
    make_tables(true);
    expect(long_divergence(&most, 1, LEVEL), LONG / (2 * s1) + 2 * rate, LONG);
    s1 = 9;
    s2 = 4;
    make_tables(false);
    const long double found = long_divergence(&most, 1, -LEVEL);
    expect(found, LONG / (2 * s1) + 2 * LONG / s2 + logl(most) / (LONG - 1), LONG);
    const long double bounded = LONG / (2 * s1) + 2 * LONG / s2 + logl(1 + LONG) / (LONG - 1);
    cr_assert(claims_le_d("Survey/Section 9.2.1, bounded length", (double)found, (double)bounded));
}

static void check_two(const long *x, const long *y, double a)
{
    long double p[OUTPUTS], q[OUTPUTS];
    law_of(p, x, 2);
    law_of(q, y, 2);
    expect(divergence(p, q, a), a / (2 * s1) + 2 * 2 * a / s2 + (1 + logl(4)) / (a - 1), a);
}

/* Two positive answers of two under one threshold.
 * claims: Survey/Theorem 9.12 */
Test(claims_gsvt, theorem_9_12)
{
    row = "Survey/Theorem 9.12";
    make_tables(false);
    walk_all(check_two);
    long double most;
    s1 = 9;
    s2 = 4;
    make_tables(false);
    const long double ways = 1 + LONG + LONG * (LONG - 1) / 2;
    expect(long_divergence(&most, 2, -LEVEL),
           LONG / (2 * s1) + 2 * 2 * LONG / s2 + (1 + logl(ways)) / (LONG - 1), LONG);
}
