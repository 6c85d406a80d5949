/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "mechanism/range/range_bound.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/divisions.h"
#include "tests/mechanism/outcomes.h"

/* The greatest chance of an infinite loss of any division. */
static void widest_of_all(arb_t out, int all, const fmpq_t rate, slong reach)
{
    division d = divisions_first(all);
    arb_zero(out);
    do {
        division_loss loss;
        divisions_loss_init(&loss, &d, rate, reach);
        arb_max(out, out, loss.infinite, OUTCOMES_PREC);
        divisions_loss_clear(&loss);
    } while (divisions_next(&d));
}

static void check_widest(const char *rate_text, slong reach, int all)
{
    fmpq_t rate, slack;
    arb_t most, found;
    pby_divisions list;
    fmpq_init(rate);
    fmpq_init(slack);
    arb_init(most);
    arb_init(found);
    set_text(rate, rate_text);
    cr_assert_eq(pby_range_widest(&list, rate, reach, all, NULL), PBY_OK);
    pby_range_slack(slack, all);
    division d = {.count = (int)list.division[0].count};
    for (int i = 0; i < d.count; i++)
        d.part[i] = (int)list.division[0].part[i];
    division_loss loss;
    divisions_loss_init(&loss, &d, rate, reach);
    cr_assert_eq(loss.all, all);
    widest_of_all(most, all, rate, reach);
    arb_sub(found, most, loss.infinite, OUTCOMES_PREC);
    arb_set_fmpq(most, slack, OUTCOMES_PREC);
    cr_assert(arb_lt(found, most), "rate %s, L = %ld, D = %d", rate_text, reach, all);
    cr_assert(fmpq_cmp_si(slack, 0) > 0 && arf_cmpabs_2exp_si(arb_midref(most), -50) < 0);
    divisions_loss_clear(&loss);
    pby_divisions_clear(&list);
    arb_clear(found);
    arb_clear(most);
    fmpq_clear(slack);
    fmpq_clear(rate);
}

Test(range_bound, no_division_gives_more_away)
{
    static const char *const rate[] = {"1/100", "1/8", "1"};
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        for (slong reach = 1; reach <= 5; reach++)
            for (int all = 1; all <= 12; all++)
                check_widest(rate[i], reach, all);
    check_widest("100", 5, 12); /* the chance of a finite loss is about exp(-600) */
}

/* B <= delta <= B + (1-B) H, H the divergence of geometric noise, for all divisions; at eps and beyond delta
 * is B. */
static void check_bounds(const char *rate_text, slong reach, int all)
{
    fmpq_t rate, epsilon;
    arb_t most, worst, bound, geometric;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(most);
    arb_init(worst);
    arb_init(bound);
    arb_init(geometric);
    set_text(rate, rate_text);
    widest_of_all(most, all, rate, reach);
    const division single = divisions_first(all);
    division_loss noise;
    divisions_loss_init(&noise, &single, rate, 400); /* suppresses less than exp(-250) */
    for (int k = 0; k <= 2 * all + 2; k++) {
        fmpq_mul_si(epsilon, rate, k);
        fmpq_div_2exp(epsilon, epsilon, 1);
        divisions_worst(worst, all, all, rate, reach, epsilon);
        divisions_delta(geometric, &noise, rate, epsilon);
        arb_mul(bound, most, geometric, OUTCOMES_PREC);
        arb_sub(bound, geometric, bound, OUTCOMES_PREC);
        arb_add(bound, bound, most, OUTCOMES_PREC);
        cr_assert(!arb_gt(worst, bound) && !arb_lt(worst, most), "rate %s, L = %ld, D = %d, k = %d/2",
                  rate_text, reach, all, k);
        cr_assert(k < 2 * all || arb_overlaps(worst, most));
    }
    divisions_loss_clear(&noise);
    arb_clear(geometric);
    arb_clear(bound);
    arb_clear(worst);
    arb_clear(most);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

Test(range_bound, all_divisions_lie_within)
{
    for (slong reach = 1; reach <= 4; reach++) {
        check_bounds("1", reach, 6);
        check_bounds("2/3", reach, 7);
    }
}

/* Bars of 3 and reach 1 have no interval in common: 100 of them give the input away unless all say nothing.
 */
Test(range_bound, a_sensitivity_of_hundreds_is_answered)
{
    fmpq_t epsilon, rate;
    arb_t ball, quiet;
    fmpq_init(epsilon);
    fmpq_init(rate);
    arb_init(ball);
    arb_init(quiet);
    fmpq_set_si(rate, 1, 300);
    outcomes_geometric_from(quiet, rate, 2);
    arb_mul_2exp_si(quiet, quiet, 1);
    arb_pow_ui(quiet, quiet, 100, OUTCOMES_PREC);
    arb_sub_ui(quiet, quiet, 1, OUTCOMES_PREC);
    arb_neg(quiet, quiet);
    fmpq_one(epsilon);
    ask_delta(ball, "range:eps=1,L=1,sensitivity=300", epsilon, 9);
    cr_assert(arb_overlaps(ball, quiet) && arb_rel_accuracy_bits(ball) > 5);
    ask_delta(ball, "range:eps=1,L=500,sensitivity=1000", epsilon, 9);
    cr_assert(arb_is_positive(ball) && arb_rel_accuracy_bits(ball) > 5);
    arb_clear(quiet);
    arb_clear(ball);
    fmpq_clear(rate);
    fmpq_clear(epsilon);
}
