/* SPDX-License-Identifier: MIT */
/* mu of Gaussian differential privacy, against integrals and searches in doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/compat.h"

static void ask(double *lo, double *hi, const char *text)
{
    pby_spec *spec = NULL;
    pby_decimals d;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    pby_neighbours relation;
    cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
    cr_assert_eq(pby_loss_mu_text(&d, spec, relation, 9, &err), PBY_OK, "%s: %s", text, err.text);
    *lo = strtod(d.lo, NULL);
    *hi = strtod(d.hi, NULL);
    pby_spec_free(spec);
}

static void expect(const char *text, double mu, double error)
{
    double lo, hi;
    ask(&lo, &hi, text);
    cr_assert(lo <= mu + error && hi >= mu - error && hi - lo <= 3e-8 * mu, "%s: [%.12g, %.12g], not %.12g",
              text, lo, hi, mu);
}

/* Phi^-1 by bisection, so that no formula is shared. */
static double quantile(double p)
{
    double left = -40, right = 40;
    for (int i = 0; i < 200; i++) {
        const double x = (left + right) / 2;
        *(0.5 * erfc(-x / sqrt(2)) < p ? &left : &right) = x;
    }
    return (left + right) / 2;
}

/* The least mu whose trade-off lies below that of the densities p and q, by tests that reject beyond a point
 * of a likelihood ratio that grows: every point of a fine grid. */
static double search_laplace(double t)
{
    double most = 0;
    for (int i = -4000; i <= 4000; i++) {
        const double c = t * i / 2000;
        const double alpha = c > 0 ? 0.5 * exp(-c) : 1 - 0.5 * exp(c);
        const double beta = c < t ? 0.5 * exp(c - t) : 1 - 0.5 * exp(t - c);
        most = fmax(most, -quantile(alpha) - quantile(beta));
    }
    return most;
}

/* A record that is left out may make room for another, and the query then moves twice as far. */
Test(trade_off, truncated_samples_move_twice_as_far)
{
    double lo, hi;
    ask(&lo, &hi, "gauss:sigma2=1,sample=1/100,batch=20,records=1000");
    cr_assert(lo < hi && fabs(hi - 2) < 1e-8, "[%g, %g]", lo, hi);
}

Test(trade_off, laplace_is_the_worst_of_its_tests)
{
    expect("laplace:scale=1", search_laplace(1), 1e-7);
    expect("laplace:scale=2", search_laplace(0.5), 1e-7);
    expect("laplace:scale=1,sensitivity=3", search_laplace(3), 1e-7);
}

/* Vertices of randomised response and of geometric noise, added up in doubles. */
Test(trade_off, atoms_are_decided_by_their_vertices)
{
    for (int i = 1; i <= 4; i++) {
        char text[32];
        const double e = i / 2.0, p = 1 / (1 + exp(e));
        snprintf(text, sizeof text, "rr:eps=%d/2", i);
        expect(text, -2 * quantile(p), 1e-8);
        snprintf(text, sizeof text, "pure:eps=%d/2", i);
        expect(text, -2 * quantile(p), 1e-8);
    }
    double most = 0, alpha = 0; /* geometric of rate 1/2 and a shift of 2 */
    const double r = exp(-0.5), unit = (1 - r) / (1 + r);
    for (int k = 60; k > -60; k--) {
        double beta = 0;
        alpha += unit * pow(r, abs(k));
        for (int j = -200; j < k; j++)
            beta += unit * pow(r, abs(j - 2));
        if (alpha > 1e-8 && beta > 1e-8)
            most = fmax(most, -quantile(alpha) - quantile(beta));
    }
    expect("geometric:eps=1,sensitivity=2", most, 1e-7);
}

Test(trade_off, gaussians_add_as_squares)
{
    expect("gdp:mu=3/4", 0.75, 1e-12);
    expect("10*gdp:mu=1/2 gauss:sigma2=4,sensitivity=3", sqrt(2.5 + 9.0 / 4), 1e-8);
}

/* Only bounded, and the numbers that were computed elsewhere lie between. */
Test(trade_off, others_are_enclosed)
{
    static const struct {
        const char *text;
        double least, most;
    } known[] = {
        {"dgauss:sigma2=1/4", 2.48838190, INFINITY}, {"dgauss:sigma2=1/3", 2.02656656, INFINITY},
        {"gauss:sigma2=4,sample=1/10", 0.3, 0.5},    {"3*laplace:scale=2", 0.84, 0.9731},
        {"approx:eps=1,delta=1/100", 1.2, INFINITY}, {"exponential:eps=1", 0.6, 1.2321},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lo, hi;
        ask(&lo, &hi, known[i].text);
        cr_assert(lo >= known[i].least - 1e-8 && hi <= known[i].most && lo <= hi, "%s: [%.12g, %.12g]",
                  known[i].text, lo, hi);
    }
}

/* Deltas far beyond mu are not asked of it: they took minutes. */
Test(trade_off, a_list_of_different_mechanisms_is_enclosed)
{
    double lo, hi;
    ask(&lo, &hi, "gauss:sigma2=100 exponential:eps=1/10");
    cr_assert(lo >= 0.1158 && hi <= 0.1604, "[%.12g, %.12g]", lo, hi);
}

/* ---- discrete Gaussian noise -------------------------------------------------------------------- */

/* log Phi(-x): log erfc up to 30, and from there the log of the density over x, within 1/x^8. The quantile
 * below is its inverse, of logarithms that may be far below what doubles hold. */
static double log_tail(double x)
{
    if (x < 30)
        return log(0.5 * erfc(x / sqrt(2)));
    const double y = 1 / (x * x);
    return -x * x / 2 - log(x) - log(2 * acos(-1)) / 2 + log1p(-y + 3 * y * y - 15 * y * y * y);
}

static double log_quantile(double l)
{
    double left = -8, right = 1e4;
    for (int i = 0; i < 80; i++) {
        const double x = (left + right) / 2;
        *(log_tail(x) > l ? &left : &right) = x;
    }
    return (left + right) / 2;
}

/* The least mu of X against X + d, X discrete Gaussian: every vertex up to far behind s, where tails are a
 * cell each. Of k <= 0, h_k = -h_(1-k). */
static double vertices(double s, int d)
{
    enum { CELLS = 1200 };
    static double h[CELLS];
    double rest = -INFINITY, norm = 1, most = 0;
    for (int k = 1; k < 2 * CELLS; k++)
        norm += 2 * exp(-(double)k * k / (2 * s));
    for (int k = 2 * CELLS; k > 0; k--) {
        const double w = -(double)k * k / (2 * s) - log(norm);
        rest = w + log1p(exp(rest - w));
        if (k < CELLS)
            h[k] = log_quantile(rest);
    }
    for (int k = 1; k < CELLS; k++)
        most = fmax(most, h[k] - (k - d > 0 ? h[k - d] : -h[1 - k + d]));
    return most;
}

Test(trade_off, discrete_gaussians_have_a_mu_that_no_test_exceeds)
{
    static const struct {
        const char *sigma2;
        double s;
    } cases[] = {{"0.3334", 0.3334}, {"0.4", 0.4}, {"0.5", 0.5}, {"1", 1},
                 {"3/2", 1.5},       {"4", 4},     {"30", 30},   {"200", 200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int d = 1; d < 30; d = 2 * d + 1) {
            char text[64];
            double lo, hi;
            snprintf(text, sizeof text, "dgauss:sigma2=%s,sensitivity=%d", cases[i].sigma2, d);
            ask(&lo, &hi, text);
            const double found = vertices(cases[i].s, d), continuous = d / sqrt(cases[i].s);
            cr_assert(found <= hi * (1 + 1e-9), "%s: a vertex needs %.12g, and not %.12g", text, found, hi);
            cr_assert(lo <= found * (1 + 1e-9), "%s: [%.12g, %.12g], and %.12g", text, lo, hi, found);
            /* the bound is not far from what continuous noise has */
            if (cases[i].s >= 0.5)
                cr_assert_leq(hi,
                              continuous * (1 + 1 / (12 * cases[i].s) + 1 / (12 * cases[i].s * cases[i].s)));
        }
}

/* Two coordinates and two uses, by every outcome in the plane: delta is nowhere above the Gaussian's. */
static double delta_of_two(double s, double t, int v, int w, double epsilon)
{
    enum { FAR = 60 };
    double p[2][2 * FAR + 1], norm[2] = {0, 0}, sum = 0;
    for (int i = 0; i < 2; i++)
        for (int k = -FAR; k <= FAR; k++)
            norm[i] += p[i][k + FAR] = exp(-(double)k * k / (2 * (i == 0 ? s : t)));
    for (int j = -FAR; j <= FAR; j++)
        for (int k = -FAR; k <= FAR; k++) {
            const double loss = ((double)v * v - 2.0 * v * j) / (2 * s) +
                                ((double)w * w - 2.0 * w * k) / (2 * t);
            if (loss > epsilon)
                sum += p[0][j + FAR] * p[1][k + FAR] / norm[0] / norm[1] * -expm1(epsilon - loss);
        }
    return sum;
}

static double gaussian_delta(double mu, double epsilon)
{
    return 0.5 *
           (erfc((epsilon / mu - mu / 2) / sqrt(2)) - exp(epsilon) * erfc((epsilon / mu + mu / 2) / sqrt(2)));
}

Test(trade_off, lists_of_discrete_gaussians_lose_no_more_than_one_gaussian)
{
    static const struct {
        const char *text;
        double s, t;
        int v, w;
    } cases[] = {{"2*dgauss:sigma2=1", 1, 1, 1, 1},
                 {"dgauss:sigma2=1/2 dgauss:sigma2=5,sensitivity=3", 0.5, 5, 1, 3},
                 {"dgauss:sigma2=2,norm2=13,dimensions=2", 2, 2, 2, 3},
                 {"dgauss:sigma2=0.34,norm2=2", 0.34, 0.34, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lo, hi;
        ask(&lo, &hi, cases[i].text);
        for (int e = 0; e <= 60; e++) {
            const double epsilon = e / 8.0,
                         loss = delta_of_two(cases[i].s, cases[i].t, cases[i].v, cases[i].w, epsilon);
            cr_assert(loss <= gaussian_delta(hi, epsilon) * (1 + 1e-9) + 1e-14, "%s at %g: %g", cases[i].text,
                      epsilon, loss);
        }
    }
}

/* The lower end refutes: at some epsilon the Gaussian of less mu has less delta than the mechanism. */
Test(trade_off, a_spec_without_a_loss_is_refused)
{
    const char *text = "gauss:sigma2=4,sample=1/10";
    pby_spec *spec = NULL;
    pby_decimals d;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_loss_mu_text(&d, spec, PBY_SUBSTITUTE, 9, NULL), PBY_BAD);
    pby_spec_free(spec);
}

/* Phi^-1 of exp(-500)/2 is beyond what doubles or the first precision tell: mu was said to be infinite, at
 * both ends. The tail of N(0, 1) lies between x/(1+x^2) and 1/x of its density. */
Test(trade_off, little_noise_has_a_finite_mu)
{
    double lo, hi;
    ask(&lo, &hi, "laplace:scale=1/1000");
    cr_assert(isfinite(hi) && hi - lo <= 3e-8 * lo, "[%g, %g]", lo, hi);
    const double x = lo / 2, log_tail = -x * x / 2 - log(2 * acos(-1)) / 2;
    cr_assert_geq(log_tail - log(x), -500 - log(2) - 1e-5);
    cr_assert_leq(log_tail + log(x / (1 + x * x)), -500 - log(2) + 1e-5);
    ask(&lo, &hi, "laplace:scale=1/1000000");
    cr_assert(isfinite(lo) && lo > 0, "[%g, %g]", lo, hi);
}

/* A mu bounds the divergence of order 2 by mu^2: where that is infinite at its lower end too, no mu is
 * enough. The lower end was that of the greatest of a few deltas. */
Test(trade_off, outputs_of_one_input_alone_leave_no_mu)
{
    static const char *const text[] = {"threshold:eps=1,T=20", "stlap:eps=1/2,q=40",
                                       "partition:eps=1,delta=1/1000", "2*gthreshold:sigma2=30,T=20,bars=2",
                                       "approx:eps=1/2,delta=1/100"};
    double lo, hi;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        ask(&lo, &hi, text[i]);
        cr_assert(isinf(lo) && isinf(hi), "%s: [%g, %g]", text[i], lo, hi);
    }
    ask(&lo, &hi, "dgauss:sigma2=16");
    cr_assert(isfinite(lo));
}
