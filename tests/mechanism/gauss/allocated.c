/* SPDX-License-Identifier: MIT */
/* Random allocation against its definition, integrated. */
#include "mechanism/gauss/allocated.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>

#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/law/make.h"
#include "tests/spec.h"

/* E max(0, x - X) of one lognormal variable of mean 1. */
static double put_of_one(double x, double v)
{
    const double root = sqrt(v);
    return x <= 0 ? 0
                  : x * erfc(-(log(x) + v / 2) / root * M_SQRT1_2) / 2 -
                        erfc(-(log(x) - v / 2) / root * M_SQRT1_2) / 2;
}

/* E max(0, x - X_1 - ... - X_k), one integral after the other by the midpoint rule. */
static double put_of_sum(double x, double v, int k)
{
    enum { PARTS = 700 };
    const double root = sqrt(v), from = -9, to = fmin(9, (log(x) + v / 2) / root), step = (to - from) / PARTS;
    double sum = 0;
    if (k == 1)
        return put_of_one(x, v);
    for (int i = 0; i < PARTS && to > from; i++) {
        const double z = from + (i + 0.5) * step;
        sum += exp(-z * z / 2) * put_of_sum(x - exp(root * z - v / 2), v, k - 1) * step;
    }
    return x <= 0 ? 0 : sum / sqrt(2 * M_PI);
}

static double mass(const pby_expsum_t x)
{
    arb_t ball;
    arb_init(ball);
    pby_expsum_get_arb(ball, x, 128);
    const double d = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    arb_clear(ball);
    return d;
}

/* Sum of max(0, P - x Q) over the atoms, and that either side has mass 1. */
static double potential(const pby_pair *pair, double x)
{
    double sum = 0;
    pby_expsum_t p, q, one;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_init(one);
    pby_expsum_one(one);
    for (size_t i = 0; i < pair->count; i++) {
        sum += fmax(0, mass(pair->atoms[i].p) - x * mass(pair->atoms[i].q));
        pby_expsum_add(p, p, pair->atoms[i].p);
        pby_expsum_add(q, q, pair->atoms[i].q);
        cr_assert(pby_expsum_sign(pair->atoms[i].p) >= 0 && pby_expsum_sign(pair->atoms[i].q) >= 0);
    }
    cr_assert(pby_expsum_equal(p, one) && pby_expsum_equal(q, one), "masses of 1");
    pby_expsum_clear(one);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return sum;
}

static void check(const char *ratio, int k, double slack)
{
    static const double at[] = {-1, -0.25, 0, 0.1, 0.5, 1, 2};
    pby_pairs above, below;
    fmpq_t v;
    fmpq_init(v);
    set_text(v, ratio);
    cr_assert_eq(pby_allocated_pairs(&above, v, k, true, NULL), PBY_OK);
    cr_assert_eq(pby_allocated_pairs(&below, v, k, false, NULL), PBY_OK);
    cr_assert(above.pair[0].direction == PBY_BACKWARD && above.pair[1].direction == PBY_FORWARD);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const double x = exp(at[i]), removal = 1 - x + put_of_sum(k * x, fmpq_get_d(v), k) / k,
                     addition = x * put_of_sum(k / x, fmpq_get_d(v), k) / k, exact[2] = {removal, addition};
        for (int d = 0; d < 2; d++) {
            const double lo = potential(&below.pair[d], x), hi = potential(&above.pair[d], x);
            cr_assert(lo <= exact[d] + 1e-6 && exact[d] <= hi + 1e-6,
                      "%s, %d steps at %g, side %d: %g in [%g, %g]", ratio, k, at[i], d, exact[d], lo, hi);
            cr_assert(hi - lo <= slack, "%s, %d steps at %g: [%g, %g]", ratio, k, at[i], lo, hi);
        }
    }
    fmpq_clear(v);
    pby_pairs_clear(&below);
    pby_pairs_clear(&above);
}

Test(allocated, two_steps_are_the_integral)
{
    check("1", 2, 1e-3);
    check("1/4", 2, 1e-3);
    check("9", 2, 1e-3);
}

Test(allocated, three_steps_are_the_integral)
{
    check("1/2", 3, 1e-3);
}

/* Far out the integral keeps its relative precision: E max(0, R - x) of two variables as a mean over the
 * first, and E max(0, x - R) likewise. */
static double call_of_two(double x, double v)
{
    enum { PARTS = 200000 };
    const double root = sqrt(v), step = 60.0 / PARTS;
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        const double z = -30 + (i + 0.5) * step, k = 2 * x - exp(root * z - v / 2),
                     call = k <= 0 ? 1 - k
                                   : erfc((log(k) - v / 2) / root * M_SQRT1_2) / 2 -
                                         k * erfc((log(k) + v / 2) / root * M_SQRT1_2) / 2;
        sum += exp(-z * z / 2) * call * step;
    }
    return sum / sqrt(2 * M_PI) / 2;
}

Test(allocated, far_out)
{
    static const double at[] = {4, 10, 16}; /* deltas of about 1e-6, 1e-27 and 1e-61 */
    pby_pairs above, below;
    fmpq_t v;
    fmpq_init(v);
    fmpq_one(v);
    cr_assert_eq(pby_allocated_pairs(&above, v, 2, true, NULL), PBY_OK);
    cr_assert_eq(pby_allocated_pairs(&below, v, 2, false, NULL), PBY_OK);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const double x = exp(at[i]), exact = call_of_two(x, 1), lo = potential(&below.pair[0], x),
                     hi = potential(&above.pair[0], x);
        cr_assert(lo > 0.8 * exact && lo <= exact * (1 + 1e-6) && exact <= hi * (1 + 1e-6) &&
                      hi < 1.25 * exact,
                  "at %g: %g in [%g, %g]", at[i], exact, lo, hi);
    }
    fmpq_clear(v);
    pby_pairs_clear(&below);
    pby_pairs_clear(&above);
}

/* The answer overlaps [lo, hi] and is at most a part `width` wide. */
static void encloses(const char *text, const char *delta, double lo, double hi, double width)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure found;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&found);
    cr_assert_eq(pby_rational_parse(at, "delta", delta, NULL), PBY_OK);
    cr_assert_eq(pby_loss_epsilon(&found, spec, PBY_ADD_REMOVE, at, 9, NULL), PBY_OK);
    const double from = mpfr_get_d(found.lo, MPFR_RNDD), to = mpfr_get_d(found.hi, MPFR_RNDU);
    cr_assert(from <= hi && to >= lo && to <= from * (1 + width), "%s: [%g, %g]", text, from, to);
    pby_enclosure_clear(&found);
    mpq_clear(at);
    pby_spec_free(spec);
}

/* Known from elsewhere. */
Test(allocated, a_hundred_steps)
{
    encloses("gauss:sigma2=1,allocate=100", "1e-5", 0.62088, 0.62100, 0.001);
}

/* From a grid of 32768 equal cells. */
Test(allocated, many_steps_much_noise_and_little)
{
    encloses("gauss:sigma2=16,allocate=1000", "1e-5", 0.0211369, 0.0215078, 0.01);
    encloses("gauss:sigma2=1,allocate=10", "1e-10", 4.25826, 4.25828, 0.01);
    encloses("gauss:sigma2=1,allocate=2", "1e-5", 3.69738, 3.69739, 0.01);
}

/* Noise too small for knots loses more than that of v = 100, and at most everything. */
/* Where one variable makes up the sum, E max(0, R - x) is nearly K E max(0, X/K - x): epsilon is that of the
 * Gaussian, 91.8173 at sigma 1/10, less log K. */
Test(allocated, little_noise_and_many_steps)
{
    encloses("gauss:sigma2=1/100,allocate=1000", "1e-5", 91.8173 - 6.9078, 91.8173 - 6.9077, 0.01);
    encloses("gauss:sigma2=1/100,allocate=100000", "1e-5", 91.8173 - 11.5130, 91.8173 - 11.5129, 0.01);
}

Test(allocated, little_noise_is_enclosed)
{
    fmpq_t v;
    pby_pairs below, more, above;
    fmpq_init(v);
    fmpq_set_si(v, 100, 1);
    cr_assert_eq(pby_allocated_pairs(&more, v, 3, false, NULL), PBY_OK);
    fmpq_set_si(v, 10000, 1);
    cr_assert_eq(pby_allocated_pairs(&below, v, 3, false, NULL), PBY_OK);
    cr_assert_eq(pby_allocated_pairs(&above, v, 3, true, NULL), PBY_OK);
    cr_assert(below.count == more.count && below.pair[0].count == more.pair[0].count);
    cr_assert(above.count == 1 && above.pair[0].direction == PBY_BOTH && above.pair[0].count == 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_neq(pby_expsum_is_zero(above.pair[0].atoms[i].p),
                      pby_expsum_is_zero(above.pair[0].atoms[i].q));
    fmpq_clear(v);
    pby_pairs_clear(&above);
    pby_pairs_clear(&below);
    pby_pairs_clear(&more);
}

Test(allocated, refused)
{
    static const struct {
        const char *spec, *expected;
        pby_neighbours relation;
    } cases[] = {
        {"gauss:sigma2=4,allocate=10", "expected add-remove, as gauss allocates", PBY_SUBSTITUTE},
    };
    mpq_t at;
    pby_enclosure found;
    pby_error err;
    mpq_init(at);
    pby_enclosure_init(&found);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        cr_assert_eq(pby_loss_delta(&found, spec, cases[i].relation, at, 9, &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, cases[i].expected), "%s", err.text);
        pby_spec_free(spec);
    }
    const char *both = "gauss:sigma2=4,sample=1/2,allocate=10";
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &both, 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "sample, fixed or allocate, and not two of them"), "%s", err.text);
    spec = spec_of("gauss:sigma2=4,allocate=10");
    mpq_set_ui(at, 2, 1);
    cr_assert_eq(pby_loss_renyi(&found, NULL, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "of an allocated mechanism"), "%s", err.text);
    pby_spec_free(spec);
    spec = spec_of("gauss:sigma2=4,allocate=1");
    cr_assert_str_eq(pby_spec_text(spec), "gauss:sigma2=4");
    pby_spec_free(spec);
    pby_enclosure_clear(&found);
    mpq_clear(at);
}
