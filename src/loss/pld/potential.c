/* SPDX-License-Identifier: MIT */
#include "loss/pld/potential.h"
#include "number/scoped.h"

void pby_potential_gap(arb_t gap, const pby_potential *u, slong d)
{
    if (d == 1) {
        arb_set(gap, u->unit);
        return;
    }
    PBY_FMPQ(width);
    fmpq_mul_si(width, u->step, d);
    arb_set_fmpq(gap, width, u->prec);
    arb_expm1(gap, gap, u->prec);
}

/* True if the cell that begins at point i has a loss of some pair. */
static bool busy(const pby_tails *tails, size_t count, slong i)
{
    for (size_t c = 0; c < count; c++)
        if (tails[c].busy[i])
            return true;
    return false;
}

static void set_points(pby_potential *u, const pby_tails *tails, size_t count)
{
    bool before = true;
    for (slong i = 0; i <= u->n; i++) {
        const bool after = i == u->n || busy(tails, count, i);
        if (before || after)
            u->point[u->points++] = i;
        before = after;
    }
}

void pby_potential_init(pby_potential *u, const pby_tails *tails, size_t count, const fmpq_t step, slong prec)
{
    *u = (pby_potential){.n = tails->n, .low = tails->low, .prec = prec, .step = step};
    u->value = _arb_vec_init(u->n + 1);
    u->point = flint_malloc((size_t)(u->n + 1) * sizeof *u->point);
    u->bend = flint_malloc((size_t)(u->n + 2) * sizeof *u->bend);
    u->bend[u->bends++] = PBY_ZERO;
    set_points(u, tails, count);
    arb_init(u->at_zero);
    arb_init(u->unit);
    arb_set_fmpq(u->unit, step, prec);
    arb_expm1(u->unit, u->unit, prec);
}

void pby_potential_clear(pby_potential *u)
{
    _arb_vec_clear(u->value, u->n + 1);
    flint_free(u->point);
    flint_free(u->bend);
    arb_clear(u->at_zero);
    arb_clear(u->unit);
}

/* exp(l_b) times the change of slope,
 *     (u_c - u_b) / (exp(l_c - l_b) - 1) - (u_b - u_a) / (1 - exp(l_a - l_b)). */
void pby_potential_mass(arb_t mass, const pby_potential *u, slong a, slong b, slong c)
{
    PBY_ARB(part, gap);
    arb_zero(mass);
    if (c <= u->n) {
        pby_potential_gap(gap, u, c - b);
        arb_sub(mass, u->value + c, u->value + b, u->prec);
        arb_div(mass, mass, gap, u->prec);
    }
    arb_sub(part, u->value + b, a == PBY_ZERO ? u->at_zero : u->value + a, u->prec);
    if (a != PBY_ZERO) {
        pby_potential_gap(gap, u, a - b);
        arb_neg(gap, gap);
        arb_div(part, part, gap, u->prec);
    }
    arb_sub(mass, mass, part, u->prec);
}

/* The chords between points lie above a convex function, and the greatest of several convex
 * functions is one. From zero the chord starts at 1, the whole mass; beyond the last point the
 * potential stays where it is. */
void pby_potential_above(pby_potential *u, const pby_tails *tails, size_t count)
{
    PBY_ARB(value);
    for (slong j = 0; j < u->points; j++) {
        const slong i = u->point[j];
        arb_sub(u->value + i, tails->p + 2 * i, tails->q + 2 * i, u->prec);
        for (size_t c = 1; c < count; c++) {
            arb_sub(value, tails[c].p + 2 * i, tails[c].q + 2 * i, u->prec);
            arb_max(u->value + i, u->value + i, value, u->prec);
        }
        u->bend[u->bends++] = i;
    }
    arb_one(u->at_zero);
}
