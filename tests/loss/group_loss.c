/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/family.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/law/make.h"
#include "tests/loss/brute.h"
#include "tests/loss/spectra.h"
#include "tests/spec.h"

/* Any two values of one user are neighbours: a group of any size loses what neighbours lose. */
Test(group, local_inputs_are_all_neighbours)
{
    static const char *const specs[] = {"rr:eps=1",
                                        "krr:eps=3/2,k=3",
                                        "onebit:odds=3,hi=1,lo=-1,grid=1/4",
                                        "2*rappor:bits=8,f=1/2",
                                        "rr:eps=1 approx:eps=1,delta=1/100",
                                        "pure:eps=1"};
    pby_enclosure one, group;
    pby_error err;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&one);
    pby_enclosure_init(&group);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_spec *spec = spec_of(specs[i]);
        bool wider = true;
        mpq_set_ui(at, 1, 2);
        cr_assert_eq(pby_loss_delta(&one, spec, PBY_LOCAL, at, 9, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_loss_group_delta(&group, &wider, spec, PBY_LOCAL, 5, at, 9, &err), PBY_OK, "%s",
                     err.text);
        cr_assert(mpfr_equal_p(one.lo, group.lo) && mpfr_equal_p(one.hi, group.hi) && !wider, "%s", specs[i]);
        mpq_set_ui(at, 1, 20);
        cr_assert_eq(pby_loss_epsilon(&one, spec, PBY_LOCAL, at, 9, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_loss_group_epsilon(&group, &wider, spec, PBY_LOCAL, 5, at, 9, &err), PBY_OK, "%s",
                     err.text);
        cr_assert(mpfr_equal_p(one.lo, group.lo) && mpfr_equal_p(one.hi, group.hi) && !wider, "%s", specs[i]);
        cr_assert_eq(pby_loss_group_delta(&group, NULL, spec, PBY_LOCAL, 0, at, 9, &err), PBY_BAD);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&group);
    pby_enclosure_clear(&one);
    mpq_clear(at);
}

/* The theorem for one order, held against Gaussian noise, of which all is known: a group of k moves the
 * mean k times as far, D_a = a k^2 rho. */
Test(group, rdp_theorem_holds_for_gaussian_noise)
{
    for (ulong order = 2; order <= 40; order += 3)
        for (ulong k = 1; k <= 6; k++) {
            char text[64];
            fmpq_t a, eps, truth;
            fmpq_init(a);
            fmpq_init(eps);
            fmpq_init(truth);
            snprintf(text, sizeof text, "rdp:order=%lu,eps=%lu", order, order); /* rho = 1 */
            pby_spec *spec = spec_of(text), *grown;
            cr_assert_eq(pby_spec_group(&grown, spec, k, NULL), PBY_OK);
            fmpq_set(a, &grown->use[0].mechanism.value[0]);
            fmpq_set(eps, &grown->use[0].mechanism.value[1]);
            fmpq_set_ui(truth, k * k, 1);
            fmpq_mul(truth, truth, a);
            cr_assert(fmpq_cmp(eps, truth) >= 0, "order %lu, group %lu", order, k);
            pby_spec_free(grown);
            pby_spec_free(spec);
            fmpq_clear(truth);
            fmpq_clear(eps);
            fmpq_clear(a);
        }
}

/* ---- delta ------------------------------------------------------------------------------------ */

static void group_delta(arb_t ball, const char *text, unsigned long size, const char *epsilon)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure x;
    pby_error err;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_rational_parse(at, "", epsilon, NULL), PBY_OK);
    cr_assert_eq(pby_loss_group_delta(&x, NULL, spec, PBY_ADD_REMOVE, size, at, SPECTRA_DIGITS, &err), PBY_OK,
                 "%s", err.text);
    arb_set_interval_mpfr(ball, x.lo, x.hi, SPECTRA_PREC);
    pby_enclosure_clear(&x);
    mpq_clear(at);
    pby_spec_free(spec);
}

/* delta (1 + exp(e) + ... + exp((k-1) e)) at k e, at most 1. */
Test(group, approximate_guarantee)
{
    arb_t answer, expected;
    arb_init(answer);
    arb_init(expected);
    group_delta(answer, "approx:eps=1/10,delta=1e-6", 3, "3/10");
    set_ball(expected, "3.3265736762358175e-6");
    expect_close(answer, expected, 20, "three");
    group_delta(answer, "approx:eps=1,delta=1/100", 10, "10");
    arb_one(expected);
    expect_close(answer, expected, 20, "at most 1");
    group_delta(answer, "approx:eps=1/10,delta=1e-6", 1, "1/10");
    set_ball(expected, "1e-6");
    expect_close(answer, expected, 20, "one");
    arb_clear(expected);
    arb_clear(answer);
}

/* Partition selection reaches from what a bar of k and one of k + 3 records lose, worked out from the
 * recursion of p_k, to the theorem; so does a mechanism of which no such inputs are known, from what
 * neighbours lose. */
Test(group, the_lower_end_is_what_some_inputs_lose)
{
    enum { STEPS = 30, PREC = 128 };
    arb_t answer, worst, growth, x;
    arb_ptr p = _arb_vec_init(STEPS + 4);
    arb_init(answer);
    arb_init(worst);
    arb_init(growth);
    arb_init(x);
    arb_set_d(x, 0.5);
    arb_exp(growth, x, PREC);
    for (int k = 0; k < STEPS + 3; k++) {
        arb_set_d(x, 0.01);
        arb_addmul(x, growth, p + k, PREC);
        arb_set(p + k + 1, x);
        arb_set_d(x, 0.01);
        arb_add(x, x, p + k, PREC);
        arb_sub_ui(x, x, 1, PREC);
        arb_div(x, x, growth, PREC);
        arb_add_ui(x, x, 1, PREC);
        arb_min(p + k + 1, p + k + 1, x, PREC);
        arb_set_ui(x, 1);
        arb_min(p + k + 1, p + k + 1, x, PREC);
    }
    arb_sqr(growth, growth, PREC);
    for (int k = 0; k < STEPS; k++) {
        arb_mul(x, growth, p + k, PREC);
        arb_sub(x, p + k + 3, x, PREC);
        arb_max(worst, worst, x, PREC);
    }
    group_delta(answer, "partition:eps=1/2,delta=1/100", 3, "1");
    cr_assert(arb_overlaps(answer, worst));
    arb_set_d(x, 0.374);
    cr_assert(arb_lt(answer, x), "no further than to the theorem");
    arb_set_d(x, 0.231);
    cr_assert(arb_gt(answer, x), "no lower than what those inputs lose");
    _arb_vec_clear(p, STEPS + 4);
    arb_clear(x);
    arb_clear(growth);
    arb_clear(worst);
    arb_clear(answer);
}

/* Against the exact law shifted k times: the bound holds, for negative epsilons too. */
Test(group, theorem_bounds_the_shifted_law)
{
    static const char *const epsilons[] = {"-1/2", "0", "1/2", "3/2", "2"};
    brute law;
    fmpq_t eps, q;
    arb_t bound, truth;
    fmpq_init(eps);
    fmpq_init(q);
    arb_init(bound);
    arb_init(truth);
    set_text(eps, "1/2");
    set_text(q, "20");
    brute_stlap(&law, eps, q);
    for (slong k = 1; k <= 4; k++)
        for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
            set_text(eps, epsilons[i]);
            brute_hockey_stick(truth, &law, k, eps);
            group_delta(bound, "stlap:eps=1/2,q=20", (unsigned long)k, epsilons[i]);
            cr_assert_not(arb_lt(bound, truth), "%ld at %s", k, epsilons[i]);
        }
    brute_clear(&law);
    arb_clear(truth);
    arb_clear(bound);
    fmpq_clear(q);
    fmpq_clear(eps);
}

/* The ends of a group's epsilon, worked out from the masses of the noise: at the lower some inputs lose the
 * level or more, at the upper the theorem's bound is not above it. */
static void check_epsilon_ends(const pby_enclosure *epsilon, const brute *law, slong k, const arb_t level)
{
    fmpq_t at;
    arb_t lose, other, sum;
    mpq_t end;
    fmpq_init(at);
    arb_init(lose);
    arb_init(other);
    arb_init(sum);
    mpq_init(end);
    mpfr_get_q(end, epsilon->lo);
    fmpq_set_mpq(at, end);
    brute_hockey_stick(lose, law, k, at);
    brute_hockey_stick(other, law, -k, at);
    arb_max(lose, lose, other, BRUTE_PREC);
    cr_assert_not(arb_lt(lose, level), "the lower end of %ld is too high", k);
    mpfr_get_q(end, epsilon->hi);
    fmpq_set_mpq(at, end);
    fmpq_div_fmpz(at, at, &(fmpz){k});
    brute_hockey_stick(lose, law, 1, at);
    brute_hockey_stick(other, law, -1, at);
    arb_max(lose, lose, other, BRUTE_PREC);
    for (slong i = 0; i < k; i++) {
        arb_set_fmpq(other, at, BRUTE_PREC);
        arb_mul_si(other, other, i, BRUTE_PREC);
        arb_exp(other, other, BRUTE_PREC);
        arb_add(sum, sum, other, BRUTE_PREC);
    }
    arb_mul(lose, lose, sum, BRUTE_PREC);
    cr_assert_not(arb_gt(lose, level), "the upper end of %ld is too low", k);
    mpq_clear(end);
    arb_clear(sum);
    arb_clear(other);
    arb_clear(lose);
    fmpq_clear(at);
}

Test(group, epsilon_between_some_inputs_and_the_theorem)
{
    static const char *const levels[] = {"9/10", "1/3", "1/10", "1/50", "1/1000"};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    brute law;
    fmpq_t x, q;
    arb_t level;
    mpq_t at;
    pby_enclosure epsilon;
    pby_error err;
    fmpq_init(x);
    fmpq_init(q);
    arb_init(level);
    mpq_init(at);
    pby_enclosure_init(&epsilon);
    set_text(x, "1/2");
    set_text(q, "40");
    brute_stlap(&law, x, q);
    for (unsigned long k = 1; k <= 4; k++)
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
            bool wider;
            set_text(x, levels[i]);
            fmpq_get_mpq(at, x);
            arb_set_fmpq(level, x, BRUTE_PREC);
            cr_assert_eq(pby_loss_group_epsilon(&epsilon, &wider, spec, PBY_ADD_REMOVE, k, at, 9, &err),
                         PBY_OK, "%s", err.text);
            cr_assert(mpfr_number_p(epsilon.lo) && mpfr_number_p(epsilon.hi));
            check_epsilon_ends(&epsilon, &law, (slong)k, level);
        }
    brute_clear(&law);
    pby_enclosure_clear(&epsilon);
    mpq_clear(at);
    arb_clear(level);
    fmpq_clear(q);
    fmpq_clear(x);
    pby_spec_free(spec);
}

/* Three randomised responses that fail: below delta (1 + exp(e) + exp(2 e)) at 3 e the theorem allows
 * nothing. */
Test(group, epsilon_of_a_guarantee)
{
    pby_spec *spec = spec_of("approx:eps=1/10,delta=1/1000000");
    pby_enclosure epsilon;
    bool wider;
    mpq_t at;
    pby_error err;
    mpq_init(at);
    pby_enclosure_init(&epsilon);
    mpq_set_si(at, 33266, 10000000000);
    cr_assert_eq(pby_loss_group_epsilon(&epsilon, &wider, spec, PBY_ADD_REMOVE, 3, at, 9, &err), PBY_OK, "%s",
                 err.text);
    cr_assert(mpfr_cmp_d(epsilon.lo, 0.2999) > 0 && mpfr_cmp_d(epsilon.hi, 0.3001) < 0 && !wider);
    mpq_set_si(at, 33265, 10000000000);
    cr_assert_eq(pby_loss_group_epsilon(&epsilon, &wider, spec, PBY_ADD_REMOVE, 3, at, 9, &err), PBY_OK, "%s",
                 err.text);
    cr_assert(mpfr_cmp_d(epsilon.lo, 0.2999) > 0 && mpfr_inf_p(epsilon.hi));
    mpq_set_si(at, 1, 10000000);
    cr_assert_eq(pby_loss_group_epsilon(&epsilon, &wider, spec, PBY_ADD_REMOVE, 3, at, 9, &err), PBY_OK, "%s",
                 err.text);
    cr_assert(mpfr_inf_p(epsilon.lo) && mpfr_inf_p(epsilon.hi) && !wider);
    mpq_set_si(at, -1, 2);
    cr_assert_eq(pby_loss_group_epsilon(&epsilon, &wider, spec, PBY_ADD_REMOVE, 3, at, 9, &err), PBY_BAD);
    pby_enclosure_clear(&epsilon);
    mpq_clear(at);
    pby_spec_free(spec);
}

/* ---- refusals --------------------------------------------------------------------------------- */

Test(group, refusals)
{
    pby_spec *spec = spec_of("stlap:eps=1,q=9"), *grown;
    pby_error err;
    cr_assert_eq(pby_spec_group(&grown, spec, 2, &err), PBY_BAD);
    cr_assert_null(grown);
    cr_assert_not_null(strstr(err.text, "stlap"));
    cr_assert_eq(pby_spec_group(&grown, spec, 0, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "group '0'"));
    cr_assert_eq(pby_spec_group(&grown, spec, PBY_GROUP_MAX + 1UL, &err), PBY_BAD);
    pby_spec_free(spec);
}

/* A norm: k times a shift, and no more than all vectors that are k times as long. */
Test(group, norms_are_bounded_by_greater_norms)
{
    static const struct {
        const char *spec, *farther;
        unsigned long size;
    } cases[] = {
        {"dgauss:sigma2=40,norm2=2,dimensions=2", "dgauss:sigma2=40,norm2=18,dimensions=6", 3},
        {"dgauss:sigma2=4,norm2=9,dimensions=4", "dgauss:sigma2=4,norm2=36,dimensions=8", 2},
        {"2*dgauss:sigma2=40,norm2=1", "2*dgauss:sigma2=40,norm2=4", 2},
        {"dgauss:sigma2=40,norm2=2", "dgauss:sigma2=40,norm2=162,dimensions=18", 9},
        {"dgauss:sigma2=40,norm2=2", "dgauss:sigma2=40,norm2=20000,dimensions=200", 100},
        {"dgauss:sigma2=40,norm2=2", "dgauss:sigma2=40,norm2=2000000,dimensions=2000", 1000},
    };
    mpq_t e;
    pby_enclosure group, farther, one;
    mpq_init(e);
    mpq_set_ui(e, 1, 2);
    pby_enclosure_init(&group);
    pby_enclosure_init(&farther);
    pby_enclosure_init(&one);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *near = spec_of(cases[i].spec), *far = spec_of(cases[i].farther);
        for (int question = 0; question < 2; question++) {
            pby_error err = PBY_NO_ERROR;
            const bool delta = question == 0;
            mpq_set_ui(e, 1, delta ? 2 : 1000);
            cr_assert_eq((delta ? pby_loss_group_delta : pby_loss_group_epsilon)(
                             &group, NULL, near, PBY_ADD_REMOVE, cases[i].size, e, 9, &err),
                         PBY_OK, "%s", err.text);
            cr_assert_eq(
                (delta ? pby_loss_delta : pby_loss_epsilon)(&farther, far, PBY_ADD_REMOVE, e, 9, &err),
                PBY_OK, "%s", err.text);
            cr_assert_eq((delta ? pby_loss_delta : pby_loss_epsilon)(&one, near, PBY_ADD_REMOVE, e, 9, &err),
                         PBY_OK, "%s", err.text);
            cr_assert(mpfr_lessequal_p(group.hi, farther.hi), "%s", cases[i].spec);
            cr_assert(mpfr_lessequal_p(one.lo, group.hi) && mpfr_lessequal_p(group.lo, group.hi));
            cr_assert(cases[i].size < 9 || mpfr_less_p(one.hi, group.lo), "%s", cases[i].spec);
        }
        pby_spec_free(far);
        pby_spec_free(near);
    }
    pby_enclosure_clear(&one);
    pby_enclosure_clear(&farther);
    pby_enclosure_clear(&group);
    mpq_clear(e);
}

/* So many records that the longest vectors are beyond what a norm may be: from below they are bounded still.
 */
Test(group, a_norm_beyond_all_is_bounded_from_below)
{
    pby_spec *spec = spec_of("dgauss:sigma2=40,norm2=2"),
             *alone = spec_of("dgauss:sigma2=40,sensitivity=1000000");
    pby_error err = PBY_NO_ERROR;
    pby_enclosure group, one;
    bool wider = false;
    mpq_t level;
    mpq_init(level);
    mpq_set_ui(level, 1, 1000000);
    pby_enclosure_init(&group);
    pby_enclosure_init(&one);
    cr_assert_eq(pby_loss_group_epsilon(&group, &wider, spec, PBY_ADD_REMOVE, 1000000, level, 9, &err),
                 PBY_OK, "%s", err.text);
    cr_assert_eq(pby_loss_epsilon(&one, alone, PBY_ADD_REMOVE, level, 9, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_equal_p(group.lo, one.lo) && mpfr_inf_p(group.hi) && wider);
    pby_enclosure_clear(&one);
    pby_enclosure_clear(&group);
    mpq_clear(level);
    pby_spec_free(alone);
    pby_spec_free(spec);
}
