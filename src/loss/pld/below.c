/* SPDX-License-Identifier: MIT */
/* Potentials below that of a pair. */
#include "loss/pld/potential.h"
#include "number/scoped.h"

/* The line p - x q that supports a potential at a point t, p = P(L > t) and q = exp(t) Q(L > t), where x is
 * exp_shift: less the margin and rounded down. */
static void height_of_line(arf_t y, const arb_t p, const arb_t q, const arb_t exp_shift, slong bits,
                           slong prec)
{
    PBY_ARB(line, margin);
    arb_mul(line, q, exp_shift, prec);
    arb_sub(line, p, line, prec);
    arb_one(margin);
    arb_mul_2exp_si(margin, margin, -bits - PBY_POTENTIAL_MARGIN);
    arb_sub(line, line, margin, prec);
    arb_get_lbound_arf(y, line, prec);
}

/* exp(halves step / 2 - slack) */
static void shift_by(arb_t out, slong halves, const fmpq_t step, const fmpq_t slack, slong prec)
{
    PBY_FMPQ(by);
    fmpq_mul_si(by, step, halves);
    fmpq_div_2exp(by, by, 1);
    fmpq_sub(by, by, slack);
    arb_set_fmpq(out, by, prec);
    arb_exp(out, out, prec);
}

/* The numbers that the lines share: the exponentials of half a span of so many steps, up and down, each less
 * the slack, and the least height, P(L = inf) less the margin and not below zero. */
struct lines {
    const fmpq *slack;
    arb_t up, down;
    arf_t least;
    slong span, bits;
};

static void lines_init(struct lines *lines, const pby_potential *u, const pby_tails *tails,
                       const fmpq_t slack, slong bits)
{
    *lines = (struct lines){.slack = slack, .bits = bits};
    arb_init(lines->up);
    arb_init(lines->down);
    arf_init(lines->least);
    height_of_line(lines->least, tails->infinite, lines->up, lines->up, bits, u->prec);
    if (arf_sgn(lines->least) < 0)
        arf_zero(lines->least);
}

static void lines_clear(struct lines *lines)
{
    arb_clear(lines->up);
    arb_clear(lines->down);
    arf_clear(lines->least);
}

/* Most spans are a single step. */
static void set_span(struct lines *lines, const pby_potential *u, slong span)
{
    if (lines->span == span)
        return;
    lines->span = span;
    shift_by(lines->up, span, u->step, lines->slack, u->prec);
    shift_by(lines->down, -span, u->step, lines->slack, u->prec);
}

/* The heights of the line that supports the potential just below the last point, at point a and at the last.
 */
static void edge_heights(arf_t left, arf_t right, const pby_potential *u, const pby_tails *tails, slong a,
                         const struct lines *lines)
{
    PBY_ARB(shift);
    shift_by(shift, 2 * (a - u->n), u->step, lines->slack, u->prec);
    height_of_line(left, tails->edge_p, tails->edge_q, shift, lines->bits, u->prec);
    shift_by(shift, 0, u->step, lines->slack, u->prec);
    height_of_line(right, tails->edge_p, tails->edge_q, shift, lines->bits, u->prec);
}

/* The heights at points a and c of a line below the potential: of the one that supports it in the middle
 * between them, or (a bounded loss ends at the last point, and that line falls below zero there) just below
 * the last point, or else of the constant P(L = inf). */
static void heights(arf_t left, arf_t right, const pby_potential *u, const pby_tails *tails, slong a, slong c,
                    struct lines *lines)
{
    arb_srcptr p = tails->p + a + c, q = tails->q + a + c;
    set_span(lines, u, c - a);
    height_of_line(left, p, q, lines->down, lines->bits, u->prec);
    height_of_line(right, p, q, lines->up, lines->bits, u->prec);
    if (c == u->n && arf_cmp(right, lines->least) < 0)
        edge_heights(left, right, u, tails, a, lines);
    if (arf_cmp(right, lines->least) < 0) {
        arf_set(left, lines->least);
        arf_set(right, lines->least);
    }
}

/* A value that is below the lines on both sides of its point makes chords that lie below the potential. The
 * margin outweighs every rounding until the masses are integers. */
static void set_values(pby_potential *u, const pby_tails *tails, const fmpq_t slack, slong bits)
{
    struct lines lines;
    PBY_ARF(left, right);
    PBY_ARB(zero);
    lines_init(&lines, u, tails, slack, bits);
    arf_set(arb_midref(u->value + u->n), lines.least);
    for (slong j = u->points - 1; j > 0; j--) {
        const slong a = u->point[j - 1], c = u->point[j];
        heights(left, right, u, tails, a, c, &lines);
        arf_min(arb_midref(u->value + c), arb_midref(u->value + c), right);
        arf_set(arb_midref(u->value + a), left);
    }
    height_of_line(arb_midref(u->at_zero), tails->p, tails->q, zero, bits, u->prec);
    lines_clear(&lines);
}

/* Keeps the points of the lower convex hull. A point that balls cannot tell from a chord is left out; the
 * margin covers it, and the check of the masses would show if it did not. */
static void hull(pby_potential *u)
{
    PBY_ARB(mass);
    for (slong j = 0; j < u->points; j++) {
        const slong i = u->point[j];
        while (u->bends >= 2) {
            pby_potential_mass(mass, u, u->bend[u->bends - 2], u->bend[u->bends - 1], i);
            if (arb_is_positive(mass))
                break;
            u->bends--;
        }
        u->bend[u->bends++] = i;
    }
}

void pby_potential_below(pby_potential *u, const pby_tails *tails, const fmpq_t slack, slong bits)
{
    if (tails->dense)
        pby_potential_gather(u, tails, slack, bits);
    else
        set_values(u, tails, slack, bits);
    hull(u);
}
