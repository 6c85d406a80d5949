/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/family.h"
#include "probity/experimental/draw.h"
#include "tests/law/make.h"
#include "tests/mechanism/curve.h"

Test(laplace, is_a_curve)
{
    check_curve("laplace:scale=2,sensitivity=4", "-9/4", "1/16", 72);
    check_curve("laplace:scale=3,sensitivity=1/2", "-1", "1/50", 100);
    check_curve("laplace:scale=1/10", "-21/2", "1/4", 84);
}

/* The jumps at both ends and the density between, from the cdf of the Laplace law at x = (D - t b)/2. */
Test(laplace, atoms_at_the_ends)
{
    pby_pairs pairs;
    arb_t p, q, expected;
    fmpq_t t;
    pairs_of(&pairs, "laplace:scale=2,sensitivity=4"); /* losses from -2 to 2 */
    const pby_curve *curve = pairs.pair[0].curve;
    arb_init(p);
    arb_init(q);
    arb_init(expected);
    fmpq_init(t);
    set_text(t, "2");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    cr_assert(arb_is_zero(p) && arb_is_zero(q));
    set_text(t, "1.999999999999999999999999999999999999999999999");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    arb_set_str(expected, "0.5 +/- 1e-30", 128);
    cr_assert(arb_overlaps(p, expected));
    arb_set_str(expected, "0.067667641618306345946999747486 +/- 1e-29", 128); /* exp(-2)/2 */
    cr_assert(arb_overlaps(q, expected));
    set_text(t, "0"); /* x = 2 */
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    arb_set_str(expected, "0.81606027941427883920223811492 +/- 1e-28", 128); /* 1 - exp(-1)/2 */
    cr_assert(arb_overlaps(p, expected));
    set_text(t, "-2");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    arb_set_str(expected, "0.5 +/- 1e-30", 128);
    cr_assert(arb_overlaps(q, expected));
    set_text(t, "-2.0000000000000000001");
    cr_assert_eq(curve->class->tails(p, q, curve, t, 128, NULL), PBY_OK);
    cr_assert(arb_is_one(p) && arb_is_one(q));
    fmpq_clear(t);
    arb_clear(expected);
    arb_clear(q);
    arb_clear(p);
    pby_pairs_clear(&pairs);
}

/* Before, at and beyond each end of the losses. */
Test(laplace, the_densities_agree_with_the_tails)
{
    static const char *const at[][2] = {{"laplace:scale=1", "1/2"},
                                        {"laplace:scale=1", "0"},
                                        {"laplace:scale=1", "-1/3"},
                                        {"laplace:scale=1", "-1"},
                                        {"laplace:scale=1", "-3/2"},
                                        {"laplace:scale=1", "1"},
                                        {"laplace:scale=1", "2"},
                                        {"laplace:scale=1", "0.99999999999999999999999999999999"},
                                        {"laplace:scale=3,sensitivity=1/2", "1/10"},
                                        {"laplace:scale=1,sensitivity=1e6", "1/2"},
                                        {"laplace:scale=1,sensitivity=1e6", "999999.9"},
                                        {"laplace:scale=1e40", "0"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        check_direct(at[i][0], at[i][1]);
}

/* On a grid the pair has atoms: one for each end and one for each step between, shift + 1 in all. */
static void check_shift(const char *spec, size_t shift)
{
    pby_pairs pairs;
    pairs_of(&pairs, spec);
    cr_assert_null(pairs.pair[0].curve);
    cr_assert_eq(pairs.pair[0].count, shift + 1, "%s has %zu atoms", spec, pairs.pair[0].count);
    pby_pairs_clear(&pairs);
}

Test(laplace, the_grid_is_charged_for)
{
    check_shift("laplace:scale=1,grid=1", 1);
    check_shift("laplace:scale=1,grid=1/4", 4);
    check_shift("laplace:scale=1,grid=2/7", 4);
    check_shift("laplace:scale=1,grid=10", 1);
    check_shift("laplace:scale=1,grid=1/4,sensitivity=1.01", 5);
}

Test(laplace, only_a_grid_can_be_drawn_on)
{
    pby_sampler *sampler = NULL;
    pby_spec *spec = NULL;
    pby_error err;
    const char *continuous = "laplace:scale=1", *grid = "laplace:scale=1,grid=1/8";
    cr_assert_eq(pby_spec_parse(&spec, &continuous, 1, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(spec), continuous);
    cr_assert_eq(pby_sampler_new(&sampler, spec, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "laplace:grid"), "%s", err.text);
    pby_spec_free(spec);
    cr_assert_eq(pby_spec_parse(&spec, &grid, 1, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(spec), grid);
    cr_assert_eq(pby_sampler_new(&sampler, spec, &err), PBY_OK, "%s", err.text);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

Test(laplace, an_absurd_grid_is_refused)
{
    pby_spec *spec = NULL;
    pby_pairs pairs = {NULL, 0};
    pby_error err;
    const char *text = "laplace:scale=1,grid=1e-9";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "laplace:grid"), "%s", err.text);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}
