/* SPDX-License-Identifier: MIT */
/* 001 Theorem 3 and Corollary 3 as printed: delta at eps is at most (exp(eps)-1) / (2 (exp(eps q/2)-1)), q =
 * tau n, for any number of bars, where eps tau n >= 2. They are false. */
#include <criterion/criterion.h>

#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/mechanism/sized.h"

static bool asked_for(const sized *s)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    set_text(x, s->eps);
    set_text(y, s->tau);
    fmpq_mul(x, x, y);
    fmpq_mul_si(x, x, s->n);
    const bool yes = fmpq_cmp_si(x, 2) >= 0;
    fmpq_clear(y);
    fmpq_clear(x);
    return yes;
}

/* Two neighbours, x of n records and y of n + 1, that are further apart than the formula says. */
static void refutes(const sized *s, const slong *x, const slong *y)
{
    char spec[SIZED_TEXT];
    arb_t apart, formula, answer;
    fmpq_t epsilon;
    arb_init(apart);
    arb_init(formula);
    arb_init(answer);
    fmpq_init(epsilon);
    set_text(epsilon, s->eps);
    sized_spec(spec, s);
    sized_divergence(apart, s, y, x, epsilon);
    sized_formula(formula, s);
    cr_assert(asked_for(s), "%s: the statement is not about it", spec);
    cr_assert(claims_lt_arb(CLAIMS_ALL, formula, apart), "%s: no counterexample", spec);
    ask_delta(answer, spec, epsilon, 30);
    cr_assert(arb_overlaps(answer, apart), "%s: not the worst neighbours", spec);
    fmpq_clear(epsilon);
    arb_clear(answer);
    arb_clear(formula);
    arb_clear(apart);
}

/* The formula covers every input of such a size. */
static void holds(const sized *s)
{
    arb_t worst, formula;
    fmpq_t epsilon;
    if (!asked_for(s))
        return;
    arb_init(worst);
    arb_init(formula);
    fmpq_init(epsilon);
    set_text(epsilon, s->eps);
    sized_worst(worst, s, PBY_ADD_REMOVE, epsilon);
    sized_formula(formula, s);
    cr_assert(arb_lt(worst, formula), "eps=%s, tau=%s, n=%ld, bars=%d: a smaller counterexample", s->eps,
              s->tau, s->n, s->bars);
    fmpq_clear(epsilon);
    arb_clear(formula);
    arb_clear(worst);
}

/* claims: Flex/Corollary 3 */
Test(stlap_claim, three_bars_of_five_records)
{
    refutes(&(sized){"8", "1/2", 5, 3}, (const slong[]){1, 2, 2}, (const slong[]){2, 2, 2});
}

Test(stlap_claim, two_bars_of_six_records)
{
    refutes(&(sized){"1/2", "3/4", 6, 2}, (const slong[]){1, 5}, (const slong[]){2, 5});
}

/* Fewer records in up to three bars, or five in two: none on this grid, by every input. */
Test(stlap_claim, no_smaller_counterexample_on_a_grid)
{
    static const char *const eps[] = {"1/2", "3/4", "1", "3/2", "2", "3", "4", "8", "16"};
    static const char *const tau[] = {"1/6", "1/5", "1/4", "1/3", "2/5", "1/2",
                                      "3/5", "2/3", "3/4", "4/5", "5/6", "8/9"};
    for (size_t e = 0; e < sizeof eps / sizeof *eps; e++)
        for (size_t t = 0; t < sizeof tau / sizeof *tau; t++) {
            for (slong n = 1; n <= 4; n++)
                holds(&(sized){eps[e], tau[t], n, 3});
            for (slong n = 1; n <= 12; n++)
                holds(&(sized){eps[e], tau[t], n, 1});
            holds(&(sized){eps[e], tau[t], 5, 2});
        }
}

/* Far from small: three bars of a thousand lose more than ten times the formula, two slightly less than it.
 */
Test(stlap_claim, three_bars_of_a_thousand)
{
    arb_t exact, formula;
    fmpq_t value;
    arb_init(exact);
    arb_init(formula);
    fmpq_init(value);
    set_text(value, "1/2");
    ask_delta(exact, "stlap:eps=1/2,tau=1/75,n=3000,bars=3", value, 25);
    set_text(value, "2.122820874705339788e-04");
    arb_set_fmpq(formula, value, OUTCOMES_PREC);
    arb_sub(formula, formula, exact, OUTCOMES_PREC);
    mag_zero(arb_radref(formula));
    cr_assert(arf_cmpabs_2exp_si(arb_midref(formula), -70) < 0, "not the known value");
    sized_formula(formula, &(sized){"1/2", "1/75", 3000, 3});
    arb_mul_ui(formula, formula, 10, OUTCOMES_PREC);
    cr_assert(arb_gt(exact, formula));
    set_text(value, "1/2");
    ask_delta(exact, "stlap:eps=1/2,tau=1/75,n=3000,bars=2", value, 25);
    sized_formula(formula, &(sized){"1/2", "1/75", 3000, 2});
    cr_assert(arb_lt(exact, formula), "two bars of 1500 keep it");
    fmpq_clear(value);
    arb_clear(formula);
    arb_clear(exact);
}

/* 001 Lemma 11 and Remark 6 (Lemma 5 with nu > 0): the same delta at (1 + nu) eps, where eps nu > ln(1 +
 * 1/n). At eps = 1/2, nu = 1/1000 and n = 3000 that is 1/2000 > 1/3000, and three bars lose ten times as
 * much.
 * claims: Flex/Lemma 11; Flex/Remark 6 */
Test(stlap_claim, remark_6_fails_as_well)
{
    arb_t exact, formula;
    fmpq_t epsilon;
    arb_init(exact);
    arb_init(formula);
    fmpq_init(epsilon);
    set_text(epsilon, "0.5005");
    ask_delta(exact, "stlap:eps=1/2,tau=1/75,n=3000,bars=3", epsilon, 20);
    sized_formula(formula, &(sized){"1/2", "1/75", 3000, 3});
    arb_mul_ui(formula, formula, 10, OUTCOMES_PREC);
    cr_assert(claims_lt_arb(CLAIMS_ALL, formula, exact));
    fmpq_clear(epsilon);
    arb_clear(formula);
    arb_clear(exact);
}
