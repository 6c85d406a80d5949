/* SPDX-License-Identifier: MIT */
#include "number/integral.h"

#include <criterion/criterion.h>

#include "tests/law/make.h"

static void power(acb_t value, const acb_t at, const void *what, slong prec)
{
    acb_pow_ui(value, at, *(const ulong *)what, prec);
}

/* x^k from a to b is (b^(k+1) - a^(k+1))/(k+1), exactly. */
static void check_power(ulong k, const char *from_text, const char *to_text, slong prec)
{
    fmpq_t from, to, x;
    fmpz_t n;
    arb_t ball;
    fmpq_init(from);
    fmpq_init(to);
    fmpq_init(x);
    fmpz_init_set_ui(n, k + 1);
    arb_init(ball);
    set_text(from, from_text);
    set_text(to, to_text);
    pby_integral(ball, power, &k, from, to, prec);
    fmpq_pow_si(from, from, (slong)k + 1);
    fmpq_pow_si(to, to, (slong)k + 1);
    fmpq_sub(x, to, from);
    fmpq_div_fmpz(x, x, n);
    cr_assert(arb_contains_fmpq(ball, x), "x^%lu from %s to %s", k, from_text, to_text);
    cr_assert(fmpq_is_zero(x) || arb_rel_accuracy_bits(ball) >= prec - 10, "x^%lu from %s to %s", k,
              from_text, to_text);
    arb_clear(ball);
    fmpz_clear(n);
    fmpq_clear(x);
    fmpq_clear(to);
    fmpq_clear(from);
}

Test(integral, of_a_power)
{
    for (slong prec = 64; prec <= 256; prec *= 2) {
        check_power(0, "1/3", "7/2", prec);
        check_power(1, "0", "1e-30", prec);
        check_power(5, "-2", "1e9", prec);
        check_power(40, "-1/3", "0", prec);
        check_power(3, "2", "2", prec);
        check_power(2, "1", "-1", prec);
    }
}

static void fall(acb_t value, const acb_t at, const void *what, slong prec)
{
    (void)what;
    acb_neg(value, at);
    acb_exp(value, value, prec);
}

/* exp(-x) from 0 to 1000: 1 - exp(-1000). */
Test(integral, of_a_steep_function)
{
    fmpq_t from, to;
    arb_t ball, truth;
    fmpq_init(from);
    fmpq_init(to);
    arb_init(ball);
    arb_init(truth);
    fmpq_set_si(to, 1000, 1);
    pby_integral(ball, fall, NULL, from, to, 192);
    arb_set_si(truth, -1000);
    arb_expm1(truth, truth, 512);
    arb_neg(truth, truth);
    cr_assert(arb_overlaps(ball, truth));
    cr_assert_geq(arb_rel_accuracy_bits(ball), 180);
    arb_clear(truth);
    arb_clear(ball);
    fmpq_clear(to);
    fmpq_clear(from);
}
