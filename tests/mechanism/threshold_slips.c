/* SPDX-License-Identifier: MIT */
/* The slips of [Thresh] that docs/theory/threshold.md lists: each by a case in which it fails. */
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"

/* 1/(1 - d/(D (1 + exp(-w))))^D and exp(d): with w NULL the factor that A.8 dropped is left out. */
static void a8(arb_t power, arb_t claimed, const char *d_text, slong D, const char *w)
{
    fmpq_t x;
    arb_t norm;
    fmpq_init(x);
    arb_init(norm);
    arb_one(norm);
    if (w != NULL) {
        set_text(x, w);
        arb_set_fmpq(norm, x, OUTCOMES_PREC);
        arb_neg(norm, norm);
        arb_exp(norm, norm, OUTCOMES_PREC);
        arb_add_ui(norm, norm, 1, OUTCOMES_PREC);
    }
    set_text(x, d_text);
    arb_set_fmpq(power, x, OUTCOMES_PREC);
    arb_exp(claimed, power, OUTCOMES_PREC);
    arb_div(power, power, norm, OUTCOMES_PREC);
    arb_div_si(power, power, D, OUTCOMES_PREC);
    arb_sub_ui(power, power, 1, OUTCOMES_PREC);
    arb_neg(power, power);
    arb_pow_ui(power, power, (ulong)D, OUTCOMES_PREC);
    arb_inv(power, power, OUTCOMES_PREC);
    arb_clear(norm);
    fmpq_clear(x);
}

/* A.8 for D = 1 is A.11.
 * claims: Thresh/Theorem 5; Thresh/Corollary 1 */
Test(threshold_slips, a8_and_a11_of_thresh_are_the_wrong_way_round)
{
    static const char *const d[] = {"1e-9", "1/100", "1/2", "99/100"};
    arb_t power, claimed;
    arb_init(power);
    arb_init(claimed);
    for (size_t i = 0; i < sizeof d / sizeof *d; i++)
        for (slong D = 1; D <= 5; D++) {
            a8(power, claimed, d[i], D, NULL);
            cr_assert(claims_lt_arb(CLAIMS_ALL, claimed, power), "d = %s, D = %ld", d[i], D);
        }
    a8(power, claimed, "1/10", 1, "20");
    cr_assert(arb_gt(power, claimed), "nor does the factor that was dropped help");
    arb_clear(claimed);
    arb_clear(power);
}

/* As printed it promises a loss of delta D, here 1e-6, where it is omega D = 1.
 * claims: Thresh/Lemma 3 */
Test(threshold_slips, lemma_3_of_thresh_is_false_as_printed)
{
    fmpq_t epsilon;
    arb_t ball;
    fmpq_init(epsilon);
    arb_init(ball);
    set_text(epsilon, "1e-6");
    ask_delta(ball, "geometric:eps=1", epsilon, 9);
    arb_mul_ui(ball, ball, 3, 128);
    arb_sub_ui(ball, ball, 1, 128);
    cr_assert(claims_is(CLAIMS_ALL, arb_is_positive(ball) != 0), "more than a third");
    arb_clear(ball);
    fmpq_clear(epsilon);
}

/* T of Theorem 5 for gamma = 1, Delta = 1, epsilon = 1, delta = 1e-6 is 1 + 2 log(1e6) = 28.6; any rate up to
 * 1/2 should do.
 * claims: Thresh/Theorem 5 */
Test(threshold_slips, theorem_5_of_thresh_is_false_for_rates_below_its_own)
{
    fmpq_t epsilon, promised;
    arb_t ball, bar;
    fmpq_init(epsilon);
    fmpq_init(promised);
    arb_init(ball);
    arb_init(bar);
    fmpq_one(epsilon);
    set_text(promised, "1e-6");
    arb_set_fmpq(bar, promised, 128);
    ask_delta(ball, "threshold:eps=1/1000,T=29", epsilon, 20);
    arb_mul_ui(ball, ball, 1000, 128);
    arb_sub_ui(ball, ball, 486, 128);
    cr_assert(arb_is_positive(ball), "0.486, and not 1e-6");
    ask_delta(ball, "threshold:eps=1/2,T=29", epsilon, 20);
    cr_assert(claims_lt_arb(CLAIMS_ALL, ball, bar), "with its own rate it is true");
    arb_clear(bar);
    arb_clear(ball);
    fmpq_clear(promised);
    fmpq_clear(epsilon);
}

/* With the rate eps/D and T >= D + D log(D/d)/eps the delta at eps is at most d, whatever d and without a
 * gamma.
 * claims: Thresh/Theorem 5 */
Test(threshold_slips, theorem_5_of_thresh_is_true_for_its_own_rate)
{
    static const struct {
        const char *spec, *eps, *d;
    } row[] = {{"threshold:eps=1,T=2", "1", "1/2"},
               {"threshold:eps=20,T=2", "20", "1/10"},
               {"threshold:eps=1,T=16,sensitivity=5", "1", "9/10"},   /* 5 + 5 log(50/9) = 13.6 */
               {"threshold:eps=1,T=25,sensitivity=3", "1", "1/400"}}; /* 3 + 3 log(1200) = 24.3 */
    fmpq_t epsilon, most;
    arb_t ball, bar;
    fmpq_init(epsilon);
    fmpq_init(most);
    arb_init(ball);
    arb_init(bar);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        set_text(epsilon, row[i].eps);
        set_text(most, row[i].d);
        arb_set_fmpq(bar, most, 128);
        ask_delta(ball, row[i].spec, epsilon, 20);
        cr_assert(claims_lt_arb(CLAIMS_ALL, ball, bar), "%s", row[i].spec);
    }
    arb_clear(bar);
    arb_clear(ball);
    fmpq_clear(most);
    fmpq_clear(epsilon);
}
