/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/certified.h"
#include "probity/rational.h"
#include "tests/certificate/make.h"
#include "tests/spec.h"

/* stlap:eps=1/2,q=40 on 1000 records in at most 3 bars of a width. */
static char *example_of(mpq_srcptr width)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_error err;
    char *text;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 2);
    const pby_input_class inputs = {1000, 3, width};
    cr_assert_eq(pby_certify_accuracy(&text, spec, PBY_ADD_REMOVE, epsilon, &inputs, &err), PBY_OK, "%s",
                 err.text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
    return text;
}

/* The example with width 1/10. */
static char *example(void)
{
    mpq_t width;
    mpq_init(width);
    mpq_set_ui(width, 1, 10);
    char *text = example_of(width);
    mpq_clear(width);
    return text;
}

Test(certificate_accuracy, is_stated_and_read_back)
{
    char *text = example();
    pby_certificate *c;
    pby_error err;
    const pby_input_class *inputs;
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    const pby_accuracy *a = pby_certificate_accuracy(c, &inputs);
    cr_assert_not_null(a);
    cr_assert_eq(mpq_cmp_ui(a->alpha.value, 3, 25), 0);
    cr_assert_eq(mpq_cmp_ui(a->beta.value, 1, 20), 0);
    cr_assert_eq(mpq_sgn(a->gamma), 0);
    cr_assert_eq(inputs->n, 1000);
    cr_assert_eq(inputs->support, 3);
    cr_assert_eq(mpq_cmp_ui(inputs->width, 1, 10), 0);
    pby_certificate_free(c);
    free(text);
}

Test(certificate_accuracy, no_width_is_written_as_0)
{
    mpq_t width;
    mpq_init(width);
    char *none = example_of(NULL), *zero = example_of(width);
    cr_assert_str_eq(none, zero);
    cr_assert_not_null(strstr(none, "\"width\": \"0\""));
    free(zero);
    free(none);
    mpq_clear(width);
}

/* A text with one field of its accuracy made another, or left out, by someone who also makes the digest fit.
 */
static void denied_in(const char *text, const char *field, const char *value, const char *reason)
{
    pby_error err;
    json_t *object = json_loads(text, 0, NULL), *accuracy = json_object_get(object, "accuracy");
    if (value == NULL)
        cr_assert_eq(json_object_del(accuracy, field), 0);
    else
        json_object_set_new(accuracy, field, json_string(value));
    cr_assert_eq(pby_verdict(object, &err), PBY_NO, "%s %s", field, value == NULL ? "left out" : value);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
}

static void denied(const char *field, const char *value, const char *reason)
{
    char *text = example();
    denied_in(text, field, value, reason);
    free(text);
}

Test(certificate_accuracy, nothing_else_holds)
{
    denied("alpha", "2/25", "accuracy.alpha '2/25': expected 3/25");
    denied("alpha", "4/25", "accuracy.alpha");
    denied("beta", "0", "accuracy.beta");
    denied("gamma", "1/100", "accuracy.gamma '1/100': expected 0.01");
    denied("gamma", "0.01", "accuracy.gamma '1/100': expected 0");
    denied("width", NULL, "accuracy");
    denied("records", NULL, "accuracy has no field 'records'");
    denied("records", "999", "accuracy.alpha");
    denied("records", "0", "n '0': expected at least 1 record");
    denied("records", "1/2", "not a count");
    denied("records", "100000000000000000000", "not a count");
    denied("support", "2", "accuracy.alpha");
    denied("width", "0.1", "lowest terms");
    denied("width", "-1/10", "");
    denied("more", "0", "no such field");
}

/* ---- noise --------------------------------------------------------------------------------------- */

/* A spec and what its accuracy is asked at; beta or gamma may be NULL. */
struct asked {
    const char *first, *second;
    uint64_t n, support;
    const char *beta, *gamma;
};

static pby_status certify(char **text, const struct asked *a, pby_error *err)
{
    pby_spec *spec = spec_of_both(a->first, a->second);
    const pby_input_class inputs = {a->n, a->support, NULL};
    mpq_t epsilon, beta, gamma;
    mpq_inits(epsilon, beta, gamma, NULL);
    mpq_set_ui(epsilon, 1, 1);
    if (a->beta != NULL)
        cr_assert_eq(pby_rational_parse(beta, "beta", a->beta, NULL), PBY_OK);
    if (a->gamma != NULL)
        cr_assert_eq(pby_rational_parse(gamma, "gamma", a->gamma, NULL), PBY_OK);
    const pby_certify_options more = {NULL, &inputs, a->beta == NULL ? NULL : beta,
                                      a->gamma == NULL ? NULL : gamma, NULL};
    pby_neighbours relation;
    cr_assert_eq(pby_spec_neighbours(&relation, spec, err), PBY_OK);
    const pby_status status = pby_certify_with(text, spec, relation, epsilon, &more, err);
    mpq_clears(epsilon, beta, gamma, NULL);
    pby_spec_free(spec);
    return status;
}

static char *noisy_example(const struct asked *a)
{
    pby_error err;
    char *text;
    cr_assert_eq(certify(&text, a, &err), PBY_OK, "%s: %s", a->first, err.text);
    return text;
}

/* P(|Z| > r) of the two-sided geometric law; of one side half. */
static double tail(double eps, int r)
{
    return 2 * exp(-eps * (r + 1)) / (1 + exp(-eps));
}

/* P(|Z| > r) of a discrete Gaussian, mass by mass. */
static double gauss_tail(double sigma2, int r)
{
    double all = 0, far = 0;
    for (int k = -400; k <= 400; k++) {
        all += exp(-k * k / (2 * sigma2));
        far += abs(k) > r ? exp(-k * k / (2 * sigma2)) : 0;
    }
    return far / all;
}

/* One of n candidates tau below the best is chosen by permute-and-flip, the others being as far below: r =
 * exp(-tau/2). */
static double flipped(double r, int n)
{
    return 1 - (1 - pow(1 - r, n)) / (n * r);
}

/* Some of m bars, each with chance p. */
static double some(double p, int m)
{
    return -expm1(m * log1p(-p));
}

#define SHA "55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"

/* Every kind of mechanism that has an accuracy; chances from the densities, in doubles. */
Test(certificate_accuracy, every_mechanism_that_has_one_states_it)
{
    const struct {
        struct asked asked;
        const char *alpha, *beta;
        double chance;
    } cases[] = {
        {{"geometric:eps=1/2", NULL, 0, 3, NULL, "1e-6"}, "0", "30", some(tail(0.5, 30), 3)},
        {{"geometric:eps=1/2", NULL, 7513, 12, "20", NULL}, "0", "20", some(tail(0.5, 20), 12)},
        {{"tgeometric:eps=1/2,bound=20", NULL, 0, 1, NULL, NULL}, "0", "20", 0},
        {{"dgauss:sigma2=10", NULL, 0, 2, "33/2", NULL}, "0", "16", some(gauss_tail(10, 16), 2)},
        {{"laplace:scale=2,grid=1/10", NULL, 0, 1, "2", NULL},
         "0",
         "2",
         tail(0.05, 19) / 2 + tail(0.05, 20) / 2},
        {{"range:eps=1,L=15", NULL, 0, 4, NULL, NULL}, "0", "15", some(tail(1, 15), 4)},
        {{"threshold:eps=1,T=20", NULL, 100, 4, "6", NULL}, "19/25", "6", some(tail(1, 6), 4)},
        {{"threshold:eps=1,T=20", "geometric:eps=1", 100, 4, "6", NULL},
         "19/25",
         "6",
         some(1 - (1 - tail(1, 6)) * (1 - tail(1, 6) / 2), 4)},
        {{"threshold:eps=1,T=20", "range:eps=1,L=10", 100, 4, "6", NULL},
         "19/25",
         "6",
         some(1 - (1 - tail(1, 6)) * (1 - tail(1, 6) / 2), 4)},
        {{"threshold:eps=1,T=20", "stlap:eps=1,q=10", 100, 4, NULL, "0.01"},
         "41/50",
         "0",
         some(tail(1, 5) / 2, 4)},
        /* so fine that 9 digits of gamma allow a smaller reach than the one that was asked for */
        {{"threshold:eps=1e-12,T=20", "stlap:eps=1,q=10", 1000000000000, 4, "1000000", NULL},
         "11719/3906250000",
         "0",
         0.93749975},
        {{"exponential:eps=1", NULL, 0, 9, "3", NULL}, "0", "3", 8 / (8 + exp(1.5))},
        {{"exponential:eps=1", NULL, 0, 9, NULL, "1/2"},
         "0",
         "415888309/100000000",
         8 / (8 + exp(4.15888309 / 2))},
        {{"smalldb:eps=1,size=2,queries=" SHA, NULL, 0, 9, "3", NULL}, "0", "3", 8 / (8 + exp(1.5))},
        {{"permuteflip:eps=1", NULL, 0, 4, "3", NULL}, "0", "3", flipped(exp(-1.5), 4)},
        {{"noisymax:eps=1", NULL, 0, 4, NULL, "1/100"}, "0", "12", 0.00964468823},
        /* one user: a lie moves the estimate by 1 and more, and nothing else by as much */
        {{"rr:eps=1", NULL, 1, 1, "1", NULL}, "0", "1", 1 / (1 + exp(1))},
        /* of four answers the truth is off by (1 - q)/(p - q) - 1 = 1.74.., a lie by 1.58.. */
        {{"krr:eps=1,k=4", NULL, 1, 1, "33/20", NULL}, "0", "33/20", exp(1) / (3 + exp(1))},
        {{"above:eps=1", NULL, 0, 1000, "38", NULL}, "0", "38", 0.041042944},
        {{"above:eps=1/2", "geometric:eps=1/2", 0, 5, NULL, "1/20"}, "0", "33", 0.047702021},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        pby_certificate *c;
        const pby_input_class *inputs;
        char *text = noisy_example(&cases[i].asked);
        cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s: %s", cases[i].asked.first,
                     err.text);
        const pby_accuracy *a = pby_certificate_accuracy(c, &inputs);
        char *alpha = mpq_get_str(NULL, 10, a->alpha.value), *beta = mpq_get_str(NULL, 10, a->beta.value);
        cr_assert_str_eq(alpha, cases[i].alpha, "%zu", i);
        cr_assert_str_eq(beta, cases[i].beta, "%zu", i);
        const double gamma = mpq_get_d(a->gamma);
        cr_assert_leq(cases[i].chance, gamma * (1 + 1e-9), "%zu: %.12g", i, gamma);
        cr_assert_geq(cases[i].chance, gamma * (1 - 2e-8), "%zu: %.12g", i, gamma);
        cr_assert_eq(inputs->n, cases[i].asked.n);
        cr_assert_eq(inputs->support, cases[i].asked.support);
        free(alpha);
        free(beta);
        pby_certificate_free(c);
        free(text);
    }
}

Test(certificate_accuracy, of_noise_nothing_else_holds)
{
    const struct asked asked = {"threshold:eps=1,T=20", NULL, 100, 4, "6", NULL};
    char *text = noisy_example(&asked);
    denied_in(text, "gamma", "0.00532245676", "accuracy.gamma '0.00532245676': expected 0.00532245677");
    denied_in(text, "gamma", "0.0053224569", "accuracy.gamma");
    denied_in(text, "gamma", "5.32245677e-3", "accuracy.gamma '5.32245677e-3': expected 0.00532245677");
    denied_in(text, "gamma", "-1", "accuracy.gamma");
    denied_in(text, "gamma", "much", "accuracy.gamma");
    denied_in(text, "alpha", "3/4", "accuracy.alpha '3/4': expected 19/25");
    denied_in(text, "beta", "5", "accuracy.alpha");
    denied_in(text, "beta", "13/2", "accuracy.beta '13/2': expected 6");
    denied_in(text, "beta", "-1", "beta");
    denied_in(text, "beta", "100000000000000000000", "below 2^61 steps");
    denied_in(text, "records", "99", "accuracy.alpha");
    denied_in(text, "records", NULL, "accuracy has no field 'records'");
    denied_in(text, "support", "5", "accuracy.");
    denied_in(text, "width", "0", "no such field");
    free(text);
}

/* One that is asked for may have no 9 digits, and is not told as more. */
Test(certificate_accuracy, a_gamma_that_is_asked_for_holds)
{
    const struct asked asked = {"threshold:eps=1,T=20", "stlap:eps=1,q=10", 100, 4, NULL, "0.01"};
    char *text = noisy_example(&asked);
    denied_in(text, "gamma", "0.00722877344", "accuracy.alpha"); /* that chance needs a larger reach */
    denied_in(text, "gamma", "0.00722877369", "accuracy.gamma");
    denied_in(text, "gamma", "0", "gamma '0': expected one above 0");
    denied_in(text, "gamma", "2", "gamma '2': expected a rational from 0 to 1");
    denied_in(text, "beta", "1", "accuracy.beta '1': expected 0");
    free(text);
}

/* A certificate states no member that has no meaning for its mechanism. */
Test(certificate_accuracy, a_query_has_no_records)
{
    const struct asked asked = {"dgauss:sigma2=10", NULL, 0, 1, "16", NULL};
    char *text = noisy_example(&asked);
    cr_assert_null(strstr(text, "records"));
    cr_assert_null(strstr(text, "width"));
    denied_in(text, "records", "9", "no such field");
    free(text);
    const struct asked noisy = {"geometric:eps=1", NULL, 0, 1, "16", NULL};
    text = noisy_example(&noisy);
    cr_assert_null(strstr(text, "records"));
    denied_in(text, "records", "0", "at least 1 record");
    free(text);
}

/* A chance below all that can be told is at most 1e-10000, and told as that. */
Test(certificate_accuracy, a_chance_that_is_next_to_none)
{
    const struct asked asked = {"dgauss:sigma2=10", NULL, 0, 1, "1000000", NULL};
    char *text = noisy_example(&asked);
    cr_assert_not_null(strstr(text, "\"gamma\": \"1e-10000\""), "%s", text);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), NULL), PBY_OK);
    denied_in(text, "gamma", "0", "accuracy.gamma '0': expected 1e-10000");
    denied_in(text, "gamma", "1e-9999", "accuracy.gamma");
    free(text);
}

static void refused(const struct asked asked, const char *reason)
{
    pby_error err;
    char *text;
    cr_assert_eq(certify(&text, &asked, &err), PBY_BAD, "%s", asked.first);
    cr_assert_null(text);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
}

Test(certificate_accuracy, refuses_what_a_mechanism_does_not_have)
{
    refused((struct asked){"gauss:sigma2=3", NULL, 9, 1, "1", NULL}, "has an accuracy");
    refused((struct asked){"2*geometric:eps=1", NULL, 9, 1, "1", NULL}, "used once");
    refused((struct asked){"stlap:eps=1,q=4", NULL, 9, 1, "1", NULL}, "beta '1': expected none");
    refused((struct asked){"stlap:eps=1,q=4", NULL, 9, 1, NULL, "1/2"}, "gamma '0.5': expected none");
    refused((struct asked){"stlap:eps=1,q=4", NULL, 0, 1, NULL, NULL}, "n '0'");
    refused((struct asked){"threshold:eps=1,T=4", NULL, 0, 1, "1", NULL}, "n '0'");
    refused((struct asked){"geometric:eps=1", NULL, 0, 0, "1", NULL}, "support '0'");
    refused((struct asked){"geometric:eps=1", NULL, 0, 1, NULL, NULL}, "the noise has no end");
    refused((struct asked){"dgauss:sigma2=1", NULL, 9, 1, "1", NULL}, "answers a query");
    refused((struct asked){"exponential:eps=1", NULL, 9, 4, "1", NULL}, "records: expected none");
    refused((struct asked){"exponential:eps=1", NULL, 0, 4, NULL, NULL}, "beta: expected this or gamma");
    refused((struct asked){"above:eps=1", NULL, 9, 4, "1", NULL}, "records: expected none");
    refused((struct asked){"rr:eps=1", NULL, 0, 1, "1", NULL}, "n '0'");
    refused((struct asked){"rr:eps=1", NULL, 9, 2, "1", NULL}, "support '2': expected 1");
}
