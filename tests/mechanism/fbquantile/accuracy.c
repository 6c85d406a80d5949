/* SPDX-License-Identifier: MIT */
/* The accuracy of a quantile: sums over all values and all places of the quantile, and the binomial tails. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "mechanism/fbquantile/typical.h"
#include "probity.h"
#include "tests/spec.h"

/* The chance of a value farther than b, of the worst place. */
static double worst(int side, int step, int cap, double eps, int b)
{
    double most = 0;
    for (int f = 0; f < side; f++) {
        double far = 0, all = 0;
        for (int t = 0; t < side; t++) {
            const double w = exp(-eps / 2 * fmin((double)abs(t - f) / step, cap));
            all += w;
            far += abs(t - f) > b ? w : 0;
        }
        most = fmax(most, far / all);
    }
    return most;
}

static double asked(const char *text, long b)
{
    pby_spec *spec = spec_of(text);
    pby_noisy_accuracy a;
    pby_error err;
    mpq_t beta;
    mpq_init(beta);
    mpq_set_si(beta, b, 1);
    pby_noisy_accuracy_init(&a);
    cr_assert_eq(pby_accuracy_noisy(&a, spec, &(pby_input_class){.n = 1, .support = 1}, beta, NULL, 12, &err),
                 PBY_OK, "%s", err.text);
    const double chance = mpfr_get_d(a.chance.lo, MPFR_RNDN);
    pby_noisy_accuracy_clear(&a);
    mpq_clear(beta);
    pby_spec_free(spec);
    return chance;
}

/* A fast fall, where the middle is the worst, and a slow one, where an end is. */
Test(mechanism_fbquantile, the_chance_is_that_of_the_worst_place)
{
    static const struct {
        const char *eps;
        double value;
        int side, step, reach;
    } cases[] = {{"4", 4, 9, 1, 2}, {"1/10", 0.1, 9, 1, 2}, {"1", 1, 12, 2, 2}, {"9", 9, 40, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int b = 0; b < cases[i].side + 2; b++) {
            char text[96];
            snprintf(text, sizeof text, "fbquantile:eps=%s,q=1/2,n=20,bound=%d,step=%d,reach=%d",
                     cases[i].eps, cases[i].side, cases[i].step, cases[i].reach);
            const double want = worst(cases[i].side, cases[i].step, cases[i].reach + 1, cases[i].value, b);
            cr_assert(fabs(asked(text, b) - want) < 1e-9, "%s at %d: %.9f", text, b, want);
        }
}

/* Without a step: at most side - 1 values are b + 1 ranks or more behind. */
Test(mechanism_fbquantile, ranks_have_the_chance_of_a_choice)
{
    const double w = 9 * exp(-1.5);
    cr_assert(fabs(asked("fbquantile:eps=1,q=1/2,n=20,bound=10", 2) - w / (1 + w)) < 1e-9);
    cr_assert_eq(asked("fbquantile:eps=1,q=1/2,n=20,bound=10", 20), 0);
}

static double binomial(int n, double p, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p));
    return sum;
}

Test(mechanism_fbquantile, untypical_data_have_binomial_tails)
{
    const pby_rank r = {.n = 1000, .m = 750, .side = 1000, .step = 10, .reach = 12, .cap = 13};
    fmpq_t q, density, within;
    arb_t ball;
    double want = binomial(1000, 0.75 + 0.096, 749) + binomial(1000, 1 - (0.75 - 0.096), 250);
    for (int k = 1; k <= 12; k++)
        want += 2 * binomial(1000, 0.008 * k, k - 1);
    fmpq_init(q);
    fmpq_init(density);
    fmpq_init(within);
    arb_init(ball);
    fmpq_set_si(q, 3, 4);
    fmpq_set_si(density, 1, 1250);
    fmpq_set_si(within, 240, 1);
    cr_assert_eq(pby_rank_untypical(ball, &r, q, density, within, 128, NULL), PBY_OK);
    const double chance = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    cr_assert(fabs(chance - want) < 1e-10 && fabs(chance - 6.53115854e-4) < 1e-12, "%.12g", chance);
    arb_clear(ball);
    fmpq_clear(within);
    fmpq_clear(density);
    fmpq_clear(q);
}

/* Uniform records: of 2000 samples no more are untypical than the bound, but for a chance below 1e-9. */
Test(mechanism_fbquantile, uniform_records_are_typical_as_often_as_said)
{
    enum { SAMPLES = 2000, N = 60, SIDE = 1000 };
    const pby_rank r = {.n = N, .m = 30, .side = SIDE, .step = 60, .reach = 3, .cap = 4};
    uint64_t state = 5;
    int untypical = 0;
    fmpq_t q, density, within;
    arb_t ball;
    for (int s = 0; s < SAMPLES; s++) {
        int count[SIDE] = {0}, sorted[N], n = 0;
        bool good = true;
        for (int i = 0; i < N; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            count[(state >> 33) % SIDE]++;
        }
        for (int v = 0; v < SIDE; v++)
            for (int i = 0; i < count[v]; i++)
                sorted[n++] = v;
        for (int k = 1; k <= 3; k++)
            good = good && sorted[29 + k] - sorted[29] <= 60 * k && sorted[29] - sorted[29 - k] <= 60 * k;
        untypical += !good;
    }
    fmpq_init(q);
    fmpq_init(density);
    fmpq_init(within);
    arb_init(ball);
    fmpq_set_si(q, 1, 2);
    fmpq_set_si(density, 1, SIDE);
    fmpq_set_si(within, 400, 1);
    cr_assert_eq(pby_rank_untypical(ball, &r, q, density, within, 64, NULL), PBY_OK);
    const double bound = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    cr_assert(bound > 0.05 && bound < 0.5, "%.6f", bound);
    cr_assert(untypical > 0);
    cr_assert_lt(untypical, SAMPLES * bound + 6.2 * sqrt(SAMPLES * bound));
    arb_clear(ball);
    fmpq_clear(within);
    fmpq_clear(density);
    fmpq_clear(q);
}
