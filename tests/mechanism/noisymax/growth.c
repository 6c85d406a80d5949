/* SPDX-License-Identifier: MIT */
/* The bound by growth, against maxima that grow as fast as they may. */
#include "mechanism/noisymax/growth.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <flint/fmpq_vec.h>
#include <math.h>
#include <stdio.h>

#include "probity/loss.h"
#include "tests/spec.h"

enum { N = PBY_GROWTH_NODES, BACK = 40, ON = 160, STARTS = 20, LAG = 5 };

/* K by its definition: the most that a product of cdfs can become. */
static double grown(double a, double y)
{
    int k = 0;
    while (k < 300 && y < pow(a / (1 + a), k + 1))
        k++;
    return (1 - a) / pow(1 + a, k) + pow(a, 1 - k) * y;
}

static double before(double a, double z)
{
    double low = 0, high = z;
    for (int i = 0; i < 200; i++) {
        const double y = (low + high) / 2;
        *(grown(a, y) < z ? &low : &high) = y;
    }
    return low;
}

/* Levels that K takes to each other; the one at BACK is y. */
static void set_levels(double *level, double a, double y)
{
    level[BACK] = y;
    for (int i = BACK; i > 0; i--)
        level[i - 1] = level[i] > 1e-14 ? before(a, level[i]) : 0;
    for (int i = BACK; i + 1 < BACK + ON; i++)
        level[i + 1] = grown(a, level[i]);
}

/* Two maxima with atoms at the integers and the levels x and y between them: what the first loses by one
 * step. */
static double lost(const double *x, const double *y, double factor)
{
    double sum = 0;
    enum { END = BACK + ON - 2 * LAG - 1 };
    for (int i = 0; i < END; i++)
        sum += (y[i + 1] - y[i]) * (factor * x[i + 1] - x[i]);
    return sum + (1 - y[END]) * (factor - 1) - (factor - 1);
}

static void check(const char *text, double least)
{
    static double level[STARTS][BACK + ON];
    fmpq *loss = _fmpq_vec_init(N), *delta = _fmpq_vec_init(N);
    fmpq_t eps;
    fmpq_init(eps);
    fmpq_set_str(eps, text, 10);
    const double a = exp(-fmpq_get_d(eps)), q = a / (1 + a);
    cr_assert(pby_growth_delta(loss, delta, eps, eps));
    for (int s = 0; s < STARTS; s++)
        set_levels(level[s], a, q + s * (1 / (1 + a) - q) / STARTS);
    for (int i = 0; i < N - 1; i++) {
        double most = 0;
        for (int s = 0; s < STARTS; s++)
            for (int t = 0; t < STARTS; t++)
                for (int lag = -LAG; lag <= LAG; lag++)
                    most = fmax(most, lost(level[s] + LAG, level[t] + LAG + lag, exp(fmpq_get_d(&loss[i]))));
        cr_assert_leq(most, fmpq_get_d(&delta[i]) + 1e-12, "%s, %d: %.12g", text, i, most);
        cr_assert_geq(most, least * fmpq_get_d(&delta[i]), "%s, %d: %.12g of %.12g", text, i, most,
                      fmpq_get_d(&delta[i]));
    }
    cr_assert(fmpq_is_zero(&delta[N - 1]));
    fmpq_clear(eps);
    _fmpq_vec_clear(delta, N);
    _fmpq_vec_clear(loss, N);
}

Test(noisymax_growth, maxima_that_grow_fastest_come_near_the_bound)
{
    check("1", 0.9);
    check("1/4", 0.9);
    check("3", 0.9);
}

/* The upper end of delta at an epsilon, which is told to nine digits. */
#define ROUNDED 1e-8
static double told_at(const char *eps, const char *at)
{
    char text[64];
    mpq_t epsilon;
    pby_enclosure told;
    mpq_init(epsilon);
    mpq_set_str(epsilon, at, 10);
    pby_enclosure_init(&told);
    snprintf(text, sizeof text, "noisymax:eps=%s", eps);
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_loss_delta(&told, spec, PBY_ADD_REMOVE, epsilon, 9, NULL), PBY_OK);
    const double upper = mpfr_get_d(told.hi, MPFR_RNDU);
    pby_spec_free(spec);
    pby_enclosure_clear(&told);
    mpq_clear(epsilon);
    return upper;
}

static void rises(const char *const *eps, size_t n, const char *at)
{
    double before = 0;
    for (size_t i = 0; i < n; i++) {
        const double upper = told_at(eps[i], at);
        cr_assert_geq(upper, before * (1 - ROUNDED), "%s at %s", eps[i], at);
        before = upper;
    }
}

/* The bound falls with eps, also where it is made in another way: at 1/156, 1/100 and 3/2. */
Test(noisymax_growth, less_noise_loses_no_less)
{
    static const char *const eps[] = {"0.05", "0.0624", "0.0625", "0.066", "1.49", "1.51"};
    rises(eps, sizeof eps / sizeof *eps, "0");
    rises(eps, sizeof eps / sizeof *eps, "1/30");
}

Test(noisymax_growth, far_less_noise_loses_no_less)
{
    static const char *const eps[] = {"0.0064", "0.00642", "0.0101"};
    rises(eps, sizeof eps / sizeof *eps, "0");
}

/* 1000 uses at 1/100 lose at most 1.7e-6 at 1; by the shifted noise it was 1.07e-4. */
Test(noisymax_growth, many_small_uses_are_bounded_by_growth)
{
    const char *text = "1000*noisymax:eps=1/100";
    pby_enclosure told;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pby_enclosure_init(&told);
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_loss_delta(&told, spec, PBY_ADD_REMOVE, one, 9, NULL), PBY_OK);
    cr_assert_lt(mpfr_get_d(told.hi, MPFR_RNDU), 1.7e-6);
    cr_assert_gt(mpfr_get_d(told.lo, MPFR_RNDD), 1.3e-9);
    pby_spec_free(spec);
    pby_enclosure_clear(&told);
    mpq_clear(one);
}
