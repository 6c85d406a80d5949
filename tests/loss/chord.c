#include "loss/chord.h"

#include <criterion/criterion.h>

#include "tests/number/random.h"

enum { PREC = 128, ROUNDS = 300, INNER = 40 };

/* The chord's own quotient, at points between, must stay under the bound, and come within a twentieth of
 * it. */
Test(chord, bounds_the_quotient_of_the_chord_closely)
{
    flint_rand_t state;
    fmpq_t x, y, a, width;
    arb_t kx, ky, k, t, best;
    arf_t bound, none;
    flint_randinit(state);
    fmpq_init(x);
    fmpq_init(y);
    fmpq_init(a);
    fmpq_init(width);
    arb_init(kx);
    arb_init(ky);
    arb_init(k);
    arb_init(t);
    arb_init(best);
    arf_init(bound);
    arf_init(none);
    for (int round = 0; round < ROUNDS; round++) {
        random_rational(x, state, 50);
        random_rational(width, state, 50);
        fmpq_abs(x, x);
        fmpq_abs(width, width);
        fmpq_add_si(x, x, 1);
        if (fmpq_is_one(x) || fmpq_is_zero(width))
            continue;
        fmpq_sub_si(a, x, 1);
        if (fmpq_cmp(width, a) > 0)
            fmpq_set(width, a); /* so that the points between see every peak */
        fmpq_add(y, x, width);
        /* kx from 0 to ky (x-1)/(y-1): the chord crosses zero at 1 or beyond */
        arb_set_ui(ky, 1);
        fmpq_sub_si(a, y, 1);
        arb_set_fmpq(t, a, PREC);
        fmpq_sub_si(a, x, 1);
        arb_set_fmpq(kx, a, PREC);
        arb_div(kx, kx, t, PREC);
        arb_mul_ui(kx, kx, n_randint(state, 17), PREC);
        arb_mul_2exp_si(kx, kx, -4);
        arf_zero(bound);
        pby_chord_bound(bound, x, y, kx, ky, none, PREC);
        arb_zero(best);
        for (int i = 0; i <= INNER; i++) {
            fmpq_set_si(a, i, INNER);
            arb_set_fmpq(t, a, PREC);
            arb_sub(k, ky, kx, PREC);
            arb_mul(k, k, t, PREC);
            arb_add(k, k, kx, PREC);
            fmpq_mul(a, a, width);
            fmpq_add(a, a, x);
            arb_set_fmpq(t, a, PREC);
            arb_div(k, k, t, PREC);
            arb_sub_ui(t, t, 1, PREC);
            arb_div(k, k, t, PREC);
            arb_max(best, best, k, PREC);
        }
        arb_set_arf(t, bound);
        cr_assert_not(arb_lt(t, best), "round %d: above the bound", round);
        arb_mul_ui(best, best, 21, PREC);
        arb_div_ui(best, best, 20, PREC);
        cr_assert(arb_lt(t, best), "round %d: far below the bound", round);
    }
    arf_clear(none);
    arf_clear(bound);
    arb_clear(best);
    arb_clear(t);
    arb_clear(k);
    arb_clear(ky);
    arb_clear(kx);
    fmpq_clear(width);
    fmpq_clear(a);
    fmpq_clear(y);
    fmpq_clear(x);
    flint_randclear(state);
}

/* K(a) = (a-1)(a + v) is a parabola with K'' = 2: with a bend of 1 the bound is its quotient's greatest
 * value, which is at the left end, 1 + v/x for v >= 0. */
Test(chord, a_parabola_is_bounded_exactly)
{
    fmpq_t x, y;
    arb_t kx, ky, t;
    arf_t bound, bend;
    fmpq_init(x);
    fmpq_init(y);
    arb_init(kx);
    arb_init(ky);
    arb_init(t);
    arf_init(bound);
    arf_init(bend);
    arf_one(bend);
    for (slong v = 1; v < 5; v++)
        for (slong left = 1; left < 4; left++) {
            const slong right = left + 3;
            fmpq_set_si(x, left, 1);
            fmpq_set_si(y, right, 1);
            arb_set_si(kx, (left - 1) * (left + v));
            arb_set_si(ky, (right - 1) * (right + v));
            arf_zero(bound);
            pby_chord_bound(bound, x, y, kx, ky, bend, PREC);
            arb_set_arf(t, bound);
            arb_mul_si(t, t, left, PREC);
            arb_sub_si(t, t, left + v, PREC);
            cr_assert(!arb_is_negative(t) && arf_cmpabs_2exp_si(arb_midref(t), -100) < 0, "%ld from %ld", v,
                      left);
        }
    arf_clear(bend);
    arf_clear(bound);
    arb_clear(t);
    arb_clear(ky);
    arb_clear(kx);
    fmpq_clear(y);
    fmpq_clear(x);
}

Test(chord, bend_is_the_second_difference)
{
    fmpq_t x, m, y;
    arb_t a, b, c, half;
    fmpq_init(x);
    fmpq_init(m);
    fmpq_init(y);
    arb_init(a);
    arb_init(b);
    arb_init(c);
    arb_init(half);
    fmpq_set_si(x, 1, 1);
    fmpq_set_si(m, 3, 1);
    fmpq_set_si(y, 4, 1);
    arb_set_si(b, 7 * 9 + 3); /* 7 a^2 + a, less 8 */
    arb_sub_si(b, b, 8, PREC);
    arb_set_si(c, 7 * 16 + 4 - 8);
    pby_chord_bend(half, x, m, y, a, b, c, PREC);
    cr_assert(arb_contains_si(half, 7) && arb_rel_accuracy_bits(half) > 100);
    arb_clear(half);
    arb_clear(c);
    arb_clear(b);
    arb_clear(a);
    fmpq_clear(y);
    fmpq_clear(m);
    fmpq_clear(x);
}

Test(chord, an_undecided_ball_has_no_bound)
{
    arf_t bound;
    arb_t ball;
    arf_init(bound);
    arb_init(ball);
    arb_indeterminate(ball);
    pby_raise_upper(bound, ball, PREC);
    cr_assert(arf_is_pos_inf(bound));
    arb_clear(ball);
    arf_clear(bound);
}
