/* SPDX-License-Identifier: MIT */
/* Lower bounds of deltas that are close to 1. */
#include "loss/compose/overlap.h"

#include <criterion/criterion.h>

#include "number/ball.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

enum { PREC = 256 };

static void overlap_of(arb_t overlap, const char *text)
{
    pby_spec *spec = spec_of(text);
    pby_parts parts;
    pby_error err;
    cr_assert_eq(pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_parts_overlap(overlap, &parts, PREC);
    pby_parts_clear(&parts);
    pby_spec_free(spec);
}

static void check_is(const char *text, const arb_t value)
{
    arb_t overlap;
    arb_init(overlap);
    overlap_of(overlap, text);
    cr_assert(arb_overlaps(overlap, value), "%s", text);
    cr_assert_gt(arb_rel_accuracy_bits(overlap), 200, "%s", text);
    arb_clear(overlap);
}

/* exp(-3 m/16), m = D^2/(2 sigma2), of a normal loss. */
Test(overlap, of_a_gaussian)
{
    arb_t value;
    arb_init(value);
    arb_set_si(value, -3);
    arb_mul_2exp_si(value, value, -4);
    arb_exp(value, value, PREC);
    check_is("gauss:sigma2=1/2", value);
    arb_pow_ui(value, value, 1000000000, PREC);
    check_is("1000000000*gauss:sigma2=1/2", value);
    arb_clear(value);
}

/* c exp(-(3|k| + |k-1|)/4) summed over all k, c = (1 - 1/e)/(1 + 1/e); and the product of five. */
Test(overlap, of_geometrics)
{
    arb_t value, part;
    arb_init(value);
    arb_init(part);
    arb_set_d(value, -0.25);
    arb_exp(value, value, PREC);
    arb_set_d(part, -0.75);
    arb_exp(part, part, PREC);
    arb_add(value, value, part, PREC);
    arb_set_si(part, -1);
    arb_exp(part, part, PREC);
    arb_add_ui(part, part, 1, PREC);
    arb_div(value, value, part, PREC);
    check_is("geometric:eps=1", value);
    arb_pow_ui(value, value, 5, PREC);
    check_is("5*geometric:eps=1", value);
    arb_clear(part);
    arb_clear(value);
}

/* (3 exp(-1/4) - exp(-3/4)) / 2: the integral of exp(-(3|x| + |x-1|)/4) / 2. */
Test(overlap, of_a_laplace)
{
    arb_t value, part;
    arb_init(value);
    arb_init(part);
    arb_set_d(value, -0.25);
    arb_exp(value, value, PREC);
    arb_mul_ui(value, value, 3, PREC);
    arb_set_d(part, -0.75);
    arb_exp(part, part, PREC);
    arb_sub(value, value, part, PREC);
    arb_mul_2exp_si(value, value, -1);
    check_is("laplace:scale=1", value);
    arb_clear(part);
    arb_clear(value);
}

/* The sum of exp(-(3 k^2 + (k-1)^2)/8) over the sum of exp(-k^2/2), each to k = 60. */
Test(overlap, of_a_discrete_gaussian)
{
    arb_t value, norm, part;
    arb_init(value);
    arb_init(norm);
    arb_init(part);
    for (slong k = -60; k <= 60; k++) {
        arb_set_si(part, -3 * k * k - (k - 1) * (k - 1));
        arb_mul_2exp_si(part, part, -3);
        arb_exp(part, part, PREC);
        arb_add(value, value, part, PREC);
        arb_set_si(part, -k * k);
        arb_mul_2exp_si(part, part, -1);
        arb_exp(part, part, PREC);
        arb_add(norm, norm, part, PREC);
    }
    arb_div(value, value, norm, PREC);
    check_is("dgauss:sigma2=1", value);
    arb_clear(part);
    arb_clear(norm);
    arb_clear(value);
}

/* 1 - exp(e/4) overlap is never above delta, for atoms and for curves, in whichever direction is worse. */
Test(overlap, bounds_delta_from_below)
{
    const char *specs[] = {"geometric:eps=1",         "3*geometric:eps=2",
                           "stlap:eps=1/2,q=10",      "stlap:eps=2,tau=1/3,n=12,bars=3",
                           "threshold:eps=1,T=10",    "partition:eps=1,delta=1/100",
                           "approx:eps=1,delta=1/10", "laplace:scale=1/3",
                           "dgauss:sigma2=1/2",       "gauss:sigma2=1/10",
                           "4*laplace:scale=1/2"};
    arb_t overlap, delta, least;
    fmpq_t at;
    arb_init(overlap);
    arb_init(delta);
    arb_init(least);
    fmpq_init(at);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        overlap_of(overlap, specs[i]);
        for (slong e = -8; e <= 12; e++) {
            fmpq_set_si(at, e, 4);
            ask_delta(delta, specs[i], at, 30);
            arb_set_fmpq(least, at, PREC);
            arb_mul_2exp_si(least, least, -2);
            arb_exp(least, least, PREC);
            arb_mul(least, least, overlap, PREC);
            arb_sub_ui(least, least, 1, PREC);
            arb_neg(least, least);
            cr_assert(!arb_gt(least, delta), "%s at %ld/4", specs[i], (long)e);
        }
    }
    fmpq_clear(at);
    arb_clear(least);
    arb_clear(delta);
    arb_clear(overlap);
}

/* Only what is closer to 1 than asked for counts; an exponential that is too large for a ball tells nothing.
 */
Test(overlap, raises_what_is_close_to_one)
{
    arb_t overlap;
    arf_t lower;
    fmpq_t at;
    arb_init(overlap);
    arf_init(lower);
    fmpq_init(at);
    arb_one(overlap);
    arb_mul_2exp_si(overlap, overlap, -31);
    pby_overlap_raise(lower, overlap, at, 32, PREC);
    cr_assert(arf_is_zero(lower));
    pby_overlap_raise(lower, overlap, at, 30, PREC);
    cr_assert(arf_cmp_d(lower, 1 - 0x1p-31) <= 0 && arf_cmp_d(lower, 1 - 0x1p-30) > 0);
    arf_zero(lower);
    fmpq_set_si(at, 1, 1);
    fmpz_ui_pow_ui(fmpq_numref(at), 10, 4000);
    pby_overlap_raise(lower, overlap, at, 30, PREC);
    cr_assert(arf_is_zero(lower));
    fmpq_clear(at);
    arf_clear(lower);
    arb_clear(overlap);
}

/* Compositions for which no grid has room. */
Test(overlap, answers_without_a_grid)
{
    const char *specs[] = {"1000000000*laplace:scale=1", "1000000000*dgauss:sigma2=1000",
                           "1000000000*geometric:eps=1"};
    arb_t delta;
    fmpq_t at;
    arb_init(delta);
    fmpq_init(at);
    fmpq_set_si(at, 1, 2);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        ask_delta(delta, specs[i], at, 9);
        cr_assert_gt(arb_rel_accuracy_bits(delta), 29, "%s", specs[i]);
        cr_assert(arb_contains_si(delta, 1), "%s", specs[i]);
    }
    fmpq_clear(at);
    arb_clear(delta);
}
