/* SPDX-License-Identifier: MIT */
/* Widths that are asked for: met, nested, true, or refused with the reason. */
#include <criterion/criterion.h>
#include <string.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/spec.h"

enum { DIGITS = 40 };

static pby_status within(pby_enclosure *out, bool delta, const char *text, const char *value,
                         const char *width, pby_error *err)
{
    pby_spec *spec = spec_of(text);
    bool wider = true;
    mpq_t at, most;
    mpq_inits(at, most, NULL);
    mpq_set_str(at, value, 10);
    mpq_set_str(most, width, 10);
    const pby_status status = pby_loss(out, delta ? PBY_ASK_DELTA : PBY_ASK_EPSILON, spec, PBY_ADD_REMOVE, at,
                                       &(pby_loss_options){.digits = DIGITS, .width = most, .wider = &wider},
                                       err);
    cr_assert(status != PBY_OK || !wider, "%s: wider than %s", text, width);
    mpq_clears(at, most, NULL);
    pby_spec_free(spec);
    return status;
}

static bool overlap(const pby_enclosure *a, const pby_enclosure *b)
{
    return mpfr_lessequal_p(a->lo, b->hi) && mpfr_lessequal_p(b->lo, a->hi);
}

/* True if hi - lo <= lo width, up to the rounding to DIGITS. */
static bool narrow(const pby_enclosure *x, const char *width)
{
    mpq_t most;
    mpfr_t gap, allowed;
    mpq_init(most);
    mpfr_init2(gap, 256);
    mpfr_init2(allowed, 256);
    mpq_set_str(most, width, 10);
    mpfr_sub(gap, x->hi, x->lo, MPFR_RNDU);
    mpfr_mul_q(allowed, x->lo, most, MPFR_RNDD);
    mpfr_mul_d(allowed, allowed, 1.0001, MPFR_RNDD);
    const bool yes = mpfr_lessequal_p(gap, allowed);
    mpfr_clears(gap, allowed, (mpfr_ptr)0);
    mpq_clear(most);
    return yes;
}

/* Each width is met, and all say the same number. */
static void check_widths(bool delta, const char *text, const char *value)
{
    static const char *const widths[] = {"1/2", "1/100", "1/1000"};
    enum { WIDTHS = sizeof widths / sizeof *widths };
    pby_enclosure x[WIDTHS];
    pby_error err;
    for (size_t i = 0; i < WIDTHS; i++) {
        pby_enclosure_init(&x[i]);
        cr_assert_eq(within(&x[i], delta, text, value, widths[i], &err), PBY_OK, "%s", err.text);
        cr_assert(narrow(&x[i], widths[i]), "%s is not within %s", text, widths[i]);
        for (size_t j = 0; j < i; j++)
            cr_assert(overlap(&x[i], &x[j]), "%s: %s and %s contradict", text, widths[i], widths[j]);
    }
    for (size_t i = 0; i < WIDTHS; i++)
        pby_enclosure_clear(&x[i]);
}

Test(width, met_and_consistent)
{
    check_widths(true, "50*laplace:scale=10", "1");
    check_widths(false, "50*laplace:scale=10", "1/1000000");
    check_widths(true, "40*dgauss:sigma2=30", "1");
    check_widths(false, "40*dgauss:sigma2=30", "1/100000");
    check_widths(true, "60*stlap:eps=1/10,q=100", "1/2");
    check_widths(false, "100*geometric:eps=1/10", "1/1000000000");
    check_widths(true, "3*threshold:eps=1/2,T=20", "1");
}

/* All losses of pure uses lie on the grid, where a width of 1e-20 costs bits alone. */
Test(width, holds_the_truth)
{
    pby_enclosure narrow_one, exact;
    pby_error err;
    pby_enclosure_init(&narrow_one);
    pby_enclosure_init(&exact);
    cr_assert_eq(within(&exact, true, "2000*pure:eps=1/1000", "1/100", "1/100000000000000000000", &err),
                 PBY_OK, "%s", err.text);
    cr_assert_eq(within(&narrow_one, true, "2000*pure:eps=1/1000", "1/100", "1/1000", &err), PBY_OK, "%s",
                 err.text);
    cr_assert(mpfr_lessequal_p(narrow_one.lo, exact.hi) && mpfr_lessequal_p(exact.lo, narrow_one.hi));
    cr_assert(narrow(&exact, "1/100000000000000000000"));
    cr_assert_eq(within(&exact, false, "50*laplace:scale=10", "1/1000000", "1/1000000", &err), PBY_OK, "%s",
                 err.text);
    cr_assert(narrow(&exact, "1/1000000"));
    pby_enclosure_clear(&exact);
    pby_enclosure_clear(&narrow_one);
}

Test(width, refused)
{
    pby_enclosure x;
    pby_error err;
    pby_enclosure_init(&x);
    static const char *const bad[] = {"0", "1", "-1/2", "7"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(within(&x, true, "3*laplace:scale=2", "1", bad[i], &err), PBY_BAD, "%s", bad[i]);
        cr_assert(strstr(err.text, "expected a rational") != NULL, "%s", err.text);
    }
    cr_assert_eq(within(&x, true, "100*laplace:scale=10", "1", "1/1000000000000000000000000000", &err),
                 PBY_BAD);
    cr_assert(strstr(err.text, "expected a greater width") != NULL, "%s", err.text);
    pby_enclosure_clear(&x);
}

/* Many epsilons at once are what each is alone. */
Test(width, many_at_once)
{
    enum { COUNT = 7 };
    pby_spec *spec = spec_of("30*dgauss:sigma2=20");
    pby_enclosure all[COUNT], one;
    mpq_t at[COUNT];
    pby_error err;
    pby_enclosure_init(&one);
    for (int i = 0; i < COUNT; i++) {
        pby_enclosure_init(&all[i]);
        mpq_init(at[i]);
        mpq_set_si(at[i], (i * 5) % COUNT - 2, 1);
    }
    cr_assert_eq(pby_loss(all, PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, at[0],
                          &(pby_loss_options){.digits = 12, .count = COUNT}, &err),
                 PBY_OK, "%s", err.text);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(pby_loss_delta(&one, spec, PBY_ADD_REMOVE, at[i], 12, &err), PBY_OK, "%s", err.text);
        cr_assert(overlap(&one, &all[i]));
        cr_assert(narrow(&all[i], "1/100"));
        pby_enclosure_clear(&all[i]);
        mpq_clear(at[i]);
    }
    pby_enclosure_clear(&one);
    pby_spec_free(spec);
}

static bool told_wider(const char *text, const char *value, const char *width, unsigned digits)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    pby_error err;
    bool wider;
    mpq_t at, most;
    mpq_inits(at, most, NULL);
    mpq_set_str(at, value, 10);
    mpq_set_str(most, width, 10);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss(&delta, PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, at,
                          &(pby_loss_options){.digits = digits, .width = most, .wider = &wider}, &err),
                 PBY_OK, "%s", err.text);
    pby_enclosure_clear(&delta);
    mpq_clears(at, most, NULL);
    pby_spec_free(spec);
    return wider;
}

/* Only the width of the answer counts, whatever it was enclosed by: bounds that no grid brings closer and
 * that are close enough are not too wide, few digits are not, and neither is a delta below the least
 * number. */
Test(width, told_only_where_it_is_exceeded)
{
    cr_assert_not(told_wider("range:eps=1,L=300,sensitivity=2000", "1", "1/100", 9));
    cr_assert_not(told_wider("range:eps=1,L=300,sensitivity=2000", "1", "1/100000", 9));
    cr_assert(told_wider("stlap:eps=1,tau=3/4,n=400,bars=2", "1", "1/100", 9));
    cr_assert_not(told_wider("stlap:eps=1,tau=1/2,n=40,bars=3", "0", "1/100", 9));
    cr_assert(told_wider("stlap:eps=1,tau=1/2,n=40,bars=3", "0", "1/1000000", 9));
    cr_assert_not(told_wider("geometric:eps=1", "1/2", "1/1000000000000", 9));
    cr_assert_not(told_wider("dgauss:sigma2=1"
                             "000000000000000000000000000000",
                             "1", "1/100", 9));
}
