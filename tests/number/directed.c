/* SPDX-License-Identifier: MIT */
/* Directed arithmetic against rationals. */
#include "number/directed.h"

#include <criterion/criterion.h>

/* A stream of words: splitmix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Bits that are random, few, or nearly all set, so that carries and ties occur. */
static pby_directed draw(uint64_t *state)
{
    const uint64_t word = next(state), kind = next(state) % 5, top = UINT64_C(1) << 63;
    const int64_t exponent = (int64_t)(next(state) % 150) - 75;
    if (kind == 0)
        return (pby_directed){0, 0};
    return (pby_directed){kind == 1   ? top
                          : kind == 2 ? UINT64_MAX - word % 3
                          : kind == 3 ? top + word % 3
                                      : word | top,
                          exponent};
}

/* x lies on the right side of the exact value and within a part of 2^-62 of it. */
static void check(pby_directed x, const fmpq_t exact, bool up, const char *what)
{
    fmpq_t value, far;
    fmpq_init(value);
    fmpq_init(far);
    pby_directed_get_fmpq(value, x);
    cr_assert(x.bits == 0 || x.bits >> 63 == 1, "%s: normal", what);
    fmpq_sub(far, value, exact);
    cr_assert(up ? fmpq_sgn(far) >= 0 : fmpq_sgn(far) <= 0, "%s: side", what);
    fmpq_abs(far, far);
    fmpq_mul_2exp(far, far, 62);
    cr_assert(fmpq_cmp(far, exact) <= 0, "%s: close", what);
    fmpq_clear(far);
    fmpq_clear(value);
}

Test(directed, operations_are_on_their_side)
{
    enum { DRAWS = 20000 };
    uint64_t state = 1;
    fmpq_t a, b, c;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(c);
    for (int i = 0; i < DRAWS; i++) {
        const pby_directed x = draw(&state), y = draw(&state);
        pby_directed_get_fmpq(a, x);
        pby_directed_get_fmpq(b, y);
        cr_assert_eq(pby_directed_cmp(x, y), (fmpq_cmp(a, b) > 0) - (fmpq_cmp(a, b) < 0));
        for (int up = 0; up < 2; up++) {
            fmpq_mul(c, a, b);
            check(pby_directed_mul(x, y, up), c, up, "product");
            fmpq_add(c, a, b);
            check(pby_directed_add(x, y, up), c, up, "sum");
            fmpq_sub(c, a, b);
            if (fmpq_sgn(c) < 0)
                fmpq_zero(c);
            check(pby_directed_sub(x, y, up), c, up, "difference");
            if (y.bits != 0) {
                fmpq_div(c, a, b);
                check(pby_directed_div(x, y, up), c, up, "quotient");
            }
        }
    }
    fmpq_clear(c);
    fmpq_clear(b);
    fmpq_clear(a);
}

Test(directed, ends_of_balls)
{
    arb_t ball;
    fmpq_t third;
    arb_init(ball);
    fmpq_init(third);
    fmpq_set_si(third, 1, 3);
    arb_set_fmpq(ball, third, 200);
    check(pby_directed_of_ball(ball, true), third, true, "upper end");
    check(pby_directed_of_ball(ball, false), third, false, "lower end");
    arb_set_si(ball, -1);
    cr_assert_eq(pby_directed_of_ball(ball, true).bits, 0);
    fmpq_set_si(third, 5, 8);
    pby_directed_get_fmpq(third, pby_directed_of_double(0.625));
    cr_assert(fmpq_cmp_si(third, 0) > 0 && fmpz_equal_si(fmpq_numref(third), 5) &&
              fmpz_equal_si(fmpq_denref(third), 8));
    fmpq_clear(third);
    arb_clear(ball);
}
