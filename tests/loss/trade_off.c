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
        {"dgauss:sigma2=1/4", 2.48838190, INFINITY}, {"dgauss:sigma2=1", 1.04576012, INFINITY},
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
