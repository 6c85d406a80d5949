/* SPDX-License-Identifier: MIT */
#include "number/expsum.h"

#include <criterion/criterion.h>

#include "tests/number/random.h"

enum { ROUNDS = 2000, PREC = 200 };

/* Three random sums and room for results. */
struct state {
    flint_rand_t random;
    pby_expsum_t x, y, z, out;
    arb_t ax, ay, az, aout;
};

static void setup(struct state *s)
{
    flint_randinit(s->random);
    pby_expsum_init(s->x);
    pby_expsum_init(s->y);
    pby_expsum_init(s->z);
    pby_expsum_init(s->out);
    arb_init(s->ax);
    arb_init(s->ay);
    arb_init(s->az);
    arb_init(s->aout);
}

static void teardown(struct state *s)
{
    arb_clear(s->aout);
    arb_clear(s->az);
    arb_clear(s->ay);
    arb_clear(s->ax);
    pby_expsum_clear(s->out);
    pby_expsum_clear(s->z);
    pby_expsum_clear(s->y);
    pby_expsum_clear(s->x);
    flint_randclear(s->random);
    flint_cleanup();
}

static void draw(struct state *s)
{
    random_expsum(s->x, s->random, 5);
    random_expsum(s->y, s->random, 5);
    pby_expsum_get_arb(s->ax, s->x, PREC);
    pby_expsum_get_arb(s->ay, s->y, PREC);
}

static void check_form(const pby_expsum_t x)
{
    for (slong i = 0; i < x->n; i++) {
        cr_assert(!fmpq_is_zero(x->coefficient + i), "a zero coefficient was kept");
        cr_assert(i == 0 || fmpq_cmp(x->exponent + i - 1, x->exponent + i) > 0, "exponents out of order");
    }
}

typedef void binary(pby_expsum_t, const pby_expsum_t, const pby_expsum_t);
typedef void binary_arb(arb_t, const arb_t, const arb_t, slong);

/* The value, then the same with the output aliased to either input. */
static void check_binary(binary *f, binary_arb *g)
{
    struct state s;
    setup(&s);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        f(s.out, s.x, s.y);
        check_form(s.out);
        g(s.az, s.ax, s.ay, PREC);
        pby_expsum_get_arb(s.aout, s.out, PREC);
        cr_assert(arb_overlaps(s.aout, s.az));
        pby_expsum_set(s.z, s.x);
        f(s.z, s.z, s.y);
        cr_assert(pby_expsum_equal(s.z, s.out));
        pby_expsum_set(s.z, s.y);
        f(s.z, s.x, s.z);
        cr_assert(pby_expsum_equal(s.z, s.out));
    }
    teardown(&s);
}

Test(expsum, add)
{
    check_binary(pby_expsum_add, arb_add);
}

Test(expsum, sub)
{
    check_binary(pby_expsum_sub, arb_sub);
}

Test(expsum, mul)
{
    check_binary(pby_expsum_mul, arb_mul);
}

Test(expsum, difference_with_itself_is_zero)
{
    struct state s;
    setup(&s);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        pby_expsum_sub(s.out, s.x, s.x);
        cr_assert(pby_expsum_is_zero(s.out));
        cr_assert_eq(pby_expsum_sign(s.out), 0);
    }
    teardown(&s);
}

Test(expsum, sign_of_random_sums)
{
    struct state s;
    setup(&s);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        pby_expsum_get_arb(s.ax, s.x, 4000);
        const int expected = arb_is_positive(s.ax) ? 1 : arb_is_negative(s.ax) ? -1 : 0;
        cr_assert_eq(pby_expsum_sign(s.x), expected);
    }
    teardown(&s);
}

/* exp(r) - c with c the rational 2^-300 above and below exp(r): 64 bits cannot tell. */
Test(expsum, sign_of_near_cancellation)
{
    pby_expsum_t x;
    fmpq_t c, r, tiny;
    arb_t e;
    fmpz_t m;
    pby_expsum_init(x);
    fmpq_init(c);
    fmpq_init(r);
    fmpq_init(tiny);
    fmpz_init(m);
    arb_init(e);
    fmpq_set_si(r, 1, 3);
    arb_set_fmpq(e, r, 600);
    arb_exp(e, e, 600);
    arb_mul_2exp_si(e, e, 300);
    arb_floor(e, e, 600);
    cr_assert(arb_get_unique_fmpz(m, e));
    for (int up = 0; up <= 1; up++) {
        fmpz_add_ui(fmpq_numref(c), m, (ulong)up);
        fmpz_one(fmpq_denref(c));
        fmpq_div_2exp(c, c, 300);
        fmpq_neg(c, c);
        pby_expsum_zero(x);
        pby_expsum_add_term_si(x, 1, r);
        fmpq_zero(tiny);
        pby_expsum_add_term(x, c, tiny);
        cr_assert_eq(pby_expsum_sign(x), up ? -1 : 1);
    }
    arb_clear(e);
    fmpz_clear(m);
    fmpq_clear(tiny);
    fmpq_clear(r);
    fmpq_clear(c);
    pby_expsum_clear(x);
}

Test(expsum, proportional)
{
    struct state s;
    fmpq_t c, r, c2, r2;
    setup(&s);
    fmpq_init(c);
    fmpq_init(r);
    fmpq_init(c2);
    fmpq_init(r2);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        random_rational(c, s.random, 9);
        random_rational(r, s.random, 9);
        if (pby_expsum_is_zero(s.x) || fmpq_is_zero(c))
            continue;
        pby_expsum_mul_term(s.y, s.x, c, r);
        cr_assert(pby_expsum_proportional(c2, r2, s.y, s.x));
        cr_assert(fmpq_equal(c, c2) && fmpq_equal(r, r2));
        if (s.y->n > 1) {
            fmpq_mul_si(s.y->coefficient, s.y->coefficient, 2);
            cr_assert(!pby_expsum_proportional(c2, r2, s.y, s.x), "one coefficient differs");
        }
    }
    pby_expsum_zero(s.x);
    cr_assert(!pby_expsum_proportional(c, r, s.y, s.x), "nothing is a multiple of zero");
    fmpq_clear(r2);
    fmpq_clear(c2);
    fmpq_clear(r);
    fmpq_clear(c);
    teardown(&s);
}

Test(expsum, twice_the_precision_is_nested)
{
    struct state s;
    setup(&s);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        pby_expsum_get_arb(s.ax, s.x, 100);
        pby_expsum_get_arb(s.ay, s.x, 200);
        cr_assert(arb_overlaps(s.ax, s.ay));
        cr_assert(mag_cmp(arb_radref(s.ay), arb_radref(s.ax)) <= 0);
    }
    teardown(&s);
}

/* Term by term, at a precision of its own. */
static void sum_of_terms(arb_t out, const pby_expsum_t x)
{
    enum { WIDE = 4 * PREC };
    arb_t e, c;
    arb_init(e);
    arb_init(c);
    arb_zero(out);
    for (slong i = 0; i < x->n; i++) {
        arb_set_fmpq(e, x->exponent + i, WIDE);
        arb_exp(e, e, WIDE);
        arb_set_fmpq(c, x->coefficient + i, WIDE);
        arb_addmul(out, c, e, WIDE);
    }
    arb_clear(c);
    arb_clear(e);
}

/* Exponents in progression, in clusters that lie so far apart that the last are left out. */
Test(expsum, far_terms_are_enclosed)
{
    struct state s;
    fmpq_t c, r;
    setup(&s);
    fmpq_init(c);
    fmpq_init(r);
    for (slong apart = 1; apart < 100000; apart *= 7) {
        for (slong first = -apart; first <= 5 * apart; first += 2 * apart) {
            pby_expsum_zero(s.x);
            for (slong i = 0; i < 60; i++) {
                random_rational(c, s.random, i % 9 == 0 ? 1000000 : 30);
                fmpq_set_si(r, 24 * (first - apart * (i / 5)) - i % 5, 24);
                pby_expsum_add_term(s.x, c, r);
            }
            for (slong prec = 64; prec <= PREC; prec += 68) {
                pby_expsum_get_arb(s.ax, s.x, prec);
                sum_of_terms(s.ay, s.x);
                cr_assert(arb_contains(s.ax, s.ay), "%ld apart, from %ld, %ld bits", (long)apart, (long)first,
                          (long)prec);
                cr_assert_geq(arb_rel_accuracy_bits(s.ax), prec - 40, "%ld apart", (long)apart);
            }
        }
    }
    fmpq_clear(r);
    fmpq_clear(c);
    teardown(&s);
}

/* Exponents beyond a word go another way than all others, to the same product; and outputs may be inputs. */
Test(expsum, products_of_large_exponents)
{
    struct state s;
    fmpq_t one, shift;
    setup(&s);
    fmpq_init(one);
    fmpq_init(shift);
    fmpq_one(one);
    fmpz_one_2exp(fmpq_numref(shift), 100);
    for (int i = 0; i < ROUNDS; i++) {
        draw(&s);
        pby_expsum_mul(s.out, s.x, s.y);
        pby_expsum_mul_term(s.out, s.out, one, shift);
        pby_expsum_mul_term(s.z, s.x, one, shift);
        pby_expsum_mul(s.z, s.z, s.y);
        check_form(s.z);
        cr_assert(pby_expsum_equal(s.out, s.z));
        pby_expsum_mul(s.out, s.x, s.x);
        pby_expsum_mul(s.x, s.x, s.x);
        cr_assert(pby_expsum_equal(s.out, s.x));
    }
    fmpq_clear(shift);
    fmpq_clear(one);
    teardown(&s);
}
