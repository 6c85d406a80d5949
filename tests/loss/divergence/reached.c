/* SPDX-License-Identifier: MIT */
/* Lower ends of Renyi divergences and rho, against laws that are enumerated from the definitions. */
#include "loss/divergence/reached.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/loss/spectra.h"

enum { MOST = 16 };

struct ends {
    double lo, hi;
};

static struct ends ends_of(const arb_t ball)
{
    arf_t end;
    struct ends x;
    arf_init(end);
    arb_get_lbound_arf(end, ball, SPECTRA_PREC);
    x.lo = arf_get_d(end, ARF_RND_DOWN);
    arb_get_ubound_arf(end, ball, SPECTRA_PREC);
    x.hi = arf_get_d(end, ARF_RND_UP);
    arf_clear(end);
    return x;
}

static struct ends renyi(const char *spec, const char *order)
{
    arb_t ball;
    arb_init(ball);
    ask_renyi(ball, spec, order);
    const struct ends x = ends_of(ball);
    arb_clear(ball);
    return x;
}

static struct ends rho(const char *spec)
{
    arb_t ball;
    arb_init(ball);
    ask_rho(ball, spec, "0", 9);
    const struct ends x = ends_of(ball);
    arb_clear(ball);
    return x;
}

/* D_a in one order, from the sum that defines it. */
static double divergence(const double *p, const double *q, size_t n, double a)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a == 1 ? p[i] * log(p[i] / q[i]) : pow(p[i], a) * pow(q[i], 1 - a);
    return a == 1 ? sum : log(sum) / (a - 1);
}

static double either_order(const double *p, const double *q, size_t n, double a)
{
    return fmax(divergence(p, q, n, a), divergence(q, p, n, a));
}

/* The rho of one pair, over orders close together. */
static double rho_of(const double *p, const double *q, size_t n)
{
    double most = either_order(p, q, n, 1);
    for (int i = -80; i < 140; i++) {
        const double a = 1 + exp2(i / 20.0);
        most = fmax(most, either_order(p, q, n, a) / a);
    }
    return most;
}

/* ---- permute-and-flip ------------------------------------------------------------------------- */

/* Two candidates, the second x/r behind, coin by coin: in either order the first that shows heads wins. */
static double behind_wins(double x)
{
    const double heads[2] = {x >= 0 ? 1 : exp(x), x >= 0 ? exp(-x) : 1};
    double chance = 0;
    for (int first = 0; first < 2; first++) {
        const double wins = heads[first] + 0 * (1 - heads[first]);
        chance += 0.5 * (first == 1 ? wins : 1 - wins);
    }
    return chance;
}

/* The worst of two candidates at an order, or in rho where it is 0, on a grid. */
static double worst_of_two(double eps, double a)
{
    enum { STEPS = 4000 };
    double most = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double x = -eps * i / STEPS, p = behind_wins(x), q = behind_wins(x + eps);
        const double one[2] = {p, 1 - p}, other[2] = {q, 1 - q};
        most = fmax(most, a == 0 ? divergence(one, other, 2, 1) : divergence(one, other, 2, a));
    }
    return most;
}

Test(reached, permuteflip_has_the_worst_of_two_candidates)
{
    static const struct {
        const char *spec;
        double eps, rho, two;
    } cases[] = {{"permuteflip:eps=1", 1, 0.329659968, 0.576092261},
                 {"permuteflip:eps=1/2", 0.5, 0.0996249031, 0},
                 {"permuteflip:eps=2,sensitivity=3,scores=monotone", 2, 0.974422456, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ends r = rho(cases[i].spec), two = renyi(cases[i].spec, "2"),
                          five = renyi(cases[i].spec, "5"), all = renyi(cases[i].spec, "inf");
        cr_assert_float_eq(r.lo, cases[i].rho, 2e-9, "%s: %.12g", cases[i].spec, r.lo);
        cr_assert(cases[i].two == 0 || fabs(two.lo - cases[i].two) < 1e-9);
        cr_assert_float_eq(r.lo, worst_of_two(cases[i].eps, 0), 1e-7);
        cr_assert_float_eq(two.lo, worst_of_two(cases[i].eps, 2), 1e-6);
        cr_assert_float_eq(five.lo, worst_of_two(cases[i].eps, 5), 1e-6);
        cr_assert(r.hi > r.lo && two.hi > two.lo && five.hi > five.lo);
        cr_assert(all.lo == cases[i].eps && all.hi == cases[i].eps, "%s is reached", cases[i].spec);
    }
}

/* A published rho of eps^2/8 is refuted by two candidates alone, and by two that are equal. */
Test(reached, permuteflip_refutes_an_eighth)
{
    const double p = behind_wins(0), q = behind_wins(1), one[2] = {p, 1 - p}, other[2] = {q, 1 - q};
    cr_assert_float_eq(divergence(one, other, 2, 1), 0.255059937, 1e-9);
    cr_assert_gt(rho("permuteflip:eps=1").lo, 1 / 8.0);
}

/* ---- report noisy max ------------------------------------------------------------------------- */

static double mass(double a, int k)
{
    return (1 - a) / (1 + a) * pow(a, abs(k));
}

static double cdf(double a, int k)
{
    return k >= 0 ? 1 - pow(a, k + 1) / (1 + a) : pow(a, -k) / (1 + a);
}

/* The winner's law with two-sided noise, from the sum over its own noise. */
static void winners(double *law, double a, const int *x, int n)
{
    for (int i = 0; i < n; i++) {
        law[i] = 0;
        for (int k = -120; k <= 120; k++) {
            double term = mass(a, k);
            for (int j = 0; j < n; j++)
                if (j != i)
                    term *= cdf(a, x[i] + k - x[j] - (j < i));
            law[i] += term;
        }
    }
}

static double rho_of_scores(const int *x, const int *y, int n, double a)
{
    double p[MOST], q[MOST];
    winners(p, a, x, n);
    winners(q, a, y, n);
    return rho_of(p, q, (size_t)n);
}

/* Tables of up to four scores from 0 to 2, each of which moves by 1 either way: none needs more than the
 * upper end, and the lower end is not below the worst of them by more than a thousandth. */
static double worst_scores(double a, int n)
{
    double most = 0;
    int tables = 1;
    for (int i = 0; i < n; i++)
        tables *= 3;
    for (int t = 0; t < tables; t++)
        for (int moves = 0; moves < 1 << (n - 1); moves++) {
            int x[MOST], y[MOST];
            for (int i = 0, rest = t; i < n; i++, rest /= 3) {
                x[i] = rest % 3;
                y[i] = x[i] + (moves >> i & 1 ? 1 : -1);
            }
            most = fmax(most, rho_of_scores(x, y, n, a));
        }
    return most;
}

Test(reached, noisymax_is_as_bad_as_every_small_table)
{
    const struct ends r = rho("noisymax:eps=1");
    const double a = exp(-0.5);
    const double two = worst_scores(a, 2), three = worst_scores(a, 3), four = worst_scores(a, 4);
    cr_assert_float_eq(two, 0.126789551, 1e-5, "%.9g", two);
    cr_assert(two < three && three < four && four < r.hi);
    cr_assert(r.lo >= 0.999 * four, "%g %g", r.lo, four);
}

/* The scores of docs/theory/noisymax.md: candidates with a - fall behind, and begin so far ahead. */
static double worst_table(double a, int by, double order)
{
    static const struct {
        int n;
        const char *falls;
        int level[5];
    } tables[] = {{4, "-+-+", {0}},
                  {4, "--++", {0}},
                  {4, "--++", {0, 1}},
                  {4, "-++-", {1, 1}},
                  {5, "-+-+-", {0, 0, 1, 0, 1}},
                  {5, "++--+", {0, 0, 0, 0, 1}},
                  {3, "+-+", {0, 0, 1}}};
    double most = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int ahead = 0; ahead <= by; ahead++) {
            int x[5], y[5], n = tables[t].n;
            double p[5], q[5];
            for (int i = 0; i < n; i++) {
                const bool falls = tables[t].falls[i] == '-';
                x[i] = tables[t].level[i] + (falls ? ahead : 0);
                y[i] = x[i] - (falls ? by : 0);
            }
            winners(p, a, x, n);
            winners(q, a, y, n);
            most = fmax(most, order == 0 ? rho_of(p, q, (size_t)n) : either_order(p, q, (size_t)n, order));
        }
    return most;
}

Test(reached, noisymax_is_what_real_scores_lose)
{
    static const int five[] = {0, 0, 1, 0, 1}, moved[] = {-1, 1, 0, 1, 0};
    static const int issue[] = {-1, -2, 0, -1, -1}, issue_moved[] = {-2, -1, -1, 0, 0};
    const struct ends r = rho("noisymax:eps=1"), monotone = rho("noisymax:eps=1,scores=monotone"),
                      two = renyi("noisymax:eps=1", "2"), one_sided = rho("noisymax:eps=1,noise=one-sided");
    const double a = exp(-0.5);
    cr_assert_float_eq(rho_of_scores(issue, issue_moved, 5, a), 0.170391921, 1e-5);
    cr_assert_float_eq(r.lo, rho_of_scores(five, moved, 5, a), 1e-7, "%.9g", r.lo);
    cr_assert_gt(r.lo, 0.170391921);
    cr_assert_float_eq(r.lo, worst_table(a, 2, 0), 1e-5, "%.9g", r.lo);
    cr_assert_float_eq(two.lo, worst_table(a, 2, 2), 1e-9, "%.9g", two.lo);
    cr_assert_float_eq(monotone.lo, worst_table(exp(-1), 1, 0), 1e-5, "%.9g", monotone.lo);
    cr_assert_float_eq(one_sided.lo, 0.352886587, 2e-9);
    cr_assert(r.lo < r.hi && monotone.lo < monotone.hi && one_sided.lo < one_sided.hi);
}

/* ---- above threshold -------------------------------------------------------------------------- */

/* The law of the first answer that reaches the threshold, at e = 1 and d = 1. */
static void first_above(double *law, const int *offset, int n)
{
    const double a = exp(-0.5), b = exp(-0.25);
    for (int i = 0; i <= n; i++)
        law[i] = 0;
    for (int z = -90; z <= 90; z++) {
        double left = mass(a, z);
        for (int i = 0; i < n; i++) {
            const double below = cdf(b, z - offset[i] - 1);
            law[i] += left * (1 - below);
            left *= below;
        }
        law[n] += left;
    }
}

static double rho_of_stream(const int *offset, const char *moves, int n)
{
    double p[MOST], q[MOST];
    int moved[MOST];
    for (int i = 0; i < n; i++)
        moved[i] = offset[i] + (moves[i] == '+' ? 1 : -1);
    first_above(p, offset, n);
    first_above(q, moved, n);
    return rho_of(p, q, (size_t)n + 1);
}

Test(reached, above_is_worse_than_some_streams)
{
    static const int one[] = {0}, two[] = {-1, 0}, twelve[] = {-5, -2, -2, -2, 0, -1, 0, 0, 2, 2, 4, 5};
    const double a = rho_of_stream(one, "-", 1), b = rho_of_stream(two, "+-", 2),
                 c = rho_of_stream(twelve, "+-++-+-+-+-+", 12);
    const struct ends r = rho("above:eps=1"), two_orders = renyi("above:eps=1", "2"),
                      all = renyi("above:eps=1", "inf");
    cr_assert_float_eq(a, 0.0144811312, 1e-6, "%.9g", a);
    cr_assert_float_eq(b, 0.0298615735, 1e-6, "%.9g", b);
    cr_assert_float_eq(c, 0.0428637, 1e-6, "%.9g", c);
    cr_assert(r.lo > c && r.lo < r.hi && r.lo > 0.054, "%g", r.lo);
    cr_assert(two_orders.lo > 0.086 && two_orders.lo <= 2 * r.hi);
    cr_assert(all.lo > 0.99999 && all.hi < 1 + 1e-9);
}

/* ---- lists ------------------------------------------------------------------------------------ */

/* At one order the divergences of all uses add, those of one direction only. */
Test(reached, lists_add)
{
    const struct ends flip = renyi("permuteflip:eps=1", "3"), max = renyi("noisymax:eps=1", "3"),
                      gauss = renyi("gauss:sigma2=4", "3"),
                      all = renyi("2*permuteflip:eps=1 noisymax:eps=1 gauss:sigma2=4", "3");
    cr_assert_float_eq(all.lo, 2 * flip.lo + max.lo + gauss.lo, 1e-9);
    cr_assert(all.lo < all.hi);
    const struct ends up = renyi("above:eps=1,queries=monotone", "2"),
                      sampled = renyi("gauss:sigma2=4,sample=1/10", "2"),
                      both = renyi("above:eps=1,queries=monotone gauss:sigma2=4,sample=1/10", "2");
    cr_assert(both.lo >= fmax(up.lo, sampled.lo) * (1 - 1e-9));
    cr_assert(both.lo <= (up.lo + sampled.lo) * (1 + 1e-9) && both.lo < both.hi);
    const struct ends ten = rho("10*permuteflip:eps=1/10"), single = rho("permuteflip:eps=1/10");
    cr_assert_float_eq(ten.lo, 10 * single.lo, 1e-8);
}

/* Every loose family's lower end is below its upper end, and above 0 where some neighbours are known. */
Test(reached, every_loose_family)
{
    static const char *const specs[] = {"permuteflip:eps=3",
                                        "noisymax:eps=1/3,sensitivity=7",
                                        "above:eps=2,sensitivity=3",
                                        "sparse:rate=1/4,tops=2",
                                        "sparse:rate=1/2,answer-rate=1/8",
                                        "gauss:sigma2=4,sample=1/10,batch=5,records=50"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const struct ends two = renyi(specs[i], "2");
        cr_assert(two.lo > 0 && two.lo < two.hi, "%s: %g %g", specs[i], two.lo, two.hi);
    }
}
