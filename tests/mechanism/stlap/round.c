/* SPDX-License-Identifier: MIT */
/* Noise that is rounded up: its loss from the definition, in doubles, and what the release keeps of it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

/* The distribution function of Laplace noise of rate eps around -q/2, truncated to [-q, 0]. */
static double below(double eps, double q, double z)
{
    const double end = exp(-eps * q / 2), u = eps * (fmin(fmax(z, -q), 0) + q / 2);
    return (u <= 0 ? exp(u) - end : 2 - end - exp(-u)) / (2 - 2 * end);
}

static double mass(double eps, double q, int k)
{
    return below(eps, q, k) - below(eps, q, k - 1);
}

/* The worse of both orders of R and R + 1. */
static double divergence(double eps, double q, double e)
{
    double up = 0, down = 0;
    for (int k = (int)-q - 2; k <= 2; k++) {
        const double p = mass(eps, q, k), shifted = mass(eps, q, k - 1);
        up += fmax(0, p - exp(e) * shifted);
        down += fmax(0, shifted - exp(e) * p);
    }
    return fmax(up, down);
}

static double loss(const char *spec_text, const char *epsilon)
{
    pby_enclosure delta;
    mpq_t e;
    pby_spec *spec = spec_of(spec_text);
    mpq_init(e);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_rational_parse(e, "epsilon", epsilon, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, e, 12, NULL), PBY_OK);
    const double found = mpfr_get_d(delta.hi, MPFR_RNDN);
    pby_enclosure_clear(&delta);
    mpq_clear(e);
    pby_spec_free(spec);
    return found;
}

Test(stlap_round, the_loss_is_that_of_the_definition)
{
    static const char *const qs[] = {"11/10", "3/2", "2", "5/2", "3", "9/2", "7", "40"};
    static const double q[] = {1.1, 1.5, 2, 2.5, 3, 4.5, 7, 40};
    static const char *const at[] = {"0", "1/4", "1/2", "1", "5/2"};
    static const double e[] = {0, 0.25, 0.5, 1, 2.5};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        for (size_t j = 0; j < sizeof e / sizeof *e; j++)
            for (int eps = 1; eps <= 2; eps++) {
                char text[64];
                snprintf(text, sizeof text, "stlap:eps=%d/2,q=%s,round=up", eps, qs[i]);
                const double seen = divergence(eps / 2., q[i], e[j]), found = loss(text, at[j]);
                cr_assert_float_eq(found, seen, 1e-11, "%s at %s: %.13g for %.13g", text, at[j], found, seen);
            }
}

/* At its own epsilon nothing changes from 5/2 on; below it does. And q + 2 loses no more than q, which select
 * takes for granted. */
Test(stlap_round, at_its_own_epsilon_rounding_does_not_matter)
{
    for (int q = 5; q <= 60; q += 7) {
        char up[64], nearest[64];
        snprintf(up, sizeof up, "stlap:eps=1/2,q=%d/2,round=up", q);
        snprintf(nearest, sizeof nearest, "stlap:eps=1/2,q=%d/2", q);
        cr_assert_float_eq(loss(up, "1/2"), loss(nearest, "1/2"), 1e-11, "q=%d/2", q);
    }
    cr_assert_gt(loss("stlap:eps=8,q=2,round=up", "8"), 55 * loss("stlap:eps=8,q=2", "8"));
    for (int q = 3; q <= 60; q++)
        for (double eps = 0.125; eps <= 2; eps *= 2)
            for (double e = 0; e <= 2; e += 0.125)
                cr_assert_leq(divergence(eps, q + 2, e), divergence(eps, q, e) + 1e-14, "q=%d", q);
}

Test(stlap_round, no_bar_loses_q_or_more)
{
    enum { DRAWS = 4000, COUNT = 100 };
    static int64_t x[DRAWS], y[DRAWS];
    int64_t least = COUNT;
    pby_release *r = NULL;
    pby_spec *spec = spec_of("stlap:eps=1/4,q=4,round=up");
    cr_assert_eq(pby_release_with(&r, spec, PBY_ADD_REMOVE, seeded(6), NULL), PBY_OK);
    for (size_t i = 0; i < DRAWS; i++)
        x[i] = COUNT;
    cr_assert_eq(pby_release_counts(r, x, y, DRAWS, NULL), PBY_OK);
    for (size_t i = 0; i < DRAWS; i++)
        least = y[i] < least ? y[i] : least;
    cr_assert_eq(least, COUNT - 3); /* a loss of 3 has a chance of a fifth */
    pby_release_free(r);
    pby_spec_free(spec);
}

Test(stlap_round, what_has_no_such_noise_is_refused)
{
    static const char *const bad[] = {"stlap:eps=1,tau=1/4,n=9,bars=2,round=up",
                                      "stlap:eps=1,q=3,round=down"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec;
        cr_assert_eq(pby_spec_parse(&spec, &bad[i], 1, NULL), PBY_BAD, "%s", bad[i]);
    }
    pby_spec *spec = spec_of("stlap:eps=1,q=3,round=nearest");
    cr_assert_str_eq(pby_spec_text(spec), "stlap:eps=1,q=3");
    pby_spec_free(spec);
}
