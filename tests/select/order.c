/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/selection.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "probity/loss.h"
#include "tests/select/fill.h"
#include "tests/spec.h"

enum { PREC = 128 };

static void delta_at(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation, long epsilon)
{
    mpq_t at;
    mpq_init(at);
    mpq_set_si(at, epsilon, 1);
    cr_assert_eq(pby_loss_delta(delta, spec, relation, at, 20, NULL), PBY_OK);
    mpq_clear(at);
}

static void upper_end(arb_t out, const pby_enclosure *x, bool upper)
{
    arf_t end;
    arf_init(end);
    arf_set_mpfr(end, upper ? x->hi : x->lo);
    arb_set_arf(out, end);
    arf_clear(end);
}

static const pby_integers *integers_of(const pby_spec *spec)
{
    return spec->use[0].mechanism.family->select->integers;
}

/* No delta is below the floor, however great epsilon is: of one use and of two. */
static void check_floor(const char *pattern, pby_neighbours relation, int64_t i)
{
    pby_enclosure delta;
    arb_t floor, end;
    arb_init(floor);
    arb_init(end);
    pby_enclosure_init(&delta);
    for (unsigned long uses = 1; uses <= 2; uses++) {
        char text[TEXT_SIZE], all[TEXT_SIZE + 8];
        fill(text, pattern, (unsigned long)i);
        snprintf(all, sizeof all, "%lu*%s", uses, text);
        pby_spec *spec = spec_of(all);
        pby_integers_floor(floor, integers_of(spec), &spec->use[0].mechanism, uses, PREC);
        delta_at(&delta, spec, relation, 50);
        upper_end(end, &delta, true);
        cr_assert(!arb_gt(floor, end), "%s is below its floor", all);
        cr_assert(arb_is_positive(floor), "%s has a floor of nothing", all);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&delta);
    arb_clear(end);
    arb_clear(floor);
}

/* delta(i) - delta(j) <= (1 + exp(epsilon)) tail(i) for j > i of the same class. */
static void check_tail(const char *pattern, pby_neighbours relation, int64_t i)
{
    pby_enclosure here, there;
    arb_t tail, gap, end;
    char text[TEXT_SIZE];
    arb_init(tail);
    arb_init(gap);
    arb_init(end);
    pby_enclosure_init(&here);
    pby_enclosure_init(&there);
    fill(text, pattern, (unsigned long)i);
    pby_spec *spec = spec_of(text);
    const pby_integers *integers = integers_of(spec);
    for (int64_t j = i + integers->stride; j < i + 6 * integers->stride; j += integers->stride)
        for (long epsilon = 0; epsilon <= 2; epsilon++) {
            fill(text, pattern, (unsigned long)j);
            pby_spec *other = spec_of(text);
            integers->tail(tail, &spec->use[0].mechanism, relation, PREC);
            arb_set_si(gap, epsilon);
            arb_exp(gap, gap, PREC);
            arb_add_ui(gap, gap, 1, PREC);
            arb_mul(tail, tail, gap, PREC);
            delta_at(&here, spec, relation, epsilon);
            delta_at(&there, other, relation, epsilon);
            upper_end(gap, &here, false);
            upper_end(end, &there, true);
            arb_sub(gap, gap, end, PREC);
            cr_assert(!arb_gt(gap, tail), "%s falls by more than its tail", text);
            pby_spec_free(other);
        }
    pby_spec_free(spec);
    pby_enclosure_clear(&there);
    pby_enclosure_clear(&here);
    arb_clear(end);
    arb_clear(gap);
    arb_clear(tail);
}

static const struct {
    const char *pattern;
    pby_neighbours relation;
    int64_t from, to;
} cases[] = {
    {"stlap:eps=1/2,q=#", PBY_ADD_REMOVE, 1, 14},
    {"stlap:eps=2,q=#", PBY_SUBSTITUTE, 1, 9},
    {"tgeometric:eps=1/2,bound=#", PBY_ADD_REMOVE, 1, 12},
    {"tgeometric:eps=1/2,bound=#,sensitivity=5", PBY_ADD_REMOVE, 1, 12},
    {"tgeometric:eps=3,bound=#,sensitivity=4", PBY_ADD_REMOVE, 1, 12},
    {"threshold:eps=1,T=#", PBY_ADD_REMOVE, 1, 12},
    {"threshold:eps=1/2,T=#,sensitivity=3", PBY_SUBSTITUTE, 1, 12},
    {"range:eps=1,L=#", PBY_ADD_REMOVE, 1, 12},
    {"range:eps=2,L=#,sensitivity=4", PBY_SUBSTITUTE, 1, 12},
    {"range:eps=3,L=#,sensitivity=9,dimensions=1", PBY_ADD_REMOVE, 1, 14},
};

Test(select_order, no_delta_is_below_its_floor)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int64_t i = cases[c].from; i <= cases[c].to; i++)
            check_floor(cases[c].pattern, cases[c].relation, i);
}

Test(select_order, no_delta_falls_by_more_than_the_tail)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int64_t i = 3; i <= cases[c].to; i += 3)
            check_tail(cases[c].pattern, cases[c].relation, i);
}
