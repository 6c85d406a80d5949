/* SPDX-License-Identifier: MIT */
/* A potential below that of a pair whose losses have a density.
 *
 * Outcomes are gathered from left to right into groups whose common loss is a point of the grid, so that each
 * group is one loss there and keeps its masses under P and under Q. To gather outcomes is post-processing:
 * the potential falls, by second order in the step. Between two groups the potential is then a line that
 * supports that of the pair, and the group is where two lines meet. Outcomes are known by half cells, and one
 * half cell may go to both of its neighbours in parts: its line is a mean of the two that support the
 * potential at its ends. Which lines are taken decides how close the result comes; that each lies below the
 * potential is all that the bound rests on.
 */
#include <stdlib.h>

#include "loss/pld/potential.h"
#include "number/scoped.h"

/* So many half points beyond a point of the grid its group may reach. One that had to reach further would
 * bring together what is far apart, and goes down to the point before instead. */
enum { REACH = 6 };

/* A line: part of it supports at half point at, the rest at the next. p - q exp(l - t), t the loss at `at`.
 */
struct line {
    arb_t p, q;
    slong at;
};

struct gather {
    pby_potential *u;
    const pby_tails *tails;
    struct line *line; /* points + 1 of them: line i ends at point i, where line i+1 begins */
    arb_ptr power;     /* exp(i step / 2 - slack), i = -POWERS .. POWERS */
    arb_t decay;       /* exp(-step / 2) */
    const fmpq *slack;
    slong bits, *point, points;
};

enum { POWERS = 16 };

static void exp_halves(arb_t out, const struct gather *g, slong halves)
{
    PBY_FMPQ(by);
    fmpq_mul_si(by, g->u->step, halves);
    fmpq_div_2exp(by, by, 1);
    fmpq_sub(by, by, g->slack);
    arb_set_fmpq(out, by, g->u->prec);
    arb_exp(out, out, g->u->prec);
}

/* The height of a line at a point of the grid. */
static void height_at(arb_t out, const struct gather *g, const struct line *line, slong point)
{
    const slong halves = 2 * point - line->at;
    PBY_ARB(far);
    if (halves >= -POWERS && halves <= POWERS) {
        arb_mul(out, line->q, g->power + halves + POWERS, g->u->prec);
    } else {
        arb_init(far);
        exp_halves(far, g, halves);
        arb_mul(out, line->q, far, g->u->prec);
        arb_clear(far);
    }
    arb_sub(out, line->p, out, g->u->prec);
}

static void support(struct line *line, const struct gather *g, slong at)
{
    arb_set(line->p, g->tails->p + at);
    arb_set(line->q, g->tails->q + at);
    line->at = at;
}

/* The mean of the lines at two neighbouring half points that has the height at the point, or the one that
 * comes closest.
 */
static void mean_through(struct line *line, const struct gather *g, slong at, slong point, const arb_t height)
{
    const slong prec = g->u->prec;
    struct line first, second;
    PBY_ARB(a, b, share);
    arb_init(first.p);
    arb_init(first.q);
    arb_init(second.p);
    arb_init(second.q);
    support(&first, g, at);
    support(&second, g, at + 1);
    height_at(a, g, &first, point);
    height_at(b, g, &second, point);
    arb_sub(share, height, b, prec);
    arb_sub(a, a, b, prec);
    arb_div(share, share, a, prec); /* of the first */
    arb_get_mid_arb(share, share);
    if (!arb_is_finite(share) || arb_is_negative(share))
        arb_zero(share);
    arb_set_ui(b, 1);
    if (arb_gt(share, b))
        arb_one(share);
    arb_sub(b, b, share, prec);
    arb_mul(line->p, first.p, share, prec);
    arb_addmul(line->p, second.p, b, prec);
    arb_mul(line->q, first.q, share, prec);
    arb_mul(b, b, g->decay, prec);
    arb_addmul(line->q, second.q, b, prec);
    line->at = at;
    arb_clear(second.q);
    arb_clear(second.p);
    arb_clear(first.q);
    arb_clear(first.p);
}

/* ---- groups ------------------------------------------------------------------------------------ */

/* The group of a point ends in the half cell that is returned, the first whose far end supports a line that
 * is no higher there than the one that the group began with; -1 where it would reach too far. */
static slong group_end(const struct gather *g, slong point, const arb_t height)
{
    slong found = -1;
    PBY_ARB(other);
    struct line line;
    arb_init(line.p);
    arb_init(line.q);
    for (slong i = 2 * point + 1; i <= 2 * g->tails->n && i <= 2 * point + REACH && found < 0; i++) {
        support(&line, g, i);
        height_at(other, g, &line, point);
        if (arf_cmp(arb_midref(other), arb_midref(height)) <= 0)
            found = i - 1;
    }
    arb_clear(line.q);
    arb_clear(line.p);
    return found;
}

/* Makes room for a line that begins at a point; it takes the place of one that began there. */
static struct line *begin_line(struct gather *g, slong point)
{
    if (g->points == 0 || g->point[g->points - 1] < point)
        g->point[g->points++] = point;
    return &g->line[g->points];
}

static void gather_all(struct gather *g)
{
    const slong n = g->tails->n;
    PBY_ARB(height);
    support(&g->line[0], g, 0);
    for (slong point = 1; point <= n;) {
        height_at(height, g, &g->line[g->points], point);
        const slong end = group_end(g, point, height);
        slong at;
        if (end >= 0) {
            mean_through(begin_line(g, point), g, end, point, height);
            at = end;
        } else {
            support(begin_line(g, point - 1), g, 2 * point);
            at = 2 * point;
        }
        point = at / 2 + 1;
    }
}

/* ---- values ------------------------------------------------------------------------------------ */

/* Less the margin, and rounded down. */
static void lower_end(arf_t out, const struct gather *g, const arb_t x)
{
    PBY_ARB(margin);
    arb_one(margin);
    arb_mul_2exp_si(margin, margin, -g->bits - PBY_POTENTIAL_MARGIN);
    arb_sub(margin, x, margin, g->u->prec);
    arb_get_lbound_arf(out, margin, g->u->prec);
}

static void lower_height(arf_t out, const struct gather *g, slong line, slong point)
{
    PBY_ARB(height);
    height_at(height, g, &g->line[line], point);
    lower_end(out, g, height);
}

/* Where a line would fall below the least height, P(L = inf) and not below zero, the potential stays at that
 * from the point on at which the line begins. Each value is below the two lines that meet there. */
static void set_values(struct gather *g)
{
    pby_potential *u = g->u;
    PBY_ARF(least, other);
    lower_end(least, g, g->tails->infinite);
    if (arf_sgn(least) < 0)
        arf_zero(least);
    slong last = g->points; /* the line that is followed by none */
    for (slong end = u->n; last > 0; end = g->point[--last]) {
        lower_height(other, g, last, end);
        if (arf_cmp(other, least) >= 0)
            break;
    }
    u->points = 0;
    for (slong i = 0; i < last; i++) {
        const slong point = g->point[i];
        lower_height(arb_midref(u->value + point), g, i, point);
        lower_height(other, g, i + 1, point);
        arf_min(arb_midref(u->value + point), arb_midref(u->value + point), other);
        u->point[u->points++] = point;
    }
    const slong end = last < g->points ? g->point[last] : u->n;
    lower_height(other, g, last, end);
    arf_min(arb_midref(u->value + end), other, least);
    u->point[u->points++] = end;
    if (end < u->n) {
        arf_set(arb_midref(u->value + u->n), arb_midref(u->value + end));
        u->point[u->points++] = u->n;
    }
    lower_end(arb_midref(u->at_zero), g, g->tails->p);
}

/* ---- all together ------------------------------------------------------------------------------ */

static void gather_init(struct gather *g, pby_potential *u, const pby_tails *tails, const fmpq_t slack,
                        slong bits)
{
    *g = (struct gather){.u = u, .tails = tails, .slack = slack, .bits = bits};
    g->line = flint_malloc((size_t)(u->n + 2) * sizeof *g->line);
    for (slong i = 0; i < u->n + 2; i++) {
        arb_init(g->line[i].p);
        arb_init(g->line[i].q);
    }
    g->point = flint_malloc((size_t)(u->n + 1) * sizeof *g->point);
    g->power = _arb_vec_init(2 * POWERS + 1);
    for (slong i = -POWERS; i <= POWERS; i++)
        exp_halves(g->power + i + POWERS, g, i);
    PBY_FMPQ(half);
    fmpq_div_2exp(half, u->step, 1);
    fmpq_neg(half, half);
    arb_init(g->decay);
    arb_set_fmpq(g->decay, half, u->prec);
    arb_exp(g->decay, g->decay, u->prec);
}

static void gather_clear(struct gather *g)
{
    for (slong i = 0; i < g->u->n + 2; i++) {
        arb_clear(g->line[i].p);
        arb_clear(g->line[i].q);
    }
    flint_free(g->line);
    flint_free(g->point);
    _arb_vec_clear(g->power, 2 * POWERS + 1);
    arb_clear(g->decay);
}

void pby_potential_gather(pby_potential *u, const pby_tails *tails, const fmpq_t slack, slong bits)
{
    struct gather g;
    gather_init(&g, u, tails, slack, bits);
    gather_all(&g);
    set_values(&g);
    gather_clear(&g);
}
