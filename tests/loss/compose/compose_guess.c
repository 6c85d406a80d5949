/* SPDX-License-Identifier: MIT */
/* The first step: losses that lie on a lattice are found there, and answers on it are exact. */
#include "loss/compose/compose_guess.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/loss/ask.h"

enum { PREC = 128, REACH = 40 };

/* The parts of a spec of one text, or of two with a space between. */
static pby_parts parts_of(const char *text)
{
    char one[128];
    const char *texts[2] = {one, strchr(text, ' ')};
    const bool two = texts[1] != NULL;
    pby_spec *spec;
    pby_parts parts;
    pby_error err;
    snprintf(one, sizeof one, "%.*s", two ? (int)(texts[1]++ - text) : (int)strlen(text), text);
    cr_assert_eq(pby_spec_parse(&spec, texts, two ? 2 : 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

static pby_status guess(fmpq_t step, const char *text, bool delta, pby_error *err)
{
    pby_parts parts = parts_of(text);
    pby_grid grid;
    fmpq_t at;
    fmpq_init(at);
    fmpq_set_si(at, 1, 1000000);
    const pby_asked asked = {delta, at, 1};
    pby_grid_init(&grid, 30, NULL);
    const pby_status status = pby_grid_guess(&grid, &parts, &asked, err);
    fmpq_set(step, grid.step);
    pby_grid_clear(&grid);
    pby_parts_clear(&parts);
    fmpq_clear(at);
    return status;
}

static void check_step(const char *text, slong p, ulong q)
{
    fmpq_t step, expected;
    fmpq_init(step);
    fmpq_init(expected);
    fmpq_set_si(expected, p, q);
    cr_assert_eq(guess(step, text, false, NULL), PBY_OK);
    cr_assert(fmpq_equal(step, expected), "%s", text);
    fmpq_clear(expected);
    fmpq_clear(step);
}

/* Where the losses of all parts are on one lattice, that is the grid. */
Test(guess, a_lattice_is_the_grid)
{
    check_step("1000000*dgauss:sigma2=1", 1, 2);
    check_step("1000*dgauss:sigma2=1,sensitivity=2", 2, 1);
    check_step("1000*dgauss:sigma2=1/1000", 500, 1);
    check_step("1000*geometric:eps=1/10 30*geometric:eps=1/7", 1, 70);
    check_step("1000000*dgauss:sigma2=1 1000000*geometric:eps=1/3", 1, 6);
}

/* A density between atoms asks for steps of its own, which divide the distance of the atoms; a lattice much
 * finer than the step is as good as a density. */
Test(guess, a_density_leaves_the_step_free)
{
    fmpq_t step, times, unit;
    fmpq_init(step);
    fmpq_init(times);
    fmpq_init(unit);
    cr_assert_eq(guess(step, "100*laplace:scale=10", true, NULL), PBY_OK);
    fmpq_set_si(unit, 1, 10);
    fmpq_div(times, unit, step);
    cr_assert(fmpz_is_one(fmpq_denref(times)) && fmpz_cmp_ui(fmpq_numref(times), 1) > 0);
    cr_assert_eq(guess(step, "10000*dgauss:sigma2=10000", false, NULL), PBY_OK);
    fmpq_set_si(unit, 4, 20000);
    cr_assert(fmpq_cmp(step, unit) > 0);
    fmpq_clear(unit);
    fmpq_clear(times);
    fmpq_clear(step);
}

/* ---- six discrete Gaussians, by the law of their sum ------------------------------------------- */

/* out = the law of a sum of two whole numbers in -REACH .. REACH. */
static void convolve(arb_ptr out, arb_srcptr a, arb_srcptr b)
{
    _arb_vec_zero(out, 2 * REACH + 1);
    for (slong i = -REACH; i <= REACH; i++)
        for (slong j = -REACH; j <= REACH; j++)
            if (i + j >= -REACH && i + j <= REACH)
                arb_addmul(out + i + j + REACH, a + i + REACH, b + j + REACH, PREC);
}

/* delta of k uses at sigma2 = 1: the sum s of the noises tells the loss, k/2 - s. What is beyond REACH weighs
 * less than 1e-50. */
static void sum_delta(arb_t delta, slong k, const fmpq_t epsilon)
{
    const slong n = 2 * REACH + 1;
    arb_ptr one = _arb_vec_init(n), law = _arb_vec_init(n), next = _arb_vec_init(n);
    arb_t x, whole;
    fmpq_t gap;
    arb_init(x);
    arb_init(whole);
    fmpq_init(gap);
    for (slong i = 0; i < n; i++) {
        arb_set_si(one + i, -(i - REACH) * (i - REACH));
        arb_mul_2exp_si(one + i, one + i, -1);
        arb_exp(one + i, one + i, PREC);
        arb_add(whole, whole, one + i, PREC);
    }
    _arb_vec_scalar_div(one, one, n, whole, PREC);
    _arb_vec_set(law, one, n);
    for (slong i = 1; i < k; i++, _arb_vec_set(law, next, n))
        convolve(next, law, one);
    arb_zero(delta);
    for (slong s = -REACH; s <= REACH; s++) {
        fmpq_set_si(gap, k - 2 * s, 2);
        fmpq_sub(gap, epsilon, gap);
        if (fmpq_sgn(gap) >= 0)
            continue;
        arb_set_fmpq(x, gap, PREC);
        arb_expm1(x, x, PREC);
        arb_submul(delta, x, law + s + REACH, PREC);
    }
    fmpq_clear(gap);
    arb_clear(whole);
    arb_clear(x);
    _arb_vec_clear(next, n);
    _arb_vec_clear(law, n);
    _arb_vec_clear(one, n);
}

/* The lattice leaves the rounding of masses alone, 2^-30 or so, and not the 1% of a grid. */
Test(guess, answers_on_a_lattice_are_sharp)
{
    fmpq_t epsilon;
    arb_t truth, ball, error;
    fmpq_init(epsilon);
    arb_init(truth);
    arb_init(ball);
    arb_init(error);
    for (slong i = -2; i <= 12; i++) {
        fmpq_set_si(epsilon, i, 3);
        sum_delta(truth, 6, epsilon);
        ask_delta(ball, "6*dgauss:sigma2=1", epsilon, 12);
        arb_set_si(error, 1);
        arb_mul_2exp_si(error, error, -150);
        arb_add_error(truth, error);
        cr_assert(arb_contains(ball, truth), "6*dgauss at %ld/3", (long)i);
        cr_assert_gt(arb_rel_accuracy_bits(ball), 16, "6*dgauss at %ld/3", (long)i);
    }
    arb_clear(error);
    arb_clear(ball);
    arb_clear(truth);
    fmpq_clear(epsilon);
}

Test(guess, losses_beyond_every_grid_are_refused)
{
    const char *specs[] = {"3*laplace:scale=1e-4000", "2000*geometric:eps=1e4000",
                           "gauss:sigma2=1e-40 3*laplace:scale=1"};
    pby_error err;
    fmpq_t step;
    fmpq_init(step);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cr_assert_eq(guess(step, specs[i], false, &err), PBY_BAD, "%s", specs[i]);
        cr_assert_not_null(strstr(err.text, "expected a SPEC of smaller losses"), "%s", err.text);
    }
    fmpq_clear(step);
}
