/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/compat.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/mechanism/curve.h"
#include "tests/spec.h"

Test(gauss, is_a_curve)
{
    check_curve("gauss:sigma2=1", "-12", "1/8", 192);
    check_curve("gauss:sigma2=3,sensitivity=1/2", "-4", "1/32", 256);
    check_curve("gauss:sigma2=1/10,sensitivity=1", "-50", "1/2", 200);
}

/* A normal law of mean m and variance 2m: P(L > m) and Q(L > -m) are one half, and the chance of one
 * standard deviation more is that of the tables. */
Test(gauss, the_loss_is_normal)
{
    pby_pairs pairs;
    arb_t p, q, expected;
    fmpq_t t;
    pairs_of(&pairs, "gauss:sigma2=1/4,sensitivity=1"); /* m = 2, variance 4 */
    const pby_curve *curve = pairs.pair[0].curve;
    arb_init(p);
    arb_init(q);
    arb_init(expected);
    fmpq_init(t);
    set_text(t, "2");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    arb_set_str(expected, "0.5 +/- 1e-30", 128);
    cr_assert(arb_overlaps(p, expected));
    arb_set_str(expected, "0.0227501319481792072002826371665 +/- 1e-30", 128);
    cr_assert(arb_overlaps(q, expected));
    set_text(t, "4");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    arb_set_str(expected, "0.158655253931457051414767454368 +/- 1e-30", 128);
    cr_assert(arb_overlaps(p, expected));
    arb_set_str(expected, "0.001349898031630094526651814767595 +/- 1e-32", 128);
    cr_assert(arb_overlaps(q, expected));
    curve->class->largest(p, curve, 128);
    cr_assert(arf_is_pos_inf(arb_midref(p)));
    fmpq_clear(t);
    arb_clear(expected);
    arb_clear(q);
    arb_clear(p);
    pby_pairs_clear(&pairs);
}

/* Where the densities cross on either side of both means, far outside, and at parameters of any size. */
Test(gauss, the_densities_agree_with_the_error_function)
{
    static const char *const at[][2] = {{"gauss:sigma2=1", "1"},
                                        {"gauss:sigma2=1", "0"},
                                        {"gauss:sigma2=1", "-1"},
                                        {"gauss:sigma2=1", "1/2"},
                                        {"gauss:sigma2=1", "100"},
                                        {"gauss:sigma2=1", "-1000"},
                                        {"gauss:sigma2=3,sensitivity=1/7", "1/3"},
                                        {"gauss:sigma2=1e12", "1/10"},
                                        {"gauss:sigma2=1e40", "0"},
                                        {"gauss:sigma2=1e-40", "1"},
                                        {"gauss:sigma2=1/1000", "1000"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        check_direct(at[i][0], at[i][1]);
}

/* The printed formula: true at every epsilon below 1 that is tried, and false at 10. */
Test(gauss, the_formula_of_the_survey)
{
    static const char *const specs[] = {"gauss:sigma2=1/4", "gauss:sigma2=1", "gauss:sigma2=9,sensitivity=2",
                                        "gauss:sigma2=100"};
    pby_decimals exact, claimed;
    const char *source;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_spec *spec = spec_of(specs[i]);
        for (int tenth = 1; tenth < 10; tenth++) {
            char epsilon[8];
            snprintf(epsilon, sizeof epsilon, "0.%d", tenth);
            cr_assert_eq(pby_loss_delta_text(&exact, spec, PBY_ADD_REMOVE, epsilon, 9, NULL), PBY_OK);
            cr_assert_eq(pby_loss_claimed_text(&claimed, &source, spec, PBY_ADD_REMOVE, epsilon, 9, NULL),
                         PBY_OK);
            cr_assert(strstr(source, "Survey/Algorithm 3") != NULL);
            cr_assert_lt(strtod(exact.hi, NULL), strtod(claimed.lo, NULL));
        }
        pby_spec_free(spec);
    }
    pby_spec *spec = spec_of("gauss:sigma2=0.2348");
    cr_assert_eq(pby_loss_delta_text(&exact, spec, PBY_ADD_REMOVE, "10", 9, NULL), PBY_OK);
    cr_assert_eq(pby_loss_claimed_text(&claimed, &source, spec, PBY_ADD_REMOVE, "10", 9, NULL), PBY_OK);
    cr_assert(strstr(source, "Survey/Algorithm 3") != NULL);
    cr_assert_gt(strtod(exact.lo, NULL), strtod(claimed.hi, NULL));
    pby_spec_free(spec);
}
