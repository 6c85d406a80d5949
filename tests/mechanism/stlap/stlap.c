/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "law/laws.h"
#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "mechanism/family.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

enum { PREC = 256 };

/* The exact law of one released bar: out[y] for y = 0 .. x, from the noise masses alone. */
static void bar_law(arb_ptr out, const pby_law *law, int64_t x)
{
    arb_t mass;
    arb_init(mass);
    for (int64_t y = 0; y <= x; y++)
        arb_zero(out + y);
    if (x == 0)
        arb_one(out);
    for (int64_t r = law->lo; r <= 0 && x > 0; r++) {
        pby_law_mass_arb(mass, law, r, PREC);
        const int64_t y = x + r > 0 ? x + r : 0;
        arb_add(out + y, out + y, mass, PREC);
    }
    arb_clear(mass);
}

/* H_e between the exact output laws of two histograms of two bars, by enumeration. */
static void divergence(arb_t out, const pby_law *law, const int64_t x[2], const int64_t y[2],
                       const fmpq_t epsilon, int64_t most)
{
    arb_ptr bar[4];
    arb_t p, q, e;
    arb_init(p);
    arb_init(q);
    arb_init(e);
    arb_set_fmpq(e, epsilon, PREC);
    arb_exp(e, e, PREC);
    for (int i = 0; i < 4; i++) {
        bar[i] = _arb_vec_init(most + 1);
        bar_law(bar[i], law, i < 2 ? x[i] : y[i - 2]);
    }
    arb_zero(out);
    for (int64_t a = 0; a <= most; a++)
        for (int64_t b = 0; b <= most; b++) {
            arb_mul(p, bar[0] + a, bar[1] + b, PREC);
            arb_mul(q, bar[2] + a, bar[3] + b, PREC);
            arb_submul(p, e, q, PREC);
            arb_nonnegative_part(p, p);
            arb_add(out, out, p, PREC);
        }
    for (int i = 0; i < 4; i++)
        _arb_vec_clear(bar[i], most + 1);
    arb_clear(e);
    arb_clear(q);
    arb_clear(p);
}

/* No two neighbouring histograms of two bars, with the clamping and the untouched empty bars of the
 * real release, are farther apart than the pairs say; and some are as far. */
static void check_dominated(const char *text, const char *eps, const char *q, pby_neighbours relation)
{
    enum { MOST = 7 };
    pby_spec *spec = spec_of(text);
    pby_pairs pairs;
    pby_law *law = make_stlap(eps, q);
    fmpq_t epsilon;
    arb_t bound, ball, worst;
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(ball);
    arb_init(worst);
    cr_assert_eq(pby_loss_pairs(&pairs, spec, relation, false, NULL), PBY_OK);
    for (int num = 0; num <= 4; num++) {
        fmpq_set_si(epsilon, num, 2);
        arb_zero(bound);
        for (size_t i = 0; i < pairs.count; i++) {
            pby_hockey_stick_direct(ball, &pairs.pair[i], epsilon, PREC);
            arb_max(bound, bound, ball, PREC);
        }
        arb_zero(worst);
        for (int64_t a = 0; a < MOST; a++)
            for (int64_t b = 0; b < MOST; b++) {
                const int64_t low[2] = {a, relation == PBY_SUBSTITUTE ? b + 1 : b};
                const int64_t high[2] = {a + 1, b};
                divergence(ball, law, low, high, epsilon, MOST);
                arb_max(worst, worst, ball, PREC);
                divergence(ball, law, high, low, epsilon, MOST);
                arb_max(worst, worst, ball, PREC);
            }
        arb_sub(ball, bound, worst, PREC);
        cr_assert(claims_may_le_arb(CLAIMS_ALL, worst, bound), "%s: a neighbour is worse than the pairs",
                  text);
        mag_zero(arb_radref(ball));
        cr_assert(arf_cmpabs_2exp_si(arb_midref(ball), -200) < 0, "%s: the pairs are not reached", text);
    }
    arb_clear(worst);
    arb_clear(ball);
    arb_clear(bound);
    fmpq_clear(epsilon);
    pby_law_free(law);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* claims: Flex/Theorem 4 */
Test(stlap_mechanism, no_neighbour_is_worse_than_the_pairs)
{
    check_dominated("stlap:eps=1,q=3", "1", "3", PBY_ADD_REMOVE);
    check_dominated("stlap:eps=1/2,q=9/2", "1/2", "9/2", PBY_ADD_REMOVE);
    check_dominated("stlap:eps=1,q=3", "1", "3", PBY_SUBSTITUTE);
    check_dominated("stlap:eps=2,q=7/3", "2", "7/3", PBY_SUBSTITUTE);
}

/* The accuracy statement on every output of a million bars, through the family's own release. */
Test(stlap_mechanism, accuracy_on_a_million_bars)
{
    enum { BARS = 1000000 };
    pby_spec *spec = spec_of("stlap:eps=1/2,q=81/2");
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_sampler *sampler = NULL;
    pby_entropy *source = seeded(11);
    int64_t *x = malloc(BARS * sizeof *x), *y = malloc(BARS * sizeof *y);
    size_t occupied = 0;
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    cr_assert_eq(pby_sampler_stream(sampler, 1, NULL), PBY_OK, "a word for each draw");
    for (size_t i = 0; i < BARS; i++) {
        x[i] = (int64_t)(i * 2654435761u % 100);
        x[i] = x[i] < 20 ? 0 : i % 1000 == 0 ? INT64_MAX : x[i];
        occupied += x[i] != 0;
    }
    cr_assert_eq(m->family->release(m, sampler, source, x, y, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(source), occupied, "an empty bar draws nothing");
    for (size_t i = 0; i < BARS; i++) {
        cr_assert(0 <= y[i] && y[i] <= x[i]);
        cr_assert_leq(x[i] - y[i], 41);
        cr_assert(x[i] != 0 || y[i] == 0);
    }
    free(y);
    free(x);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

/* 000 Mechanism 4 is stlap of eps = 1/sqrt(q), and its delta, 4/sqrt(q) exp(-sqrt(q)/2), is true: twice too
 * large at the least, and from q = 400 on nearly eight times. */
Test(stlap_mechanism, the_formula_of_robust_holds_and_is_loose)
{
    fmpq_t epsilon;
    arb_t exact, formula;
    fmpq_init(epsilon);
    arb_init(exact);
    arb_init(formula);
    for (ulong root = 1; root <= 30; root++) {
        char spec[64];
        snprintf(spec, sizeof spec, "stlap:eps=1/%lu,q=%lu", root, root * root);
        fmpq_set_ui(epsilon, 1, root);
        ask_delta(exact, spec, epsilon, 20);
        arb_set_ui(formula, root);
        arb_mul_2exp_si(formula, formula, -1);
        arb_neg(formula, formula);
        arb_exp(formula, formula, PREC);
        arb_mul_ui(formula, formula, 4, PREC);
        arb_div_ui(formula, formula, root, PREC);
        arb_div(formula, formula, exact, PREC);
        arb_sub_ui(formula, formula, root < 20 ? 2 : 7, PREC);
        cr_assert(arb_is_positive(formula), "%s", spec);
    }
    arb_clear(formula);
    arb_clear(exact);
    fmpq_clear(epsilon);
}
