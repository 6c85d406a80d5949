/* SPDX-License-Identifier: MIT */
/* [Survey] section 6.1 on the integers: above threshold as it is printed, and the premise of its accuracy. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/report.h"

enum { PREC = 128, FAR = 400 };

/* out = exp(-t/4), epsilon being 1. */
static void power(arb_t out, long t)
{
    arb_set_si(out, -t);
    arb_mul_2exp_si(out, out, -2);
    arb_exp(out, out, PREC);
}

/* The mass at t of two-sided geometric noise of rate 1/2. */
static void threshold(arb_t out, long t)
{
    arb_t a, x;
    arb_init(a);
    arb_init(x);
    power(a, 2);
    power(out, 2 * labs(t));
    arb_sub_si(x, a, 1, PREC);
    arb_neg(x, x);
    arb_mul(out, out, x, PREC);
    arb_add_ui(x, a, 1, PREC);
    arb_div(out, out, x, PREC);
    arb_clear(x);
    arb_clear(a);
}

/* The chance that noise of rate 1/4 is at least t. */
static void reaches(arb_t out, long t)
{
    arb_t b;
    arb_init(b);
    power(b, 1);
    arb_add_ui(b, b, 1, PREC);
    power(out, t > 0 ? t : 1 - t);
    arb_div(out, out, b, PREC);
    if (t <= 0) {
        arb_sub_ui(out, out, 1, PREC);
        arb_neg(out, out);
    }
    arb_clear(b);
}

/* The chance of m answers below and then m above, of queries at `low` and `high`; thresholds beyond FAR have
 * any chance at all. */
static void pattern(arb_t out, ulong m, long low, long high)
{
    arb_t p, x;
    arb_init(p);
    arb_init(x);
    arb_zero(out);
    for (long t = -FAR; t <= FAR; t++) {
        threshold(p, t);
        reaches(x, t - low);
        arb_sub_ui(x, x, 1, PREC);
        arb_neg(x, x);
        arb_pow_ui(x, x, m, PREC);
        arb_mul(p, p, x, PREC);
        reaches(x, t - high);
        arb_pow_ui(x, x, m, PREC);
        arb_addmul(out, p, x, PREC);
    }
    power(x, 2 * FAR);
    arb_add_error(out, x);
    arb_clear(x);
    arb_clear(p);
}

/* As printed it does not halt. Eight answers that rise by 1 and are below, eight that fall by 1 and are
 * above: at epsilon = 1 they lose more than 3.
 * claims: Survey/Theorem 6.1 */
Test(claims_sparse, without_a_halt_the_loss_grows)
{
    arb_t p, q, one;
    arb_init(p);
    arb_init(q);
    arb_init(one);
    arb_one(one);
    pattern(p, 8, 0, 0);
    pattern(q, 8, 1, -1);
    arb_div(p, p, q, PREC);
    arb_log(p, p, PREC);
    cr_assert(arb_gt(p, one));
    claims_tell_arb("Survey/Theorem 6.1", p, one);
    arb_clear(one);
    arb_clear(q);
    arb_clear(p);
}

/* One positive answer, two queries, of which only the first, 100 above the threshold, is near or above it:
 * the premise holds, and yet it halts before the second with almost every chance, where beta is promised.
 * claims: Survey/Theorem 6.5; Survey/Theorem 6.8 */
Test(claims_sparse, the_last_positive_answer_halts)
{
    arb_t early, p, beta;
    arb_init(early);
    arb_init(p);
    arb_init(beta);
    pattern(p, 1, -FAR * 4, 100);
    arb_set(early, p);
    arb_one(beta);
    arb_mul_2exp_si(beta, beta, -4);
    cr_assert(arb_gt(early, beta));
    claims_tell_arb("Survey/Theorem 6.5", early, beta);
    claims_tell_arb("Survey/Theorem 6.8 (the premise)", early, beta);
    arb_clear(beta);
    arb_clear(p);
    arb_clear(early);
}
