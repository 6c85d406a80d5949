/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_curve.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/loss/brute.h"
#include "tests/mechanism/curve.h"
#include "tests/spec.h"

Test(dgauss, is_a_curve)
{
    check_curve("dgauss:sigma2=9/4", "-8", "1/7", 112);
    check_curve("dgauss:sigma2=9/4,sensitivity=5", "-60", "1/3", 360);
    check_curve("dgauss:sigma2=1/5", "-100", "1", 200);
    check_curve("dgauss:sigma2=1000,sensitivity=10", "-5", "1/40", 400);
}

/* So many outcomes a cell that cells are differences of sums. */
Test(dgauss, wide_cells_are_a_curve)
{
    check_curve("dgauss:sigma2=1e8,sensitivity=1000", "-2", "1/20", 80);
    check_curve("dgauss:sigma2=1e6,sensitivity=1", "-1/50", "1/1000", 40);
}

/* P(L > t) = the sum of P(k) over k with L(k) > t, by the ratio of plain masses. */
Test(dgauss, tails_follow_the_definition)
{
    pby_pairs pairs;
    brute law;
    fmpq_t x;
    arb_t p, q, sum_p, sum_q;
    pairs_of(&pairs, "dgauss:sigma2=7/2,sensitivity=3");
    fmpq_init(x);
    arb_init(p);
    arb_init(q);
    arb_init(sum_p);
    arb_init(sum_q);
    set_text(x, "7/2");
    brute_dgauss(&law, x);
    for (slong i = -40; i <= 40; i++) {
        fmpq_set_si(x, 2 * i + 1, 14);
        cr_assert_eq(pairs.pair[0].curve->class->tails(p, q, pairs.pair[0].curve, x, 200, NULL), PBY_OK);
        arb_zero(sum_p);
        arb_zero(sum_q);
        for (slong k = law.lo; k < law.lo + law.n; k++) {
            /* exp(-k^2/7) > exp(t) exp(-(k-3)^2/7), with t = (2i+1)/14 */
            if (2 * ((k - 3) * (k - 3) - k * k) <= 2 * i + 1)
                continue;
            arb_add(sum_p, sum_p, law.mass + k - law.lo, BRUTE_PREC);
            if (k - 3 >= law.lo)
                arb_add(sum_q, sum_q, law.mass + k - 3 - law.lo, BRUTE_PREC);
        }
        cr_assert(brute_close(p, sum_p), "P(L > %ld/14)", 2 * i + 1);
        cr_assert(brute_close(q, sum_q), "Q(L > %ld/14)", 2 * i + 1);
    }
    arb_clear(sum_q);
    arb_clear(sum_p);
    arb_clear(q);
    arb_clear(p);
    fmpq_clear(x);
    brute_clear(&law);
    pby_pairs_clear(&pairs);
}

/* Losses are multiples of 1/(2s) and a t that is one of them is not above itself. */
Test(dgauss, an_edge_on_an_outcome_is_exact)
{
    pby_curve *curve = NULL;
    fmpq_t s, t;
    fmpz_t shift, k;
    fmpq_init(s);
    fmpq_init(t);
    fmpz_init_set_ui(shift, 3);
    fmpz_init(k);
    set_text(s, "7/2");
    cr_assert_eq(pby_dgauss_curve(&curve, s, shift, NULL), PBY_OK);
    for (slong at = -20; at <= 20; at++) {
        fmpq_set_si(t, 9 - 6 * at, 7); /* L(at) */
        pby_dgauss_edge(k, (const pby_dgauss *)curve, t);
        cr_assert(fmpz_equal_si(k, at - 1));
        fmpq_set_si(t, 9 * 1000 - 6000 * at - 1, 7000);
        pby_dgauss_edge(k, (const pby_dgauss *)curve, t);
        cr_assert(fmpz_equal_si(k, at));
    }
    curve->class->free(curve);
    fmpz_clear(k);
    fmpz_clear(shift);
    fmpq_clear(t);
    fmpq_clear(s);
}

/* The sum over outcomes, at few bits, surrounds the difference of tails at many: also where the greatest
 * outcome that counts lies far out on either side. */
Test(dgauss, the_direct_sum_surrounds_the_truth)
{
    pby_pairs pairs;
    arb_t direct, p, q, growth;
    fmpq_t e;
    pairs_of(&pairs, "dgauss:sigma2=300,sensitivity=7");
    const pby_curve *curve = pairs.pair[0].curve;
    arb_init(direct);
    arb_init(p);
    arb_init(q);
    arb_init(growth);
    fmpq_init(e);
    for (slong i = -30; i <= 30; i++) {
        fmpq_set_si(e, i, 3);
        cr_assert_eq(curve->class->direct(direct, curve, e, 64, NULL), PBY_OK);
        cr_assert_eq(curve->class->tails(p, q, curve, e, 500, NULL), PBY_OK);
        arb_set_fmpq(growth, e, 500);
        arb_exp(growth, growth, 500);
        arb_submul(p, growth, q, 500);
        cr_assert(arb_contains(direct, p), "at %ld/3", i);
        cr_assert(arb_rel_accuracy_bits(direct) > 20, "at %ld/3", i);
    }
    fmpq_clear(e);
    arb_clear(growth);
    arb_clear(q);
    arb_clear(p);
    arb_clear(direct);
    pby_pairs_clear(&pairs);
}

/* At integer orders the divergence is the Gaussian's, exactly. */
Test(dgauss, renyi_of_an_integer_order)
{
    pby_pairs pairs;
    arb_t value;
    fmpq_t order, expected;
    pairs_of(&pairs, "dgauss:sigma2=8,sensitivity=2");
    arb_init(value);
    fmpq_init(order);
    fmpq_init(expected);
    for (slong a = 1; a <= 8; a++) {
        fmpq_set_si(order, a, 1);
        fmpq_set_si(expected, a, 4);
        cr_assert_eq(pairs.pair[0].curve->class->renyi(value, pairs.pair[0].curve, order, 100, NULL), PBY_OK);
        cr_assert(arb_is_exact(value) && arb_contains_fmpq(value, expected));
    }
    fmpq_clear(expected);
    fmpq_clear(order);
    arb_clear(value);
    pby_pairs_clear(&pairs);
}

Test(dgauss, any_size_is_answered_or_refused)
{
    pby_error err;
    pby_spec *spec = spec_of("dgauss:sigma2=1e4000");
    pby_enclosure delta;
    mpq_t one;
    mpq_init(one);
    mpq_set_si(one, 1, 1);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, one, 9, &err), PBY_BAD);
    cr_assert_not_null(
        strstr(err.text, "dgauss:sigma2 '1e+4000': expected a rational from 2^-8192 to 2^8192"));
    pby_spec_free(spec);
    const char *const answered[] = {"dgauss:sigma2=1e24", "dgauss:sigma2=1e1000", "dgauss:sigma2=1e-1000"};
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++) {
        spec = spec_of(answered[i]);
        cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, one, 9, &err), PBY_OK, "%s", answered[i]);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&delta);
    mpq_clear(one);
}

/* Between two multiples of the unit P(L > t) does not change, and at some multiples of no more than two units
 * it does. */
static void check_unit(const char *spec, slong p, ulong q)
{
    pby_pairs pairs;
    fmpq_t unit, expected, t;
    arb_t here, next, other;
    fmpq_init(unit);
    fmpq_init(expected);
    fmpq_init(t);
    arb_init(here);
    arb_init(next);
    arb_init(other);
    pairs_of(&pairs, spec);
    const pby_curve *curve = pairs.pair[0].curve;
    cr_assert(curve->class->unit(unit, curve));
    fmpq_set_si(expected, p, q);
    cr_assert(fmpq_equal(unit, expected), "%s", spec);
    for (slong i = -4; i < 4; i++) {
        fmpq_mul_si(t, unit, i);
        cr_assert_eq(curve->class->tails(here, other, curve, t, 128, NULL), PBY_OK);
        fmpq_mul_si(t, unit, 1000 * i + 999);
        fmpq_set_si(expected, 1, 1000);
        fmpq_mul(t, t, expected);
        cr_assert_eq(curve->class->tails(next, other, curve, t, 128, NULL), PBY_OK);
        cr_assert(arb_overlaps(here, next), "%s: a loss above %ld units", spec, (long)i);
        fmpq_mul_si(t, unit, i + 2);
        cr_assert_eq(curve->class->tails(next, other, curve, t, 128, NULL), PBY_OK);
        cr_assert(arb_gt(here, next), "%s: no loss above %ld units", spec, (long)i);
    }
    pby_pairs_clear(&pairs);
    arb_clear(other);
    arb_clear(next);
    arb_clear(here);
    fmpq_clear(t);
    fmpq_clear(expected);
    fmpq_clear(unit);
}

Test(dgauss, losses_lie_on_a_lattice)
{
    check_unit("dgauss:sigma2=1", 1, 2);
    check_unit("dgauss:sigma2=5,sensitivity=3", 3, 10);
    check_unit("dgauss:sigma2=7/2,sensitivity=4", 8, 7);
}
