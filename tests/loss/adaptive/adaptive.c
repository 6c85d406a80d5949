/* SPDX-License-Identifier: MIT */
/* Mechanisms with several pairs, composed: against the recursion over every choice after every output, worked
 * out outcome by outcome in balls. */
#include "loss/adaptive/adaptive.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "loss/compose/bounds.h"
#include "loss/compose/compose.h"
#include "tests/loss/ask.h"
#include "tests/loss/compose/recursion.h"

enum { PREC = RECURSION_PREC };

/* ---- the grid against it ---------------------------------------------------------------------- */

struct one_case {
    const char *texts[2];
    pby_neighbours relation;
};

static const struct one_case cases[] = {
    {{"3*threshold:eps=1/2,T=4", NULL}, PBY_ADD_REMOVE},
    {{"2*threshold:eps=1,T=5,sensitivity=2", NULL}, PBY_ADD_REMOVE},
    {{"2*threshold:eps=1,T=6,sensitivity=2", NULL}, PBY_SUBSTITUTE},
    {{"2*threshold:eps=1,T=3", "2*geometric:eps=1/3"}, PBY_ADD_REMOVE},
    {{"2*partition:eps=1,delta=1/10", NULL}, PBY_ADD_REMOVE},
    {{"3*partition:eps=1,delta=1/20", NULL}, PBY_ADD_REMOVE},
    {{"2*partition:eps=1,delta=1/10", NULL}, PBY_SUBSTITUTE},
    {{"2*partition:eps=1/2,delta=1/8", "2*geometric:eps=1/2"}, PBY_ADD_REMOVE},
    {{"2*range:eps=1,L=4,sensitivity=3", NULL}, PBY_ADD_REMOVE},
    {{"threshold:eps=1,T=4", "partition:eps=1,delta=1/20"}, PBY_ADD_REMOVE},
    {{"2*threshold:eps=1,T=3", "threshold:eps=1/2,T=4"}, PBY_ADD_REMOVE},
    {{"partition:eps=1/2,delta=1/10", "2*partition:eps=1,delta=1/10"}, PBY_ADD_REMOVE},
    {{"threshold:eps=1,T=4 stlap:eps=1,q=3", "partition:eps=1,delta=1/20"}, PBY_ADD_REMOVE},
};

enum { CASES = sizeof cases / sizeof *cases };

/* Checks that an answer holds x, and is as narrow as it was asked to be. */
static void check(const arb_t ball, const arb_t x, const fmpq_t width, const char *text)
{
    pby_bounds ends;
    pby_bounds_init(&ends, 1);
    arb_get_interval_arf(ends.lower, ends.upper, ball, PREC);
    cr_assert(arb_overlaps(ball, x), "%s: misses the truth", text);
    const ulong factor = pby_bounds_excess(&ends, 0, width);
    cr_assert(factor == 1 || factor == 2, "%s: %lu times too wide", text, (unsigned long)factor);
    pby_bounds_clear(&ends);
}

Test(adaptive, grid_holds_every_choice)
{
    fmpq_t at, width;
    arb_t exact, ball;
    pby_error err;
    fmpq_init(at);
    fmpq_init(width);
    fmpq_set_si(width, 1, 100);
    arb_init(exact);
    arb_init(ball);
    for (size_t i = 0; i < CASES; i++) {
        pby_parts parts =
            recursion_parts(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_parts again =
            recursion_parts(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_profile *profile;
        cr_assert_eq(pby_profile_of_parts(&profile, &again, width, &err), PBY_OK);
        for (slong e = -1; e <= 7; e += 2) {
            fmpq_set_si(at, e, 4);
            recursion_delta(exact, &parts, at);
            cr_assert_eq(pby_profile_delta(ball, profile, at, 20, &err), PBY_OK, "%s: %s", cases[i].texts[0],
                         err.text);
            check(ball, exact, width, cases[i].texts[0]);
        }
        pby_profile_free(profile);
        pby_parts_clear(&parts);
    }
    arb_clear(ball);
    arb_clear(exact);
    fmpq_clear(width);
    fmpq_clear(at);
}

/* Checks that delta is not below the level at the lower end of the answer, and not above it at the upper. */
static void check_ends(const arb_t ball, const pby_parts *parts, const fmpq_t level, const char *text)
{
    fmpq_t at;
    arb_t delta, bar;
    arf_t lower, upper;
    fmpq_init(at);
    arb_init(delta);
    arb_init(bar);
    arf_init(lower);
    arf_init(upper);
    arb_set_fmpq(bar, level, PREC);
    arb_get_interval_arf(lower, upper, ball, PREC);
    arf_get_fmpq(at, lower);
    recursion_delta(delta, parts, at);
    cr_assert_not(arb_lt(delta, bar), "%s: the lower end is too high", text);
    arf_get_fmpq(at, upper);
    recursion_delta(delta, parts, at);
    cr_assert_not(arb_gt(delta, bar), "%s: the upper end is too low", text);
    arf_clear(upper);
    arf_clear(lower);
    arb_clear(bar);
    arb_clear(delta);
    fmpq_clear(at);
}

Test(adaptive, epsilon_inverts_the_recursion)
{
    fmpq_t level;
    arb_t ball;
    pby_error err;
    fmpq_init(level);
    arb_init(ball);
    for (size_t i = 0; i < CASES; i++) {
        pby_parts parts =
            recursion_parts(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_parts again =
            recursion_parts(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_profile *profile;
        cr_assert_eq(pby_profile_of_parts(&profile, &again, NULL, &err), PBY_OK);
        fmpq_set_si(level, 2, 5);
        cr_assert_eq(pby_profile_epsilon(ball, profile, level, 20, &err), PBY_OK, "%s", err.text);
        if (arb_is_finite(ball))
            check_ends(ball, &parts, level, cases[i].texts[0]);
        pby_profile_free(profile);
        pby_parts_clear(&parts);
    }
    arb_clear(ball);
    fmpq_clear(level);
}

/* One pair that is kept in every use is not the worst: a bound that took it for that would be too low. */
Test(adaptive, choosing_is_worse_than_keeping)
{
    static const char *const text[] = {"3*threshold:eps=1/2,T=20"};
    pby_parts parts = recursion_parts(text, 1, PBY_ADD_REMOVE);
    fmpq_t at;
    arb_t exact, fixed, x, ball;
    fmpq_init(at);
    arb_init(exact);
    arb_init(fixed);
    arb_init(x);
    arb_init(ball);
    fmpq_set_si(at, 1499, 1000);
    recursion_delta(exact, &parts, at);
    for (size_t i = 0; i < parts.part[0].pairs.count; i++) {
        const pby_parts kept = {
            &(pby_part){.pairs = {&parts.part[0].pairs.pair[i], 1}, .times = 3, .reached = 3}, 1};
        recursion_delta(x, &kept, at);
        arb_max(fixed, fixed, x, PREC);
    }
    cr_assert(arb_lt(fixed, exact));
    ask_delta(ball, text[0], at, 12);
    cr_assert(arb_overlaps(ball, exact));
    cr_assert(arb_gt(ball, fixed));
    arb_clear(ball);
    arb_clear(x);
    arb_clear(fixed);
    arb_clear(exact);
    fmpq_clear(at);
    pby_parts_clear(&parts);
}

/* The loss of both is enclosed to a part in 64, and is not less than that of the first. */
static void check_both(const char *first, const char *second, const char *epsilon)
{
    char both[128];
    fmpq_t at;
    arb_t ball, alone;
    fmpq_init(at);
    arb_init(ball);
    arb_init(alone);
    cr_assert_eq(fmpq_set_str(at, epsilon, 10), 0);
    snprintf(both, sizeof both, "%s %s", first, second);
    ask_delta(ball, both, at, 12);
    cr_assert(arb_rel_accuracy_bits(ball) >= 6 && arb_is_positive(ball), "%s", both);
    ask_delta(alone, first, at, 12);
    cr_assert(arb_is_positive(alone) && !arb_lt(ball, alone), "%s", both);
    arb_clear(alone);
    arb_clear(ball);
    fmpq_clear(at);
}

/* Two mechanisms, of which now one pair and now another is the worst: the i-th of one need not go with the
 * i-th of the other. Few uses, and many at an epsilon that a coarse grid answers. */
Test(adaptive, two_mechanisms_choose_each_for_itself)
{
    check_both("threshold:eps=1,T=20", "partition:eps=1,delta=1e-6", "1");
    check_both("10*threshold:eps=1/10,T=100", "10*partition:eps=1/10,delta=1e-6", "1");
    check_both("10*partition:eps=1/10,delta=1e-6", "10*threshold:eps=1/10,T=100", "1");
    check_both("100*threshold:eps=1/10,T=100", "100*partition:eps=1/10,delta=1e-6", "1/2");
}

/* delta reaches its limit, 1 - (1 - 1/100)^2, before the largest loss; what is told holds the place. */
Test(adaptive, epsilon_at_the_limit)
{
    static const char *const text[] = {"2*partition:eps=1,delta=1/100"};
    pby_parts parts = recursion_parts(text, 1, PBY_ADD_REMOVE);
    fmpq_t limit;
    arb_t ball;
    fmpq_init(limit);
    arb_init(ball);
    fmpq_set_si(limit, 199, 10000);
    ask_epsilon(ball, text[0], limit, 12);
    cr_assert(arb_is_finite(ball));
    check_ends(ball, &parts, limit, text[0]);
    arb_clear(ball);
    fmpq_clear(limit);
    pby_parts_clear(&parts);
}
