/* SPDX-License-Identifier: MIT */
#include "loss/compose/compose_guess.h"

#include "loss/pld/cells.h"
#include "number/ball.h"
#include "number/scoped.h"

/* widest = max(widest, how far the middle of the loss reaches), by grids that grow finer until it spans some
 * of their points, or is not the widest, or they are too fine for it: then all losses are close together and
 * far from zero. */
static pby_status raise_spread(fmpq_t widest, const pby_pair *pair, pby_error *err)
{
    enum { COARSEST = 16, FINER = 8, FINEST = -256, POINTS = 16, MIDDLE_BITS = 4 };
    slong low = 0, high = 0;
    PBY_FMPQ(step, reach);
    fmpq_set_si(step, 1 << COARSEST, 1);
    pby_status status = pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, err);
    if (status == PBY_BAD)
        status = pby_fail(
            err, PBY_BAD,
            "the losses of a single use go beyond %d steps of 2^%d: expected a SPEC of smaller losses",
            PBY_GRID_MAX, COARSEST);
    fmpq_mul_si(reach, step, high - low);
    for (slong e = COARSEST;
         e > FINEST && status == PBY_OK && high - low < POINTS && fmpq_cmp(reach, widest) > 0; e -= FINER) {
        fmpq_div_2exp(step, step, FINER);
        if (pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, NULL) != PBY_OK)
            break;
        fmpq_mul_si(reach, step, high - low);
    }
    if (fmpq_cmp(reach, widest) > 0)
        fmpq_set(widest, reach);
    return status;
}

/* The widest of a part's pairs. */
static pby_status widest_spread(fmpq_t widest, const pby_part *part, pby_error *err)
{
    pby_status status = PBY_OK;
    fmpq_zero(widest);
    for (size_t i = 0; i < part->pairs.count && status == PBY_OK; i++)
        status = raise_spread(widest, &part->pairs.pair[i], err);
    return status;
}

/* The sum over the parts of times spread^2, and the largest spread. */
static pby_status spreads(arb_t square, fmpq_t largest, const pby_parts *parts, slong prec, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_FMPQ(one);
    PBY_ARB(part);
    arb_zero(square);
    fmpq_zero(largest);
    for (size_t i = 0; i < parts->count && status == PBY_OK; i++) {
        status = widest_spread(one, &parts->part[i], err);
        if (fmpq_cmp(one, largest) > 0)
            fmpq_set(largest, one);
        fmpq_mul(one, one, one);
        arb_set_fmpq(part, one, prec);
        arb_mul_ui(part, part, parts->part[i].times, prec);
        arb_add(square, square, part, prec);
    }
    return status;
}

/* True if a is at least b / parts. */
static bool at_least_part(const fmpq_t a, const fmpq_t b, slong parts)
{
    PBY_FMPQ(whole);
    fmpq_mul_si(whole, a, parts);
    return fmpq_cmp(whole, b) >= 0;
}

/* unit = gcd(unit, those losses of a pair that are rational and have a chance of their own); whether it has
 * no others. A curve whose losses lie closer together than the step is as good as smooth, and is left alone.
 */
static bool gather(fmpq_t unit, const pby_pair *pair, const fmpq_t step)
{
    enum { CLOSER = 4 };
    const pby_curve *curve = pair->curve;
    bool all = false;
    PBY_FMPQ(one);
    if (curve == NULL) {
        all = pby_pair_rational(unit, one, pair);
    } else if (curve->class->unit != NULL) {
        const bool only = curve->class->unit(one, curve), far = at_least_part(one, step, CLOSER);
        if (far)
            fmpq_gcd(unit, unit, one);
        all = only && far;
    }
    return all;
}

/* Gathers the losses of all parts; unit is zero when no loss is rational. */
static void common_unit(fmpq_t unit, bool *all, const pby_parts *parts, const fmpq_t step)
{
    fmpq_zero(unit);
    *all = true;
    for (size_t i = 0; i < parts->count; i++)
        for (size_t j = 0; j < parts->part[i].pairs.count; j++)
            *all = gather(unit, &parts->part[i].pairs.pair[j], step) && *all;
}

/* Divides the unit as often as brings it to the step, or takes it whole where nothing else would gain. A unit
 * much finer than the step is no use. */
static void align(fmpq_t step, const pby_parts *parts)
{
    enum { MUCH = 256 };
    bool all;
    PBY_FMPQ(unit, ratio);
    PBY_FMPZ(parts_of_unit);
    common_unit(unit, &all, parts, step);
    if (at_least_part(unit, step, MUCH)) {
        fmpq_div(ratio, unit, step);
        fmpz_cdiv_q(parts_of_unit, fmpq_numref(ratio), fmpq_denref(ratio));
        if (all)
            fmpz_one(parts_of_unit);
        fmpq_div_fmpz(step, unit, parts_of_unit);
    }
}

/* A ball's middle to a few bits, as a rational. */
static void round_off(fmpq_t out, const arb_t x)
{
    enum { BITS = 4 };
    PBY_ARF(middle);
    arf_set_round(middle, arb_midref(x), BITS, ARF_RND_DOWN);
    arf_get_fmpq(out, middle);
}

/* Changes to coarser grids, a few dozen at most, move the whole loss by a quarter of what is allowed: each by
 * uses step^2 ease / 2. */
static void set_ease(pby_grid *grid, const arb_t allowed, uint64_t uses, slong prec)
{
    enum { SHARE = 64 };
    PBY_FMPQ(square);
    PBY_ARB(ease);
    fmpq_mul(square, grid->step, grid->step);
    arb_div_fmpz(ease, allowed, fmpq_numref(square), prec);
    arb_mul_fmpz(ease, ease, fmpq_denref(square), prec);
    arb_div_ui(ease, ease, uses, prec);
    arb_div_ui(ease, ease, SHARE, prec);
    round_off(grid->ease, ease);
}

/* Losses that have a density are gathered at the points of any grid. */
static bool all_dense(const pby_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        for (size_t j = 0; j < parts->part[i].pairs.count; j++)
            if (!pby_pair_dense(&parts->part[i].pairs.pair[j]))
                return false;
    return true;
}

/* A step beyond the spread of a use is brought back to it. Dense losses need that less: they have rare large
 * values, which the spread does not tell of and which a step of two thirds is fine enough for. */
static void narrow(fmpq_t step, const fmpq_t spread, const pby_parts *parts)
{
    if (!all_dense(parts)) {
        fmpq_set(step, spread);
        return;
    }
    PBY_FMPQ(share);
    fmpq_set_si(share, 2, 3);
    fmpq_mul(step, step, share);
}

/* With s the standard deviation of the whole loss and z = sqrt(2 log(1/delta)), the answer lies about
 * s^2/2 + z s, and a delta falls by a factor e over s/z. The grid moves the loss of each use by about
 * step^2/5, which is set equal to the width allowed. */
pby_status pby_grid_guess(pby_grid *grid, const pby_parts *parts, const pby_asked *asked, pby_error *err)
{
    const slong prec = PBY_PRECISION_FIRST;
    PBY_ARB(s, z, allowed, each);
    PBY_FMPQ(largest);
    const pby_status status = spreads(s, largest, parts, prec, err);
    if (status == PBY_OK) {
        arb_div_ui(s, s, 9, prec);
        arb_sqrt(s, s, prec);
        arb_sqrt_ui(z, (ulong)(grid->resolution * 3 / 2 + 1), prec);
        if (asked->delta) {
            arb_div(allowed, s, z, prec);
        } else {
            arb_mul_2exp_si(allowed, s, -1);
            arb_add(allowed, allowed, z, prec);
            arb_mul(allowed, allowed, s, prec);
        }
        arb_mul_fmpz(allowed, allowed, fmpq_numref(grid->width), prec);
        arb_div_fmpz(allowed, allowed, fmpq_denref(grid->width), prec);
        arb_mul_ui(each, allowed, 4, prec);
        arb_div_ui(each, each, pby_parts_times(parts), prec);
        arb_sqrt(each, each, prec);
        round_off(grid->step, each);
        fmpq_div_2exp(largest, largest, 2);
        if (fmpq_cmp(grid->step, largest) > 0)
            narrow(grid->step, largest, parts);
        align(grid->step, parts);
        set_ease(grid, allowed, pby_parts_times(parts), prec);
    }
    return status;
}
