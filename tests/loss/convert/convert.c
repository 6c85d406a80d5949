/* SPDX-License-Identifier: MIT */
#include "loss/convert/convert.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/spectra.h"
#include "tests/spec.h"

enum { PREC = 256 };

static void expect_conversion(const char *name, pby_question question, const char *spec, const char *value,
                              const char *expected, int digits)
{
    arb_t answer, x;
    arb_init(answer);
    arb_init(x);
    ask_conversion(answer, name, question, spec, value);
    set_ball(x, expected);
    expect_close(answer, x, digits, name);
    arb_clear(x);
    arb_clear(answer);
}

/* ---- zCDP ------------------------------------------------------------------------------------- */

Test(convert, zcdp_to_delta_as_known_elsewhere)
{
    expect_conversion("zcdp-to-approx", PBY_ASK_DELTA, "zcdp:rho=1/20", "1/4", "0.0817727531036955", 15);
    expect_conversion("zcdp-to-approx", PBY_ASK_DELTA, "zcdp:rho=5e-30", "1e-13", "2.61967632972970974e-234",
                      250);
    expect_conversion("renyi-to-approx", PBY_ASK_DELTA, "zcdp:rho=1/20", "1/4", "0.0817727531036955", 15);
}

/* delta and epsilon of a guarantee are the most of any mechanism that has it, below its conversion. */
Test(convert, a_guarantee_loses_less_than_its_conversion)
{
    arb_t answer, expected;
    fmpq_t at;
    arb_init(answer);
    arb_init(expected);
    fmpq_init(at);
    set_text(at, "1/4");
    ask_delta(answer, "zcdp:rho=1/20", at, SPECTRA_DIGITS);
    set_ball(expected, "0.0696926760583");
    expect_close(answer, expected, 10, "delta");
    set_text(at, "1e-6");
    ask_epsilon(answer, "rdp:order=10,eps=1/2", at, SPECTRA_DIGITS);
    ask_conversion(expected, "renyi-to-approx", PBY_ASK_EPSILON, "rdp:order=10,eps=1/2", "1e-6");
    cr_assert(arb_lt(answer, expected));
    fmpq_clear(at);
    arb_clear(expected);
    arb_clear(answer);
}

/* rho + 2 sqrt(rho log(1/delta)), with xi in front.
 * claims: Survey/Theorem 8.13 */
Test(convert, zcdp_classical_closed_form)
{
    arb_t answer, x, log;
    arb_init(answer);
    arb_init(x);
    arb_init(log);
    ask_conversion(answer, "zcdp-to-approx-classical", PBY_ASK_EPSILON, "zcdp:rho=1/20,xi=1/3", "1e-6");
    set_ball(x, "1e6");
    arb_log(log, x, PREC);
    arb_div_ui(log, log, 20, PREC);
    arb_sqrt(log, log, PREC);
    arb_mul_2exp_si(log, log, 1);
    set_ball(x, "23/60");
    arb_add(x, x, log, PREC);
    expect_close(answer, x, 20, "epsilon");
    ask_conversion(answer, "zcdp-to-approx-classical", PBY_ASK_DELTA, "zcdp:rho=1/20", "1/4");
    set_ball(x, "-1/5"); /* -(1/4 - 1/20)^2 / (4/20) */
    arb_exp(x, x, PREC);
    expect_close(answer, x, 20, "delta");
    ask_conversion(answer, "zcdp-to-approx-classical", PBY_ASK_DELTA, "zcdp:rho=1/20", "1/20");
    arb_one(x);
    expect_close(answer, x, 15, "nothing is known at epsilon = rho");
    arb_clear(log);
    arb_clear(x);
    arb_clear(answer);
}

/* rho + 2 sqrt(rho log(sqrt(pi rho)/delta)), with xi in front. */
Test(convert, zcdp_integrated_closed_form)
{
    arb_t answer, x, y;
    arb_init(answer);
    arb_init(x);
    arb_init(y);
    expect_conversion("zcdp-to-approx-bs", PBY_ASK_EPSILON, "zcdp:rho=0.0728", "1e-5", "1.84417202225752",
                      14);
    ask_conversion(answer, "zcdp-to-approx-bs", PBY_ASK_DELTA, "zcdp:rho=1/20,xi=1/3", "19/20");
    arb_const_pi(y, PREC);
    arb_div_ui(y, y, 20, PREC);
    arb_sqrt(y, y, PREC);
    set_ball(x, "-289/180"); /* -(19/20 - 23/60)^2 / (4/20) */
    arb_exp(x, x, PREC);
    arb_mul(x, x, y, PREC);
    expect_close(answer, x, 20, "delta");
    ask_conversion(answer, "zcdp-to-approx-bs", PBY_ASK_EPSILON, "zcdp:rho=1/20,xi=1/3", "1/2");
    set_ball(x, "23/60");
    expect_close(answer, x, 15, "no epsilon below xi + rho");
    ask_conversion(answer, "zcdp-to-approx-bs", PBY_ASK_DELTA, "zcdp:rho=1/20,xi=1/3", "1/3");
    arb_one(x);
    expect_close(answer, x, 15, "nothing is known below xi + rho");
    ask_conversion(answer, "zcdp-to-approx-bs", PBY_ASK_EPSILON, "zcdp:rho=1/20", "0");
    cr_assert(!arb_is_finite(answer));
    arb_clear(y);
    arb_clear(x);
    arb_clear(answer);
}

/* It is a bound, and sharper than the classical one where rho is below 1/pi. */
Test(convert, zcdp_integrated_is_a_bound)
{
    static const char *const specs[] = {"zcdp:rho=1/1000", "zcdp:rho=1/20", "zcdp:rho=3/10",
                                        "gauss:sigma2=2"};
    static const char *const deltas[] = {"1e-12", "1e-5", "1/100"};
    arb_t bound, classical, sharp;
    arb_init(bound);
    arb_init(classical);
    arb_init(sharp);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t k = 0; k < sizeof deltas / sizeof *deltas; k++) {
            ask_conversion(bound, "zcdp-to-approx-bs", PBY_ASK_EPSILON, specs[i], deltas[k]);
            ask_conversion(classical, "zcdp-to-approx-classical", PBY_ASK_EPSILON, specs[i], deltas[k]);
            ask_conversion(sharp, "zcdp-to-approx", PBY_ASK_EPSILON, specs[i], deltas[k]);
            cr_assert(arb_lt(bound, classical), "%s at %s", specs[i], deltas[k]);
            cr_assert(arb_gt(bound, sharp), "%s at %s", specs[i], deltas[k]);
        }
    arb_clear(sharp);
    arb_clear(classical);
    arb_clear(bound);
}

/* ---- Renyi ------------------------------------------------------------------------------------ */

/* r + (log(1/d) + (a-1) log(1-1/a) - log a)/(a-1), and the classical r + log(1/d)/(a-1). */
Test(convert, rdp_closed_forms)
{
    arb_t answer, log, x, y;
    arb_init(answer);
    arb_init(log);
    arb_init(x);
    arb_init(y);
    set_ball(x, "1e6");
    arb_log(log, x, PREC);
    arb_div_ui(x, log, 9, PREC);
    set_ball(y, "1/2");
    arb_add(x, x, y, PREC);
    ask_conversion(answer, "renyi-to-approx-classical", PBY_ASK_EPSILON, "rdp:order=10,eps=1/2", "1e-6");
    expect_close(answer, x, 20, "classical");
    set_ball(y, "9/10");
    arb_log(y, y, PREC);
    arb_add(x, x, y, PREC);
    arb_set_ui(y, 10);
    arb_log(y, y, PREC);
    arb_div_ui(y, y, 9, PREC);
    arb_sub(x, x, y, PREC);
    ask_conversion(answer, "renyi-to-approx", PBY_ASK_EPSILON, "rdp:order=10,eps=1/2", "1e-6");
    expect_close(answer, x, 20, "sharpened");
    arb_clear(y);
    arb_clear(x);
    arb_clear(log);
    arb_clear(answer);
}

/* Promises of one order add; those of different orders hold together at the smaller one. The sum is the upper
 * end. */
Test(convert, promises_add)
{
    const char *uses[] = {"2*rdp:order=10,eps=1/8", "rdp:order=20,eps=1/4"};
    pby_spec *spec;
    pby_enclosure x;
    mpq_t delta;
    arb_t answer, expected;
    arb_init(answer);
    arb_init(expected);
    mpq_init(delta);
    pby_enclosure_init(&x);
    mpq_set_ui(delta, 1, 1000000);
    cr_assert_eq(pby_spec_parse(&spec, uses, 2, NULL), PBY_OK);
    cr_assert_eq(pby_loss_epsilon(&x, spec, PBY_ADD_REMOVE, delta, SPECTRA_DIGITS, NULL), PBY_OK);
    cr_assert_lt(mpfr_get_d(x.lo, MPFR_RNDN), mpfr_get_d(x.hi, MPFR_RNDN));
    arb_set_interval_mpfr(answer, x.hi, x.hi, PREC);
    fmpq_t at;
    fmpq_init(at);
    fmpq_set_mpq(at, delta);
    ask_epsilon(expected, "rdp:order=10,eps=1/2", at, SPECTRA_DIGITS);
    fmpq_clear(at);
    expect_close(answer, expected, 9, "sum");
    pby_enclosure_clear(&x);
    mpq_clear(delta);
    pby_spec_free(spec);
    arb_clear(expected);
    arb_clear(answer);
}

/* No order gives less than the infimum, the sharpened formula never gives more than the classical, and
 * neither gives less than what the mechanism truly loses.
 * claims: Survey/Theorem 8.13 */
Test(convert, between_the_truth_and_the_classical)
{
    static const char *const specs[] = {"gauss:sigma2=1", "dgauss:sigma2=9/4", "geometric:eps=2",
                                        "laplace:scale=1/2"};
    static const char *const epsilons[] = {"-1", "0", "1/3", "1", "19/10"};
    arb_t truth, sharp, classical;
    fmpq_t at;
    arb_init(truth);
    arb_init(sharp);
    arb_init(classical);
    fmpq_init(at);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++) {
            set_text(at, epsilons[j]);
            ask_delta(truth, specs[i], at, SPECTRA_DIGITS);
            ask_conversion(sharp, "renyi-to-approx", PBY_ASK_DELTA, specs[i], epsilons[j]);
            ask_conversion(classical, "renyi-to-approx-classical", PBY_ASK_DELTA, specs[i], epsilons[j]);
            cr_assert(claims_lt_arb(CLAIMS_ALL, truth, sharp), "%s at %s: below the truth", specs[i],
                      epsilons[j]);
            cr_assert(claims_may_le_arb(CLAIMS_ALL, sharp, classical), "%s at %s", specs[i], epsilons[j]);
        }
    fmpq_clear(at);
    arb_clear(classical);
    arb_clear(sharp);
    arb_clear(truth);
}

/* epsilon(delta(e)) = e: two minimisations of different functions. */
Test(convert, epsilon_inverts_delta)
{
    static const char *const specs[] = {"zcdp:rho=1/20", "zcdp:rho=3,xi=2", "rdp:order=3/2,eps=4",
                                        "geometric:eps=2"};
    static const char *const epsilons[] = {"1/10", "1", "3/2"};
    arb_t ball, back, expected;
    fmpq_t at;
    pby_spectrum s;
    arb_init(ball);
    arb_init(back);
    arb_init(expected);
    fmpq_init(at);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_spec *spec = spec_of(specs[i]);
        cr_assert_eq(pby_spectrum_init(&s, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
        for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++) {
            set_text(at, epsilons[j]);
            cr_assert_eq(pby_convert_delta(ball, &s, PBY_SHARP, at, 40, NULL), PBY_OK);
            arf_get_fmpq(at, arb_midref(ball));
            cr_assert_eq(pby_convert_epsilon(back, &s, PBY_SHARP, at, 30, NULL), PBY_OK);
            set_ball(expected, epsilons[j]);
            expect_close(back, expected, 25, specs[i]);
        }
        pby_spectrum_clear(&s);
        pby_spec_free(spec);
    }
    fmpq_clear(at);
    arb_clear(expected);
    arb_clear(back);
    arb_clear(ball);
}

Test(convert, ends_of_the_scale)
{
    arb_t answer;
    arb_init(answer);
    ask_conversion(answer, "renyi-to-approx", PBY_ASK_EPSILON, "zcdp:rho=1", "1");
    cr_assert(arf_is_neg_inf(arb_midref(answer)));
    ask_conversion(answer, "renyi-to-approx", PBY_ASK_EPSILON, "zcdp:rho=1", "0");
    cr_assert(arf_is_pos_inf(arb_midref(answer)));
    ask_conversion(answer, "renyi-to-approx", PBY_ASK_DELTA, "geometric:eps=1", "1");
    cr_assert(arb_is_zero(answer));
    ask_conversion(answer, "renyi-to-approx", PBY_ASK_DELTA, "zcdp:rho=1e4", "1");
    cr_assert(!arb_is_negative(answer) && arb_rel_accuracy_bits(answer) > 70, "a delta near 1");
    arb_clear(answer);
}

Test(convert, a_delta_is_at_most_one)
{
    pby_spec *spec = spec_of("rdp:order=3,eps=5");
    pby_enclosure x;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&x);
    cr_assert_eq(
        pby_loss_convert(&x, "renyi-to-approx-classical", PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, zero, 9, NULL),
        PBY_OK);
    cr_assert(mpfr_cmp_ui(x.hi, 1) == 0 && mpfr_cmp_d(x.lo, 0.999) > 0);
    pby_enclosure_clear(&x);
    mpq_clear(zero);
    pby_spec_free(spec);
}

/* ---- pure privacy ----------------------------------------------------------------------------- */

Test(convert, from_pure_privacy)
{
    expect_conversion("pure-to-renyi", PBY_ASK_RENYI, "pure:eps=1/10", "2", "0.009958584394956224", 17);
    expect_conversion("pure-to-renyi-classical", PBY_ASK_RENYI, "pure:eps=1/10", "2", "1/100", 20);
    expect_conversion("pure-to-renyi", PBY_ASK_RENYI, "3*pure:eps=1/10", NULL, "3/10", 20);
    expect_conversion("pure-to-zcdp", PBY_ASK_RHO, "pure:eps=1", "0",
                      "0.46211715726000975850231848364367254873", 20);
    expect_conversion("pure-to-zcdp-classical", PBY_ASK_RHO, "2*pure:eps=1", "0", "1", 20);
}

/* The formula of the lemma, with sinh, is the divergence of the pair of pure privacy; and a mechanism with
 * that epsilon loses no more.
 * claims: Survey/Lemma 9.7 */
Test(convert, pure_formula_is_the_divergence_of_the_pair)
{
    static const char *const orders[] = {"1", "11/10", "2", "17/3", "100", "inf"};
    arb_t formula, pair, mechanism;
    arb_init(formula);
    arb_init(pair);
    arb_init(mechanism);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const char *value = strcmp(orders[i], "inf") == 0 ? NULL : orders[i];
        ask_conversion(formula, "pure-to-renyi", PBY_ASK_RENYI, "laplace:scale=1/3", value);
        ask_renyi(pair, "pure:eps=3", orders[i]);
        ask_renyi(mechanism, "laplace:scale=1/3", orders[i]);
        expect_close(formula, pair, 20, orders[i]);
        cr_assert_not(arb_gt(mechanism, formula), "order %s", orders[i]);
    }
    arb_clear(mechanism);
    arb_clear(pair);
    arb_clear(formula);
}

/* ---- refusals --------------------------------------------------------------------------------- */

static void expect_refusal(const char *name, pby_question question, const char *text, const char *why)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure x;
    pby_error err;
    mpq_t value;
    mpq_init(value);
    mpq_set_ui(value, 1, 2);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_loss_convert(&x, name, question, spec, PBY_ADD_REMOVE, value, 9, &err), PBY_BAD, "%s",
                 name);
    cr_assert_not_null(strstr(err.text, why), "%s", err.text);
    pby_enclosure_clear(&x);
    mpq_clear(value);
    pby_spec_free(spec);
}

Test(convert, what_a_conversion_has_no_answer_to)
{
    expect_refusal("zcdp-to-pure", PBY_ASK_DELTA, "zcdp:rho=1", "one of pure-to-renyi");
    expect_refusal("pure-to-zcdp", PBY_ASK_DELTA, "pure:eps=1", "rho");
    expect_refusal("pure-to-renyi", PBY_ASK_RENYI, "pure:eps=1", "order");
    expect_refusal("renyi-to-approx", PBY_ASK_RHO, "zcdp:rho=1", "epsilon or delta");
    expect_refusal("pure-to-zcdp", PBY_ASK_RHO, "gauss:sigma2=1", "pure");
    expect_refusal("pure-to-zcdp", PBY_ASK_RHO, "zcdp:rho=1", "pure");
    expect_refusal("pure-to-zcdp", PBY_ASK_RHO, "approx:eps=1,delta=1/9", "pure");
    expect_refusal("zcdp-to-approx", PBY_ASK_DELTA, "rdp:order=2,eps=1", "zcdp");
    expect_refusal("zcdp-to-approx", PBY_ASK_DELTA, "geometric:eps=1", "zcdp");
    expect_refusal("renyi-to-approx", PBY_ASK_DELTA, "stlap:eps=1,q=9", "finite");
}

/* A promise beside a mechanism whose outputs give its input away has no conversion. */
Test(convert, promise_beside_different_supports)
{
    const char *uses[] = {"zcdp:rho=1", "stlap:eps=1,q=9"};
    pby_spec *spec;
    pby_enclosure x;
    pby_error err;
    mpq_t value;
    mpq_init(value);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_spec_parse(&spec, uses, 2, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, value, 9, &err), PBY_BAD);
    pby_enclosure_clear(&x);
    mpq_clear(value);
    pby_spec_free(spec);
}
