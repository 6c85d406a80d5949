/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "mechanism/threshold/new.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"

/* The chance that new bars of s in all say nothing: the least of all ways to divide s, by brute force. */
static void least_silence(arb_t out, const fmpq_t rate, slong threshold, slong left, slong most)
{
    if (left == 0) {
        arb_one(out);
        return;
    }
    arb_t one, rest;
    arb_init(one);
    arb_init(rest);
    arb_set_si(out, 2);
    for (slong count = 1; count <= FLINT_MIN(left, most); count++) {
        least_silence(rest, rate, threshold, left - count, count);
        outcomes_geometric_from(one, rate, threshold - count);
        arb_sub_ui(one, one, 1, OUTCOMES_PREC);
        arb_neg(one, one);
        arb_mul(rest, rest, one, OUTCOMES_PREC);
        arb_min(out, out, rest, OUTCOMES_PREC);
    }
    arb_clear(rest);
    arb_clear(one);
}

/* Both routes to a divergence, the limit and the largest loss of new bars, on the side that has them and on
 * the other. */
static void check(const char *rate_text, slong threshold, slong s, const char *at)
{
    fmpq_t rate, epsilon;
    arb_t quiet, growth, want, p, q, zero;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(quiet);
    arb_init(growth);
    arb_init(want);
    arb_init(p);
    arb_init(q);
    arb_init(zero);
    set_text(rate, rate_text);
    set_text(epsilon, at);
    arb_set_fmpq(growth, epsilon, OUTCOMES_PREC);
    arb_exp(growth, growth, OUTCOMES_PREC);
    least_silence(quiet, rate, threshold, s, s);
    for (int without = 0; without <= 1; without++) {
        pby_pair pair;
        pby_pair_init(&pair);
        cr_assert_eq(pby_pair_new_bars(&pair, rate, threshold, s, without, NULL), PBY_OK);
        const pby_curve_class *class = pair.curve->class;
        if (without)
            arb_mul(want, growth, quiet, OUTCOMES_PREC);
        else
            arb_sub(want, growth, quiet, OUTCOMES_PREC);
        arb_sub_si(want, want, without, OUTCOMES_PREC);
        arb_neg(want, want);
        arb_max(want, want, zero, OUTCOMES_PREC);
        class->infinite(p, pair.curve, OUTCOMES_PREC);
        arb_add(want, want, p, OUTCOMES_PREC);
        arb_add(p, p, quiet, OUTCOMES_PREC);
        cr_assert(without || arb_contains_si(p, 1));
        cr_assert_eq(class->direct(p, pair.curve, epsilon, OUTCOMES_PREC, NULL), PBY_OK);
        cr_assert(arb_overlaps(p, want), "direct, rate %s T %ld s %ld", rate_text, threshold, s);
        cr_assert_eq(class->tails(p, q, pair.curve, epsilon, OUTCOMES_PREC, NULL), PBY_OK);
        arb_submul(p, q, growth, OUTCOMES_PREC);
        cr_assert(arb_overlaps(p, want), "tails, rate %s T %ld s %ld", rate_text, threshold, s);
        class->largest(p, pair.curve, OUTCOMES_PREC);
        arb_exp(p, p, OUTCOMES_PREC);
        arb_inv(q, quiet, OUTCOMES_PREC);
        cr_assert(arb_overlaps(p, without ? q : quiet));
        pby_pair_clear(&pair);
    }
    arb_clear(zero);
    arb_clear(q);
    arb_clear(p);
    arb_clear(want);
    arb_clear(growth);
    arb_clear(quiet);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

Test(threshold_new, is_the_coin_of_the_least_silence)
{
    static const char *const rate[] = {"1/20", "1/2", "3"};
    static const char *const at[] = {"-2", "-1/9", "0", "1/3", "4"};
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        for (size_t j = 0; j < sizeof at / sizeof *at; j++)
            for (slong threshold = 1; threshold <= 9; threshold += 2)
                for (slong s = 1; s <= 7; s++)
                    check(rate[i], threshold, s, at[j]);
}
