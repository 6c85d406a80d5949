/* SPDX-License-Identifier: MIT */
/* The bars that pass a threshold, against sums over the noise. */
#include "accuracy/passing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/spec.h"

enum { FAR = 400 };

/* P(G = k), ratio exp(-w). */
static double mass(double w, int k)
{
    return (1 - exp(-w)) / (1 + exp(-w)) * exp(-w * abs(k));
}

/* Returns the chance that a bar of count c passes and is off by more than eta c. */
static double off(double w, int threshold, int c, int num, int den)
{
    double sum = 0;
    for (int k = -FAR; k <= FAR; k++)
        sum += c + k >= threshold && abs(k) * den > num * c ? mass(w, k) : 0;
    return sum;
}

Test(accuracy_passing, of_zeros_the_share_beyond_the_threshold_passes)
{
    pby_spec *spec = spec_of("threshold:eps=1/2,T=9,sensitivity=2");
    pby_enclosure passed, none;
    pby_error err;
    double share = 0;
    for (int k = 9; k <= FAR; k++)
        share += mass(0.25, k);
    pby_enclosure_init(&passed);
    pby_enclosure_init(&none);
    cr_assert_eq(pby_passing_zeros(&passed, &none, spec, 1000, 12, &err), PBY_OK, "%s", err.text);
    cr_assert(fabs(mpfr_get_d(passed.lo, MPFR_RNDN) - 1000 * share) < 1e-9);
    cr_assert(fabs(mpfr_get_d(none.lo, MPFR_RNDN) - pow(1 - share, 1000)) < 1e-12);
    pby_enclosure_clear(&none);
    pby_enclosure_clear(&passed);
    pby_spec_free(spec);
}

/* Every count is within the bound, and some count has the lower end. */
Test(accuracy_passing, the_worst_count_lies_between_the_ends)
{
    static const int part[][2] = {{1, 10}, {1, 3}, {1, 2}, {1, 1}, {5, 2}}, thresholds[] = {1, 2, 7, 30};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        for (size_t j = 0; j < sizeof thresholds / sizeof *thresholds; j++) {
            char text[64];
            double worst = 0;
            pby_enclosure chance;
            pby_error err;
            mpq_t eta;
            snprintf(text, sizeof text, "threshold:eps=1/4,T=%d", thresholds[j]);
            pby_spec *spec = spec_of(text);
            mpq_init(eta);
            mpq_set_si(eta, part[i][0], (unsigned long)part[i][1]);
            pby_enclosure_init(&chance);
            for (int c = 1; c <= FAR / 2; c++)
                worst = fmax(worst, off(0.25, thresholds[j], c, part[i][0], part[i][1]));
            cr_assert_eq(pby_passing_relative(&chance, spec, eta, 12, &err), PBY_OK, "%s", err.text);
            cr_assert(worst <= mpfr_get_d(chance.hi, MPFR_RNDU) + 1e-9, "%s %zu: %.9f", text, i, worst);
            cr_assert(worst >= mpfr_get_d(chance.lo, MPFR_RNDD) - 1e-9, "%s %zu: %.9f", text, i, worst);
            cr_assert(mpfr_get_d(chance.hi, MPFR_RNDU) <= 2.0001 * worst + 1e-9, "%s %zu", text, i);
            pby_enclosure_clear(&chance);
            mpq_clear(eta);
            pby_spec_free(spec);
        }
}

Test(accuracy_passing, other_mechanisms_are_refused)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_enclosure a, b;
    pby_error err;
    pby_enclosure_init(&a);
    pby_enclosure_init(&b);
    cr_assert_eq(pby_passing_zeros(&a, &b, spec, 10, 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text,
                     "SPEC 'geometric:eps=1': expected one threshold, such as threshold:eps=1,T=20");
    pby_enclosure_clear(&b);
    pby_enclosure_clear(&a);
    pby_spec_free(spec);
}
