/* SPDX-License-Identifier: MIT */
/* Mean errors of noise, against the laws themselves. */
#include <arb.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "law/law.h"
#include "mechanism/family.h"
#include "probity.h"
#include "tests/accuracy/asked.h"
#include "tests/claims/decide.h"
#include "tests/exact/coupling.h"

enum { FAR = 400 };

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    return spec;
}

static double middle(const pby_decimals *x)
{
    return (strtod(x->lo, NULL) + strtod(x->hi, NULL)) / 2;
}

/* The masses of noise from -FAR to FAR. */
static void masses(double *mass, const pby_spec *spec)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_law *law;
    arb_t ball;
    arb_init(ball);
    cr_assert_eq(m->family->law(&law, m, NULL), PBY_OK);
    for (int64_t k = -FAR; k <= FAR; k++) {
        arb_zero(ball);
        if (k >= law->lo && k <= law->hi)
            pby_law_mass_arb(ball, law, k, 128);
        mass[k + FAR] = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    }
    pby_law_free(law);
    arb_clear(ball);
}

/* The mean of |k + offset|, the farthest left out, gamma in all. */
static double trimmed(const double *mass, double offset, double gamma)
{
    double sum = 0;
    for (int up = FAR, down = -FAR; up >= down;) { /* the farther end first */
        const bool above = up + offset >= -(down + offset);
        const int k = above ? up-- : down++;
        const double part = mass[k + FAR] < gamma ? mass[k + FAR] : gamma;
        gamma -= part;
        sum += (mass[k + FAR] - part) * fabs(k + offset);
    }
    return sum;
}

Test(average, of_counts_is_the_mean_of_the_noise)
{
    static const char *const specs[] = {"geometric:eps=1", "dgauss:sigma2=7/2", "tgeometric:eps=1/2,bound=5",
                                        "geometric:eps=1/5,sensitivity=2"};
    static const char *const gammas[] = {"0", "1/100", "1/3", "9/10", "1"};
    double mass[2 * FAR + 1];
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 5; j++) {
            pby_spec *spec = spec_of(specs[i]);
            pby_decimals found;
            mpq_t gamma;
            mpq_init(gamma);
            mpq_set_str(gamma, gammas[j], 10);
            masses(mass, spec);
            cr_assert_eq(asked_average(&found, spec, 1, 1, gammas[j], 15, NULL), PBY_OK);
            cr_assert_float_eq(middle(&found), trimmed(mass, 0, mpq_get_d(gamma)), 1e-9, "%s at %s", specs[i],
                               gammas[j]);
            mpq_clear(gamma);
            pby_spec_free(spec);
        }
}

/* Every place between two steps of the grid: none is worse, and the middle is as bad. */
Test(average, no_place_is_worse_than_half_a_step)
{
    static const char *const gammas[] = {"0", "1/10", "2/5", "4/5"};
    static const char *const specs[] = {"laplace:scale=1,grid=1", "laplace:scale=1/4,grid=1",
                                        "laplace:scale=5,grid=1"};
    double mass[2 * FAR + 1];
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) {
            pby_spec *spec = spec_of(specs[i]);
            pby_decimals found;
            mpq_t gamma;
            mpq_init(gamma);
            mpq_set_str(gamma, gammas[j], 10);
            masses(mass, spec);
            cr_assert_eq(asked_average(&found, spec, 1, 1, gammas[j], 15, NULL), PBY_OK);
            for (int offset = 0; offset <= 50; offset++) {
                const double at = trimmed(mass, offset / 100.0, mpq_get_d(gamma));
                cr_assert_leq(at, middle(&found) + 1e-9, "%s at %s, %d", specs[i], gammas[j], offset);
                if (offset == 50)
                    cr_assert_float_eq(at, middle(&found), 1e-9, "%s at %s", specs[i], gammas[j]);
            }
            mpq_clear(gamma);
            pby_spec_free(spec);
        }
}

/* The greatest of two errors, by both. */
Test(average, of_bars_is_that_of_the_greatest_error)
{
    pby_spec *spec = spec_of("geometric:eps=3/4");
    double mass[2 * FAR + 1], mean = 0;
    pby_decimals found;
    masses(mass, spec);
    for (int a = -FAR; a <= FAR; a++)
        for (int b = -FAR; b <= FAR; b++)
            mean += mass[a + FAR] * mass[b + FAR] * (abs(a) > abs(b) ? abs(a) : abs(b));
    cr_assert_eq(asked_average(&found, spec, 1, 2, "0", 15, NULL), PBY_OK);
    cr_assert_float_eq(middle(&found), mean, 1e-9);
    pby_spec_free(spec);
}

/* Laplace noise of scale 1 on a fine grid: 1 - gamma (1 + log(1/gamma)), which [Robust] prints divided by 1 -
 * gamma: true, and not the least.
 * claims: Robust/Lemma 2 */
Test(average, the_printed_number_is_not_the_least)
{
    pby_spec *spec = spec_of("laplace:scale=1,grid=1/1000");
    pby_decimals found;
    static const char *const gammas[] = {"1/100", "1/10", "1/4", "1/2", "3/4", "9/10"};
    static const double values[] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double least = 1 - values[i] * (1 - log(values[i]));
        cr_assert_eq(asked_average(&found, spec, 1, 1, gammas[i], 12, NULL), PBY_OK);
        cr_assert_float_eq(middle(&found), least, 1e-3);
        cr_assert(claims_le_d(CLAIMS_ALL, strtod(found.hi, NULL), least / (1 - values[i])), "at %s",
                  gammas[i]);
    }
    pby_spec_free(spec);
}

/* W(p, r) <= W(p, q) + W(q, r), the losses added, on average: all laws of thirds on three points.
 * claims: Robust/Claim 2; Robust/Theorem 5 */
Test(average, triangle_with_losses_added)
{
    enum { N = 3, LAWS = 10, LOSSES = 3 };
    static const long at[N] = {0, 1, 3};
    static mpq_t w[2 * LOSSES - 1][LAWS][LAWS];
    exact_law law[LAWS];
    mpq_t d[N * N], gamma, sum;
    unsigned long parts[N];
    size_t k = 0;
    mpq_inits(gamma, sum, NULL);
    exact_first(parts, N, 3);
    do {
        exact_init(&law[k], N);
        exact_parts(&law[k++], parts, 3);
    } while (exact_next(parts, N));
    for (size_t i = 0; i < N * N; i++) {
        mpq_init(d[i]);
        mpq_set_si(d[i], labs(at[i / N] - at[i % N]), 1);
    }
    for (unsigned long g = 0; g < 2 * LOSSES - 1; g++)
        for (size_t i = 0; i < LAWS; i++)
            for (size_t j = 0; j < LAWS; j++) {
                mpq_init(w[g][i][j]);
                mpq_set_ui(gamma, g, 6);
                mpq_canonicalize(gamma);
                exact_average(w[g][i][j], &law[i], &law[j], d, gamma);
            }
    for (size_t a = 0; a < LOSSES; a++)
        for (size_t b = 0; b < LOSSES; b++)
            for (size_t t = 0; t < LAWS * LAWS * LAWS; t++) {
                const size_t p = t % LAWS, q = t / LAWS % LAWS, r = t / LAWS / LAWS;
                mpq_add(sum, w[a][p][q], w[b][q][r]);
                cr_assert(claims_le(CLAIMS_ALL, w[a + b][p][r], sum), "%zu %zu: %zu %zu %zu", a, b, p, q, r);
            }
    for (size_t g = 0; g < 2 * LOSSES - 1; g++)
        for (size_t i = 0; i < LAWS * LAWS; i++)
            mpq_clear(w[g][i / LAWS][i % LAWS]);
    for (size_t i = 0; i < N * N; i++)
        mpq_clear(d[i]);
    for (size_t i = 0; i < LAWS; i++)
        exact_clear(&law[i]);
    mpq_clears(gamma, sum, NULL);
}

/* claims: Robust/Theorem 5 */
Test(average, composition_adds_up)
{
    pby_accuracy one, two;
    pby_distance sigma, tau;
    pby_accuracy_init(&one);
    pby_accuracy_init(&two);
    pby_distance_init(&sigma);
    pby_distance_init(&tau);
    mpq_set_ui(one.alpha.value, 1, 10);
    mpq_set_ui(one.gamma, 2, 3);
    mpq_set_ui(two.beta.value, 3, 1);
    mpq_set_ui(two.gamma, 1, 2);
    mpq_set_ui(sigma.value, 1, 5);
    mpq_set_ui(tau.value, 4, 1);
    pby_accuracy_compose_average(&one, &one, &two, &sigma, &tau);
    cr_assert(claims_is(CLAIMS_ALL, mpq_cmp_ui(one.alpha.value, 3, 10) == 0 &&
                                        mpq_cmp_ui(one.beta.value, 7, 1) == 0 &&
                                        mpq_cmp_ui(one.gamma, 1, 1) == 0));
    tau.infinite = true;
    pby_accuracy_compose_average(&two, &one, &two, &sigma, &tau);
    cr_assert(two.beta.infinite && mpq_sgn(two.beta.value) == 0);
    pby_distance_clear(&tau);
    pby_distance_clear(&sigma);
    pby_accuracy_clear(&two);
    pby_accuracy_clear(&one);
}

/* Where nothing is published has to be left out by gamma, and the rest is that of noise. */
Test(average, of_ranges_is_that_of_noise)
{
    pby_spec *range = spec_of("range:eps=1,L=6"), *noise = spec_of("geometric:eps=1");
    pby_decimals a, b;
    cr_assert_eq(asked_average(&a, range, 1, 1, "1/50", 12, NULL), PBY_OK);
    cr_assert_eq(asked_average(&b, noise, 1, 1, "1/50", 12, NULL), PBY_OK);
    cr_assert_float_eq(middle(&a), middle(&b), 1e-11);
    pby_spec_free(noise);
    pby_spec_free(range);
}

Test(average, refusals)
{
    pby_spec *noise = spec_of("laplace:scale=1,grid=1"), *drops = spec_of("stlap:eps=1,q=3"),
             *range = spec_of("range:eps=1,L=6"), *gap = spec_of("sparse:sigma2=100,gap=8");
    pby_decimals found;
    cr_assert_eq(asked_average(&found, noise, 1, 2, "0", 9, NULL), PBY_BAD);
    cr_assert_eq(asked_average(&found, noise, 1, 1, "2", 9, NULL), PBY_BAD);
    cr_assert_eq(asked_average(&found, drops, 1, 1, "0", 9, NULL), PBY_BAD);
    cr_assert_eq(asked_average(&found, range, 1, 1, "1e-9", 9, NULL), PBY_BAD);
    cr_assert_eq(asked_average(&found, gap, 1, 1, "0", 9, NULL), PBY_BAD);
    pby_spec_free(gap);
    pby_spec_free(range);
    pby_spec_free(drops);
    pby_spec_free(noise);
}
