/* SPDX-License-Identifier: MIT */
#include "tests/loss/compose/recursion.h"

#include <criterion/criterion.h>
#include <stdlib.h>

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
        pby_expsum_get_arb(o.p + i, pair->atoms[i].p, RECURSION_PREC);
        pby_expsum_get_arb(norm, pair->norm_p, RECURSION_PREC);
        arb_div(o.p + i, o.p + i, norm, RECURSION_PREC);
        pby_expsum_get_arb(o.q + i, pair->atoms[i].q, RECURSION_PREC);
        pby_expsum_get_arb(norm, pair->norm_q, RECURSION_PREC);
        arb_div(o.q + i, o.q + i, norm, RECURSION_PREC);
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
static void worst_use(arb_t out, stage *s, stage *stages, size_t count, const arb_t p, const arb_t q,
                      const arb_t x)
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
            arb_mul(next_p, p, s->choice[c].p + i, RECURSION_PREC);
            arb_mul(next_q, q, s->choice[c].q + i, RECURSION_PREC);
            worst(part, stages, count, next_p, next_q, x);
            arb_add(sum, sum, part, RECURSION_PREC);
        }
        arb_max(out, out, sum, RECURSION_PREC);
    }
    s->times++;
    arb_clear(part);
    arb_clear(next_q);
    arb_clear(next_p);
    arb_clear(sum);
}

/* out = the greatest sum of max(0, P - x Q) over all orders and choices, P and Q the measures of what came
 * before. */
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
        arb_mul(gap, x, q, RECURSION_PREC);
        arb_sub(gap, p, gap, RECURSION_PREC);
        arb_max(out, out, gap, RECURSION_PREC);
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
    enum { STAGES = 8 };
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

pby_parts recursion_parts(const char *const *texts, size_t count, pby_neighbours relation)
{
    pby_spec *spec;
    pby_parts parts;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, texts, count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_parts_of_spec(&parts, spec, relation, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

void recursion_delta(arb_t out, const pby_parts *parts, const fmpq_t epsilon)
{
    pby_direction directions[2];
    arb_t x, one;
    arb_init(x);
    arb_init(one);
    arb_set_fmpq(x, epsilon, RECURSION_PREC);
    arb_exp(x, x, RECURSION_PREC);
    arb_zero(out);
    for (size_t d = pby_parts_directions(directions, parts); d-- > 0;) {
        enumerate(one, parts, directions[d], x);
        arb_max(out, out, one, RECURSION_PREC);
    }
    arb_clear(one);
    arb_clear(x);
}
