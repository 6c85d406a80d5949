/* SPDX-License-Identifier: MIT */
/* Squared errors of weights against sums over all noise. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/claims/decide.h"
#include "tests/spec.h"

static void near(const char *text, pby_weights_error_kind kind, uint64_t bars, const char *epsilon,
                 long double truth)
{
    pby_spec *spec = spec_of(text);
    pby_decimals x;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_weights_error_text(&x, kind, spec, bars, epsilon, 9, &err), PBY_OK, "%s", err.text);
    const long double lo = strtold(x.lo, NULL), hi = strtold(x.hi, NULL);
    cr_expect(lo <= truth * (1 + 1e-12L) + 1e-15L && truth <= hi * (1 + 1e-12L) + 1e-15L &&
                  hi - lo <= 1e-7L * hi,
              "%s, %d: [%s, %s] and %.15Lg", text, (int)kind, x.lo, x.hi, truth);
    pby_spec_free(spec);
}

/* Moments of |Z| and of the greatest of m, from chances p_0, p_1, ... of |Z|. */
struct sums {
    long double mean, square, most, most_square;
};

static struct sums sums_of(const long double *p, int n, int m)
{
    struct sums s = {0, 0, 0, 0};
    long double below = 0;
    for (int k = 0; k < n; k++) {
        const long double before = below;
        below += p[k];
        const long double chance = powl(below, m) - powl(before, m);
        s.mean += k * p[k];
        s.square += (long double)k * k * p[k];
        s.most += k * chance;
        s.most_square += (long double)k * k * chance;
    }
    return s;
}

static long double bound_of(struct sums s)
{
    return s.square + 4 * s.mean * s.most + 4 * s.most_square;
}

enum { N = 400 };

static void geometric(long double p[N], long double rate, int bound)
{
    const long double a = expl(-rate);
    for (int k = 0; k < N; k++)
        p[k] = k > bound    ? 0
               : k == bound ? 2 * powl(a, k) / (1 + a)
                            : (k == 0 ? 1 : 2) * (1 - a) / (1 + a) * powl(a, k);
}

static void gaussian(long double p[N], long double sigma2)
{
    long double sum = 0;
    for (int k = 0; k < N; k++)
        sum += p[k] = (k == 0 ? 1 : 2) * expl(-(long double)k * k / (2 * sigma2));
    for (int k = 0; k < N; k++)
        p[k] /= sum;
}

Test(microdata_error, of_each_noise)
{
    long double p[N];
    geometric(p, 0.5L, N);
    near("microdata:eps=1", PBY_WEIGHTS_TOTAL, 5, NULL, sums_of(p, N, 5).square);
    near("microdata:eps=1", PBY_WEIGHTS_BAR, 5, NULL, bound_of(sums_of(p, N, 5)));
    near("microdata:eps=1", PBY_WEIGHTS_BAR, 1, NULL, bound_of(sums_of(p, N, 1)));
    geometric(p, 0.5L, 7);
    near("tmicrodata:eps=1,bound=7", PBY_WEIGHTS_TOTAL, 3, NULL, sums_of(p, N, 3).square);
    near("tmicrodata:eps=1,bound=7", PBY_WEIGHTS_BAR, 3, NULL, bound_of(sums_of(p, N, 3)));
    gaussian(p, 4.5L);
    near("gmicrodata:sigma2=9/2", PBY_WEIGHTS_TOTAL, 4, NULL, sums_of(p, N, 4).square);
    near("gmicrodata:sigma2=9/2", PBY_WEIGHTS_BAR, 4, NULL, bound_of(sums_of(p, N, 4)));
}

/* Bars alone, at twice the rate or half of sigma2: on empty bars E(sum of max(0, Z))^2. */
Test(microdata_error, of_clipped_bars)
{
    const long double a = expl(-1);
    long double p[N];
    near("microdata:eps=1", PBY_WEIGHTS_CLIPPED_BAR, 9, NULL, 2 * a / powl(1 - a, 2));
    near("microdata:eps=1", PBY_WEIGHTS_CLIPPED_TOTAL, 9, NULL,
         9 * a / powl(1 - a, 2) + 72 * powl(a / (1 - a * a), 2));
    gaussian(p, 2.25L);
    const struct sums s = sums_of(p, N, 1);
    near("gmicrodata:sigma2=9/2", PBY_WEIGHTS_CLIPPED_BAR, 4, NULL, s.square);
    near("gmicrodata:sigma2=9/2", PBY_WEIGHTS_CLIPPED_TOTAL, 4, NULL, 2 * s.square + 3 * s.mean * s.mean);
}

/* The bound on a bar holds: all noise of two bars and their total, on all small data.
 * claims: Survey/Theorem 9.6 */
Test(microdata_error, no_bar_is_worse_than_the_bound)
{
    enum { B = 3 };
    long double p[N];
    geometric(p, 0.5L, B);
    const long double bound = bound_of(sums_of(p, N, 2)), total = sums_of(p, N, 2).square;
    for (int64_t q0 = 0; q0 <= 4; q0++)
        for (int64_t q1 = 0; q1 <= 4; q1++) {
            long double bar = 0, sum = 0;
            for (int i = -B; i <= B; i++)
                for (int j = -B; j <= B; j++)
                    for (int t = -B; t <= B; t++) {
                        pby_weights *w;
                        mpq_t x;
                        mpq_init(x);
                        cr_assert_eq(pby_weights_new(&w, (int64_t[]){q0 + i, q1 + j}, 2, q0 + q1 + t, NULL),
                                     PBY_OK);
                        pby_weights_get(x, w, 0);
                        const long double chance = (i == 0 ? p[0] : p[abs(i)] / 2) *
                                                   (j == 0 ? p[0] : p[abs(j)] / 2) *
                                                   (t == 0 ? p[0] : p[abs(t)] / 2),
                                          off = mpq_get_d(x) - (double)q0,
                                          all = fmaxl(0, (long double)(q0 + q1 + t)) - (long double)(q0 + q1);
                        bar += chance * off * off;
                        sum += chance * all * all;
                        mpq_clear(x);
                        pby_weights_free(w);
                    }
            cr_assert(claims_le_d(CLAIMS_ALL, (double)bar, (double)bound));
            cr_assert_leq(sum, total + 1e-15L);
            if (q0 + q1 >= B)
                cr_assert_leq(fabsl(sum - total), 1e-12L); /* the worst data reach it */
        }
}

/* The least error: what C makes, for some whole t > 2C, (t - 2C) A > 2C + 2D + t; searched on a fine grid. */
Test(microdata_error, the_least_of_any_mechanism)
{
    const long double a = expl(-0.5L), d = sqrtl(2 * a / powl(1 - a, 2));
    for (int m = 100; m <= 100000; m *= 10) {
        long double best = 0;
        for (long double c = 0; c < 4; c += 1e-4L)
            for (int t = 1; t < 20; t++)
                if (t > 2 * c && (t - 2 * c) * (m - 1) / (4 * expl(2.0L * t)) > 2 * c + 2 * d + t)
                    best = c;
        pby_spec *spec = spec_of("microdata:eps=1");
        pby_decimals x;
        cr_assert_eq(pby_weights_error_text(&x, PBY_WEIGHTS_LEAST, spec, (uint64_t)m, NULL, 9, NULL), PBY_OK);
        const long double root = sqrtl(strtold(x.hi, NULL));
        cr_expect(best <= root + 1e-9L && root <= best + 1.1e-4L, "%d: %.9Lg and %.9Lg", m, best, root);
        pby_spec_free(spec);
    }
}

Test(microdata_error, what_is_refused)
{
    static const struct {
        const char *spec, *epsilon, *text;
        pby_weights_error_kind kind;
        uint64_t bars;
    } bad[] = {
        {"geometric:eps=1", NULL, "a total beside its bars", PBY_WEIGHTS_BAR, 3},
        {"tmicrodata:eps=1,bound=3", NULL, "bars alone that lose the same", PBY_WEIGHTS_CLIPPED_BAR, 3},
        {"gmicrodata:sigma2=4", NULL, "epsilon: expected one", PBY_WEIGHTS_LEAST, 3},
        {"gmicrodata:sigma2=4", "0", "epsilon '0': expected a rational above 0", PBY_WEIGHTS_LEAST, 3},
        {"microdata:eps=1", NULL, "bars '0': expected an integer from 1", PBY_WEIGHTS_BAR, 0},
        {"microdata:eps=1e-9", NULL, "expected noise of less width", PBY_WEIGHTS_BAR, 3},
        {"2*microdata:eps=1", NULL, "2*microdata:eps=1", PBY_WEIGHTS_BAR, 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec = spec_of(bad[i].spec);
        pby_decimals x;
        pby_error err = PBY_NO_ERROR;
        cr_expect_eq(pby_weights_error_text(&x, bad[i].kind, spec, bad[i].bars, bad[i].epsilon, 9, &err),
                     PBY_BAD);
        cr_expect(strstr(err.text, bad[i].text) != NULL, "%s", err.text);
        pby_spec_free(spec);
    }
}
