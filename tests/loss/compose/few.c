/* SPDX-License-Identifier: MIT */
/* Compositions of few outcomes: against the recursion by its definition, against plain sums, and against
 * coins whose chances are worked out anew. */
#include "loss/compose/few.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "loss/compose/compose.h"
#include "tests/loss/ask.h"
#include "tests/loss/compose/recursion.h"

enum { PREC = RECURSION_PREC, DIGITS = 12, NARROW_BITS = 36 };

/* ---- random specs ----------------------------------------------------------------------------- */

static ulong below(flint_rand_t state, ulong n)
{
    return n_randint(state, n);
}

/* A mechanism of few atoms, at most so many times. */
static void random_spec(char *text, size_t size, flint_rand_t state, ulong most)
{
    const ulong times = 1 + below(state, most), a = 1 + below(state, 6), b = 1 + below(state, 4);
    switch (below(state, 6)) {
    case 0:
        snprintf(text, size, "%lu*threshold:eps=%lu/%lu,T=%lu", times, a, b, 1 + below(state, 5));
        break;
    case 1:
        snprintf(text, size, "threshold:eps=%lu/%lu,T=%lu,sensitivity=2", a, b, 2 + below(state, 4));
        break;
    case 2:
        snprintf(text, size, "%lu*partition:eps=%lu/%lu,delta=1/%lu", times, a, b, 2 + below(state, 5000));
        break;
    case 3:
        snprintf(text, size, "%lu*geometric:eps=%lu/%lu", times, a, b);
        break;
    case 4:
        snprintf(text, size, "%lu*stlap:eps=%lu/%lu,q=%lu/2", times, a, b, 1 + below(state, 9));
        break;
    default:
        snprintf(text, size, "%lu*approx:eps=%lu/%lu,delta=1/%lu", times, a, b, 2 + below(state, 100));
    }
}

static void check_delta(const pby_profile *profile, const pby_parts *parts, const fmpq_t at, const char *text)
{
    arb_t ball, truth;
    pby_error err;
    arb_init(ball);
    arb_init(truth);
    recursion_delta(truth, parts, at);
    cr_assert_eq(pby_profile_delta(ball, profile, at, DIGITS, &err), PBY_OK, "%s: %s", text, err.text);
    cr_assert(arb_overlaps(ball, truth), "%s: misses the truth", text);
    cr_assert(arb_is_exact(ball) || arb_rel_accuracy_bits(ball) >= NARROW_BITS, "%s: too wide", text);
    arb_clear(truth);
    arb_clear(ball);
}

/* At the lower end delta is not below the level, at the upper end it is not above it. */
static void check_epsilon(const pby_profile *profile, const pby_parts *parts, const fmpq_t level,
                          const char *text)
{
    arb_t ball, delta, bar;
    arf_t end[2];
    fmpq_t at;
    pby_error err;
    arb_init(ball);
    arb_init(delta);
    arb_init(bar);
    arf_init(end[0]);
    arf_init(end[1]);
    fmpq_init(at);
    arb_set_fmpq(bar, level, PREC);
    cr_assert_eq(pby_profile_epsilon(ball, profile, level, DIGITS, &err), PBY_OK, "%s: %s", text, err.text);
    for (int i = 0; i < 2 && arb_is_finite(ball); i++) {
        arb_get_interval_arf(end[0], end[1], ball, PREC);
        arf_get_fmpq(at, end[i]);
        recursion_delta(delta, parts, at);
        cr_assert(i == 0 ? !arb_lt(delta, bar) : !arb_gt(delta, bar), "%s: end %d", text, i);
    }
    fmpq_clear(at);
    arf_clear(end[1]);
    arf_clear(end[0]);
    arb_clear(bar);
    arb_clear(delta);
    arb_clear(ball);
}

Test(few, random_specs_against_the_recursion)
{
    enum { SPECS = 200, ASKED = 3 };
    flint_rand_t state;
    fmpq_t at;
    int few = 0;
    flint_randinit(state);
    fmpq_init(at);
    for (int i = 0; i < SPECS; i++) {
        char one[64], other[64];
        const char *texts[] = {one, other};
        const size_t count = 1 + below(state, 2);
        const pby_neighbours relation = below(state, 4) == 0 ? PBY_SUBSTITUTE : PBY_ADD_REMOVE;
        random_spec(one, sizeof one, state, count == 1 && relation == PBY_ADD_REMOVE ? 3 : 2);
        random_spec(other, sizeof other, state, 1);
        pby_parts parts = recursion_parts(texts, count, relation),
                  again = recursion_parts(texts, count, relation);
        pby_profile *profile;
        cr_assert_eq(pby_profile_of_few(&profile, &again, NULL, NULL), PBY_OK);
        for (int j = 0; j < ASKED && profile != NULL; j++) {
            fmpq_set_si(at, (slong)below(state, 60) - 15, 1 + below(state, 12));
            check_delta(profile, &parts, at, one);
        }
        fmpq_set_si(at, 1 + (slong)below(state, 9), 10);
        if (profile != NULL)
            check_epsilon(profile, &parts, at, one);
        few += profile != NULL;
        pby_profile_free(profile);
        pby_parts_clear(&again);
        pby_parts_clear(&parts);
    }
    cr_assert_gt(few, SPECS * 3 / 4);
    fmpq_clear(at);
    flint_randclear(state);
}

/* ---- plain sums ------------------------------------------------------------------------------- */

/* k randomised responses of epsilon e/1000: the sum over i of C(k,i) max(0, exp((k-i) e) - exp(E + i e)) / (1
 * + exp e)^k. */
static void responses(arb_t out, ulong k, slong e, const fmpq_t epsilon)
{
    arb_t a, up, down, term, growth;
    arb_init(a);
    arb_init(up);
    arb_init(down);
    arb_init(term);
    arb_init(growth);
    arb_zero(out);
    arb_set_si(a, e);
    arb_div_ui(a, a, 1000, PREC);
    arb_set_fmpq(growth, epsilon, PREC);
    for (ulong i = 0; i <= k; i++) {
        arb_mul_ui(up, a, k - i, PREC);
        arb_exp(up, up, PREC);
        arb_mul_ui(down, a, i, PREC);
        arb_add(down, down, growth, PREC);
        arb_exp(down, down, PREC);
        arb_sub(up, up, down, PREC);
        arb_nonnegative_part(up, up);
        arb_bin_uiui(term, k, i, PREC);
        arb_addmul(out, up, term, PREC);
    }
    arb_exp(a, a, PREC);
    arb_add_ui(a, a, 1, PREC);
    arb_pow_ui(a, a, k, PREC);
    arb_div(out, out, a, PREC);
    arb_clear(growth);
    arb_clear(term);
    arb_clear(down);
    arb_clear(up);
    arb_clear(a);
}

static void expect(const char *spec, const fmpq_t at, const arb_t truth)
{
    arb_t ball;
    arb_init(ball);
    ask_delta(ball, spec, at, DIGITS);
    cr_assert(arb_overlaps(ball, truth), "%s: misses the truth", spec);
    cr_assert(arb_rel_accuracy_bits(ball) >= NARROW_BITS, "%s: too wide", spec);
    arb_clear(ball);
}

/* [0, 2.6e-146] before; the truth is 5.2e-213. */
Test(few, a_thousand_responses_far_out)
{
    fmpq_t at;
    arb_t truth;
    fmpq_init(at);
    arb_init(truth);
    fmpq_set_si(at, 144, 5);
    responses(truth, 1000, 32, at);
    expect("1000*pure:eps=4/125", at, truth);
    fmpq_set_si(at, 3, 1);
    responses(truth, 1000, 32, at);
    expect("1000*pure:eps=4/125", at, truth);
    arb_clear(truth);
    fmpq_clear(at);
}

/* [0.7459, 0.9292] before. */
Test(few, two_thresholds_at_a_negative_epsilon)
{
    static const char *const text[] = {"2*threshold:eps=1/9,T=2"};
    pby_parts parts = recursion_parts(text, 1, PBY_ADD_REMOVE);
    fmpq_t at;
    arb_t truth;
    fmpq_init(at);
    arb_init(truth);
    fmpq_set_si(at, -137, 100);
    recursion_delta(truth, &parts, at);
    expect(text[0], at, truth);
    arb_clear(truth);
    fmpq_clear(at);
    pby_parts_clear(&parts);
}

/* ---- coins from their definition -------------------------------------------------------------- */

enum { COINS_MAX = 64 };

/* The chances of showing a bar of k records, k = 0 .. count - 1; the last is 1. */
static slong coins(arb_ptr p, const arb_t e, const arb_t delta)
{
    arb_t hidden;
    slong k = 0;
    arb_init(hidden);
    arb_zero(p);
    while (!arb_is_one(p + k) && k + 1 < COINS_MAX) {
        arb_mul(p + k + 1, p + k, e, PREC);
        arb_add(p + k + 1, p + k + 1, delta, PREC);
        arb_sub_ui(hidden, p + k, 1, PREC);
        arb_add(hidden, hidden, delta, PREC);
        arb_div(hidden, hidden, e, PREC);
        arb_add_ui(hidden, hidden, 1, PREC);
        arb_min(p + k + 1, p + k + 1, hidden, PREC);
        k++;
        arb_sub_ui(hidden, p + k, 1, PREC);
        if (arb_is_nonnegative(hidden))
            arb_one(p + k);
    }
    arb_clear(hidden);
    return k + 1;
}

/* The most that so many uses lose where x is the weight of Q, every k being a choice in each of them. */
static void coin_value(arb_t out, arb_srcptr p, slong count, bool forward, int uses, const arb_t x)
{
    arb_t sum, next, chance, other;
    arb_init(sum);
    arb_init(next);
    arb_init(chance);
    arb_init(other);
    arb_sub_ui(out, x, 1, PREC);
    arb_neg(out, out);
    arb_nonnegative_part(out, out);
    for (slong i = 0; uses > 0 && i < 2 * (count - 1); i++) {
        const slong k = i / 2, from = forward ? k : k + 1, to = forward ? k + 1 : k;
        if (i % 2 == 0)
            arb_zero(sum);
        arb_set(chance, p + from);
        arb_set(other, p + to);
        if (i % 2 == 1) {
            arb_sub_ui(chance, chance, 1, PREC);
            arb_sub_ui(other, other, 1, PREC);
            arb_neg(chance, chance);
            arb_neg(other, other);
        }
        if (!arb_is_zero(chance)) {
            arb_div(other, other, chance, PREC);
            arb_mul(other, other, x, PREC);
            coin_value(next, p, count, forward, uses - 1, other);
            arb_addmul(sum, chance, next, PREC);
        }
        if (i % 2 == 1)
            arb_max(out, out, sum, PREC);
    }
    arb_clear(other);
    arb_clear(chance);
    arb_clear(next);
    arb_clear(sum);
}

static void coin_delta(arb_t out, slong eps, slong inverse_delta, int uses, const fmpq_t at)
{
    arb_ptr p = _arb_vec_init(COINS_MAX);
    arb_t e, delta, x;
    arb_init(e);
    arb_init(delta);
    arb_init(x);
    arb_set_si(e, eps);
    arb_exp(e, e, PREC);
    arb_set_ui(delta, 1);
    arb_div_si(delta, delta, inverse_delta, PREC);
    const slong count = coins(p, e, delta);
    cr_assert_lt(count, COINS_MAX);
    arb_set_fmpq(x, at, PREC);
    arb_exp(x, x, PREC);
    coin_value(out, p, count, true, uses, x);
    coin_value(delta, p, count, false, uses, x);
    arb_max(out, out, delta, PREC);
    arb_clear(x);
    arb_clear(delta);
    arb_clear(e);
    _arb_vec_clear(p, COINS_MAX);
}

/* Refused for memory before. */
Test(few, two_partitions_of_a_small_delta)
{
    fmpq_t at;
    arb_t truth, limit;
    fmpq_init(at);
    arb_init(truth);
    arb_init(limit);
    for (slong e = -4; e <= 12; e++) {
        fmpq_set_si(at, e, 4);
        coin_delta(truth, 1, 1000000, 2, at);
        expect("2*partition:eps=1,delta=1e-6", at, truth);
    }
    fmpq_set_si(at, 2, 1);
    arb_set_ui(limit, 1999999);
    arb_div_ui(limit, limit, 1000000000000, PREC);
    expect("2*partition:eps=1,delta=1e-6", at, limit);
    fmpq_set_si(at, 3, 2);
    coin_delta(truth, 1, 300, 3, at);
    expect("3*partition:eps=1,delta=1/300", at, truth);
    arb_clear(limit);
    arb_clear(truth);
    fmpq_clear(at);
}

/* At k eps every use is at its own limit, and the composition at 1 - (1 - delta)^k, however many they are. */
Test(few, many_partitions_at_their_limit)
{
    static const struct {
        const char *spec;
        slong epsilon;
        ulong uses, inverse;
    } asked[] = {{"1000*partition:eps=1/100,delta=1e-9", 10, 1000, 1000000000},
                 {"1000000*partition:eps=1/100,delta=1e-9", 10000, 1000000, 1000000000},
                 {"12*partition:eps=1,delta=1e-6", 13, 12, 1000000}};
    fmpq_t at;
    arb_t truth;
    fmpq_init(at);
    arb_init(truth);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        arb_set_si(truth, -1);
        arb_div_ui(truth, truth, asked[i].inverse, PREC);
        arb_log1p(truth, truth, PREC);
        arb_mul_ui(truth, truth, asked[i].uses, PREC);
        arb_expm1(truth, truth, PREC);
        arb_neg(truth, truth);
        fmpq_set_si(at, asked[i].epsilon, 1);
        expect(asked[i].spec, at, truth);
    }
    arb_clear(truth);
    fmpq_clear(at);
}

/* ---- what it is made of ----------------------------------------------------------------------- */

Test(few, states_are_kept_once)
{
    pby_states s;
    cr_assert(pby_states_init(&s, 2, 300));
    for (int32_t i = 0; i < 600; i++) {
        const int32_t key[] = {i % 300 - 150, (i % 300) * 7};
        cr_assert_eq(pby_states_add(&s, key), (size_t)(i % 300));
        cr_assert_eq(memcmp(pby_states_at(&s, (size_t)(i % 300)), key, sizeof key), 0);
    }
    cr_assert_eq(pby_states_add(&s, (const int32_t[]){9, 9}), 300u);
    pby_states_clear(&s);
}

/* Rational losses go along the first axis in whole steps; a loss and its negative share another. */
Test(few, axes_of_losses)
{
    static const char *const texts[] = {"geometric:eps=1/2,sensitivity=3", "threshold:eps=1/2,T=4"};
    pby_parts parts = recursion_parts(texts, 2, PBY_ADD_REMOVE);
    pby_axes axes;
    size_t axis;
    int32_t steps, furthest = 0;
    pby_axes_init(&axes);
    const pby_pair *noise = &parts.part[0].pairs.pair[0];
    for (size_t i = 0; i < noise->count; i++)
        pby_axes_divide(&axes, &(pby_pair_atom){noise, i});
    for (size_t i = 0; i < noise->count; i++) {
        cr_assert(pby_axes_place(&axis, &steps, &axes, &(pby_pair_atom){noise, i}));
        cr_assert_eq(axis, 0u);
        furthest = FLINT_MAX(furthest, steps);
    }
    cr_assert_eq(furthest, 3);
    cr_assert_eq(axes.count, 1u);
    int seen = 0;
    for (size_t j = 0; j < parts.part[1].pairs.count; j++) {
        const pby_pair *pair = &parts.part[1].pairs.pair[j];
        for (size_t i = 0; i < pair->count; i++)
            if (!pby_expsum_is_zero(pair->atoms[i].p) && !pby_expsum_is_zero(pair->atoms[i].q) &&
                pby_axes_place(&axis, &steps, &axes, &(pby_pair_atom){pair, i}) && axis > 0)
                seen += steps;
    }
    cr_assert_eq(axes.count, 2u);
    cr_assert_eq(seen, 0);
    pby_axes_clear(&axes);
    pby_parts_clear(&parts);
}
