/* SPDX-License-Identifier: MIT */
#include "number/minimise.h"

#include "base/interrupt.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { POINTS = 5, DOUBLINGS_MAX = 1 << 16 };

struct grid {
    const pby_convex *f;
    fmpq x[POINTS]; /* equally spaced */
    arb_ptr y;      /* f there */
    bool weak;      /* the precision does not show where to go on */
    slong prec;
    pby_error *err;
};

static pby_status value(struct grid *g, int i)
{
    const pby_status status = pby_interrupt_check(g->err);
    if (status != PBY_OK)
        return status;
    return g->f->at(g->y + i, g->f->what, &g->x[i], g->prec, g->err);
}

/* The points between the two ends. */
static pby_status fill_grid(struct grid *g)
{
    PBY_FMPQ(step);
    fmpq_sub(step, &g->x[POINTS - 1], &g->x[0]);
    fmpq_div_2exp(step, step, 2);
    pby_status status = PBY_OK;
    for (int i = 1; i < POINTS - 1 && status == PBY_OK; i++) {
        fmpq_add(&g->x[i], &g->x[i - 1], step);
        status = value(g, i);
    }
    return status;
}

/* From 0 to the end of the domain, or to where the function is seen to rise. */
static pby_status bracket(struct grid *g)
{
    fmpq *end = &g->x[POINTS - 1];
    fmpq_zero(&g->x[0]);
    fmpq_one(end);
    if (g->f->most != NULL)
        fmpq_set(end, g->f->most);
    pby_status status = value(g, 0);
    if (status == PBY_OK)
        status = value(g, POINTS - 1);
    for (int i = 0; g->f->most == NULL && status == PBY_OK; i++) {
        if (i == DOUBLINGS_MAX)
            return pby_fail_by(g->err, PBY_FAILED, PBY_REASON_PRECISION,
                               "no least value of a size that is searched");
        arb_set(g->y + 1, g->y + POINTS - 1);
        fmpq_mul_2exp(end, end, 1);
        status = value(g, POINTS - 1);
        g->weak = !arb_is_finite(g->y + POINTS - 1);
        if (g->weak || arb_gt(g->y + POINTS - 1, g->y + 1))
            break;
    }
    return status;
}

/* Where f falls from i to i + 1 the least value lies beyond i, where it rises before i + 1; so the ends
 * move inwards. */
static void shrink(struct grid *g)
{
    int from = 0, to = POINTS - 1;
    for (int i = 0; i + 1 < POINTS; i++)
        if (arb_gt(g->y + i, g->y + i + 1))
            from = i;
    for (int i = POINTS - 1; i > 0; i--)
        if (arb_gt(g->y + i, g->y + i - 1))
            to = i;
    g->weak = from == 0 && to == POINTS - 1;
    fmpq_set(&g->x[0], &g->x[from]);
    fmpq_set(&g->x[POINTS - 1], &g->x[to]);
    arb_set(g->y, g->y + from);
    arb_set(g->y + POINTS - 1, g->y + to);
}

/* Raises floor to a lower bound of f from point i to its neighbour, by the chord that ends at i and comes
 * from the other side (`from`): f goes on falling no faster than there. */
static void chord_floor(arf_t floor, const struct grid *g, int i, int from)
{
    if (from < 0 || from >= POINTS || !arb_is_finite(g->y + from) || !arb_is_finite(g->y + i))
        return;
    PBY_ARB(v);
    PBY_ARF(end);
    arb_mul_2exp_si(v, g->y + i, 1);
    arb_sub(v, v, g->y + from, g->prec);
    arb_min(v, v, g->y + i, g->prec);
    arb_get_lbound_arf(end, v, g->prec);
    if (arf_cmp(end, floor) > 0)
        arf_set(floor, end);
}

/* The least value lies between the lowest floor and the lowest point. */
static void set_least(arb_t least, const struct grid *g)
{
    PBY_ARF(lo, hi, x);
    arf_pos_inf(lo);
    arf_pos_inf(hi);
    for (int i = 0; i < POINTS; i++) {
        arb_get_ubound_arf(x, g->y + i, g->prec);
        if (arf_cmp(x, hi) < 0)
            arf_set(hi, x);
        if (i + 1 == POINTS)
            break;
        arf_neg_inf(x);
        chord_floor(x, g, i, i - 1);
        chord_floor(x, g, i + 1, i + 2);
        if (arf_cmp(x, lo) < 0)
            arf_set(lo, x);
    }
    if (arf_is_finite(lo) && arf_is_finite(hi))
        arb_set_interval_arf(least, lo, hi, g->prec);
    else
        arb_indeterminate(least);
}

static bool narrow(const arb_t ball, bool absolute, slong bits)
{
    if (!arb_is_finite(ball))
        return false;
    return absolute ? mag_cmp_2exp_si(arb_radref(ball), -bits) <= 0 : arb_rel_accuracy_bits(ball) >= bits;
}

static pby_status at_precision(arb_t least, struct grid *g, slong bits)
{
    g->weak = false;
    pby_status status = bracket(g);
    while (status == PBY_OK && !g->weak) {
        status = fill_grid(g);
        set_least(least, g);
        if (narrow(least, g->f->absolute, bits))
            break;
        shrink(g);
    }
    return status;
}

pby_status pby_minimise(arb_t least, const pby_convex *f, unsigned digits, pby_error *err)
{
    const slong bits = pby_bits_for_digits(digits);
    struct grid g = {.f = f, .y = _arb_vec_init(POINTS), .err = err};
    for (int i = 0; i < POINTS; i++)
        fmpq_init(&g.x[i]);
    pby_status status = PBY_OK;
    arb_indeterminate(least);
    for (g.prec = FLINT_MAX(PBY_PRECISION_FIRST, 2 * bits);
         status == PBY_OK && !narrow(least, f->absolute, bits); g.prec *= 2)
        status = g.prec <= PBY_PRECISION_MAX
                     ? at_precision(least, &g, bits)
                     : pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                                   "a least value: undecided at %d bits of precision", PBY_PRECISION_MAX);
    for (int i = 0; i < POINTS; i++)
        fmpq_clear(&g.x[i]);
    _arb_vec_clear(g.y, POINTS);
    return status;
}
