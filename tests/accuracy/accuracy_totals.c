/* SPDX-License-Identifier: MIT */
/* Compares the errors of running totals with the numbers of the inverse series and a sum over outcomes, in
 * doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/accuracy.h"
#include "tests/spec.h"

static void ask(double *lo, double *hi, const char *text, const char *beta)
{
    pby_spec *spec = spec_of(text);
    pby_accuracy_answer answer;
    pby_error err = PBY_NO_ERROR;
    pby_accuracy_answer_init(&answer);
    const pby_accuracy_request request = {
        .ask = PBY_ACCURACY_RELEASE, .n = 1, .support = 1, .beta = {.text = beta}};
    cr_assert_eq(pby_accuracy_ask(&answer, spec, &request, &err), PBY_OK, "%s", err.text);
    *lo = strtod(answer.chance.lo, NULL);
    *hi = strtod(answer.chance.hi, NULL);
    pby_accuracy_answer_clear(&answer);
    pby_spec_free(spec);
}

/* The variance of the last total, and the sum of the chances of all, by plain recursion. */
static void expected(double *last, double *all, const double *band, int count, int steps, double sigma2,
                     double beta)
{
    double inverse[64] = {0}, sum = 0, variance = 0;
    *all = 0;
    for (int t = 0; t < steps; t++) {
        inverse[t] = t == 0;
        for (int j = 1; j < count && j <= t; j++)
            inverse[t] -= band[j] * inverse[t - j];
        inverse[t] /= band[0];
        sum += inverse[t];
        variance += sigma2 * sum * sum;
        *last = erfc(beta / sqrt(2 * variance));
        *all += *last;
    }
}

Test(accuracy_totals, lie_between_the_last_and_the_sum)
{
    static const double band[] = {1, 0.5, 0.375};
    double lo, hi, last, all;
    expected(&last, &all, band, 3, 10, 9, 20);
    ask(&lo, &hi, "matrix:sigma2=9,steps=10,bands=1;1/2;3/8", "20");
    cr_assert(fabs(lo - last) < 1e-8 * last && fabs(hi - all) < 1e-8 * all, "[%g, %g], not [%g, %g]", lo, hi,
              last, all);
}

/* The square root is its own quotient: the variances are sums of its squares. */
Test(accuracy_totals, of_the_square_root_are_its_own_squares)
{
    double lo, hi, c = 1, variance = 0;
    for (int j = 0; j < 30; j++) {
        variance += 100 * c * c;
        c *= (2 * j + 1) / (2.0 * j + 2);
    }
    ask(&lo, &hi, "matrix:sigma2=100,steps=30,bands=sqrt", "60");
    cr_assert_lt(fabs(lo - erfc(60 / sqrt(2 * variance))), 1e-12);
    ask(&lo, &hi, "matrix:sigma2=100,steps=30,bands=sqrt,grid=1/4096", "60");
    cr_assert_lt(fabs(lo / erfc(60 / sqrt(2 * variance)) - 1), 0.02, "%g", lo);
}

/* One step of discrete noise, term by term. */
Test(accuracy_totals, discrete_noise_is_enclosed)
{
    double all = 0, far = 0, lo, hi;
    for (int k = -600; k <= 600; k++) {
        all += exp(-k * k / 3200.0);
        far += abs(k) > 80 ? exp(-k * k / 3200.0) : 0;
    }
    ask(&lo, &hi, "matrix:sigma2=100,steps=1,bands=1,grid=1/4", "20");
    cr_assert(lo < far / all && far / all < hi && hi < 2.2 * lo, "[%g, %g], not %g", lo, hi, far / all);
}
