/* SPDX-License-Identifier: MIT */
#include "loss/profile/profile_between.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>

#include "loss/loss.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

static void profiles_of(pby_profiles *list, const char *text)
{
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_loss_profiles(list, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    pby_spec_free(spec);
}

static pby_profile *make(const char *least, const char *most)
{
    pby_profile *profile;
    pby_profiles low, high;
    profiles_of(&low, least);
    profiles_of(&high, most);
    fmpq_t width;
    fmpq_init(width);
    fmpq_set_si(width, 1, 100);
    cr_assert_eq(pby_profile_between(&profile, &low, &high, width, false, NULL), PBY_OK);
    fmpq_clear(width);
    return profile;
}

/* The ends are the answers of the two. */
Test(between, reaches_from_the_one_to_the_other)
{
    pby_profile *p = make("geometric:eps=1/2", "geometric:eps=1");
    fmpq_t at;
    arb_t ball, least, most;
    fmpq_init(at);
    arb_init(ball);
    arb_init(least);
    arb_init(most);
    set_text(at, "1/4");
    cr_assert_eq(pby_profile_delta(ball, p, at, 20, NULL), PBY_OK);
    ask_delta(least, "geometric:eps=1/2", at, 30);
    ask_delta(most, "geometric:eps=1", at, 30);
    cr_assert(arb_overlaps(ball, least) && arb_overlaps(ball, most));
    arb_sub(most, most, least, 256);
    arb_mul_2exp_si(most, most, -1);
    arb_set_interval_mag(least, arb_radref(ball), arb_radref(ball), 256);
    arb_sub(most, most, least, 256);
    cr_assert(arf_cmpabs_2exp_si(arb_midref(most), -20) < 0, "wider than from the one to the other");
    set_text(at, "0");
    cr_assert_eq(pby_profile_epsilon(ball, p, at, 20, NULL), PBY_OK);
    arb_set_d(least, 0.5);
    cr_assert(arb_contains(ball, least) && arb_contains_si(ball, 1) && !arb_contains_si(ball, 2));
    arb_clear(most);
    arb_clear(least);
    arb_clear(ball);
    fmpq_clear(at);
    pby_profile_free(p);
}

/* An infinite end and a finite one are no enclosure; two infinite ones are one answer. */
Test(between, infinite_ends)
{
    pby_profile *apart = make("geometric:eps=1", "stlap:eps=1,q=2"),
                *both = make("stlap:eps=1,q=4", "stlap:eps=1,q=2");
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    cr_assert_eq(pby_profile_epsilon(ball, apart, at, 9, NULL), PBY_FAILED);
    cr_assert_eq(pby_profile_epsilon(ball, both, at, 9, NULL), PBY_OK);
    cr_assert(arf_is_pos_inf(arb_midref(ball)));
    arb_clear(ball);
    fmpq_clear(at);
    pby_profile_free(both);
    pby_profile_free(apart);
}

/* The lower end is 6e9 times smaller than the upper one, and still told. */
Test(between, a_small_lower_end_is_kept)
{
    pby_profile *apart = make("stlap:eps=1,q=52", "stlap:eps=1,q=7");
    fmpq_t at;
    arb_t ball;
    arf_t end;
    fmpq_init(at);
    arb_init(ball);
    arf_init(end);
    fmpq_one(at);
    cr_assert_eq(pby_profile_delta(ball, apart, at, 9, NULL), PBY_OK);
    arb_get_lbound_arf(end, ball, 53);
    cr_assert(arf_cmp_d(end, 4.3e-12) > 0 && arf_cmp_d(end, 4.5e-12) < 0);
    arb_get_ubound_arf(end, ball, 53);
    cr_assert(arf_cmp_d(end, 0.025) > 0);
    arf_clear(end);
    arb_clear(ball);
    fmpq_clear(at);
    pby_profile_free(apart);
}

/* A mechanism that was enclosed in [8.6e-12, 0.0275] while full bars alone were tried below. */
Test(between, other_neighbours_bring_the_ends_nearer)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/2,n=100,bars=4");
    pby_enclosure delta;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, one, 9, NULL), PBY_OK);
    cr_assert(5 * mpfr_get_d(delta.lo, MPFR_RNDD) > mpfr_get_d(delta.hi, MPFR_RNDU));
    cr_assert(mpfr_cmp_d(delta.hi, 0.0275) > 0 && mpfr_cmp_d(delta.hi, 0.0276) < 0);
    pby_enclosure_clear(&delta);
    mpq_clear(one);
    pby_spec_free(spec);
}

/* Twenty uses of a threshold test, enclosed in [2e-20, 5e-8]: a minute went into the third digit of the lower
 * end before. */
Test(between, a_far_lower_end_is_sketched)
{
    pby_spec *spec = spec_of("20*above:eps=1/5,queries=monotone");
    pby_enclosure delta;
    mpq_t three;
    mpq_init(three);
    mpq_set_ui(three, 3, 1);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, three, 9, NULL), PBY_OK);
    cr_assert(mpfr_cmp_d(delta.lo, 1.6e-20) > 0 && mpfr_cmp_d(delta.lo, 2.23e-20) < 0);
    cr_assert(mpfr_cmp_d(delta.hi, 4.6e-8) > 0 && mpfr_cmp_d(delta.hi, 4.62e-8) < 0);
    pby_enclosure_clear(&delta);
    mpq_clear(three);
    pby_spec_free(spec);
}
