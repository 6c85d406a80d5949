/* SPDX-License-Identifier: MIT */
#include "loss/divergence/crossing.h"

#include <criterion/criterion.h>

#include "mechanism/family.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

enum { BITS = 64 };

/* The guess is where the certified answer is, to 15 digits. */
static void check_guess(const char *text, const char *delta)
{
    pby_spec *spec = spec_of(text);
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_pairs pairs = {NULL, 0};
    fmpq_t level, guess;
    arb_t epsilon, about;
    fmpq_init(level);
    fmpq_init(guess);
    arb_init(epsilon);
    arb_init(about);
    set_text(level, delta);
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, PBY_ADD_REMOVE, NULL), PBY_OK);
    if (pairs.pair[0].curve != NULL)
        pby_curve_crossing(guess, pairs.pair[0].curve, level, BITS);
    else
        pby_atoms_crossing(guess, &pairs.pair[0], level, BITS);
    ask_epsilon(epsilon, text, level, 15);
    arb_set_fmpq(about, guess, BITS);
    arb_sub(about, about, epsilon, BITS);
    arb_div(about, about, epsilon, BITS);
    cr_assert(arf_cmpabs_2exp_si(arb_midref(about), -48) < 0, "%s at %s", text, delta);
    pby_pairs_clear(&pairs);
    arb_clear(about);
    arb_clear(epsilon);
    fmpq_clear(guess);
    fmpq_clear(level);
    pby_spec_free(spec);
}

Test(crossing, is_found_on_smooth_curves)
{
    check_guess("gauss:sigma2=1", "1e-6");
    check_guess("gauss:sigma2=4", "0.9");
    check_guess("gauss:sigma2=1", "1e-1000");
    check_guess("gauss:sigma2=1e-8", "1e-6");
    check_guess("dgauss:sigma2=1e5", "1e-300");
    check_guess("laplace:scale=1", "1e-6");
}

/* Where the curve bends at each loss the slope beside a bend says nothing of the other side. */
Test(crossing, is_found_on_curves_with_bends)
{
    check_guess("dgauss:sigma2=1", "1e-6");
    check_guess("dgauss:sigma2=1", "1e-300");
    check_guess("dgauss:sigma2=1/9", "1e-3");
}

Test(crossing, is_found_among_atoms)
{
    check_guess("geometric:eps=1", "0.1");
    check_guess("geometric:eps=1/7,sensitivity=40", "0.01");
    check_guess("tgeometric:eps=1,bound=30", "1e-3");
}
