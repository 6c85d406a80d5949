/* SPDX-License-Identifier: MIT */
/* An offset that brings the losses of a curve to a grid.
 *
 * A sample of one record in ten thousand hardly ever tells anything: nearly all losses lie within 1e-4 of
 * each other, and a few are large. No pair with losses on a grid whose step is greater is close below such a
 * law, unless a point of the grid lies where most of the mass is. Nothing depends on the offset but how close
 * the bounds come.
 */
#include "loss/pld/cells.h"
#include "number/scoped.h"

enum { PREC = 96 };

/* The half points that are considered part of the middle, beside that at which P falls to a half, and those
 * that are so close to an end that all beyond is too. */
enum { BESIDE = 1, CLOSE = 4 };

struct middle {
    const pby_curve *curve;
    const fmpq *offset;
    fmpq_t half;
    slong low, high; /* half points */
};

static pby_status tails_at(arb_t p, arb_t q, const struct middle *m, slong i, pby_error *err)
{
    PBY_FMPQ(t);
    if (i <= m->low || i >= m->high) { /* next to no mass lies beyond */
        arb_set_ui(p, i <= m->low);
        arb_set_ui(q, i <= m->low);
        return PBY_OK;
    }
    fmpq_mul_si(t, m->half, i);
    fmpq_sub(t, t, m->offset);
    const pby_status status = m->curve->class->tails(p, q, m->curve, t, PREC, err);
    return status;
}

/* The last half point above which P has more than a half. */
static pby_status find_median(slong *median, const struct middle *m, pby_error *err)
{
    slong above = m->high;
    pby_status status = PBY_OK;
    PBY_ARB(p, q);
    *median = m->low;
    while (above - *median > 1 && status == PBY_OK) {
        const slong i = *median + (above - *median) / 2;
        status = tails_at(p, q, m, i, err);
        if (arf_cmp_2exp_si(arb_midref(p), -1) > 0)
            *median = i;
        else
            above = i;
    }
    return status;
}

/* The common loss of the outcomes in the middle: the logarithm of their P-mass over their Q-mass. */
static pby_status common_loss(arb_t loss, const struct middle *m, pby_error *err)
{
    slong median = 0;
    PBY_ARB(p, q, rest);
    pby_status status = find_median(&median, m, err);
    slong from = median - BESIDE, to = median + 1 + BESIDE;
    if (from <= m->low + CLOSE)
        from = m->low;
    if (to >= m->high - CLOSE)
        to = m->high;
    if (status == PBY_OK)
        status = tails_at(loss, rest, m, from, err);
    if (status == PBY_OK)
        status = tails_at(p, q, m, to, err);
    arb_sub(loss, loss, p, PREC);
    arb_sub(rest, rest, q, PREC);
    arb_div(loss, loss, rest, PREC);
    arb_log(loss, loss, PREC);
    return status;
}

/* The point of the grid next to the loss. */
static void nearest(fmpz_t index, const fmpq_t loss, const fmpq_t step)
{
    PBY_FMPQ(ratio, half);
    fmpq_set_si(half, 1, 2);
    fmpq_div(ratio, loss, step);
    fmpq_add(ratio, ratio, half);
    fmpz_fdiv_q(index, fmpq_numref(ratio), fmpq_denref(ratio));
}

static bool exceeds(const fmpq_t x, const fmpq_t bound)
{
    PBY_FMPQ(size);
    fmpq_abs(size, x);
    const bool yes = fmpq_cmp(size, bound) > 0;
    return yes;
}

/* Which outcomes are in the middle depends on the offset, though little where they lie close together. By how
 * much it moved last is in change. Elsewhere it may wander off, and zero is as good. */
static pby_status settle(fmpq_t offset, fmpq_t change, const struct middle *m, const fmpq_t step,
                         pby_error *err)
{
    enum { TRIES = 8 };
    pby_status status = PBY_OK;
    PBY_FMPZ(index);
    PBY_FMPQ(at);
    PBY_ARB(loss);
    fmpq_zero(offset);
    for (int i = 0; i < TRIES && status == PBY_OK; i++) {
        status = common_loss(loss, m, err);
        if (status != PBY_OK || !arb_is_finite(loss))
            break;
        arf_get_fmpq(at, arb_midref(loss));
        if (i == 0)
            nearest(index, at, step);
        fmpq_set(change, offset);
        fmpq_mul_fmpz(offset, step, index);
        fmpq_sub(offset, offset, at);
        fmpq_sub(change, offset, change);
        fmpq_abs(change, change);
        if (exceeds(offset, step)) {
            fmpq_zero(offset);
            break;
        }
    }
    return status;
}

/* An offset that has settled is raised by its last change, so that the outcomes come to the point of the grid
 * or slightly beyond: what is short of it would have to move down by a step. */
pby_status pby_loss_offset(fmpq_t offset, const pby_pair *pair, const fmpq_t step, slong low, slong high,
                           pby_error *err)
{
    enum { SETTLED_BITS = 10, BEYOND_BITS = 40 };
    struct middle m = {.curve = pair->curve, .offset = offset, .low = 2 * low, .high = 2 * high};
    PBY_FMPQ(change, most);
    fmpq_init(m.half);
    fmpq_div_2exp(m.half, step, 1);
    const pby_status status = settle(offset, change, &m, step, err);
    fmpq_div_2exp(most, step, SETTLED_BITS);
    if (fmpq_cmp(change, most) < 0)
        fmpq_add(offset, offset, change);
    fmpq_div_2exp(most, step, BEYOND_BITS);
    fmpq_add(offset, offset, most);
    fmpq_clear(m.half);
    return status;
}
