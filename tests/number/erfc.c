/* SPDX-License-Identifier: MIT */
#include "number/erfc.h"

#include <arb_hypgeom.h>
#include <criterion/criterion.h>
#include <flint/fmpq.h>

#include "tests/number/random.h"

enum { PREC = 256 };

/* A ball holds the values at both of its ends and in its middle. */
static void check_holds(const arb_t x)
{
    arb_t whole, at, value;
    arb_init(whole);
    arb_init(at);
    arb_init(value);
    pby_erfc(whole, x, PREC);
    arb_set_arf(at, arb_midref(x));
    arb_hypgeom_erfc(value, at, 2 * PREC);
    cr_assert(arb_contains(whole, value));
    arb_get_lbound_arf(arb_midref(at), x, ARF_PREC_EXACT);
    arb_hypgeom_erfc(value, at, 2 * PREC);
    cr_assert(arb_overlaps(whole, value));
    arb_get_ubound_arf(arb_midref(at), x, ARF_PREC_EXACT);
    arb_hypgeom_erfc(value, at, 2 * PREC);
    cr_assert(arb_overlaps(whole, value));
    arb_clear(value);
    arb_clear(at);
    arb_clear(whole);
}

Test(erfc, holds_the_values_in_a_ball)
{
    flint_rand_t state;
    fmpq_t q;
    arb_t x;
    flint_randinit(state);
    fmpq_init(q);
    arb_init(x);
    for (int i = 0; i < 2000; i++) {
        random_rational(q, state, 40);
        arb_set_fmpq(x, q, PREC);
        mag_set_ui_2exp_si(arb_radref(x), 1 + n_randint(state, 15), -(slong)n_randint(state, 60));
        check_holds(x);
    }
    arb_clear(x);
    fmpq_clear(q);
    flint_randclear(state);
}

/* Roots that are no binary fractions, far out: about 2 log2(x) bits of the precision are lost, and no more.
 */
Test(erfc, keeps_its_digits_far_out)
{
    arb_t x, value, finer;
    arb_init(x);
    arb_init(value);
    arb_init(finer);
    for (ulong e = 1; e <= 61; e += 4) {
        arb_set_ui(x, 10);
        arb_pow_ui(x, x, e, 4 * PREC);
        arb_sqrt(x, x, 4 * PREC);
        pby_erfc(finer, x, 4 * PREC);
        arb_set_round(x, x, PREC);
        pby_erfc(value, x, PREC);
        cr_assert(arb_contains(value, finer), "sqrt(1e%lu)", e);
        cr_assert_gt(arb_rel_accuracy_bits(value), PREC - 8 - (slong)(e * 10 / 3), "sqrt(1e%lu)", e);
    }
    arb_clear(finer);
    arb_clear(value);
    arb_clear(x);
}
