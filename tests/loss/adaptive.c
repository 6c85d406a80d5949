/* Mechanisms with several pairs, composed: against the recursion over every choice after every output, worked
 * out outcome by outcome in balls. */
#include "loss/adaptive.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "loss/bounds.h"
#include "loss/compose.h"
#include "tests/loss/ask.h"

enum { PREC = 256 };

/* ---- the recursion ---------------------------------------------------------------------------- */

/* Masses of all atoms of a pair. */
typedef struct outcomes {
    arb_ptr p, q;
    slong count;
} outcomes;

static outcomes outcomes_of(const pby_pair *pair)
{
    outcomes o = {_arb_vec_init((slong)pair->count), _arb_vec_init((slong)pair->count), (slong)pair->count};
    arb_t norm;
    arb_init(norm);
    for (slong i = 0; i < o.count; i++) {
        pby_expsum_get_arb(o.p + i, pair->atoms[i].p, PREC);
        pby_expsum_get_arb(norm, pair->norm_p, PREC);
        arb_div(o.p + i, o.p + i, norm, PREC);
        pby_expsum_get_arb(o.q + i, pair->atoms[i].q, PREC);
        pby_expsum_get_arb(norm, pair->norm_q, PREC);
        arb_div(o.q + i, o.q + i, norm, PREC);
    }
    arb_clear(norm);
    return o;
}

/* The uses of a mechanism that are left: each may choose among its outcomes. */
typedef struct stage {
    outcomes *choice;
    size_t count;
    uint64_t times;
} stage;

static void worst(arb_t out, stage *stages, size_t count, const arb_t p, const arb_t q, const arb_t x);

/* Raises out to the worst choice in a use of s, which is done when the others are asked. */
static void worst_use(arb_t out, stage *s, stage *stages, size_t count, const arb_t p, const arb_t q, const arb_t x)
{
    arb_t sum, next_p, next_q, part;
    arb_init(sum);
    arb_init(next_p);
    arb_init(next_q);
    arb_init(part);
    s->times--;
    for (size_t c = 0; c < s->count; c++) {
        arb_zero(sum);
        for (slong i = 0; i < s->choice[c].count; i++) {
            if (arb_is_zero(s->choice[c].p + i))
                continue;
            arb_mul(next_p, p, s->choice[c].p + i, PREC);
            arb_mul(next_q, q, s->choice[c].q + i, PREC);
            worst(part, stages, count, next_p, next_q, x);
            arb_add(sum, sum, part, PREC);
        }
        arb_max(out, out, sum, PREC);
    }
    s->times++;
    arb_clear(part);
    arb_clear(next_q);
    arb_clear(next_p);
    arb_clear(sum);
}

/* out = the greatest sum of max(0, P - x Q) over all orders and choices, P and Q the measures of what came before. */
static void worst(arb_t out, stage *stages, size_t count, const arb_t p, const arb_t q, const arb_t x)
{
    bool last = true;
    arb_zero(out);
    for (size_t i = 0; i < count; i++)
        if (stages[i].times > 0) {
            worst_use(out, &stages[i], stages, count, p, q, x);
            last = false;
        }
    if (last) {
        arb_t gap;
        arb_init(gap);
        arb_mul(gap, x, q, PREC);
        arb_sub(gap, p, gap, PREC);
        arb_max(out, out, gap, PREC);
        arb_clear(gap);
    }
}

static void fill_stage(stage *s, const pby_part *part, pby_direction direction)
{
    *s = (stage){calloc(part->pairs.count, sizeof *s->choice), 0, part->times};
    const pby_pair *pair;
    while ((pair = pby_part_pair(part, direction, s->count)) != NULL)
        s->choice[s->count++] = outcomes_of(pair);
}

static void clear_stage(stage *s)
{
    for (size_t c = 0; c < s->count; c++) {
        _arb_vec_clear(s->choice[c].p, s->choice[c].count);
        _arb_vec_clear(s->choice[c].q, s->choice[c].count);
    }
    free(s->choice);
}

static void enumerate(arb_t out, const pby_parts *parts, pby_direction direction, const arb_t x)
{
    enum { STAGES = 4 };
    stage stages[STAGES];
    arb_t one;
    arb_init(one);
    arb_one(one);
    for (size_t i = 0; i < parts->count; i++)
        fill_stage(&stages[i], &parts->part[i], direction);
    worst(out, stages, parts->count, one, one, x);
    for (size_t i = 0; i < parts->count; i++)
        clear_stage(&stages[i]);
    arb_clear(one);
}

static pby_parts parts_of(const char *const *texts, size_t count, pby_neighbours relation)
{
    pby_spec *spec;
    pby_parts parts;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, texts, count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_parts_of_spec(&parts, spec, relation, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

/* delta by the recursion, the worse of both directions. */
static void brute_delta(arb_t out, const pby_parts *parts, const fmpq_t epsilon)
{
    pby_direction directions[2];
    arb_t x, one;
    arb_init(x);
    arb_init(one);
    arb_set_fmpq(x, epsilon, PREC);
    arb_exp(x, x, PREC);
    arb_zero(out);
    for (size_t d = pby_parts_directions(directions, parts); d-- > 0;) {
        enumerate(one, parts, directions[d], x);
        arb_max(out, out, one, PREC);
    }
    arb_clear(one);
    arb_clear(x);
}

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

/* Whether an answer holds x, and is as wide as it was asked to be. */
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
        pby_parts parts = parts_of(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_parts again = parts_of(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_profile *profile;
        cr_assert_eq(pby_profile_of_parts(&profile, &again, width, &err), PBY_OK);
        for (slong e = -1; e <= 7; e += 2) {
            fmpq_set_si(at, e, 4);
            brute_delta(exact, &parts, at);
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

/* Whether delta is not below the level at the lower end of the answer, and not above it at the upper. */
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
    brute_delta(delta, parts, at);
    cr_assert_not(arb_lt(delta, bar), "%s: the lower end is too high", text);
    arf_get_fmpq(at, upper);
    brute_delta(delta, parts, at);
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
        pby_parts parts = parts_of(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
        pby_parts again = parts_of(cases[i].texts, cases[i].texts[1] == NULL ? 1 : 2, cases[i].relation);
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
    pby_parts parts = parts_of(text, 1, PBY_ADD_REMOVE);
    fmpq_t at;
    arb_t exact, fixed, x, ball;
    fmpq_init(at);
    arb_init(exact);
    arb_init(fixed);
    arb_init(x);
    arb_init(ball);
    fmpq_set_si(at, 1499, 1000);
    brute_delta(exact, &parts, at);
    for (size_t i = 0; i < parts.part[0].pairs.count; i++) {
        const pby_parts kept = {&(pby_part){{&parts.part[0].pairs.pair[i], 1}, 3, 3}, 1};
        brute_delta(x, &kept, at);
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

/* What both lose is told to a part in 64, and is not less than what the first loses. */
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

/* Two mechanisms, of which now one pair and now another is the worst: the i-th of one need not go with the i-th of the
 * other. Few uses, and many at an epsilon that a coarse grid answers. */
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
    pby_parts parts = parts_of(text, 1, PBY_ADD_REMOVE);
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
