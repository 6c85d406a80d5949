/* SPDX-License-Identifier: MIT */
#include "loss/loss.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

enum { PREC = 400 };

/* ---- shape ------------------------------------------------------------------------------------ */

static const char *const SPECS[] = {
    "geometric:eps=1",
    "geometric:eps=2,sensitivity=4",
    "tgeometric:eps=1/2,bound=40,sensitivity=2",
    "dgauss:sigma2=9/4",
    "dgauss:sigma2=1e6,sensitivity=1000",
    "laplace:scale=2,grid=1/4,sensitivity=3/5",
    "laplace:scale=2,sensitivity=4",
    "stlap:eps=1/2,q=40",
    "gauss:sigma2=1,sensitivity=1",
    "gauss:sigma2=1/50,sensitivity=2/3",
    "pure:eps=3/2",
    "approx:eps=1,delta=1/1000",
};
enum { N_SPECS = sizeof SPECS / sizeof *SPECS };

Test(loss, delta_falls_with_epsilon)
{
    fmpq_t e;
    arb_t before, here, one;
    fmpq_init(e);
    arb_init(before);
    arb_init(here);
    arb_init(one);
    arb_one(one);
    for (size_t i = 0; i < N_SPECS; i++) {
        arb_one(before);
        for (slong k = -20; k <= 20; k++) {
            fmpq_set_si(e, k, 4);
            ask_delta(here, SPECS[i], e, 12);
            cr_assert(!arb_gt(here, before), "%s at %ld/4", SPECS[i], k);
            cr_assert(arb_is_nonnegative(here) && !arb_gt(here, one));
            arb_set(before, here);
        }
    }
    arb_clear(one);
    arb_clear(here);
    arb_clear(before);
    fmpq_clear(e);
}

/* delta at twice the digits lies within delta, and so does the direct sum over outcomes. */
Test(loss, more_digits_are_nested)
{
    fmpq_t e;
    arb_t wide, fine;
    fmpq_init(e);
    arb_init(wide);
    arb_init(fine);
    for (size_t i = 0; i < N_SPECS; i++)
        for (slong k = -3; k <= 3; k++) {
            fmpq_set_si(e, k, 3);
            ask_delta(wide, SPECS[i], e, 15);
            ask_delta(fine, SPECS[i], e, 30);
            cr_assert(arb_contains(wide, fine), "%s", SPECS[i]);
            if (!arb_is_zero(fine))
                cr_assert(arb_rel_accuracy_bits(fine) > 95, "%s", SPECS[i]);
        }
    arb_clear(fine);
    arb_clear(wide);
    fmpq_clear(e);
}

Test(loss, the_direct_route_agrees)
{
    fmpq_t e;
    mpq_t q;
    arb_t ball, direct;
    pby_enclosure x;
    fmpq_init(e);
    mpq_init(q);
    arb_init(ball);
    arb_init(direct);
    pby_enclosure_init(&x);
    for (size_t i = 0; i < N_SPECS; i++)
        for (slong k = -9; k <= 9; k++) {
            pby_spec *spec = spec_of(SPECS[i]);
            fmpq_set_si(e, k, 4);
            fmpq_get_mpq(q, e);
            ask_delta(ball, SPECS[i], e, 30);
            cr_assert_eq(pby_loss_delta_direct(&x, spec, PBY_ADD_REMOVE, q, 30, NULL), PBY_OK);
            arb_set_interval_mpfr(direct, x.lo, x.hi, PREC);
            cr_assert(arb_overlaps(ball, direct), "%s at %ld/4", SPECS[i], k);
            pby_spec_free(spec);
        }
    pby_enclosure_clear(&x);
    arb_clear(direct);
    arb_clear(ball);
    mpq_clear(q);
    fmpq_clear(e);
}

/* The ends of epsilon(delta), as rationals, have a delta on the two sides of the one asked for. */
static void check_inverse(const char *spec, const char *delta_text, unsigned digits)
{
    fmpq_t delta, end;
    arb_t epsilon, at, level;
    arf_t x;
    fmpq_init(delta);
    fmpq_init(end);
    arb_init(epsilon);
    arb_init(at);
    arb_init(level);
    arf_init(x);
    set_text(delta, delta_text);
    arb_set_fmpq(level, delta, PREC);
    ask_epsilon(epsilon, spec, delta, digits);
    cr_assert(arb_is_finite(epsilon), "%s at %s", spec, delta_text);
    for (int upper = 0; upper <= 1; upper++) {
        if (upper)
            arb_get_ubound_arf(x, epsilon, PREC);
        else
            arb_get_lbound_arf(x, epsilon, PREC);
        arf_get_fmpq(end, x);
        ask_delta(at, spec, end, digits);
        cr_assert(upper ? !arb_gt(at, level) : !arb_lt(at, level), "%s at %s", spec, delta_text);
    }
    arf_clear(x);
    arb_clear(level);
    arb_clear(at);
    arb_clear(epsilon);
    fmpq_clear(end);
    fmpq_clear(delta);
}

Test(loss, epsilon_is_the_inverse_of_delta)
{
    const char *const deltas[] = {"1/2", "0.99", "1/10", "1/100"};
    for (size_t i = 0; i < N_SPECS; i++)
        for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++)
            check_inverse(SPECS[i], deltas[j], 20);
}

Test(loss, delta_may_be_tiny)
{
    check_inverse("gauss:sigma2=1", "1e-1000", 20);
    check_inverse("gauss:sigma2=1e6", "1e-1000", 9);
    check_inverse("dgauss:sigma2=9/4", "1e-1000", 20);
    check_inverse("dgauss:sigma2=1e6,sensitivity=3", "1e-1000", 9);
    check_inverse("laplace:scale=2", "1e-1000", 9);
    check_inverse("pure:eps=1", "1e-1000", 9);
    check_inverse("tgeometric:eps=1,bound=2400", "1e-1000", 9);
}

/* A delta of 1e-1000 keeps its relative precision. */
Test(loss, a_tiny_delta_is_enclosed_relatively)
{
    fmpq_t e;
    arb_t x, least;
    fmpq_init(e);
    arb_init(x);
    arb_init(least);
    fmpq_set_si(e, 70, 1);
    arb_set_str(least, "1e-1000", PREC);
    const char *const specs[] = {"gauss:sigma2=1", "dgauss:sigma2=1", "dgauss:sigma2=1e6,sensitivity=1000"};
    for (size_t i = 0; i < 3; i++) {
        ask_delta(x, specs[i], e, 30);
        cr_assert(arb_is_positive(x) && arb_lt(x, least));
        cr_assert(arb_rel_accuracy_bits(x) > 90);
    }
    arb_clear(least);
    arb_clear(x);
    fmpq_clear(e);
}

/* ---- ends ------------------------------------------------------------------------------------- */

static void check_epsilon_is(const char *spec, const char *delta_text, const char *expected)
{
    fmpq_t delta;
    arb_t epsilon, value;
    fmpq_init(delta);
    arb_init(epsilon);
    arb_init(value);
    set_text(delta, delta_text);
    ask_epsilon(epsilon, spec, delta, 20);
    if (strcmp(expected, "inf") == 0 || strcmp(expected, "-inf") == 0) {
        cr_assert(arb_is_exact(epsilon) && !arb_is_finite(epsilon), "%s at %s", spec, delta_text);
        cr_assert_eq(arf_sgn(arb_midref(epsilon)), *expected == '-' ? -1 : 1);
    } else {
        set_text(delta, expected);
        cr_assert(arb_contains_fmpq(epsilon, delta), "%s at %s", spec, delta_text);
    }
    arb_clear(value);
    arb_clear(epsilon);
    fmpq_clear(delta);
}

Test(loss, infinite_answers_are_said)
{
    check_epsilon_is("gauss:sigma2=1", "0", "inf");
    check_epsilon_is("dgauss:sigma2=1", "0", "inf");
    check_epsilon_is("approx:eps=1,delta=1/10", "99/1000", "inf");
    check_epsilon_is("approx:eps=1,delta=1", "99/100", "inf");
    check_epsilon_is("tgeometric:eps=1,bound=3,sensitivity=7", "0.999", "inf");
    check_epsilon_is("stlap:eps=1/2,q=40", "0", "inf");
    check_epsilon_is("gauss:sigma2=1", "1", "-inf");
    check_epsilon_is("laplace:scale=1", "1", "-inf");
    check_epsilon_is("pure:eps=1", "2", "-inf");
}

Test(loss, the_largest_loss_is_exact)
{
    check_epsilon_is("laplace:scale=2,sensitivity=3", "0", "3/2");
    check_epsilon_is("laplace:scale=2,grid=2/3,sensitivity=3", "0", "5/3");
    check_epsilon_is("laplace:scale=2,grid=1/2,sensitivity=3", "0", "3/2");
    check_epsilon_is("laplace:scale=1,grid=5,sensitivity=1", "0", "5");
    check_epsilon_is("pure:eps=7/5", "0", "7/5");
    check_epsilon_is("approx:eps=7/5,delta=1/8", "1/8", "7/5");
    check_epsilon_is("geometric:eps=7/5,sensitivity=3", "0", "7/5");
}

/* delta is exactly 0 from there on, and not before. */
Test(loss, pure_privacy_has_delta_exactly_zero)
{
    const char *const specs[] = {"geometric:eps=3/2",
                                 "geometric:eps=3/2,sensitivity=5",
                                 "pure:eps=3/2",
                                 "laplace:scale=2,sensitivity=3",
                                 "laplace:scale=2,grid=1/2,sensitivity=3",
                                 "approx:eps=3/2,delta=0"};
    fmpq_t e;
    arb_t x;
    fmpq_init(e);
    arb_init(x);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        set_text(e, "3/2");
        ask_delta(x, specs[i], e, 20);
        cr_assert(arb_is_zero(x), "%s", specs[i]);
        set_text(e, "1.49999999999999999999999999999999999999999999999999");
        ask_delta(x, specs[i], e, 20);
        cr_assert(arb_is_positive(x), "%s", specs[i]);
    }
    arb_clear(x);
    fmpq_clear(e);
}

/* Disjoint outputs have delta 1, by the form of the sums and not within a ball. */
Test(loss, a_rational_delta_is_exact)
{
    fmpq_t e;
    arb_t x;
    fmpq_init(e);
    arb_init(x);
    set_text(e, "2");
    ask_delta(x, "stlap:eps=2,q=1/2", e, 9);
    cr_assert(arb_is_one(x));
    ask_delta(x, "tgeometric:eps=1,bound=2,sensitivity=5", e, 9);
    cr_assert(arb_is_one(x));
    set_text(e, "1/3");
    ask_delta(x, "approx:eps=1/3,delta=1/8", e, 9);
    cr_assert(arb_is_exact(x));
    set_text(e, "1/8");
    cr_assert(arb_contains_fmpq(x, e));
    arb_clear(x);
    fmpq_clear(e);
}

/* ---- refusals --------------------------------------------------------------------------------- */

Test(loss, bad_parameters_are_refused_by_name)
{
    static const char *const bad[][2] = {
        {"dgauss:sigma2=0", "dgauss:sigma2 '0'"},
        {"dgauss:sigma2=-1", "dgauss:sigma2 '-1'"},
        {"dgauss:sigma2=1,sensitivity=1/2", "dgauss:sensitivity '1/2'"},
        {"gauss:sigma2=0", "gauss:sigma2 '0'"},
        {"gauss:sigma2=1,sensitivity=0", "gauss:sensitivity '0'"},
        {"tgeometric:eps=1,bound=0", "tgeometric:bound '0'"},
        {"tgeometric:eps=1", "tgeometric:bound ''"},
        {"tgeometric:eps=0,bound=1", "tgeometric:eps '0'"},
        {"laplace:scale=1,grid=0", "laplace:grid '0'"},
        {"laplace:scale=0", "laplace:scale '0'"},
        {"pure:eps=0", "pure:eps '0'"},
        {"pure:eps=-1", "pure:eps '-1'"},
        {"approx:eps=1,delta=-1/10", "approx:delta '-1/10'"},
        {"approx:eps=1,delta=1.1", "approx:delta '1.1'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec = NULL;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &bad[i][0], 1, &err), PBY_BAD, "%s", bad[i][0]);
        cr_assert_not_null(strstr(err.text, bad[i][1]), "%s", err.text);
    }
}

Test(loss, a_negative_delta_is_refused)
{
    pby_enclosure x;
    pby_error err;
    mpq_t delta;
    pby_spec *spec = spec_of("pure:eps=1");
    mpq_init(delta);
    mpq_set_si(delta, -1, 100);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_loss_epsilon(&x, spec, PBY_ADD_REMOVE, delta, 9, &err), PBY_BAD);
    pby_enclosure_clear(&x);
    mpq_clear(delta);
    pby_spec_free(spec);
}
