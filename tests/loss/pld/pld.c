/* SPDX-License-Identifier: MIT */
/* Privacy-loss distributions: every step stays on its side of the truth. */
#include "loss/pld/pld.h"

#include <criterion/criterion.h>
#include <string.h>

#include "loss/compose/compose.h"
#include "loss/divergence/divergence.h"
#include "mechanism/family.h"
#include "tests/spec.h"

enum { PREC = 256, BITS = 80 };

static pby_parts parts_of(const char *text)
{
    pby_spec *spec = spec_of(text);
    pby_parts parts;
    pby_error err;
    cr_assert_eq(pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

static void make(pby_pld *pld, const pby_pair *pair, const fmpq_t step, const fmpq_t slack, bool upper)
{
    pby_tails tails;
    slong low, high;
    pby_error err;
    cr_assert_eq(pby_loss_range(&low, &high, pair, step, BITS, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_tails_init(&tails, pair, step, NULL, low, high, BITS + 24, &err), PBY_OK, "%s",
                 err.text);
    pby_pld_init(pld, BITS, upper);
    cr_assert_eq(pby_pld_from_tails(pld, &tails, 1, step, slack, &err), PBY_OK, "%s", err.text);
    pby_tails_clear(&tails);
}

/* lower (its losses less the slack) <= truth <= upper at one epsilon; for atoms and for curves. */
static void check_sides(const pby_pld *lower, const pby_pld *upper, const pby_pair *pair, const fmpq_t step,
                        const fmpq_t slack, const fmpq_t at)
{
    arb_t truth, above, below;
    fmpq_t raised;
    pby_error err;
    arb_init(truth);
    arb_init(above);
    arb_init(below);
    fmpq_init(raised);
    fmpq_add(raised, at, slack);
    if (pair->curve == NULL)
        pby_hockey_stick_direct(truth, pair, at, PREC);
    else
        cr_assert_eq(pby_curve_hockey_stick(truth, pair->curve, at, PREC, &err), PBY_OK);
    pby_pld_deltas(above, upper, step, at, 1);
    pby_pld_deltas(below, lower, step, raised, 1);
    cr_assert(!arb_lt(above, truth), "the upper bound is below the truth");
    cr_assert(!arb_gt(below, truth), "the lower bound is above the truth");
    fmpq_clear(raised);
    arb_clear(below);
    arb_clear(above);
    arb_clear(truth);
}

static void check_pair(const pby_pair *pair, flint_rand_t state)
{
    pby_pld lower, upper;
    fmpq_t step, slack, at;
    fmpq_init(step);
    fmpq_init(slack);
    fmpq_init(at);
    fmpq_set_si(step, 1 + (slong)n_randint(state, 9), 10 + n_randint(state, 60));
    fmpq_div_2exp(slack, step, 20);
    make(&lower, pair, step, slack, false);
    make(&upper, pair, step, slack, true);
    for (int i = 0; i < 60; i++) {
        fmpq_set_si(at, (slong)n_randint(state, 601) - 300, 100);
        check_sides(&lower, &upper, pair, step, slack, at);
    }
    pby_pld_clear(&upper);
    pby_pld_clear(&lower);
    fmpq_clear(at);
    fmpq_clear(slack);
    fmpq_clear(step);
}

Test(pld, discretisation_keeps_its_side)
{
    static const char *const specs[] = {"geometric:eps=1/2",         "geometric:eps=2,sensitivity=4",
                                        "stlap:eps=1/2,q=8",         "stlap:eps=2,q=7/3",
                                        "tgeometric:eps=1,bound=3",  "gauss:sigma2=2",
                                        "dgauss:sigma2=9/4",         "laplace:scale=2",
                                        "approx:eps=1,delta=1/1000", "pure:eps=3/4"};
    flint_rand_t state;
    flint_randinit(state);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_parts parts = parts_of(specs[i]);
        for (size_t j = 0; j < parts.part[0].pairs.count; j++)
            for (int round = 0; round < 4; round++)
                check_pair(&parts.part[0].pairs.pair[j], state);
        pby_parts_clear(&parts);
    }
    flint_randclear(state);
}

static slong masses(const pby_pld *pld)
{
    slong some = 0;
    for (slong i = 0; i < fmpz_poly_length(pld->mass); i++)
        some += !fmpz_is_zero(pld->mass->coeffs + i);
    return some;
}

/* Both sides of a pair on the grid of 1/steps, and how far apart their deltas are. */
struct sides {
    pby_pld lower, upper;
    fmpq_t step, slack, at;
    arb_t gap, below;
};

static void sides_make(struct sides *s, const pby_pair *pair, slong steps, flint_bitcnt_t slack_bits)
{
    fmpq_init(s->step);
    fmpq_init(s->slack);
    fmpq_init(s->at);
    arb_init(s->gap);
    arb_init(s->below);
    fmpq_set_si(s->step, 1, (ulong)steps);
    fmpq_div_2exp(s->slack, s->step, slack_bits);
    make(&s->lower, pair, s->step, s->slack, false);
    make(&s->upper, pair, s->step, s->slack, true);
}

static void sides_clear(struct sides *s)
{
    pby_pld_clear(&s->upper);
    pby_pld_clear(&s->lower);
    arb_clear(s->below);
    arb_clear(s->gap);
    fmpq_clear(s->at);
    fmpq_clear(s->slack);
    fmpq_clear(s->step);
}

static arf_srcptr gap_at(struct sides *s, slong num, ulong den)
{
    fmpq_set_si(s->at, num, den);
    pby_pld_deltas(s->gap, &s->upper, s->step, s->at, 1);
    pby_pld_deltas(s->below, &s->lower, s->step, s->at, 1);
    arb_sub(s->gap, s->gap, s->below, PREC);
    return arb_midref(s->gap);
}

/* A grid so fine that nearly all its cells are empty: both sides hold at every epsilon, close to each other,
 * and mass lies at the ends of the cells with an atom and of the grid alone. */
static void check_fine(const pby_pair *pair, flint_rand_t state)
{
    enum { FINE = 997 };
    struct sides s;
    sides_make(&s, pair, FINE, 40);
    cr_assert_leq(masses(&s.upper), 2 * (slong)pair->count + 2);
    cr_assert_leq(masses(&s.lower), 2 * (slong)pair->count + 2);
    for (int i = 0; i < 200; i++) {
        const slong num = (slong)n_randint(state, 6001) - 3000;
        cr_assert(arf_cmpabs_d(gap_at(&s, num, i % 2 == 0 ? FINE : 1000), 2.0 / FINE) < 0);
        check_sides(&s.lower, &s.upper, pair, s.step, s.slack, s.at);
    }
    sides_clear(&s);
}

Test(pld, few_atoms_on_a_fine_grid)
{
    static const char *const specs[] = {"geometric:eps=1/2",        "geometric:eps=2,sensitivity=4",
                                        "stlap:eps=1/2,q=8",        "stlap:eps=2,q=7/3",
                                        "tgeometric:eps=1,bound=3", "approx:eps=1,delta=1/1000",
                                        "range:eps=1,L=3",          "partition:eps=1,delta=1/10"};
    flint_rand_t state;
    flint_randinit(state);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_parts parts = parts_of(specs[i]);
        for (size_t j = 0; j < parts.part[0].pairs.count; j++)
            check_fine(&parts.part[0].pairs.pair[j], state);
        pby_parts_clear(&parts);
    }
    flint_randclear(state);
}

/* Losses on the grid stay there: both sides agree to the last bits. */
Test(pld, losses_on_the_grid_are_exact)
{
    pby_parts parts = parts_of("geometric:eps=1/2");
    struct sides s;
    sides_make(&s, &parts.part[0].pairs.pair[0], 2, 60);
    cr_assert(arf_cmpabs_2exp_si(gap_at(&s, 1, 5), -50) < 0);
    sides_clear(&s);
    pby_parts_clear(&parts);
}

/* Leaves few masses of many. */
static void thin_out(fmpz_poly_t mass)
{
    enum { KEPT = 7 };
    for (slong i = 0; i < fmpz_poly_length(mass); i++)
        if (i % KEPT != 0)
            fmpz_zero(mass->coeffs + i);
    _fmpz_poly_normalise(mass);
}

/* Against the schoolbook sum over all pairs of losses, many or few on either side. */
Test(pld, product_is_the_convolution)
{
    pby_pld a, b, c;
    fmpz_t sum;
    pby_error err;
    flint_rand_t state;
    flint_randinit(state);
    fmpz_init(sum);
    for (int round = 0; round < 80; round++) {
        const int side = round % 2;
        pby_pld_init(&a, 40, side != 0);
        pby_pld_init(&b, 40, side != 0);
        pby_pld_init(&c, 40, side != 0);
        fmpz_poly_randtest_unsigned(a.mass, state, 30, 38);
        fmpz_poly_randtest_unsigned(b.mass, state, 30, 38);
        if (round % 3 == 1)
            thin_out(a.mass);
        if (round % 5 == 1)
            thin_out(b.mass);
        fmpz_set_ui(a.infinite, 12345);
        a.low = -7;
        b.low = 4;
        cr_assert_eq(pby_pld_mul(&c, &a, &b, &err), PBY_OK);
        cr_assert_eq(c.low, -3);
        for (slong i = 0; i < 60; i++) {
            fmpz_zero(sum);
            for (slong j = 0; j <= i; j++)
                if (j < fmpz_poly_length(a.mass) && i - j < fmpz_poly_length(b.mass))
                    fmpz_addmul(sum, a.mass->coeffs + j, b.mass->coeffs + i - j);
            if (side != 0)
                fmpz_cdiv_q_2exp(sum, sum, 40);
            else
                fmpz_fdiv_q_2exp(sum, sum, 40);
            fmpz_t got;
            fmpz_init(got);
            fmpz_poly_get_coeff_fmpz(got, c.mass, i);
            cr_assert(fmpz_equal(got, sum));
            fmpz_clear(got);
        }
        pby_pld_clear(&c);
        pby_pld_clear(&b);
        pby_pld_clear(&a);
    }
    fmpz_clear(sum);
    flint_randclear(state);
}

/* A power, trimmed on the way, stays on its side of the product without trimming and near it. */
Test(pld, power_and_trim_keep_their_side)
{
    enum { TIMES = 13, LOG_BUDGET = 40 };
    pby_parts parts = parts_of("laplace:scale=2");
    fmpq_t step, slack, at;
    arb_t whole, cut;
    pby_error err;
    fmpq_init(step);
    fmpq_init(slack);
    fmpq_init(at);
    arb_init(whole);
    arb_init(cut);
    fmpq_set_si(step, 1, 10);
    fmpq_div_2exp(slack, step, 20);
    for (int side = 0; side < 2; side++) {
        pby_pld base, power, next, product;
        make(&base, &parts.part[0].pairs.pair[0], step, slack, side != 0);
        pby_pld_init(&power, BITS, side != 0);
        pby_pld_init(&product, BITS, side != 0);
        cr_assert_eq(pby_pld_power(&power, &base, TIMES, NULL, LOG_BUDGET, &err), PBY_OK);
        pby_pld_one(&product);
        for (int i = 0; i < TIMES; i++) {
            pby_pld_init(&next, BITS, side != 0);
            cr_assert_eq(pby_pld_mul(&next, &product, &base, &err), PBY_OK);
            pby_pld_clear(&product);
            product = next;
        }
        cr_assert_lt(fmpz_poly_length(power.mass), fmpz_poly_length(product.mass));
        for (slong e = -10; e <= 60; e++) {
            fmpq_set_si(at, e, 10);
            pby_pld_deltas(whole, &product, step, at, 1);
            pby_pld_deltas(cut, &power, step, at, 1);
            arb_sub(cut, cut, whole, PREC);
            if (side == 0)
                arb_neg(cut, cut);
            arb_mul_2exp_si(cut, cut, BITS - LOG_BUDGET - 2);
            cr_assert(arf_cmp_si(arb_midref(cut), 1) < 0, "trimming weighs more than it may");
            arb_mul_2exp_si(cut, cut, LOG_BUDGET - 12);
            cr_assert(arf_cmp_si(arb_midref(cut), -1) > 0, "trimming went to the wrong side");
        }
        pby_pld_clear(&product);
        pby_pld_clear(&power);
        pby_pld_clear(&base);
    }
    arb_clear(cut);
    arb_clear(whole);
    fmpq_clear(at);
    fmpq_clear(slack);
    fmpq_clear(step);
    pby_parts_clear(&parts);
}

/* delta at the epsilon found for a delta is that delta. */
Test(pld, epsilon_inverts_delta)
{
    pby_parts parts = parts_of("stlap:eps=1,q=12");
    fmpq_t step, slack, level, at;
    arb_t delta;
    arf_t epsilon;
    fmpq_init(step);
    fmpq_init(slack);
    fmpq_init(level);
    fmpq_init(at);
    arb_init(delta);
    arf_init(epsilon);
    fmpq_set_si(step, 1, 30);
    fmpq_div_2exp(slack, step, 20);
    for (int side = 0; side < 2; side++) {
        pby_pld pld;
        make(&pld, &parts.part[0].pairs.pair[0], step, slack, side != 0);
        for (ulong d = 2; d < 200; d = 2 * d + 1) {
            fmpq_set_si(level, 1, d);
            pby_pld_epsilon(epsilon, &pld, step, level);
            cr_assert(arf_is_finite(epsilon));
            arf_get_fmpq(at, epsilon);
            pby_pld_deltas(delta, &pld, step, at, 1);
            arb_t want;
            arb_init(want);
            arb_set_fmpq(want, level, PREC);
            arb_sub(delta, delta, want, PREC);
            cr_assert(arf_cmpabs_2exp_si(arb_midref(delta), -60) < 0);
            arb_clear(want);
        }
        fmpq_zero(level);
        pby_pld_epsilon(epsilon, &pld, step, level);
        cr_assert(arf_is_pos_inf(epsilon));
        pby_pld_clear(&pld);
    }
    arf_clear(epsilon);
    arb_clear(delta);
    fmpq_clear(at);
    fmpq_clear(level);
    fmpq_clear(slack);
    fmpq_clear(step);
    pby_parts_clear(&parts);
}

/* Above all losses delta is what is infinite, also where exp(epsilon) is too large for a ball. */
Test(pld, an_epsilon_above_all_losses)
{
    pby_pld pld;
    fmpq_t step, at;
    arb_t delta;
    arb_init(delta);
    fmpq_init(step);
    fmpq_init(at);
    fmpq_set_si(step, 1, 8);
    fmpz_ui_pow_ui(fmpq_numref(at), 10, 4000);
    pby_pld_init(&pld, BITS, true);
    pby_pld_one(&pld);
    fmpz_one_2exp(pld.infinite, BITS - 7);
    pby_pld_deltas(delta, &pld, step, at, 1);
    arb_mul_2exp_si(delta, delta, 7);
    cr_assert(arb_is_one(delta));
    pby_pld_clear(&pld);
    fmpq_clear(at);
    fmpq_clear(step);
    arb_clear(delta);
}

Test(pld, refuses_more_memory_than_allowed)
{
    pby_pld a, c;
    pby_error err;
    pby_pld_init(&a, 1 << 20, true);
    pby_pld_init(&c, 1 << 20, true);
    for (slong i = 0; i < 1000; i++)
        fmpz_poly_set_coeff_ui(a.mass, i, 1);
    cr_assert_eq(pby_pld_mul(&c, &a, &a, &err), PBY_BAD);
    cr_assert(strstr(err.text, "MiB") != NULL);
    pby_pld_clear(&c);
    pby_pld_clear(&a);
}
