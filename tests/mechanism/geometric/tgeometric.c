/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/family.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/curve.h"
#include "tests/mechanism/outcomes.h"

/* A pair for every shift up to the sensitivity; one where the supports are disjoint. */
static void check_pairs(const char *spec, size_t count, size_t atoms_of_last)
{
    pby_pairs pairs;
    pairs_of(&pairs, spec);
    cr_assert_eq(pairs.count, count, "%s", spec);
    cr_assert_eq(pairs.pair[count - 1].count, atoms_of_last, "%s", spec);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(pairs.pair[i].direction, PBY_BOTH);
    pby_pairs_clear(&pairs);
}

Test(tgeometric, a_pair_for_every_shift)
{
    check_pairs("tgeometric:eps=1,bound=3", 1, 8);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=4", 4, 11);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=6", 6, 13);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=7", 1, 14);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=2000000000", 1, 14);
}

Test(tgeometric, too_many_outcomes_are_refused)
{
    pby_spec *spec = NULL;
    pby_pairs pairs = {NULL, 0};
    pby_error err;
    const char *text = "tgeometric:eps=1,bound=1000000,sensitivity=1000";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "tgeometric"), "%s", err.text);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* A pair that would not fit in memory is refused before it is made. */
Test(tgeometric, so_is_a_sensitivity_of_two_billion)
{
    pby_spec *spec = NULL;
    pby_pairs pairs = {NULL, 0};
    pby_error err;
    const char *text = "geometric:eps=1,sensitivity=2000000000";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "outcomes"), "%s", err.text);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* At eps and sensitivity 1 only the end that is out of reach counts: a^B/(1+a), where 002 Theorem 9.6 (5) has
 * 2 a^(B-1). */
Test(tgeometric, the_formula_of_survey_holds_and_is_loose)
{
    enum { PREC = 256, B = 20 };
    fmpq_t eps;
    arb_t exact, a, end, formula;
    fmpq_init(eps);
    arb_init(exact);
    arb_init(a);
    arb_init(end);
    arb_init(formula);
    fmpq_set_si(eps, 1, 2);
    ask_delta(exact, "tgeometric:eps=1/2,bound=20", eps, 40);
    arb_set_fmpq(a, eps, PREC);
    arb_neg(a, a);
    arb_exp(a, a, PREC);
    arb_pow_ui(formula, a, B - 1, PREC);
    arb_mul(end, formula, a, PREC);
    arb_add_ui(a, a, 1, PREC);
    arb_div(end, end, a, PREC);
    cr_assert(arb_overlaps(exact, end) && arb_rel_accuracy_bits(exact) > 120);
    arb_mul_2exp_si(formula, formula, 1);
    cr_assert(arb_lt(exact, formula));
    arb_clear(formula);
    arb_clear(end);
    arb_clear(a);
    arb_clear(exact);
    fmpq_clear(eps);
}

enum { CLIPPED = 2, OUTCOMES = 2 * CLIPPED + 2 };

/* A bar of 0 or 1 with noise that is clipped, from the definition: outcome i is the count i - CLIPPED. */
static void clipped_bar(arb_ptr out, const fmpq_t rate, slong count)
{
    _arb_vec_zero(out, OUTCOMES);
    for (slong k = 1 - CLIPPED; k < CLIPPED; k++)
        outcomes_geometric(out + count + k + CLIPPED, rate, k);
    outcomes_geometric_from(out + count, rate, CLIPPED);
    outcomes_geometric_from(out + count + 2 * CLIPPED, rate, CLIPPED);
}

/* A histogram is released where one bar moves by one. Where two do, each by one, the pairs of one bar that
 * moves by two are not enough: either of the two bars may show an end that the other side has not. */
Test(tgeometric, one_bar_is_not_the_worst_of_a_histogram)
{
    static const char *const at[] = {"-1/30", "0", "1/50"};
    arb_ptr p[2], q[2];
    arb_t one, two, pairs;
    fmpq_t rate, epsilon;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(one);
    arb_init(two);
    arb_init(pairs);
    fmpq_set_si(rate, 1, 40);
    for (int b = 0; b < 2; b++) {
        p[b] = _arb_vec_init(OUTCOMES);
        q[b] = _arb_vec_init(OUTCOMES);
        clipped_bar(p[b], rate, 0);
        clipped_bar(q[b], rate, 1);
    }
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(epsilon, at[i]);
        outcomes_divergence(one, p, q, 1, OUTCOMES, epsilon);
        outcomes_divergence(two, p, q, 2, OUTCOMES, epsilon);
        outcomes_bound(pairs, "tgeometric:eps=1/40,bound=2", PBY_ADD_REMOVE, epsilon);
        outcomes_check(pairs, one, 1, at[i]);
        outcomes_bound(pairs, "tgeometric:eps=1/20,bound=2,sensitivity=2", PBY_ADD_REMOVE, epsilon);
        cr_assert(arb_gt(two, pairs), "at %s", at[i]);
    }
    for (int b = 0; b < 2; b++) {
        _arb_vec_clear(q[b], OUTCOMES);
        _arb_vec_clear(p[b], OUTCOMES);
    }
    arb_clear(pairs);
    arb_clear(two);
    arb_clear(one);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}
