/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/family.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/curve.h"

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
