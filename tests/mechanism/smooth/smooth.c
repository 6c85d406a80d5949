/* SPDX-License-Identifier: MIT */
/* Smooth sensitivity of every function of a few inputs, by its definition and in doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

enum { INPUTS = 5, RANGE = 3 };

/* H_e of two-sided geometric noise of rates l around 0 and l' around s, summed over outcomes. */
static double divergence(double l, double other, long s, double e)
{
    const double a = exp(-l), b = exp(-other), p = (1 - a) / (1 + a), q = exp(e) * (1 - b) / (1 + b);
    const long far = (long)(90 / l) + 10;
    double sum = 0;
    for (long k = -far; k <= far; k++)
        sum += fmax(0, p * exp(-l * (double)labs(k)) - q * exp(-other * (double)labs(k - s)));
    return sum;
}

static double scale(const int *f, int at, double decay)
{
    double most = 0;
    for (int i = 0; i < INPUTS; i++)
        for (int j = i - 1; j <= i + 1; j += 2)
            if (j >= 0 && j < INPUTS)
                most = fmax(most, abs(f[i] - f[j]) * pow(decay, abs(i - at)));
    return most;
}

/* The greatest divergence of all functions from a path of inputs to 0 .. RANGE. */
static double worst(double eps, double decay, double e)
{
    double most = 0;
    int f[INPUTS];
    for (int code = 1; code < 1024; code++) {
        for (int i = 0, c = code; i < INPUTS; i++, c /= RANGE + 1)
            f[i] = c % (RANGE + 1);
        for (int i = 0; i + 1 < INPUTS; i++) {
            const double s = scale(f, i, decay), t = scale(f, i + 1, decay);
            if (s == 0 || t == 0)
                continue;
            const long apart = labs(f[i] - f[i + 1]);
            most = fmax(most, divergence(eps / (2 * s), eps / (2 * t), apart, e));
            most = fmax(most, divergence(eps / (2 * t), eps / (2 * s), apart, e));
        }
    }
    return most;
}

static void deltas(double *lo, double *hi, const char *text, const char *at)
{
    mpq_t epsilon;
    pby_enclosure delta;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", at, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 9, NULL), PBY_OK);
    *lo = mpfr_get_d(delta.lo, MPFR_RNDD);
    *hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
}

Test(smooth, no_function_of_few_inputs_loses_more_than_the_pair)
{
    static const char *const at[] = {"1/4", "1/2", "3/4", "1", "5/4", "2"};
    static const double value[] = {.25, .5, .75, 1, 1.25, 2};
    double lo, hi;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        deltas(&lo, &hi, "smooth:eps=1,decay=4/5,range=3", at[i]);
        const double seen = worst(1, .8, value[i]);
        cr_assert_leq(seen, hi + 1e-12, "at %s: %.9g above %.9g", at[i], seen, hi);
        cr_assert_leq(lo, hi);
        deltas(&lo, &hi, "smooth:eps=1/2,decay=1/2,range=3", at[i]);
        cr_assert_leq(worst(.5, .5, value[i]), hi + 1e-12, "at %s", at[i]);
    }
}

/* Any scales and differences that the definition allows, from seeded pseudo-random numbers. */
Test(smooth, no_scales_lose_more_than_the_pair)
{
    double lo, hi;
    deltas(&lo, &hi, "smooth:eps=1,decay=9/10,range=40", "1");
    double most = 0;
    uint64_t state = 1;
    for (int i = 0; i < 2000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double u = (double)(state >> 40) / 0x1p24, v = (double)(state >> 8 & 0xffffff) / 0x1p24;
        const double s = 40 * pow(u, 3) + 1e-3, t = fmin(s * pow(.9, 2 * v - 1), 40);
        const long apart = (long)floor(fmin(s, t));
        most = fmax(most, divergence(.5 / s, .5 / t, apart, 1));
    }
    cr_assert_leq(most, hi);
    cr_assert_geq(most, hi / 4, "%.9g of %.9g: a test that comes near no bound tests none", most, hi);
}

/* The lower end is what two inputs lose, and it is near the upper. */
Test(smooth, the_ends_are_near_each_other_at_eps)
{
    double lo, hi;
    deltas(&lo, &hi, "smooth:eps=1,decay=19/20,range=100", "1");
    cr_assert_gt(lo, .95 * hi);
    cr_assert_leq(lo, divergence(.5 / 100, .5 / 95, 95, 1) * 1.05);
    deltas(&lo, &hi, "smooth:eps=1/4,decay=99/100,range=1000", "1/4");
    cr_assert_gt(lo, .95 * hi);
}

/* The usual constants promise delta at eps = 20 and do not keep it. */
Test(smooth, the_usual_constants_fail_at_a_large_epsilon)
{
    double lo, hi;
    /* exp(-20/(2 log(2^21))) = 0.5030..., for delta 2^-20 */
    deltas(&lo, &hi, "smooth:eps=20,decay=5031/10000,range=1", "20");
    cr_assert_lt(lo, 0x1p-20);
    deltas(&lo, &hi, "smooth:eps=20,decay=5031/10000,range=100", "20");
    cr_assert_gt(lo, 5 * 0x1p-20, "%.9g", lo / 0x1p-20);
    cr_assert_lt(hi, 20 * 0x1p-20, "%.9g", hi / 0x1p-20);
}

Test(smooth, decay_one_is_noise_of_the_whole_range)
{
    double lo, hi;
    deltas(&lo, &hi, "smooth:eps=1,decay=1,range=7", "1/4");
    cr_assert_float_eq(lo, divergence(.5, .5, 1, .25), 1e-9);
    deltas(&lo, &hi, "smooth:eps=1,decay=1,range=7", "1/2");
    cr_assert_eq(hi, 0);
}

/* Below the first point of the bound the lower end is what two inputs lose, in one order or the other, or two
 * whose answers are one apart. */
Test(smooth, some_inputs_lose_as_much_below_the_first_point)
{
    static const char *const at[] = {"1/8", "1/4", "2/5", "1/2", "13/25"};
    static const double value[] = {.125, .25, .4, .5, .52};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double lo, hi;
        deltas(&lo, &hi, "smooth:eps=1,decay=19/20,range=100", at[i]);
        const double narrow = divergence(.5 / 95, .5 / 100, 95, value[i]),
                     wide = divergence(.5 / 100, .5 / 95, 95, value[i]),
                     step = divergence(.5, .5, 1, value[i]);
        cr_assert_leq(lo, fmax(narrow, fmax(wide, step)) + 1e-12, "at %s: %.9g", at[i], lo);
        cr_assert_geq(hi, fmax(narrow, fmax(wide, step)) - 1e-12, "at %s: %.9g", at[i], hi);
        cr_assert(value[i] != .5 || lo > .8 * fmax(narrow, wide), "%g, %g, %g", lo, narrow, wide);
    }
}
