/* SPDX-License-Identifier: MIT */
/* Groups of records that are sampled one by one, against the outputs' densities and masses, in doubles. */
#include "mechanism/shared/crowd.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>

#include "probity/loss.h"
#include "tests/spec.h"

enum { POINTS = 40000 };

/* The noise at x, but for its norm. */
typedef double noise(double x);

static double gaussian(double x)
{
    return exp(-x * x / 8);
}

static double laplace(double x)
{
    return exp(-fabs(x) / 2);
}

static double geometric(double x)
{
    return exp(-fabs(x) / 3);
}

/* The greater delta of both orders: k records, each seen with chance q, that move the query by d. The points
 * are `step` apart. */
static double delta_of(noise *f, double step, int k, double q, double d, double e)
{
    double weight[16] = {1}, norm = 0, with = 0, without = 0;
    for (int i = 0; i < k; i++)
        for (int b = i + 1; b >= 0; b--)
            weight[b] = weight[b] * (1 - q) + (b > 0 ? weight[b - 1] * q : 0);
    for (int i = -POINTS; i <= POINTS; i++)
        norm += f(i * step);
    for (int i = -POINTS; i <= POINTS; i++) {
        double p = 0;
        for (int b = 0; b <= k; b++)
            p += weight[b] * f(i * step - b * d);
        const double one = p / norm, other = f(i * step) / norm;
        with += fmax(0, one - exp(e) * other);
        without += fmax(0, other - exp(e) * one);
    }
    return fmax(with, without);
}

static void check(const char *text, noise *f, double step, int k, double q, double d)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&delta);
    for (int i = 0; i < 5; i++) {
        const double e = i / 4.0;
        mpq_set_d(at, e);
        cr_assert_eq(pby_loss_group_delta(&delta, NULL, spec, PBY_ADD_REMOVE, (unsigned long)k, at, 9, NULL),
                     PBY_OK);
        const double truth = delta_of(f, step, k, q, d, e), lo = mpfr_get_d(delta.lo, MPFR_RNDD),
                     hi = mpfr_get_d(delta.hi, MPFR_RNDU);
        cr_assert(lo <= truth + 1e-7, "%s at %g: %g above %g", text, e, lo, truth);
        cr_assert(lo >= 0.99 * truth - 1e-9, "%s at %g: %g below %g", text, e, lo, truth);
        cr_assert(hi >= truth - 1e-7, "%s at %g: %g below %g", text, e, hi, truth);
    }
    pby_enclosure_clear(&delta);
    mpq_clear(at);
    pby_spec_free(spec);
}

Test(crowd, a_group_loses_what_records_that_move_alike_lose)
{
    check("gauss:sigma2=4,sample=1/10", gaussian, 0.002, 3, 0.1, 1);
    check("gauss:sigma2=4,sensitivity=5/2,sample=1/3", gaussian, 0.002, 2, 1.0 / 3, 2.5);
    check("laplace:scale=2,sample=1/4", laplace, 0.004, 2, 0.25, 1);
    check("dgauss:sigma2=4,sample=1/10", gaussian, 1, 3, 0.1, 1);
    check("geometric:eps=1/3,sample=1/5", geometric, 1, 4, 0.2, 1);
    check("geometric:eps=2/3,sensitivity=2,sample=1/5", geometric, 1, 2, 0.2, 2);
    check("laplace:scale=2,grid=1/2,sample=1/5", laplace, 0.5, 3, 0.2, 1);
}

/* A spec that is not known here has no pairs, and a group of a list loses at least as much as one use of
 * it. */
Test(crowd, what_is_known)
{
    static const struct {
        const char *spec;
        size_t pairs;
    } cases[] = {
        {"gauss:sigma2=4,sample=1/10", 2},          {"gauss:sigma2=4", 0},
        {"gauss:sigma2=4,fixed=1/10", 0},           {"gauss:sigma2=4,sample=1/10,batch=5,records=50", 0},
        {"dgauss:sigma2=4,norm2=2,sample=1/10", 0}, {"laplace:scale=2,grid=3/4,sample=1/10", 0},
        {"geometric:eps=1,sample=1/10", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_pairs pairs = {NULL, 0};
        cr_assert_eq(pby_crowd_pairs(&pairs, &spec->use[0].mechanism, 3, NULL), PBY_OK);
        cr_assert_eq(pairs.count, cases[i].pairs, "%s", cases[i].spec);
        pby_pairs_clear(&pairs);
        pby_spec_free(spec);
    }
    pby_spec *many = spec_of("3*geometric:eps=1,sample=1/10"), *one = spec_of("geometric:eps=1,sample=1/10");
    pby_enclosure all, single;
    mpq_t at;
    mpq_init(at);
    mpq_set_ui(at, 1, 10);
    pby_enclosure_init(&all);
    pby_enclosure_init(&single);
    cr_assert_eq(pby_loss_group_delta(&all, NULL, many, PBY_ADD_REMOVE, 2, at, 9, NULL), PBY_OK);
    cr_assert_eq(pby_loss_group_delta(&single, NULL, one, PBY_ADD_REMOVE, 2, at, 9, NULL), PBY_OK);
    cr_assert(mpfr_greater_p(all.lo, single.lo) && mpfr_lessequal_p(all.lo, all.hi));
    pby_enclosure_clear(&single);
    pby_enclosure_clear(&all);
    mpq_clear(at);
    pby_spec_free(one);
    pby_spec_free(many);
}
