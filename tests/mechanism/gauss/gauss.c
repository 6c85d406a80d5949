#include <criterion/criterion.h>

#include "tests/law/make.h"
#include "tests/mechanism/curve.h"

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
