/* SPDX-License-Identifier: MIT */
#include "loss/divergence/chord.h"

#include <criterion/criterion.h>
#include <stdbool.h>

#include "tests/number/random.h"

enum { PREC = 128, ROUNDS = 300, INNER = 40 };

/* From (x, kx) to (y, ky), above 1. */
struct chord {
    fmpq_t x, y;
    arb_t kx, ky;
};

static void chord_init(struct chord *c)
{
    fmpq_init(c->x);
    fmpq_init(c->y);
    arb_init(c->kx);
    arb_init(c->ky);
}

static void chord_clear(struct chord *c)
{
    arb_clear(c->ky);
    arb_clear(c->kx);
    fmpq_clear(c->y);
    fmpq_clear(c->x);
}

/* A chord with ky = 1 and kx from 0 to (x-1)/(y-1), so that it crosses zero at 1 or beyond. It is no longer
 * than x is from 1, so that points between see every peak of its quotient. Whether there is one. */
static bool random_chord(struct chord *c, flint_rand_t state)
{
    fmpq_t above, width;
    fmpq_init(above);
    fmpq_init(width);
    random_rational(above, state, 50);
    random_rational(width, state, 50);
    fmpq_abs(above, above);
    fmpq_abs(width, width);
    if (fmpq_cmp(width, above) > 0)
        fmpq_set(width, above);
    const bool some = !fmpq_is_zero(width);
    fmpq_add_si(c->x, above, 1);
    fmpq_add(c->y, c->x, width);
    fmpq_add(width, width, above);
    if (some)
        fmpq_div(above, above, width);
    arb_one(c->ky);
    arb_set_fmpq(c->kx, above, PREC);
    arb_mul_ui(c->kx, c->kx, n_randint(state, 17), PREC);
    arb_mul_2exp_si(c->kx, c->kx, -4);
    fmpq_clear(width);
    fmpq_clear(above);
    return some;
}

/* k/(a (a-1)) at the point (a, k) of the chord that is a share of it behind its left end. */
static void quotient_at(arb_t out, const struct chord *c, const fmpq_t share)
{
    fmpq_t at;
    arb_t a, k;
    fmpq_init(at);
    arb_init(a);
    arb_init(k);
    fmpq_sub(at, c->y, c->x);
    fmpq_mul(at, at, share);
    fmpq_add(at, at, c->x);
    arb_set_fmpq(a, at, PREC);
    arb_sub(k, c->ky, c->kx, PREC);
    arb_mul_fmpz(k, k, fmpq_numref(share), PREC);
    arb_div_fmpz(k, k, fmpq_denref(share), PREC);
    arb_add(k, k, c->kx, PREC);
    arb_div(out, k, a, PREC);
    arb_sub_ui(a, a, 1, PREC);
    arb_div(out, out, a, PREC);
    arb_clear(k);
    arb_clear(a);
    fmpq_clear(at);
}

static void greatest_quotient(arb_t best, const struct chord *c)
{
    fmpq_t share;
    arb_t here;
    fmpq_init(share);
    arb_init(here);
    arb_zero(best);
    for (int i = 0; i <= INNER; i++) {
        fmpq_set_si(share, i, INNER);
        quotient_at(here, c, share);
        arb_max(best, best, here, PREC);
    }
    arb_clear(here);
    fmpq_clear(share);
}

/* The chord's own quotient, at points between, must stay under the bound, and come within a twentieth of
 * it. */
Test(chord, bounds_the_quotient_of_the_chord_closely)
{
    struct chord c;
    flint_rand_t state;
    arb_t upper, best;
    arf_t bound, none;
    flint_randinit(state);
    chord_init(&c);
    arb_init(upper);
    arb_init(best);
    arf_init(bound);
    arf_init(none);
    for (int round = 0; round < ROUNDS; round++) {
        if (!random_chord(&c, state))
            continue;
        arf_zero(bound);
        pby_chord_bound(bound, c.x, c.y, c.kx, c.ky, none, PREC);
        greatest_quotient(best, &c);
        arb_set_arf(upper, bound);
        cr_assert_not(arb_lt(upper, best), "round %d: above the bound", round);
        arb_mul_ui(best, best, 21, PREC);
        arb_div_ui(best, best, 20, PREC);
        cr_assert(arb_lt(upper, best), "round %d: far below the bound", round);
    }
    arf_clear(none);
    arf_clear(bound);
    arb_clear(best);
    arb_clear(upper);
    chord_clear(&c);
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
