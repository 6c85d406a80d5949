/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_vector.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/loss/brute.h"
#include "tests/mechanism/curve.h"
#include "tests/spec.h"

/* (1,1), (2,1), (1,1,1) and (3,3): the only maximal shifts of their length and dimension. */
Test(dgauss_vector, is_a_curve)
{
    check_curve("dgauss:sigma2=9/4,norm2=2,dimensions=2", "-12", "1/7", 168);
    check_curve("dgauss:sigma2=9/4,norm2=5,dimensions=2", "-30", "1/3", 180);
    check_curve("dgauss:sigma2=1/5,norm2=3,dimensions=3", "-100", "1", 200);
    check_curve("dgauss:sigma2=100,norm2=3", "-3", "1/20", 120);
}

static void delta_of(arb_t out, const char *text, const char *epsilon_text)
{
    pby_error err;
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    mpq_t epsilon;
    arf_t lo, hi;
    mpq_init(epsilon);
    arf_init(lo);
    arf_init(hi);
    mpq_set_str(epsilon, epsilon_text, 10);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 30, &err), PBY_OK, "%s: %s", text,
                 err.text);
    arf_set_mpfr(lo, delta.lo);
    arf_set_mpfr(hi, delta.hi);
    arb_set_interval_arf(out, lo, hi, 2 * BRUTE_PREC);
    arf_clear(hi);
    arf_clear(lo);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

/* In two dimensions: delta is the greatest of all integer shifts of that length, each summed over the
 * lattice. */
static void check_lattice(const char *text, const char *sigma2, slong norm2, const char *epsilon_text)
{
    brute law;
    fmpq_t s, epsilon;
    arb_t worst, one, delta;
    fmpq_init(s);
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(one);
    arb_init(delta);
    set_text(s, sigma2);
    set_text(epsilon, epsilon_text);
    brute_dgauss(&law, s);
    for (slong x = -norm2; x <= norm2; x++)
        for (slong y = 0; y <= norm2; y++)
            if (x * x + y * y <= norm2) {
                brute_hockey_stick_twice(one, &law, x, y, epsilon);
                arb_max(worst, worst, one, BRUTE_PREC);
            }
    delta_of(delta, text, epsilon_text);
    cr_assert(brute_close(delta, worst), "%s at %s", text, epsilon_text);
    brute_clear(&law);
    arb_clear(delta);
    arb_clear(one);
    arb_clear(worst);
    fmpq_clear(epsilon);
    fmpq_clear(s);
}

Test(dgauss_vector, no_shift_on_the_lattice_is_worse)
{
    static const char *const epsilons[] = {"0", "1/3", "1", "5/2"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        check_lattice("dgauss:sigma2=1,norm2=4,dimensions=2", "1", 4, epsilons[i]);
        check_lattice("dgauss:sigma2=3/2,norm2=5,dimensions=2", "3/2", 5, epsilons[i]);
        check_lattice("dgauss:sigma2=2,norm2=2,dimensions=2", "2", 2, epsilons[i]);
    }
    check_lattice("dgauss:sigma2=1/2,norm2=6,dimensions=2", "1/2", 6, "3");
}

/* A given shift is the composition of its coordinates: (1,1,1,1) and (2) are those of norm2 4. */
Test(dgauss_vector, the_worst_of_a_length_is_that_of_a_shift)
{
    arb_t all, one, ones;
    arb_init(all);
    arb_init(one);
    arb_init(ones);
    bool first = false, second = false;
    for (slong i = 1; i <= 12; i++) {
        char epsilon[8];
        snprintf(epsilon, sizeof epsilon, "%ld/4", (long)i);
        delta_of(all, "dgauss:sigma2=2,norm2=4", epsilon);
        delta_of(one, "dgauss:sigma2=2,sensitivity=2", epsilon);
        delta_of(ones, "4*dgauss:sigma2=2", epsilon);
        cr_assert(!arb_lt(all, one) && !arb_lt(all, ones), "at %s", epsilon);
        cr_assert(arb_overlaps(all, one) || arb_overlaps(all, ones), "at %s", epsilon);
        first = first || arb_gt(one, ones);
        second = second || arb_lt(one, ones);
    }
    cr_assert(first && second, "neither shift is the worst at every epsilon");
    arb_clear(ones);
    arb_clear(one);
    arb_clear(all);
}

/* The schoolbook sum agrees with the tails, at few bits and far out, and does not ask them. */
Test(dgauss_vector, the_direct_sum_is_another_route)
{
    static const char *const specs[] = {"dgauss:sigma2=3,norm2=5,dimensions=2", "dgauss:sigma2=20,norm2=3"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_pairs pairs;
        fmpq_t e;
        arb_t direct, tails;
        pairs_of(&pairs, specs[i]);
        pby_curve *curve = pairs.pair[0].curve;
        fmpq_init(e);
        arb_init(direct);
        arb_init(tails);
        for (slong t = -6; t <= 12; t++) {
            fmpq_set_si(e, t, 2);
            cr_assert_eq(pby_curve_hockey_stick(tails, curve, e, 400, NULL), PBY_OK);
            pby_curve_class deaf = *curve->class;
            const pby_curve_class *kept = curve->class;
            deaf.tails = NULL;
            curve->class = &deaf;
            cr_assert_eq(curve->class->direct(direct, curve, e, 100, NULL), PBY_OK);
            curve->class = kept;
            cr_assert(arb_overlaps(direct, tails), "%s at %ld/2", specs[i], (long)t);
            cr_assert_geq(arb_rel_accuracy_bits(direct), 60, "%s at %ld/2", specs[i], (long)t);
        }
        arb_clear(tails);
        arb_clear(direct);
        fmpq_clear(e);
        pby_pairs_clear(&pairs);
    }
}

/* The losses of (2,2) are multiples of 4/(2s), of (1,1,1) of 1/(2s). */
Test(dgauss_vector, losses_lie_on_a_lattice)
{
    static const struct {
        const char *spec;
        slong p;
        ulong q;
    } cases[] = {{"dgauss:sigma2=5,norm2=8,dimensions=2", 2, 5},
                 {"dgauss:sigma2=5,norm2=3", 1, 10},
                 {"dgauss:sigma2=5,norm2=2", 1, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_pairs pairs;
        fmpq_t unit, expected, t;
        arb_t here, next, q;
        fmpq_init(unit);
        fmpq_init(expected);
        fmpq_init(t);
        arb_init(here);
        arb_init(next);
        arb_init(q);
        pairs_of(&pairs, cases[i].spec);
        const pby_curve *curve = pairs.pair[0].curve;
        cr_assert(curve->class->unit(unit, curve));
        fmpq_set_si(expected, cases[i].p, cases[i].q);
        cr_assert(fmpq_equal(unit, expected), "%s", cases[i].spec);
        for (slong k = -4; k < 4; k++) {
            fmpq_mul_si(t, unit, k);
            cr_assert_eq(curve->class->tails(here, q, curve, t, 128, NULL), PBY_OK);
            fmpq_mul_si(t, unit, 1000 * k + 999);
            fmpq_set_si(expected, 1, 1000);
            fmpq_mul(t, t, expected);
            cr_assert_eq(curve->class->tails(next, q, curve, t, 128, NULL), PBY_OK);
            cr_assert(arb_overlaps(here, next), "%s", cases[i].spec);
        }
        pby_pairs_clear(&pairs);
        arb_clear(q);
        arb_clear(next);
        arb_clear(here);
        fmpq_clear(t);
        fmpq_clear(expected);
        fmpq_clear(unit);
    }
}

/* A norm of 50 has too many shifts: the bound by rho stands above the loss of some of them. */
Test(dgauss_vector, too_many_shifts_are_bounded)
{
    arb_t all, one, ones, bound;
    arb_init(all);
    arb_init(one);
    arb_init(ones);
    arb_init(bound);
    delta_of(all, "dgauss:sigma2=100,norm2=50", "1");
    delta_of(one, "dgauss:sigma2=100,sensitivity=7", "1");
    delta_of(ones, "50*dgauss:sigma2=100", "1");
    delta_of(bound, "zcdp:rho=1/4", "1");
    arb_union(ones, ones, bound, BRUTE_PREC);
    cr_assert(arb_contains(all, one) || arb_lt(one, all));
    cr_assert(arb_overlaps(all, ones));
    cr_assert(arb_overlaps(all, bound));
    cr_assert(!arb_gt(all, bound));
    arb_clear(bound);
    arb_clear(ones);
    arb_clear(one);
    arb_clear(all);
}

/* 7 is no sum of three squares, and 1007 is none: the longest shifts have 6 and 1006. */
Test(dgauss_vector, rho_is_that_of_the_longest)
{
    static const struct {
        const char *spec;
        double rho;
    } cases[] = {{"dgauss:sigma2=16,norm2=7,dimensions=3", 6.0 / 32},
                 {"dgauss:sigma2=16,norm2=1007,dimensions=3", 1006.0 / 32},
                 {"3*dgauss:sigma2=16,norm2=4", 12.0 / 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        pby_spec *spec = spec_of(cases[i].spec);
        pby_enclosure rho;
        mpq_t xi;
        mpq_init(xi);
        pby_enclosure_init(&rho);
        cr_assert_eq(pby_loss_zcdp(&rho, NULL, spec, PBY_ADD_REMOVE, xi, 9, &err), PBY_OK, "%s", err.text);
        cr_assert(mpfr_cmp_d(rho.lo, cases[i].rho) == 0 && mpfr_cmp_d(rho.hi, cases[i].rho) == 0, "%s",
                  cases[i].spec);
        pby_enclosure_clear(&rho);
        mpq_clear(xi);
        pby_spec_free(spec);
    }
}

Test(dgauss_vector, what_does_not_go_together_is_refused)
{
    static const char *const specs[][2] = {
        {"dgauss:sigma2=4,norm2=4,sensitivity=2", "sensitivity or norm2"},
        {"dgauss:sigma2=4,dimensions=2", "dimensions beside norm2"},
        {"dgauss:sigma2=4,norm2=4,fixed=1/2", "no fixed beside norm2"},
        {"dgauss:sigma2=4,norm2=50,sample=1/2", "no sample where so many"},
        {"dgauss:sigma2=4,norm2=1/2", "dgauss:norm2 '1/2'"},
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_spec *spec = NULL;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &specs[i][0], 1, &err), PBY_BAD, "%s", specs[i][0]);
        cr_assert_not_null(strstr(err.text, specs[i][1]), "%s", err.text);
    }
}
