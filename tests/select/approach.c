/* SPDX-License-Identifier: MIT */
#include "select/approach.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/spec.h"

static void set_ends(pby_enclosure *x, double lo, double hi)
{
    mpfr_set_d(x->lo, lo, MPFR_RNDD);
    mpfr_set_d(x->hi, hi, MPFR_RNDU);
}

Test(select_approach, two_enclosures_keep_what_they_have_in_common)
{
    pby_enclosure x, y;
    pby_error err;
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    set_ends(&x, 0.25, 0.75);
    set_ends(&y, 0.5, 1);
    cr_assert_eq(pby_enclosure_meet(&x, &y, &err), PBY_OK);
    cr_assert(mpfr_cmp_d(x.lo, 0.5) == 0 && mpfr_cmp_d(x.hi, 0.75) == 0);
    set_ends(&y, 0.75, 1); /* one number is enough */
    cr_assert_eq(pby_enclosure_meet(&x, &y, &err), PBY_OK);
    cr_assert(mpfr_cmp_d(x.lo, 0.75) == 0 && mpfr_cmp_d(x.hi, 0.75) == 0);
    pby_enclosure_clear(&x);
    pby_enclosure_clear(&y);
}

Test(select_approach, a_contradiction_shows_both)
{
    pby_enclosure x, y;
    pby_error err;
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    set_ends(&x, 0.25, 0.5);
    set_ends(&y, 0.75, 1);
    cr_assert_eq(pby_enclosure_meet(&x, &y, &err), PBY_FAILED);
    cr_assert_eq(err.reason, PBY_REASON_INTERNAL);
    cr_assert_not_null(strstr(err.text, "[0.25, 0.5] and [0.75, 1] have no number in common"), "%s",
                       err.text);
    cr_assert_eq(pby_enclosure_meet(&y, &x, &err), PBY_FAILED);
    pby_enclosure_clear(&x);
    pby_enclosure_clear(&y);
}

/* Asks for delta at an epsilon within [lo, hi], lo NULL for no such end: 1 inside, -1 beside, 0 neither. What
 * is found must surround `truth`, which is as close as a composition gets, unless that is NULL. */
static int approached(const char *text, const char *epsilon, const char *lo, const char *hi,
                      const char *truth_width)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta, truth;
    pby_error err;
    mpq_t at, width;
    mpfr_t low, high;
    mpq_inits(at, width, (mpq_ptr)0);
    mpfr_inits2(200, low, high, (mpfr_ptr)0);
    pby_enclosure_init(&delta);
    pby_enclosure_init(&truth);
    cr_assert_eq(pby_rational_parse(at, "epsilon", epsilon, &err), PBY_OK);
    mpfr_set_str(high, hi, 10, MPFR_RNDD);
    if (lo != NULL)
        mpfr_set_str(low, lo, 10, MPFR_RNDU);
    const pby_approached q = {.spec = spec,
                              .relation = PBY_ADD_REMOVE,
                              .epsilon = at,
                              .digits = 30,
                              .lo = lo == NULL ? NULL : low,
                              .hi = high};
    cr_assert_eq(pby_approach(&delta, &q, &err), PBY_OK, "%s", err.text);
    if (truth_width != NULL) {
        cr_assert_eq(pby_rational_parse(width, "width", truth_width, &err), PBY_OK);
        cr_assert_eq(pby_loss(&truth, PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, at,
                              &(pby_loss_options){.digits = 30, .width = width}, &err),
                     PBY_OK);
        cr_assert(mpfr_lessequal_p(delta.lo, truth.hi) && mpfr_lessequal_p(truth.lo, delta.hi));
    }
    const int verdict = pby_approach_inside(&delta, &q) ? 1 : pby_approach_beside(&delta, &q) ? -1 : 0;
    pby_enclosure_clear(&truth);
    pby_enclosure_clear(&delta);
    mpfr_clears(low, high, (mpfr_ptr)0);
    mpq_clears(at, width, (mpq_ptr)0);
    pby_spec_free(spec);
    return verdict;
}

/* delta is 9.998675863125...e-07; the usual width alone leaves all of these open. */
Test(select_approach, tells_what_the_usual_width_leaves_open)
{
    const char *spec = "30*dgauss:sigma2=4819,sensitivity=3";
    cr_assert_eq(approached(spec, "1", NULL, "9.9986759e-07", "1e-9"), 1);
    cr_assert_eq(approached(spec, "1", NULL, "9.9986758e-07", "1e-9"), -1);
    cr_assert_eq(approached(spec, "1", "9.9986758e-07", "9.9986759e-07", "1e-9"), 1);
}

/* The bounds of uses whose worst neighbours are not known do not meet: what lies between them is told neither
 * way, and soon. */
Test(select_approach, leaves_open_what_is_not_known)
{
    const char *spec = "8*above:eps=1,queries=monotone"; /* from 6.8e-08 to 0.003555 */
    cr_assert_eq(approached(spec, "6", NULL, "0.0036", NULL), 1);
    cr_assert_eq(approached(spec, "6", NULL, "0.0035", NULL), 0);
    cr_assert_eq(approached(spec, "6", "6.7e-08", "0.0036", NULL), 1);
    cr_assert_eq(approached(spec, "6", "6.9e-08", "0.0036", NULL), 0);
}
