/* SPDX-License-Identifier: MIT */
/* Gaussian differential privacy as a promise, against the trade-off of two Gaussians in doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/compat.h"
#include "probity/experimental/losses.h"

static pby_spec *parse(const char *text)
{
    pby_spec *spec = NULL;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK, "%s", text);
    return spec;
}

static void expect(pby_question question, const char *text, const char *at, double answer, double error)
{
    pby_spec *spec = parse(text);
    pby_decimals d;
    cr_assert_eq(pby_loss_text(&d, NULL, question, spec, PBY_ADD_REMOVE, at, NULL, 12, NULL), PBY_OK, "%s",
                 text);
    cr_assert(fabs(strtod(d.lo, NULL) - answer) <= error && fabs(strtod(d.hi, NULL) - answer) <= error,
              "%s at %s: [%s, %s], not %.10g", text, at, d.lo, d.hi, answer);
    pby_spec_free(spec);
}

static double phi(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

/* The greatest 1 - beta - x alpha over the tests that reject beyond a point, searched for and not solved. */
static double best_test(double mu, double x)
{
    double most = fmax(0, 1 - x), left = -20, right = 20 + mu;
    for (int round = 0; round < 12; round++) {
        const double step = (right - left) / 100;
        double at = left;
        for (int i = 0; i <= 100; i++) {
            const double c = left + i * step, gain = phi(mu - c) - x * phi(-c);
            if (gain > most) {
                most = gain;
                at = c;
            }
        }
        left = at - 2 * step;
        right = at + 2 * step;
    }
    return most;
}

Test(gdp, delta_is_that_of_the_best_test)
{
    static const struct {
        const char *text, *at;
        double mu, epsilon;
    } known[] = {
        {"gdp:mu=1", "1", 1, 1},
        {"gdp:mu=1/2", "0", 0.5, 0},
        {"gdp:mu=3", "-1/2", 3, -0.5},
        {"gdp:mu=1/3", "3/2", 1.0 / 3, 1.5},
        {"10*gdp:mu=1/2", "2", 1.5811388300841898, 2},
        {"3*gdp:mu=1 gdp:mu=2", "3", 2.6457513110645906, 3},
        {"gdp:mu=1 gauss:sigma2=1/3", "3", 2, 3},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double delta = best_test(known[i].mu, exp(known[i].epsilon));
        expect(PBY_ASK_DELTA, known[i].text, known[i].at, delta, 1e-11 + 1e-10 * delta);
    }
}

/* Numbers that were computed elsewhere. */
Test(gdp, known_answers)
{
    expect(PBY_ASK_DELTA, "gdp:mu=1", "1", 0.126936738, 1e-9);
    expect(PBY_ASK_EPSILON, "gdp:mu=1", "1e-6", 4.88655412, 1e-8);
    expect(PBY_ASK_EPSILON, "10*gdp:mu=1/2", "1e-6", 8.30622505, 1e-8);
}

/* The promise of a Gaussian mechanism is that mechanism, sampled or not, and at every order. */
Test(gdp, is_a_gaussian)
{
    static const char *const promise[] = {"gdp:mu=3/4", "gdp:mu=3/4,sample=1/10",
                                          "20*gdp:mu=3/4,sample=1/10"};
    static const char *const gauss[] = {"gauss:sigma2=16/9", "gauss:sigma2=4,sensitivity=3/2,sample=1/10",
                                        "20*gauss:sigma2=16/9,sample=1/10"};
    for (size_t i = 0; i < 3; i++) {
        pby_spec *a = parse(promise[i]), *b = parse(gauss[i]);
        pby_decimals x, y;
        cr_assert_eq(pby_loss_delta_text(&x, a, PBY_ADD_REMOVE, "1/3", 9, NULL), PBY_OK);
        cr_assert_eq(pby_loss_delta_text(&y, b, PBY_ADD_REMOVE, "1/3", 9, NULL), PBY_OK);
        cr_assert(strcmp(x.lo, y.lo) == 0 && strcmp(x.hi, y.hi) == 0, "%s: [%s, %s]", promise[i], x.lo, x.hi);
        cr_assert_eq(pby_loss_renyi_text(&x, NULL, NULL, a, PBY_ADD_REMOVE, "3", 9, NULL), PBY_OK);
        cr_assert_eq(pby_loss_renyi_text(&y, NULL, NULL, b, PBY_ADD_REMOVE, "3", 9, NULL), PBY_OK);
        cr_assert(strcmp(x.lo, y.lo) == 0 && strcmp(x.hi, y.hi) == 0, "%s: [%s, %s]", promise[i], x.lo, x.hi);
        pby_spec_free(a);
        pby_spec_free(b);
    }
}

Test(gdp, a_group_adds_up)
{
    pby_spec *spec = parse("gdp:mu=1/5"), *group = NULL;
    pby_decimals x;
    cr_assert_eq(pby_spec_group(&group, spec, 5, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta_text(&x, group, PBY_SUBSTITUTE, "1", 9, NULL), PBY_OK);
    cr_assert(fabs(strtod(x.lo, NULL) - best_test(1, exp(1))) < 1e-9);
    pby_spec_free(group);
    pby_spec_free(spec);
}
