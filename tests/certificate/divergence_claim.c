/* SPDX-License-Identifier: MIT */
/* Certificates of rho, of a Renyi divergence and of mu: written, verified, and forged ones refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/certified.h"
#include "tests/certificate/make.h"

static char *make(const char *text, pby_question question, const char *value)
{
    pby_spec *spec = NULL;
    pby_error err = PBY_NO_ERROR;
    pby_neighbours relation;
    char *out;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
    cr_assert_eq(pby_certify_divergence_text(&out, spec, relation, question, value, &err), PBY_OK, "%s: %s",
                 text, err.text);
    pby_spec_free(spec);
    return out;
}

static void refused(const char *text, pby_question question, const char *value, const char *why)
{
    pby_spec *spec = NULL;
    pby_error err = PBY_NO_ERROR;
    pby_neighbours relation;
    char *out;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
    cr_assert_eq(pby_certify_divergence_text(&out, spec, relation, question, value, &err), PBY_BAD, "%s",
                 text);
    cr_assert_null(out);
    cr_assert_not_null(strstr(err.text, why), "%s", err.text);
    pby_spec_free(spec);
}

/* The ends of a certificate that holds. */
static void verified(const char *text, double *lo, double *hi)
{
    pby_certificate *c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    *lo = strtod(pby_certificate_divergence_lo(c), NULL);
    *hi = strtod(pby_certificate_divergence_hi(c), NULL);
    cr_assert_str_eq(pby_certificate_epsilon(c), "");
    cr_assert_str_eq(pby_certificate_delta_hi(c), "");
    pby_certificate_free(c);
}

Test(divergence_claim, decimals_of_gaussians_are_exact)
{
    char *rho = make("14*gauss:sigma2=1250/13", PBY_ASK_RHO, "0"),
         *mu = make("gauss:sigma2=4", PBY_ASK_MU, NULL),
         *renyi = make("14*gauss:sigma2=1250/13", PBY_ASK_RENYI, "8");
    cr_assert_not_null(strstr(rho, "\"rho\": {\n      \"hi\": \"0.0728\",\n      \"lo\": \"0.0728\"\n    }"),
                       "%s", rho);
    cr_assert_not_null(strstr(rho, "\"version\": 2"));
    cr_assert_not_null(strstr(renyi, "\"hi\": \"0.5824\",\n      \"lo\": \"0.5824\""), "%s", renyi);
    cr_assert_not_null(strstr(mu, "\"hi\": \"0.5\",\n      \"lo\": \"0.5\""), "%s", mu);
    double lo, hi;
    verified(rho, &lo, &hi);
    verified(renyi, &lo, &hi);
    verified(mu, &lo, &hi);
    free(rho);
    free(renyi);
    free(mu);
}

/* The divergence of randomised response and of Laplace noise, by a sum and by Simpson's rule in doubles. */
Test(divergence_claim, divergences_are_those_of_the_laws)
{
    double lo, hi;
    const double p = 1 / (1 + exp(-1)), a = 3;
    const double sum = pow(p, a) * pow(1 - p, 1 - a) + pow(1 - p, a) * pow(p, 1 - a);
    char *rr = make("5*rr:eps=1", PBY_ASK_RENYI, "3"), *laplace = make("laplace:scale=2", PBY_ASK_RENYI, "3");
    verified(rr, &lo, &hi);
    cr_assert(fabs(lo - 5 * log(sum) / 2) < 1e-13 && hi - lo < 1e-15, "[%.17g, %.17g]", lo, hi);
    double integral = 0;
    const int n = 400000;
    const double from = -60, step = 121.0 / n;
    for (int i = 0; i <= n; i++) {
        const double x = from + i * step, f = exp(-a * fabs(x - 1) / 2 - (1 - a) * fabs(x) / 2) / 4;
        integral += f * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
    }
    verified(laplace, &lo, &hi);
    cr_assert(fabs(lo - log(integral * step / 3) / 2) < 1e-8, "[%.17g, %.17g]", lo, hi);
    free(rr);
    free(laplace);
}

/* rho of pure privacy is epsilon tanh(epsilon/2). */
Test(divergence_claim, rho_of_a_coin)
{
    double lo, hi;
    char *text = make("rr:eps=2", PBY_ASK_RHO, "0");
    verified(text, &lo, &hi);
    cr_assert(fabs(lo - 2 * tanh(1)) < 1e-13 && hi - lo < 1e-15, "[%.17g, %.17g]", lo, hi);
    free(text);
}

Test(divergence_claim, what_cannot_be_certified_is_refused)
{
    refused("zcdp:rho=1/10", PBY_ASK_RHO, "0", "expected a mechanism");
    refused("rdp:order=8,eps=1", PBY_ASK_RENYI, "2", "expected a mechanism");
    refused("gdp:mu=1", PBY_ASK_MU, NULL, "expected a mechanism");
    refused("stlap:eps=1/2,q=40", PBY_ASK_MU, NULL,
            "expected mechanisms that have a finite mu which is known");
    refused("dgauss:sigma2=1/3", PBY_ASK_MU, NULL,
            "expected mechanisms that have a finite mu which is known");
    refused("gauss:sigma2=1,sample=1/10", PBY_ASK_RHO, "0", "expected no sampling");
    refused("gauss:sigma2=1,sample=1/10", PBY_ASK_RENYI, "5/2", "expected an integer from 2 on");
    refused("stlap:eps=1/2,q=40", PBY_ASK_RHO, "0", "its divergence is infinite");
    refused("permuteflip:eps=1", PBY_ASK_RHO, "0", "only known to lie from");
    refused("gauss:sigma2=1", PBY_ASK_RHO, "-1", "xi: expected a rational from 0 on");
    refused("gauss:sigma2=1", PBY_ASK_RENYI, "1/2", "order: expected a rational from 1 on");
}

/* ---- forgeries -------------------------------------------------------------------------------- */

/* A certificate with one member of its claim changed and sealed again. */
static void forged(const char *made, const char *ends, const char *name, const char *value, const char *why)
{
    json_t *root = json_loads(made, 0, NULL), *claim = json_object_get(root, "claim");
    pby_error err = PBY_NO_ERROR;
    json_object_set_new(ends == NULL ? claim : json_object_get(claim, ends), name, json_string(value));
    cr_assert_eq(pby_verdict(root, &err), PBY_NO, "%s %s", name, value);
    cr_assert_not_null(strstr(err.text, why), "%s", err.text);
}

/* A discrete Gaussian has the rational too: the choice that meets a target exactly is certified. */
Test(divergence_claim, rho_of_a_discrete_gaussian_is_a_rational)
{
    char *rho = make("4*dgauss:sigma2=20", PBY_ASK_RHO, "0"), *mixed = NULL;
    double lo, hi;
    cr_assert_not_null(strstr(rho, "\"rho\": {\n      \"hi\": \"0.1\",\n      \"lo\": \"0.1\"\n    }"), "%s",
                       rho);
    verified(rho, &lo, &hi);
    forged(rho, "rho", "hi", "0.099999999999999999999", "not the bounds");
    free(rho);
    mixed = make("dgauss:sigma2=4,sensitivity=2 gauss:sigma2=5", PBY_ASK_RHO, "0");
    cr_assert_not_null(strstr(mixed, "\"hi\": \"0.6\""), "%s", mixed);
    free(mixed);
}

/* Anything but a Gaussian of all records has a bound: from 0 to the root of the sum of squares, and neither a
 * greater nor a smaller one. */
Test(divergence_claim, mu_of_others_is_a_bound)
{
    double lo, hi;
    char *list = make("3*dgauss:sigma2=50,sensitivity=2 gauss:sigma2=4", PBY_ASK_MU, NULL),
         *sample = make("gauss:sigma2=4,sample=1/10", PBY_ASK_MU, NULL);
    verified(list, &lo, &hi);
    cr_assert(lo == 0 && fabs(hi * hi - 0.25 - 12 * 6 * (1 - sqrt(1 - 1 / 150.))) < 1e-12, "%.17g", hi);
    forged(list, "mu", "lo", "0.7", "not the bounds");
    forged(list, "mu", "hi", "0.7", "not the bounds");
    forged(list, "mu", "hi", "0.71", "not the bounds");
    verified(sample, &lo, &hi);
    cr_assert(lo == 0 && hi == 0.5, "%.17g", hi);
    free(list);
    free(sample);
}

Test(divergence_claim, forged_numbers_do_not_hold)
{
    char *rho = make("14*gauss:sigma2=1250/13", PBY_ASK_RHO, "0"), *rr = make("rr:eps=1", PBY_ASK_RENYI, "3"),
         *mu = make("gauss:sigma2=3", PBY_ASK_MU, NULL);
    forged(rho, "rho", "hi", "0.0727", "not the bounds");
    forged(rho, "rho", "lo", "0.0729", "not the bounds");
    forged(rho, "rho", "hi", "0.0729", "further apart than 20 digits need");
    forged(rho, "rho", "hi", "0.07280", "a decimal of at most 20 digits in canonical form");
    forged(rho, "rho", "hi", "inf", "a decimal of at most 20 digits in canonical form");
    forged(rho, NULL, "xi", "-1", "xi: expected a rational from 0 on");
    forged(rho, NULL, "kind", "renyi", "claim has no field 'epsilon'");
    forged(rho, NULL, "kind", "pure", "claim.kind 'pure': expected zcdp, renyi or gdp");
    forged(rho, NULL, "mu", "1", "claim 'mu': expected no such field");
    forged(rr, NULL, "order", "2", "not the bounds");
    forged(rr, NULL, "order", "6/2", "order");
    forged(rr, "epsilon", "hi", "0.5", "not the bounds");
    forged(mu, "mu", "lo", "0.57735026918962576452", "not the bounds");
    free(rho);
    free(rr);
    free(mu);
}

Test(divergence_claim, another_spec_or_relation_does_not_hold)
{
    char *made = make("rr:eps=1", PBY_ASK_RHO, "0");
    json_t *root = json_loads(made, 0, NULL);
    pby_error err = PBY_NO_ERROR;
    json_object_set_new(root, "spec", json_string("rr:eps=2"));
    cr_assert_eq(pby_verdict(root, &err), PBY_NO);
    root = json_loads(made, 0, NULL);
    json_object_set_new(root, "spec", json_string("zcdp:rho=1"));
    json_object_set_new(root, "neighbours", json_string("add-remove"));
    cr_assert_eq(pby_verdict(root, &err), PBY_NO);
    root = json_loads(made, 0, NULL);
    json_object_set_new(root, "epsilon", json_string("1"));
    cr_assert_eq(pby_verdict(root, &err), PBY_NO);
    free(made);
}

/* Certificates that were written stay readable. */
Test(divergence_claim, golden_certificates_hold)
{
    static const char *const names[] = {"claims/rho.json", "claims/renyi.json", "claims/mu.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double lo, hi;
        char *text = pby_golden(names[i]);
        verified(text, &lo, &hi);
        cr_assert(lo > 0 && lo <= hi);
        free(text);
    }
}
