/* SPDX-License-Identifier: MIT */
/* Groups, and records that are changed, by enumeration of all inputs so far apart. */
#include <criterion/criterion.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* ---- ranges ----------------------------------------------------------------------------------- */

enum { BARS = 3, MOVES_MAX = 6, REACH_MAX = 2, SPAN = 2 * REACH_MAX + MOVES_MAX + 1 };

/* The limits of one step: it moves at most `bars` bars, by at most `most` in all. */
struct step {
    int bars, most;
};

/* True if so many steps can move each bar by that much. */
static bool reachable(const int *move, const struct step *step, int steps)
{
    int now[BARS], rest[BARS];
    if (steps == 0)
        return move[0] == 0 && move[1] == 0 && move[2] == 0;
    for (now[0] = 0; now[0] <= move[0]; now[0]++)
        for (now[1] = 0; now[1] <= move[1]; now[1]++)
            for (now[2] = 0; now[2] <= move[2]; now[2]++) {
                const int bars = (now[0] > 0) + (now[1] > 0) + (now[2] > 0);
                for (int b = 0; b < BARS; b++)
                    rest[b] = move[b] - now[b];
                if (bars <= step->bars && now[0] + now[1] + now[2] <= step->most &&
                    reachable(rest, step, steps - 1))
                    return true;
            }
    return false;
}

/* The worst of all inputs that are so many steps apart. Each bar is its own reverse, so that up and down are
 * one. */
static void worst_range(arb_t worst, const fmpq_t rate, slong reach, const struct step *step, int steps,
                        const fmpq_t epsilon)
{
    arb_ptr law[MOVES_MAX + 1], p[BARS], q[BARS];
    const int most = steps * step->most;
    arb_t ball;
    arb_init(ball);
    arb_zero(worst);
    for (int s = 0; s <= MOVES_MAX; s++) {
        law[s] = _arb_vec_init(SPAN + 1);
        outcomes_range(law[s], rate, reach, s, REACH_MAX, SPAN);
    }
    for (int a = 0; a <= most; a++)
        for (int b = 0; b <= a && a + b <= most; b++)
            for (int c = 0; c <= b && a + b + c <= most; c++) {
                const int move[BARS] = {a, b, c};
                if (!reachable(move, step, steps))
                    continue;
                for (int i = 0; i < BARS; i++) {
                    p[i] = law[0];
                    q[i] = law[move[i]];
                }
                outcomes_divergence(ball, p, q, BARS, SPAN + 1, epsilon);
                arb_max(worst, worst, ball, OUTCOMES_PREC);
            }
    for (int s = 0; s <= MOVES_MAX; s++)
        _arb_vec_clear(law[s], SPAN + 1);
    arb_clear(ball);
}

struct group {
    const char *spec;
    pby_neighbours relation;
    int size;
    const char *rate;
    slong reach;
    struct step step;
    const char *at;
    int reached;
};

static void check_range(const struct group *g)
{
    pby_spec *spec = spec_of(g->spec), *grown;
    fmpq_t rate, epsilon;
    arb_t bound, worst;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    set_text(rate, g->rate);
    set_text(epsilon, g->at);
    cr_assert_eq(pby_spec_group(&grown, spec, (unsigned long)g->size, NULL), PBY_OK);
    outcomes_bound(bound, pby_spec_text(grown), g->relation, epsilon);
    worst_range(worst, rate, g->reach, &g->step, g->size, epsilon);
    outcomes_check(bound, worst, g->reached, g->spec);
    pby_spec_free(grown);
    pby_spec_free(spec);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* A record that is changed is in as many bars before as after, and each of a group is in bars of its own.
 * Three records that each move one bar by 2 cannot move two bars by 3: there, and there alone, the pairs are
 * not reached. */
Test(mechanism_groups, ranges)
{
    static const struct group groups[] = {
        {"range:eps=6,L=1,sensitivity=6,dimensions=1", PBY_ADD_REMOVE, 1, "1", 1, {1, 6}, "6", 1},
        {"range:eps=6,L=1,sensitivity=6,dimensions=1", PBY_SUBSTITUTE, 1, "1", 1, {2, 6}, "6", 1},
        {"range:eps=6,L=1,sensitivity=6,dimensions=1", PBY_SUBSTITUTE, 1, "1", 1, {2, 6}, "1", 1},
        {"range:eps=1,L=2,sensitivity=3,dimensions=1", PBY_SUBSTITUTE, 2, "1/3", 2, {2, 3}, "1/2", 1},
        {"range:eps=2,L=1,sensitivity=2,dimensions=1", PBY_ADD_REMOVE, 2, "1", 1, {1, 2}, "4", 1},
        {"range:eps=2,L=1,sensitivity=2,dimensions=1", PBY_ADD_REMOVE, 3, "1", 1, {1, 2}, "6", 0},
        {"range:eps=3,L=1,sensitivity=3,dimensions=1", PBY_ADD_REMOVE, 2, "1", 1, {1, 3}, "6", 1},
        {"range:eps=1,L=1", PBY_ADD_REMOVE, 3, "1", 1, {1, 1}, "2", 1},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        check_range(&groups[i]);
}

/* ---- thresholds ------------------------------------------------------------------------------- */

enum { T = 4, COUNT_MAX = 6, PASSED = 4, OUTCOMES = PASSED + 2, CHOICES = 7, ONE_SIDED = 3 };

/* Two bars of each of two inputs that are two records apart: both records added, both removed, one of each.
 */
static const int inputs[CHOICES][2][2] = {
    {{4, 0}, {6, 0}}, {{0, 0}, {1, 1}}, {{0, 0}, {2, 0}}, {{1, 1}, {0, 0}},
    {{2, 0}, {0, 0}}, {{1, 0}, {0, 1}}, {{5, 4}, {4, 5}},
};

struct laws {
    arb_ptr bar[COUNT_MAX + 1];
};

/* out = the greatest sum of max(0, P - Q), P and Q the measures of what came before: each use may be of any
 * inputs, by the outputs so far. */
static void worst_use(arb_t out, const struct laws *laws, int uses, int choices, const arb_t p, const arb_t q)
{
    arb_t sum, part, next_p, next_q;
    arb_init(sum);
    arb_init(part);
    arb_init(next_p);
    arb_init(next_q);
    arb_zero(out);
    if (uses == 0) {
        arb_sub(sum, p, q, OUTCOMES_PREC);
        arb_max(out, out, sum, OUTCOMES_PREC);
    }
    for (int c = 0; uses > 0 && c < choices; c++) {
        arb_zero(sum);
        for (slong o = 0; o < OUTCOMES * OUTCOMES; o++) {
            const slong i = o / OUTCOMES, j = o % OUTCOMES;
            arb_mul(next_p, laws->bar[inputs[c][0][0]] + i, laws->bar[inputs[c][0][1]] + j, OUTCOMES_PREC);
            if (arb_is_zero(next_p))
                continue;
            arb_mul(next_p, next_p, p, OUTCOMES_PREC);
            arb_mul(next_q, laws->bar[inputs[c][1][0]] + i, laws->bar[inputs[c][1][1]] + j, OUTCOMES_PREC);
            arb_mul(next_q, next_q, q, OUTCOMES_PREC);
            worst_use(part, laws, uses - 1, choices, next_p, next_q);
            arb_add(sum, sum, part, OUTCOMES_PREC);
        }
        arb_max(out, out, sum, OUTCOMES_PREC);
    }
    arb_clear(next_q);
    arb_clear(next_p);
    arb_clear(part);
    arb_clear(sum);
}

static void group_delta(arb_t ball, const char *text, unsigned long size)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure x;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&x);
    cr_assert_eq(pby_loss_group_delta(&x, NULL, spec, PBY_ADD_REMOVE, size, zero, 12, NULL), PBY_OK);
    arb_set_interval_mpfr(ball, x.lo, x.hi, OUTCOMES_PREC);
    pby_enclosure_clear(&x);
    mpq_clear(zero);
    pby_spec_free(spec);
}

/* Two uses, two records: where one may be added and another removed more is lost than where both are on one
 * side. At epsilon 0 either order loses the same. */
Test(mechanism_groups, a_threshold_sees_records_come_and_go)
{
    struct laws laws;
    fmpq_t rate;
    arb_t one, ball, truth, sided;
    fmpq_init(rate);
    arb_init(one);
    arb_init(ball);
    arb_init(truth);
    arb_init(sided);
    fmpq_one(rate);
    arb_one(one);
    for (slong c = 0; c <= COUNT_MAX; c++) {
        laws.bar[c] = _arb_vec_init(OUTCOMES);
        outcomes_threshold(laws.bar[c], rate, T, c, PASSED);
    }
    worst_use(truth, &laws, 2, CHOICES, one, one);
    worst_use(sided, &laws, 2, ONE_SIDED, one, one);
    group_delta(ball, "2*threshold:eps=1,T=4", 2);
    cr_assert(arb_gt(truth, sided));
    cr_assert(arb_overlaps(ball, truth));
    cr_assert(arb_gt(ball, sided));
    for (slong c = 0; c <= COUNT_MAX; c++)
        _arb_vec_clear(laws.bar[c], OUTCOMES);
    arb_clear(sided);
    arb_clear(truth);
    arb_clear(ball);
    arb_clear(one);
    fmpq_clear(rate);
}
