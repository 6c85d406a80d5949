/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>

#include "mechanism/range/division.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/divisions.h"
#include "tests/mechanism/outcomes.h"

/* x and y are one number, to 2^-60. */
static bool alike(const arb_t x, const arb_t y)
{
    arb_t gap;
    arb_init(gap);
    arb_sub(gap, x, y, OUTCOMES_PREC);
    arb_abs(gap, gap);
    arb_mul_2exp_si(gap, gap, 60);
    arb_sub_ui(gap, gap, 1, OUTCOMES_PREC);
    const bool near = arb_is_negative(gap);
    arb_clear(gap);
    return near;
}

/* The loss of a spec is that of the worst of all divisions, at, between and beyond the losses. */
static void check(const char *eps, slong reach, int all, int bars)
{
    static const char *const share[] = {"0", "1/12", "1/3", "1/2", "7/9", "1", "3/2"};
    char spec[128];
    fmpq_t rate, epsilon, part;
    arb_t found, worst;
    fmpq_init(rate);
    fmpq_init(epsilon);
    fmpq_init(part);
    arb_init(found);
    arb_init(worst);
    snprintf(spec, sizeof spec, "range:eps=%s,L=%ld,sensitivity=%d,dimensions=%d", eps, reach, all, bars);
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        set_text(rate, eps);
        set_text(part, share[i]);
        fmpq_mul(epsilon, rate, part);
        fmpq_div_fmpz(rate, rate, (fmpz[]){all});
        divisions_worst(worst, all, bars, rate, reach, epsilon);
        ask_delta(found, spec, epsilon, 30);
        cr_assert(alike(found, worst), "%s at %s of eps", spec, share[i]);
    }
    arb_clear(worst);
    arb_clear(found);
    fmpq_clear(part);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

Test(range_division, the_worst_of_all_divisions_is_among_those_that_count)
{
    static const char *const eps[] = {"1/10", "1", "6"};
    for (size_t i = 0; i < sizeof eps / sizeof *eps; i++)
        for (slong reach = 1; reach <= 5; reach++) {
            check(eps[i], reach, 7, 7);
            check(eps[i], reach, 8, 8);
        }
    check("1/3", 3, 11, 11);
    check("1/10", 2, 12, 12);
    check("5", 4, 12, 12);
}

Test(range_division, no_more_bars_than_there_are)
{
    for (int bars = 1; bars <= 4; bars++) {
        check("1/10", 1, 8, bars);
        check("1", 2, 9, bars);
    }
}

/* Where 4 a^(2L+1-D) <= 1 and D <= L one bar is the worst of all divisions, and nothing is searched. */
Test(range_division, one_bar_is_the_worst_where_the_theorem_says_so)
{
    fmpq_t rate, epsilon;
    arb_t worst, one;
    pby_divisions list;
    bool found;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(one);
    for (int all = 2; all <= 9; all++)
        for (slong reach = all; reach <= all + 3; reach++) {
            /* the least multiple of 1/64 above 2 log 2 / (2L+1-D) */
            fmpq_set_si(rate, 89 / (2 * reach + 1 - all) + 1, 64);
            cr_assert_eq(pby_range_divisions(&list, &found, rate, reach, all, all, NULL), PBY_OK);
            cr_assert(found && list.count == 1 && list.division[0].count == 1);
            pby_divisions_clear(&list);
            const division single = divisions_first(all);
            division_loss loss;
            divisions_loss_init(&loss, &single, rate, reach);
            for (int k = 0; k <= all; k++) {
                fmpq_mul_si(epsilon, rate, k);
                divisions_worst(worst, all, all, rate, reach, epsilon);
                divisions_delta(one, &loss, rate, epsilon);
                cr_assert(alike(worst, one), "D = %d, L = %ld, k = %d", all, reach, k);
            }
            divisions_loss_clear(&loss);
        }
    arb_clear(one);
    arb_clear(worst);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* The condition is needed in some form: with a small rate two bars of 1 are worse than one of 2. */
Test(range_division, one_bar_is_not_always_the_worst)
{
    pby_divisions list;
    bool found, two = false;
    fmpq_t rate;
    fmpq_init(rate);
    fmpq_set_si(rate, 1, 40);
    cr_assert_eq(pby_range_divisions(&list, &found, rate, 4, 4, 4, NULL), PBY_OK);
    cr_assert(found);
    for (size_t i = 0; i < list.count; i++)
        two = two || list.division[i].count == 2;
    cr_assert(two, "(3, 1) at epsilon 0");
    pby_divisions_clear(&list);
    cr_assert_eq(pby_range_divisions(&list, &found, rate, 100, 1000000, 1000000, NULL), PBY_OK);
    cr_assert(!found && list.count == 0);
    fmpq_clear(rate);
}
