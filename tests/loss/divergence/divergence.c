/* SPDX-License-Identifier: MIT */
#include "loss/divergence/divergence.h"

#include <criterion/criterion.h>

#include "law/laws.h"
#include "tests/law/make.h"
#include "tests/law/rational_exp.h"

enum { PREC = 300, ATOMS = 5 };

/* ---- masses that are rationals: everything can be summed exactly but exp(e) itself ------------- */

/* A pair of ATOMS outcomes with random rational masses; some are zero on one side. */
struct rational_pair {
    fmpq_t p[ATOMS], q[ATOMS];
};

static void random_side(fmpq_t mass[ATOMS], flint_rand_t state, bool *some_zero)
{
    ulong weight[ATOMS], sum = 0;
    for (int i = 0; i < ATOMS; i++) {
        weight[i] = n_randint(state, 4) == 0 ? 0 : 1 + n_randint(state, 20);
        *some_zero |= weight[i] == 0;
        sum += weight[i];
    }
    weight[0] += sum == 0;
    sum += sum == 0;
    for (int i = 0; i < ATOMS; i++) {
        fmpq_init(mass[i]);
        fmpq_set_si(mass[i], (slong)weight[i], sum);
    }
}

/* Makes the pair with masses over norms that are no rationals, exp(1/3) on the left and 3 exp(-1/5) on the
 * right, so that nothing is as simple as it is. */
static void fill_pair(pby_pair *pair, struct rational_pair *r)
{
    pby_expsum_t p, q;
    fmpq_t x, y, c;
    pby_expsum_init(p);
    pby_expsum_init(q);
    fmpq_init(x);
    fmpq_init(y);
    fmpq_init(c);
    fmpq_set_si(x, 1, 3);
    fmpq_set_si(y, -1, 5);
    pby_pair_init(pair);
    pby_expsum_add_term_si(pair->norm_p, 1, x);
    pby_expsum_add_term_si(pair->norm_q, 3, y);
    for (int i = 0; i < ATOMS; i++) {
        pby_expsum_zero(p);
        pby_expsum_zero(q);
        pby_expsum_add_term(p, r->p[i], x);
        fmpq_set_si(c, 3, 1);
        fmpq_mul(c, c, r->q[i]);
        pby_expsum_add_term(q, c, y);
        cr_assert_eq(pby_pair_append(pair, p, q, NULL), PBY_OK);
    }
    fmpq_clear(c);
    fmpq_clear(y);
    fmpq_clear(x);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
}

/* lo <= sum of max(0, p - exp(-x) q) <= hi, by rationals around exp(-x). */
static void rational_hockey_stick(fmpq_t lo, fmpq_t hi, const struct rational_pair *r, const fmpq_t x)
{
    fmpq_t elo, ehi, t;
    fmpq_init(elo);
    fmpq_init(ehi);
    fmpq_init(t);
    rational_exp_neg(elo, ehi, x);
    fmpq_zero(lo);
    fmpq_zero(hi);
    for (int i = 0; i < ATOMS; i++)
        for (int up = 0; up <= 1; up++) {
            fmpq_mul(t, up ? elo : ehi, r->q[i]);
            fmpq_sub(t, r->p[i], t);
            if (fmpq_sgn(t) > 0)
                fmpq_add(up ? hi : lo, up ? hi : lo, t);
        }
    fmpq_clear(t);
    fmpq_clear(ehi);
    fmpq_clear(elo);
}

static void quotient(arb_t out, const pby_expsum_t numerator, const pby_expsum_t denominator)
{
    arb_t below;
    arb_init(below);
    pby_expsum_get_arb(out, numerator, PREC);
    pby_expsum_get_arb(below, denominator, PREC);
    arb_div(out, out, below, PREC);
    arb_clear(below);
}

static bool surrounded(const arb_t x, const fmpq_t lo, const fmpq_t hi)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_fmpq(a, lo, PREC);
    arb_set_fmpq(b, hi, PREC);
    arb_union(a, a, b, PREC);
    const bool yes = arb_overlaps(a, x);
    arb_clear(b);
    arb_clear(a);
    return yes;
}

static void check_rational(struct rational_pair *r, pby_pair *pair, const fmpq_t x)
{
    pby_expsum_t numerator, denominator;
    fmpq_t lo, hi, e;
    arb_t exact, direct;
    pby_expsum_init(numerator);
    pby_expsum_init(denominator);
    fmpq_init(lo);
    fmpq_init(hi);
    fmpq_init(e);
    arb_init(exact);
    arb_init(direct);
    rational_hockey_stick(lo, hi, r, x);
    fmpq_neg(e, x);
    pby_hockey_stick(numerator, denominator, pair, e);
    cr_assert_eq(pby_expsum_sign(denominator), 1);
    quotient(exact, numerator, denominator);
    pby_hockey_stick_direct(direct, pair, e, PREC);
    cr_assert(surrounded(exact, lo, hi));
    cr_assert(surrounded(direct, lo, hi));
    cr_assert(arb_overlaps(exact, direct));
    arb_clear(direct);
    arb_clear(exact);
    fmpq_clear(e);
    fmpq_clear(hi);
    fmpq_clear(lo);
    pby_expsum_clear(denominator);
    pby_expsum_clear(numerator);
}

/* P of what Q cannot give, and the greatest p/q where both are positive. */
static void check_ends(const struct rational_pair *r, const pby_pair *pair)
{
    pby_expsum_t impossible;
    fmpq_t sum, most, ratio;
    arb_t ball, expected;
    pby_expsum_init(impossible);
    fmpq_init(sum);
    fmpq_init(most);
    fmpq_init(ratio);
    arb_init(ball);
    arb_init(expected);
    for (int i = 0; i < ATOMS; i++) {
        if (fmpq_is_zero(r->q[i])) {
            fmpq_add(sum, sum, r->p[i]);
            continue;
        }
        fmpq_div(ratio, r->p[i], r->q[i]);
        if (fmpq_cmp(ratio, most) > 0)
            fmpq_set(most, ratio);
    }
    pby_impossible_mass(impossible, pair);
    quotient(ball, impossible, pair->norm_p);
    cr_assert(arb_contains_fmpq(ball, sum));
    cr_assert_eq(pby_expsum_is_zero(impossible), fmpq_is_zero(sum));
    pby_largest_loss(ball, pair, PREC);
    if (fmpq_is_zero(most)) {
        cr_assert(arf_is_neg_inf(arb_midref(ball)));
    } else {
        arb_set_fmpq(expected, most, PREC);
        arb_log(expected, expected, PREC);
        cr_assert(arb_overlaps(ball, expected));
        cr_assert(arb_rel_accuracy_bits(ball) > PREC / 2 || arb_contains_zero(ball));
    }
    arb_clear(expected);
    arb_clear(ball);
    fmpq_clear(ratio);
    fmpq_clear(most);
    fmpq_clear(sum);
    pby_expsum_clear(impossible);
}

Test(divergence, equals_sums_in_rationals)
{
    flint_rand_t state;
    fmpq_t x;
    bool some_zero = false;
    flint_randinit(state);
    fmpq_init(x);
    for (int i = 0; i < 200; i++) {
        struct rational_pair r;
        pby_pair pair;
        random_side(r.p, state, &some_zero);
        random_side(r.q, state, &some_zero);
        fill_pair(&pair, &r);
        fmpq_set_si(x, (slong)n_randint(state, 12), 1 + n_randint(state, 5));
        check_rational(&r, &pair, x);
        check_ends(&r, &pair);
        pby_pair_clear(&pair);
        for (int j = 0; j < ATOMS; j++) {
            fmpq_clear(r.p[j]);
            fmpq_clear(r.q[j]);
        }
    }
    cr_assert(some_zero);
    fmpq_clear(x);
    flint_randclear(state);
}

/* The loss of a geometric pair at its own epsilon is a sum without a term, not a small ball. */
Test(divergence, pure_privacy_is_zero_by_its_form)
{
    pby_law *law = make_geometric("1/3");
    pby_pair pair;
    pby_expsum_t numerator, denominator;
    fmpq_t e;
    arb_t ball;
    pby_pair_init(&pair);
    pby_expsum_init(numerator);
    pby_expsum_init(denominator);
    fmpq_init(e);
    arb_init(ball);
    cr_assert_eq(pby_pair_shift(&pair, law, 2, NULL), PBY_OK);
    set_text(e, "2/3");
    pby_hockey_stick(numerator, denominator, &pair, e);
    cr_assert(pby_expsum_is_zero(numerator));
    pby_hockey_stick_direct(ball, &pair, e, 64);
    cr_assert(arb_is_zero(ball));
    pby_largest_loss(ball, &pair, 200);
    cr_assert(arb_contains_fmpq(ball, e));
    set_text(e, "666666666/1000000000");
    pby_hockey_stick(numerator, denominator, &pair, e);
    cr_assert_eq(pby_expsum_sign(numerator), 1);
    arb_clear(ball);
    fmpq_clear(e);
    pby_expsum_clear(denominator);
    pby_expsum_clear(numerator);
    pby_pair_clear(&pair);
    pby_law_free(law);
}
