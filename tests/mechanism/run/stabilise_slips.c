/* SPDX-License-Identifier: MIT */
/* 004 Theorem 6 and Lemma 8 as printed: utilities of any sensitivity by Definition 5, the greatest change of
 * one element. They are false, because one record may change the utility of every element. */
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"

/* The chance that u + Lap(b) >= kappa, at eps: b = delta_u / eps, kappa = delta_u (1 + ln(1/delta) / eps). */
static void kept(arb_t out, const fmpq_t u, const fmpq_t delta_u, ulong eps, ulong inverse_delta)
{
    arb_t above, x;
    arb_init(above);
    arb_init(x);
    arb_log_ui(x, inverse_delta, OUTCOMES_PREC);
    arb_add_ui(x, x, eps, OUTCOMES_PREC); /* kappa / b */
    arb_set_fmpq(above, u, OUTCOMES_PREC);
    arb_mul_ui(above, above, eps, OUTCOMES_PREC);
    arb_div_fmpz(above, above, fmpq_numref(delta_u), OUTCOMES_PREC);
    arb_mul_fmpz(above, above, fmpq_denref(delta_u), OUTCOMES_PREC);
    arb_sub(above, above, x, OUTCOMES_PREC); /* (u - kappa) / b */
    arb_abs(x, above);
    arb_neg(x, x);
    arb_exp(x, x, OUTCOMES_PREC);
    arb_mul_2exp_si(out, x, -1);
    if (arb_is_positive(above)) {
        arb_sub_ui(out, out, 1, OUTCOMES_PREC);
        arb_neg(out, out);
    }
    arb_clear(x);
    arb_clear(above);
}

/* The laws of one element, not kept and kept, and of an answer to whether the number of records is odd, at
 * eps. */
static void element(arb_ptr out, const char *u, const char *delta_u, ulong eps, ulong inverse_delta)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    set_text(x, u);
    set_text(y, delta_u);
    kept(out + 1, x, y, eps, inverse_delta);
    arb_sub_ui(out, out + 1, 1, OUTCOMES_PREC);
    arb_neg(out, out);
    fmpq_clear(y);
    fmpq_clear(x);
}

static void response(arb_ptr out, bool odd, ulong eps)
{
    arb_set_ui(out, eps);
    arb_exp(out, out, OUTCOMES_PREC);
    arb_add_ui(out, out, 1, OUTCOMES_PREC);
    arb_inv(out, out, OUTCOMES_PREC);
    arb_sub_ui(out + 1, out, 1, OUTCOMES_PREC);
    arb_neg(out + 1, out + 1);
    if (!odd)
        arb_swap(out, out + 1);
}

/* out = delta at 2 eps over exp(eps) delta, which is promised to be at most 1. */
static void excess(arb_t out, const arb_ptr *p, const arb_ptr *q, int factors, ulong eps, ulong inverse_delta)
{
    fmpq_t twice;
    arb_t promised;
    fmpq_init(twice);
    arb_init(promised);
    fmpq_set_ui(twice, 2 * eps, 1);
    outcomes_divergence(out, p, q, factors, 2, twice);
    arb_set_ui(promised, eps);
    arb_exp(promised, promised, OUTCOMES_PREC);
    arb_div(out, out, promised, OUTCOMES_PREC);
    arb_mul_ui(out, out, inverse_delta, OUTCOMES_PREC);
    arb_clear(promised);
    fmpq_clear(twice);
}

/* Two elements of 5 records each, u(D, i) = min(D_i, 5)/2 + (|D| mod 2) for those in D: one record more in
 * the second changes both utilities from 5/2 to 7/2, and none by more than 3/2. M says which elements it sees
 * and whether the records are odd in number, by randomised response at eps. At eps = 6, delta = 1/2000:
 * 0.3655 for 0.2017.
 * claims: Thresh/Theorem 6 */
Test(stabilise_slips, two_elements_of_five_records)
{
    enum { EPS = 6, INVERSE = 2000 };
    arb_ptr even = _arb_vec_init(2), odd = _arb_vec_init(2), yes = _arb_vec_init(2), no = _arb_vec_init(2);
    arb_t x;
    arb_init(x);
    element(even, "5/2", "3/2", EPS, INVERSE);
    element(odd, "7/2", "3/2", EPS, INVERSE);
    response(yes, true, EPS);
    response(no, false, EPS);
    const arb_ptr p[] = {odd, odd, yes}, q[] = {even, even, no};
    excess(x, p, q, 3, EPS, INVERSE);
    arb_mul_ui(x, x, 10, OUTCOMES_PREC);
    arb_sub_ui(x, x, 18, OUTCOMES_PREC);
    cr_assert(claims_is(CLAIMS_ALL, arb_is_positive(x) != 0), "1.8 times what is promised");
    /* one element keeps it: its own loss and that of M are eps each */
    excess(x, p + 1, q + 1, 2, EPS, INVERSE);
    arb_sub_ui(x, x, 1, OUTCOMES_PREC);
    cr_assert(arb_is_negative(x));
    arb_clear(x);
    _arb_vec_clear(no, 2);
    _arb_vec_clear(yes, 2);
    _arb_vec_clear(odd, 2);
    _arb_vec_clear(even, 2);
}

/* At eps = 1 and delta = 1e-6: five elements of 29 records and more, u = min(D_i, 29) + (|D| mod 2), and M
 * says which elements it sees: 0.0204 for 2.7e-6. */
Test(stabilise_slips, five_elements_at_a_usual_epsilon)
{
    enum { EPS = 1, INVERSE = 1000000 };
    arb_ptr even = _arb_vec_init(2), odd = _arb_vec_init(2);
    arb_t x;
    arb_init(x);
    element(even, "29", "2", EPS, INVERSE);
    element(odd, "30", "2", EPS, INVERSE);
    const arb_ptr p[] = {odd, odd, odd, odd, odd}, q[] = {even, even, even, even, even};
    excess(x, p, q, 5, EPS, INVERSE);
    arb_sub_ui(x, x, 7000, OUTCOMES_PREC);
    cr_assert(arb_is_positive(x));
    arb_clear(x);
    _arb_vec_clear(odd, 2);
    _arb_vec_clear(even, 2);
}
