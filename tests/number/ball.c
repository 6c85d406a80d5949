/* SPDX-License-Identifier: MIT */
#include "number/ball.h"

#include <criterion/criterion.h>
#include <string.h>

static pby_status root_two(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)what;
    (void)err;
    arb_sqrt_ui(ball, 2, prec);
    return PBY_OK;
}

static pby_status never(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)what;
    (void)prec;
    (void)err;
    arb_zero_pm_one(ball);
    return PBY_OK;
}

static pby_status constant(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)prec;
    (void)err;
    arb_set(ball, what);
    return PBY_OK;
}

static pby_status broken(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)ball;
    (void)what;
    (void)prec;
    return pby_fail(err, PBY_FAILED, "broken");
}

Test(ball, enclose_reaches_the_width)
{
    const unsigned digits[] = {1, 9, 50, 1000};
    arb_t ball, square;
    arb_init(ball);
    arb_init(square);
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        cr_assert_eq(pby_enclose(ball, root_two, NULL, digits[i], NULL), PBY_OK);
        cr_assert(arb_rel_accuracy_bits(ball) >= pby_bits_for_digits(digits[i]));
        arb_mul(square, ball, ball, 8000);
        cr_assert(arb_contains_si(square, 2));
    }
    arb_clear(square);
    arb_clear(ball);
}

/* Nobody asks for the digits of such a number, and its distance from 0 is known. */
Test(ball, enclose_takes_what_is_next_to_nothing)
{
    arb_t ball, value;
    arb_init(ball);
    arb_init(value);
    mag_one(arb_radref(value));
    mag_mul_2exp_si(arb_radref(value), arb_radref(value), -1025);
    cr_assert_eq(pby_enclose(ball, constant, value, 9, NULL), PBY_OK);
    cr_assert(arb_equal(ball, value));
    mag_mul_2exp_si(arb_radref(value), arb_radref(value), 2);
    cr_assert_eq(pby_enclose(ball, constant, value, 9, NULL), PBY_FAILED);
    arb_clear(value);
    arb_clear(ball);
}

Test(ball, enclose_takes_exact_values)
{
    arb_t ball, value;
    arb_init(ball);
    arb_init(value);
    cr_assert_eq(pby_enclose(ball, constant, value, 9, NULL), PBY_OK);
    cr_assert(arb_is_zero(ball));
    arb_pos_inf(value);
    cr_assert_eq(pby_enclose(ball, constant, value, 9, NULL), PBY_OK);
    cr_assert(arf_is_pos_inf(arb_midref(ball)));
    arb_clear(value);
    arb_clear(ball);
}

Test(ball, enclose_gives_up_with_a_reason)
{
    arb_t ball;
    pby_error err;
    arb_init(ball);
    cr_assert_eq(pby_enclose(ball, never, NULL, 9, &err), PBY_FAILED);
    cr_assert_not_null(strstr(err.text, "262144 bits"), "%s", err.text);
    cr_assert_eq(pby_enclose(ball, broken, NULL, 9, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "broken");
    arb_clear(ball);
}

/* Against arb_expm1 where that is right, and against x itself at exp(-1e30), whose exponent fits no word. */
Test(ball, expm1_of_next_to_nothing)
{
    arb_t x, y, z;
    arb_init(x);
    arb_init(y);
    arb_init(z);
    for (slong e = -400; e <= 4; e++) {
        arb_set_si(x, e % 2 == 0 ? 3 : -3);
        arb_mul_2exp_si(x, x, e);
        pby_expm1(y, x, 128);
        arb_expm1(z, x, 1000);
        cr_assert(arb_contains(y, z) && arb_rel_accuracy_bits(y) >= 120);
    }
    arb_set_str(x, "-1e30", 256);
    arb_exp(x, x, 256);
    pby_expm1(y, x, 128);
    cr_assert(arb_overlaps(y, x) && arb_rel_accuracy_bits(y) >= 120);
    arb_clear(z);
    arb_clear(y);
    arb_clear(x);
}

Test(ball, compare_decides_within_a_hair)
{
    fmpq_t level;
    fmpz_t m;
    int sign = 7;
    fmpq_init(level);
    fmpz_init(m);
    /* floor(sqrt(2) 2^2000) / 2^2000 is below sqrt(2), and that plus 2^-2000 above */
    fmpz_one_2exp(m, 4001);
    fmpz_sqrt(m, m);
    for (int up = 0; up <= 1; up++) {
        fmpz_add_ui(fmpq_numref(level), m, (ulong)up);
        fmpz_one(fmpq_denref(level));
        fmpq_div_2exp(level, level, 2000);
        cr_assert_eq(pby_compare(&sign, root_two, NULL, level, NULL), PBY_OK);
        cr_assert_eq(sign, up ? -1 : 1);
    }
    fmpz_clear(m);
    fmpq_clear(level);
}

Test(ball, compare_says_equal_only_when_exact)
{
    arb_t value;
    fmpq_t level;
    int sign = 7;
    arb_init(value);
    fmpq_init(level);
    fmpq_set_si(level, 3, 4);
    arb_set_fmpq(value, level, 64);
    cr_assert_eq(pby_compare(&sign, constant, value, level, NULL), PBY_OK);
    cr_assert_eq(sign, 0);
    fmpq_set_si(level, 1, 3);
    arb_set_fmpq(value, level, 64);
    pby_error err;
    cr_assert_eq(pby_compare(&sign, constant, value, level, &err), PBY_FAILED,
                 "a ball around 1/3 is not 1/3");
    cr_assert_eq(pby_compare(&sign, broken, value, level, &err), PBY_FAILED);
    fmpq_clear(level);
    arb_clear(value);
}

Test(ball, enclosure_surrounds_the_ball)
{
    arb_t ball;
    mpq_t third;
    pby_enclosure x;
    arb_init(ball);
    mpq_init(third);
    mpq_set_si(third, 1, 3);
    pby_enclosure_init(&x);
    arb_set_ui(ball, 1);
    arb_div_ui(ball, ball, 3, 300);
    pby_enclosure_set_arb(&x, ball, 9);
    cr_assert(mpfr_cmp_q(x.lo, third) < 0 && mpfr_cmp_q(x.hi, third) > 0);
    pby_enclosure_clear(&x);
    mpq_clear(third);
    arb_clear(ball);
}
