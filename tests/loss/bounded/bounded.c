/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "loss/bounded/bounded.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

/* ---- the recursion once more, in doubles and outcome by outcome -------------------------------- */

/* One use at x: the closed form. */
static double once(double length, double x)
{
    const double e = log(x);
    if (e >= length)
        return 0;
    if (e <= -length)
        return 1 - x;
    const double s = 1 - exp((e - length) / 2);
    return s * s / (1 - exp(-length));
}

/* The worst of the uses that are left, each t being one of many and every order tried. */
static double worst(const double *length, int count, double x, int tries)
{
    double best = 0;
    if (count == 1)
        return once(length[0], x);
    for (int i = 0; i < count; i++) {
        double rest[4];
        for (int j = 0, n = 0; j < count; j++)
            if (j != i)
                rest[n++] = length[j];
        for (int k = 0; k <= tries; k++) {
            const double t = length[i] * k / tries;
            const double p = (1 - exp(t - length[i])) / (1 - exp(-length[i]));
            const double v = p * worst(rest, count - 1, x * exp(-t), tries) +
                             (1 - p) * worst(rest, count - 1, x * exp(length[i] - t), tries);
            best = fmax(best, v);
        }
        if (count > 1 && i + 1 < count && length[i] == length[i + 1])
            break; /* the same order again */
    }
    return best;
}

/* delta to a width, as ends. */
static void ask(double *lo, double *hi, const char *text, const char *at, const char *width)
{
    pby_spec *spec = spec_of(text);
    pby_profile *p;
    arb_t ball;
    arf_t a, b;
    fmpq_t e, w;
    arb_init(ball);
    arf_init(a);
    arf_init(b);
    fmpq_init(e);
    fmpq_init(w);
    set_text(e, at);
    set_text(w, width);
    cr_assert_eq(pby_profile_of_bounded(&p, spec, PBY_ADD_REMOVE, w, NULL), PBY_OK);
    cr_assert_not_null(p);
    cr_assert_eq(pby_profile_delta(ball, p, e, 15, NULL), PBY_OK);
    arb_get_interval_arf(a, b, ball, 200);
    *lo = arf_get_d(a, ARF_RND_DOWN);
    *hi = arf_get_d(b, ARF_RND_UP);
    pby_profile_free(p);
    fmpq_clear(w);
    fmpq_clear(e);
    arf_clear(b);
    arf_clear(a);
    arb_clear(ball);
    pby_spec_free(spec);
}

static void check(const char *spec, const double *length, int count, const char *at, double e, int tries)
{
    double lo, hi;
    const double found = worst(length, count, exp(e), tries);
    ask(&lo, &hi, spec, at, "1e-4");
    cr_assert(lo <= hi && hi - lo <= 1.1e-4 * hi, "%s at %s: [%.9g, %.9g] is wide", spec, at, lo, hi);
    /* what is found tries fewer t, and so is a little too small at most */
    cr_assert(found <= hi + 1e-12, "%s at %s: %.9g is above %.9g", spec, at, found, hi);
    cr_assert(found >= lo - 2e-4 * hi, "%s at %s: %.9g is far below %.9g", spec, at, found, lo);
}

Test(bounded, two_and_three_uses_by_brute_force)
{
    static const double one[] = {1, 1, 1}, half[] = {0.5, 0.5, 0.5}, mixed[] = {1, 0.5}, odd[] = {1, 1. / 3},
                        three[] = {1, 0.5, 0.5};
    check("2*exponential:eps=1", one, 2, "0", 0, 4000);
    check("2*exponential:eps=1", one, 2, "3/2", 1.5, 4000);
    check("2*exponential:eps=1", one, 2, "-3/4", -0.75, 4000);
    check("3*exponential:eps=1/2", half, 3, "1/5", 0.2, 300);
    check("3*exponential:eps=1", one, 3, "2", 2, 300);
    check("exponential:eps=1 exponential:eps=1/2", mixed, 2, "1/4", 0.25, 4000);
    check("exponential:eps=1 exponential:eps=1/3", odd, 2, "1/3", 1. / 3, 4000);
    check("exponential:eps=1 2*exponential:eps=1/2", three, 3, "1/2", 0.5, 200);
}

/* One t for both uses is too small: 0.2883 at t = 1/2, where 0.3034 is lost. */
Test(bounded, a_fixed_pair_is_not_enough)
{
    double lo, hi;
    ask(&lo, &hi, "2*exponential:eps=1", "0", "1e-5");
    const double p = (1 - exp(-0.5)) / (1 - exp(-1));
    const double fixed = p * p * (1 - exp(-1));
    cr_assert(fixed > 0.24 && fixed < lo, "%.6g", fixed);
    cr_assert(lo <= 0.30336549648318226 && hi >= 0.30336549648318225, "[%.9g, %.9g]", lo, hi);
}

/* Lengths that no step divides are rounded to their sides. */
Test(bounded, lengths_without_a_common_step)
{
    double lo, hi, below, above, rest;
    ask(&lo, &hi, "exponential:eps=1 2*exponential:eps=1234567/4000003", "1/2", "1/100");
    ask(&below, &rest, "exponential:eps=1 2*exponential:eps=1/4", "1/2", "1/100");
    ask(&rest, &above, "exponential:eps=1 2*exponential:eps=2/5", "1/2", "1/100");
    cr_assert(lo > below && hi < above && lo <= hi, "[%.9g, %.9g] in [%.9g, %.9g]", lo, hi, below, above);
}

Test(bounded, many_uses_to_the_width)
{
    double lo, hi, narrow_lo, narrow_hi;
    ask(&lo, &hi, "100*exponential:eps=1/10", "9/4", "1/100");
    ask(&narrow_lo, &narrow_hi, "100*exponential:eps=1/10", "9/4", "1/400");
    cr_assert(hi - lo <= hi / 100 && lo <= narrow_hi && narrow_lo <= hi);
    cr_assert(narrow_hi - narrow_lo <= narrow_hi / 400);
    /* a recursion elsewhere has epsilon between 2.2516 and 2.2531 at 1e-6 */
    cr_assert(lo < 1.02e-6 && hi > 1e-6, "[%.9g, %.9g]", lo, hi);
}

/* A tiny delta takes more words. */
Test(bounded, far_out)
{
    double lo, hi;
    ask(&lo, &hi, "40*exponential:eps=1/4", "7", "1/100");
    cr_assert(lo > 0 && hi < 1e-20 && hi - lo <= hi / 100, "[%.9g, %.9g]", lo, hi);
    ask(&lo, &hi, "40*exponential:eps=1/4", "10", "1/100");
    cr_assert(lo == 0 && hi == 0);
}

/* epsilon at what delta was found to be. */
Test(bounded, epsilon_and_delta_agree)
{
    pby_spec *spec = spec_of("6*exponential:eps=1/2");
    pby_profile *p;
    arb_t ball;
    arf_t end;
    fmpq_t e, d;
    arb_init(ball);
    arf_init(end);
    fmpq_init(e);
    fmpq_init(d);
    set_text(e, "7/5");
    cr_assert_eq(pby_profile_of_bounded(&p, spec, PBY_ADD_REMOVE, NULL, NULL), PBY_OK);
    cr_assert_eq(pby_profile_delta(ball, p, e, 9, NULL), PBY_OK);
    arb_get_ubound_arf(end, ball, 53);
    arf_get_fmpq(d, end);
    cr_assert_eq(pby_profile_epsilon(ball, p, d, 9, NULL), PBY_OK);
    arb_get_lbound_arf(end, ball, 53);
    cr_assert(arf_cmp_d(end, 1.4) <= 0 && arf_cmp_d(end, 1.36) > 0);
    fmpq_zero(d);
    cr_assert_eq(pby_profile_epsilon(ball, p, d, 9, NULL), PBY_OK);
    cr_assert(arb_is_exact(ball) && arb_equal_si(ball, 3));
    pby_profile_free(p);
    fmpq_clear(d);
    fmpq_clear(e);
    arf_clear(end);
    arb_clear(ball);
    pby_spec_free(spec);
}

Test(bounded, others_are_left_alone)
{
    pby_profile *p;
    pby_spec *spec = spec_of("exponential:eps=1 geometric:eps=1");
    cr_assert_eq(pby_profile_of_bounded(&p, spec, PBY_ADD_REMOVE, NULL, NULL), PBY_OK);
    cr_assert_null(p);
    pby_spec_free(spec);
    spec = spec_of("2*exponential:eps=1,scores=monotone");
    cr_assert_eq(pby_profile_of_bounded(&p, spec, PBY_SUBSTITUTE, NULL, NULL), PBY_BAD);
    cr_assert_null(p);
    pby_spec_free(spec);
    spec = spec_of("1000000000*exponential:eps=1");
    cr_assert_eq(pby_profile_of_bounded(&p, spec, PBY_ADD_REMOVE, NULL, NULL), PBY_OK);
    cr_assert_null(p);
    pby_spec_free(spec);
}

/* delta of 40 uses is about 0.0254. Every level is told; one that is far off by a ball that is four times as
 * wide as the one that is asked for. */
Test(bounded, a_level_is_told_as_soon_as_it_can_be)
{
    static const struct {
        const char *level;
        bool far;
    } cases[] = {{"1/10", true}, {"1/1000", true}, {"0.0252", false}, {"1e-30", true}};
    pby_spec *spec = spec_of("40*exponential:eps=1/5");
    arb_t narrow, ball, at;
    fmpq_t epsilon, level, width;
    arb_init(narrow);
    arb_init(ball);
    arb_init(at);
    fmpq_init(epsilon);
    fmpq_init(level);
    fmpq_init(width);
    set_text(epsilon, "1");
    set_text(width, "1/2000");
    set_text(level, "0");
    bool known;
    cr_assert_eq(pby_bounded_near(&known, narrow, spec, PBY_ADD_REMOVE, epsilon, level, width, NULL), PBY_OK);
    cr_assert(known);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_text(level, cases[i].level);
        cr_assert_eq(pby_bounded_near(&known, ball, spec, PBY_ADD_REMOVE, epsilon, level, width, NULL),
                     PBY_OK);
        cr_assert(arb_overlaps(ball, narrow), "%s", cases[i].level);
        arb_set_fmpq(at, level, 100);
        cr_assert_not(arb_overlaps(ball, at), "%s", cases[i].level);
        arb_get_rad_arb(at, narrow);
        arb_mul_2exp_si(at, at, 2);
        arb_get_rad_arb(ball, ball);
        cr_assert(!cases[i].far || arb_gt(ball, at), "%s", cases[i].level);
    }
    pby_spec_free(spec);
    spec = spec_of("2*geometric:eps=1");
    cr_assert_eq(pby_bounded_near(&known, ball, spec, PBY_ADD_REMOVE, epsilon, level, width, NULL), PBY_OK);
    cr_assert_not(known);
    fmpq_clear(width);
    fmpq_clear(level);
    fmpq_clear(epsilon);
    arb_clear(at);
    arb_clear(ball);
    arb_clear(narrow);
    pby_spec_free(spec);
}

/* Some neighbours of loose families are known: on these several uses lose as many times as much at delta 0,
 * and at epsilon 0 no less than one. */
Test(bounded, loose_uses_are_bounded_from_below_too)
{
    static const char *const specs[][2] = {
        {"fbquantile:eps=1,q=3/4,n=100,bound=50", "3*fbquantile:eps=1,q=3/4,n=100,bound=50"},
        {"depth:eps=1/50,level=20,bound=10,neighbours=substitute",
         "3*depth:eps=1/50,level=20,bound=10,neighbours=substitute"}};
    for (size_t i = 0; i < 2; i++) {
        double delta[2], epsilon[2];
        for (size_t k = 0; k < 2; k++) {
            pby_spec *spec = spec_of(specs[i][k]);
            pby_enclosure told;
            mpq_t zero;
            mpq_init(zero);
            pby_enclosure_init(&told);
            cr_assert_eq(pby_loss_delta(&told, spec, PBY_SUBSTITUTE, zero, 9, NULL), PBY_OK);
            delta[k] = mpfr_get_d(told.lo, MPFR_RNDN);
            cr_assert_eq(pby_loss_epsilon(&told, spec, PBY_SUBSTITUTE, zero, 9, NULL), PBY_OK);
            epsilon[k] = mpfr_get_d(told.lo, MPFR_RNDN);
            pby_enclosure_clear(&told);
            mpq_clear(zero);
            pby_spec_free(spec);
        }
        cr_assert(delta[1] > delta[0] && delta[0] > 0, "%s: %g %g", specs[i][0], delta[0], delta[1]);
        cr_assert(fabs(epsilon[1] - 3 * epsilon[0]) < 1e-6 && epsilon[0] > 0, "%s: %g %g", specs[i][0],
                  epsilon[0], epsilon[1]);
    }
}
