/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fmpq_vec.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "mechanism/shared/scores.h"
#include "tests/kernel/stream.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

enum { CANDIDATES = 4 };

/* The chances of n groups of candidates from the definition: times[i] of weight base^score[i] each. */
static void chances(arb_ptr out, const fmpq_t base, const int64_t *score, const int64_t *times, slong n)
{
    fmpq_t total, one;
    fmpq *weight = _fmpq_vec_init(n);
    fmpq_init(total);
    fmpq_init(one);
    for (slong i = 0; i < n; i++) {
        fmpq_pow_si(weight + i, base, score[i]);
        fmpq_mul_si(weight + i, weight + i, times[i]);
        fmpq_add(total, total, weight + i);
    }
    for (slong i = 0; i < n; i++) {
        fmpq_div(one, weight + i, total);
        arb_set_fmpq(out + i, one, OUTCOMES_PREC);
    }
    fmpq_clear(one);
    fmpq_clear(total);
    _fmpq_vec_clear(weight, n);
}

static void check_neighbours(const char *spec, const char *base_text, int64_t d, bool monotone,
                             const char *at, uint64_t seed)
{
    arb_t told, found;
    fmpq_t base, e;
    arb_ptr p = _arb_vec_init(CANDIDATES), q = _arb_vec_init(CANDIDATES);
    arb_init(told);
    arb_init(found);
    fmpq_init(base);
    fmpq_init(e);
    set_text(base, base_text);
    set_text(e, at);
    ask_delta(told, spec, e, 30);
    for (int round = 0; round < 200; round++) {
        int64_t s[CANDIDATES], moved[CANDIDATES], times[CANDIDATES];
        const slong n = 2 + (slong)(stream_next(&seed) % (CANDIDATES - 1));
        for (slong i = 0; i < n; i++) {
            s[i] = (int64_t)(stream_next(&seed) % 6);
            times[i] = 1 + (int64_t)(stream_next(&seed) % 9);
            const int64_t by = (int64_t)(stream_next(&seed) % (uint64_t)((monotone ? 1 : 2) * d + 1));
            moved[i] = s[i] + by - (monotone ? 0 : d);
        }
        chances(p, base, s, times, n);
        chances(q, base, moved, times, n);
        for (int order = 0; order < 2; order++) {
            outcomes_divergence(found, order == 0 ? &p : &q, order == 0 ? &q : &p, 1, n, e);
            cr_assert_not(arb_gt(found, told), "%s at %s: some neighbours lose more", spec, at);
        }
    }
    fmpq_clear(e);
    fmpq_clear(base);
    arb_clear(found);
    arb_clear(told);
    _arb_vec_clear(q, CANDIDATES);
    _arb_vec_clear(p, CANDIDATES);
}

Test(power_family, no_neighbours_are_worse)
{
    static const char *const epsilons[] = {"-1", "-1/3", "0", "1/4", "1", "3/2"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        check_neighbours("power:base=2", "2", 1, false, epsilons[i], i);
        check_neighbours("power:base=5/4,sensitivity=3", "5/4", 3, false, epsilons[i], 100 + i);
        check_neighbours("power:base=3,scores=monotone", "3", 1, true, epsilons[i], 200 + i);
    }
}

/* Base 2: a share u of the candidates moves up by 1 and the others down. At epsilon 0 the worst t is log 2,
 * half of the length log 4, and 1 + 3 u = exp(t): u = 1/3 reaches the supremum, (1 - 1/2)^2/(1 - 1/4) = 1/3.
 */
Test(power_family, groups_reach_it)
{
    arb_t told, found;
    fmpq_t base, zero;
    arb_ptr p = _arb_vec_init(2), q = _arb_vec_init(2);
    const int64_t s[2] = {0, 0}, moved[2] = {1, -1}, times[2] = {1, 2};
    arb_init(told);
    arb_init(found);
    fmpq_init(base);
    fmpq_init(zero);
    fmpq_set_si(base, 2, 1);
    ask_delta(told, "power:base=2", zero, 30);
    chances(p, base, s, times, 2);
    chances(q, base, moved, times, 2);
    outcomes_divergence(found, &p, &q, 1, 2, zero);
    cr_assert(arb_overlaps(told, found));
    fmpq_set_si(zero, 1, 3);
    cr_assert(arb_contains_fmpq(told, zero));
    fmpq_clear(zero);
    fmpq_clear(base);
    arb_clear(found);
    arb_clear(told);
    _arb_vec_clear(q, 2);
    _arb_vec_clear(p, 2);
}

/* Between the exponential mechanisms of a shorter and of a longer interval: 2 log 2 = 1.38629436111989.. */
static void is_between(const char *spec, const char *below, const char *above, const char *at)
{
    arb_t told, lower, upper;
    fmpq_t e;
    arb_init(told);
    arb_init(lower);
    arb_init(upper);
    fmpq_init(e);
    set_text(e, at);
    ask_delta(told, spec, e, 9);
    ask_delta(lower, below, e, 9);
    ask_delta(upper, above, e, 9);
    cr_assert_not(arb_lt(told, lower), "%s at %s", spec, at);
    cr_assert_not(arb_gt(told, upper), "%s at %s", spec, at);
    arb_get_rad_arb(lower, told);
    arb_mul_ui(lower, lower, 100, OUTCOMES_PREC);
    cr_assert(arb_lt(lower, upper), "%s at %s: more than two hundredths wide", spec, at);
    fmpq_clear(e);
    arb_clear(upper);
    arb_clear(lower);
    arb_clear(told);
}

Test(power_family, it_is_the_exponential_mechanism)
{
    is_between("power:base=2", "exponential:eps=1.3862943", "exponential:eps=1.3862944", "1/2");
    is_between("power:base=2", "exponential:eps=1.3862943", "exponential:eps=1.3862944", "-1/2");
    is_between("3*power:base=2", "3*exponential:eps=1.386", "3*exponential:eps=1.387", "1");
    is_between("power:base=2 geometric:eps=1", "exponential:eps=1.386 geometric:eps=1",
               "exponential:eps=1.387 geometric:eps=1", "1");
}

/* No delta from 2 log 2 on. */
Test(power_family, the_largest_loss)
{
    arb_t told;
    fmpq_t e;
    arb_init(told);
    fmpq_init(e);
    set_text(e, "1.3862943612");
    ask_delta(told, "power:base=2", e, 20);
    cr_assert(arb_is_zero(told));
    set_text(e, "1.3862943611");
    ask_delta(told, "power:base=2", e, 20);
    cr_assert(arb_is_positive(told));
    fmpq_clear(e);
    arb_clear(told);
}

/* ---- the draw ---------------------------------------------------------------------------------- */

static pby_scores *scores_of(const pby_spec *spec, const long *score, size_t n)
{
    pby_scores *scores;
    mpq_t x;
    mpq_init(x);
    cr_assert_eq(pby_scores_new(&scores, &spec->use[0].mechanism, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        mpq_set_si(x, score[i], 1);
        cr_assert_eq(pby_scores_add(scores, x, NULL), PBY_OK);
    }
    mpq_clear(x);
    return scores;
}

/* Scores 5, 4, 5, 3 with base 2 weigh 4, 2, 4, 1 of 11. Four bits of a word are read, and those from 11 on
 * are drawn anew: every number below 11 leads to the candidate in whose share it lies. */
Test(power_family, every_number_has_its_candidate)
{
    static const long score[] = {5, 4, 5, 3};
    static const uint64_t shares[] = {0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 3};
    pby_spec *spec = spec_of("power:base=2");
    pby_scores *scores = scores_of(spec, score, 4);
    for (uint64_t v = 0; v < 16; v++) {
        const uint64_t words[] = {v | 0xabc0, 7};
        pby_entropy *tape;
        uint64_t chosen;
        cr_assert_eq(pby_entropy_tape(&tape, words, 2, NULL), PBY_OK);
        cr_assert_eq(pby_scores_draw(scores, tape, &chosen, 1, NULL), PBY_OK);
        cr_assert_eq(chosen, v < 11 ? shares[v] : shares[7], "%llu", (unsigned long long)v);
        pby_entropy_free(tape);
    }
    pby_scores_free(scores);
    pby_spec_free(spec);
}

/* Base 3/2 and gaps 0, 1, 3: weights 27, 18, 8 of 53. */
static void check_chance(pby_scores *scores, uint64_t candidate, slong p, ulong q)
{
    arb_t chance;
    fmpq_t exact;
    arb_init(chance);
    fmpq_init(exact);
    fmpq_set_si(exact, p, q);
    cr_assert_eq(pby_scores_chance(chance, scores, candidate, 100, NULL), PBY_OK);
    cr_assert(arb_contains_fmpq(chance, exact));
    fmpq_clear(exact);
    arb_clear(chance);
}

Test(power_family, chances_are_rational)
{
    static const long score[] = {-1, 2, 1};
    pby_spec *spec = spec_of("power:base=3/2");
    pby_scores *scores = scores_of(spec, score, 3);
    check_chance(scores, 0, 8, 53);
    check_chance(scores, 1, 27, 53);
    check_chance(scores, 2, 18, 53);
    pby_scores_free(scores);
    pby_spec_free(spec);
}

/* Gaps beyond 2^20/2 bits are taken for that; the best is drawn. */
Test(power_family, a_score_far_behind_is_never_drawn)
{
    static const long score[] = {0, -4000000000000, 4000000000000};
    pby_spec *spec = spec_of("power:base=2");
    pby_scores *scores = scores_of(spec, score, 3);
    pby_entropy *source;
    uint64_t chosen[4];
    cr_assert_eq(pby_entropy_seeded(&source, (const uint8_t[PBY_SEED_SIZE]){5}, NULL), PBY_OK);
    cr_assert_eq(pby_scores_draw(scores, source, chosen, 4, NULL), PBY_OK);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(chosen[i], 2);
    pby_entropy_free(source);
    pby_scores_free(scores);
    pby_spec_free(spec);
}

static void refused(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD, "%s", text);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
}

Test(power_family, refusals)
{
    refused("power:base=1", "expected a rational above 1");
    refused("power:base=1000001/1000000", "numerator is no more than its 1000th power");
    refused("power:base=2,sensitivity=1/2", "expected an integer from 1");
    pby_spec *spec = spec_of("power:base=2");
    pby_scores *scores;
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    cr_assert_eq(pby_scores_new(&scores, &spec->use[0].mechanism, NULL), PBY_OK);
    cr_assert_eq(pby_scores_add(scores, half, NULL), PBY_BAD);
    mpq_clear(half);
    pby_scores_free(scores);
    pby_spec_free(spec);
}
