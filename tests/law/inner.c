/* SPDX-License-Identifier: MIT */
#include "law/inner.h"

#include <criterion/criterion.h>

#include "law/gauss_sum.h"
#include "tests/law/make.h"

enum { PREC = 160, FAR = 60 };

static const pby_shift two_one_one = {.count = 2, .value = {2, 1}, .times = {1, 2}};

/* f(k)/N of a coordinate. */
static void chance_of(arb_t p, slong k, const fmpq_t s)
{
    arb_t total;
    fmpq_t x;
    arb_init(total);
    fmpq_init(x);
    fmpq_set_si(x, k, 1);
    pby_gauss_term(p, s, x, PREC);
    pby_gauss_total(total, s, PREC);
    arb_div(p, p, total, PREC);
    fmpq_clear(x);
    arb_clear(total);
}

/* P(2a + b + c = j), summed over all a and b up to FAR. */
static void brute(arb_t p, slong j, const fmpq_t s)
{
    arb_t x, y, z;
    arb_init(x);
    arb_init(y);
    arb_init(z);
    arb_zero(p);
    for (slong a = -FAR; a <= FAR; a++) {
        chance_of(x, a, s);
        for (slong b = -FAR; b <= FAR; b++) {
            chance_of(y, b, s);
            chance_of(z, j - 2 * a - b, s);
            arb_mul(y, y, x, PREC);
            arb_addmul(p, y, z, PREC);
        }
    }
    arb_clear(z);
    arb_clear(y);
    arb_clear(x);
}

static bool within(const arb_t x, const arb_t y, slong bits)
{
    arb_t gap;
    mag_t most, size;
    arb_init(gap);
    mag_init(most);
    mag_init(size);
    arb_sub(gap, x, y, PREC);
    arb_get_mag(most, gap);
    arb_get_mag(size, y);
    mag_mul_2exp_si(size, size, -bits);
    const bool yes = mag_cmp(most, size) <= 0;
    mag_clear(size);
    mag_clear(most);
    arb_clear(gap);
    return yes;
}

Test(inner, masses_follow_the_definition)
{
    pby_inner law;
    fmpq_t s;
    arb_t p;
    fmpq_init(s);
    arb_init(p);
    set_text(s, "7/4");
    cr_assert_eq(pby_shift_norm2(&two_one_one), 6u);
    cr_assert_eq(pby_shift_coordinates(&two_one_one), 3u);
    cr_assert(pby_inner_init(&law, &two_one_one, s, 90, PREC));
    for (slong j = -20; j <= 20; j += 4) {
        brute(p, j, s);
        cr_assert(within(law.mass + law.reach + j, p, 90), "at %ld", j);
        cr_assert(arb_overlaps(law.mass + law.reach + j, law.mass + law.reach - j), "at %ld", j);
    }
    pby_inner_clear(&law);
    arb_clear(p);
    fmpq_clear(s);
}

/* The masses and what is missing are 1 together, P(J <= c) and P(J <= -c-1) too, and the bound of a tail
 * holds. */
Test(inner, tails_add_up_and_are_bounded)
{
    static const pby_shift shifts[] = {
        {.count = 1, .value = {1}, .times = {7}},
        {.count = 3, .value = {5, 2, 1}, .times = {1, 3, 4}},
        {.count = 1, .value = {3}, .times = {1}},
    };
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        pby_inner law;
        fmpq_t s;
        fmpz_t c;
        arb_t p, q, sum;
        mag_t most;
        fmpq_init(s);
        fmpz_init(c);
        arb_init(p);
        arb_init(q);
        arb_init(sum);
        mag_init(most);
        set_text(s, "11/3");
        cr_assert(pby_inner_init(&law, &shifts[i], s, 60, PREC));
        for (slong j = 0; j <= 2 * law.reach; j++)
            arb_add(sum, sum, law.mass + j, PREC);
        cr_assert(!arb_contains_si(sum, 1), "what is left out is told apart from roundings");
        arb_add_error_mag(sum, law.missing);
        cr_assert(arb_contains_si(sum, 1));
        mag_set_ui_2exp_si(most, 1, -70);
        cr_assert(mag_cmp(law.missing, most) < 0);
        for (slong x = 0; x <= law.reach; x++) {
            fmpz_set_si(c, -x);
            pby_inner_below(p, &law, c, PREC);
            fmpz_set_si(c, x - 1);
            pby_inner_below(q, &law, c, PREC);
            arb_add(sum, p, q, PREC);
            cr_assert(arb_contains_si(sum, 1));
            fmpz_set_si(c, x);
            pby_inner_tail(most, &shifts[i], s, c);
            arb_zero(sum);
            arb_add_error_mag(sum, most);
            arb_get_lbound_arf(arb_midref(q), p, PREC);
            mag_zero(arb_radref(q));
            cr_assert(arb_contains(sum, q), "the tail from %ld on", x);
        }
        pby_inner_clear(&law);
        mag_clear(most);
        arb_clear(sum);
        arb_clear(q);
        arb_clear(p);
        fmpz_clear(c);
        fmpq_clear(s);
    }
}

Test(inner, what_is_too_wide_is_not_listed)
{
    pby_inner law;
    fmpq_t s;
    fmpq_init(s);
    set_text(s, "1e12");
    cr_assert(!pby_inner_init(&law, &two_one_one, s, 90, 64));
    fmpq_clear(s);
}
