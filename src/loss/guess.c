/* The first step of a grid. Nothing here is part of a proof: a bad guess costs time and no truth. */
#include "loss/cells.h"
#include "loss/grid.h"
#include "number/ball.h"

/* widest = max(widest, how far the middle of the loss reaches), by grids that grow finer until it spans some of
 * their points, or is not the widest, or they are too fine for it: then all losses are close together
 * and far from zero. */
static pby_status raise_spread(fmpq_t widest, const pby_pair *pair, pby_error *err)
{
    enum { COARSEST = 16, FINER = 8, FINEST = -256, POINTS = 16, MIDDLE_BITS = 4 };
    slong low = 0, high = 0;
    fmpq_t step, reach;
    fmpq_init(step);
    fmpq_init(reach);
    fmpq_set_si(step, 1 << COARSEST, 1);
    pby_status status = pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, err);
    fmpq_mul_si(reach, step, high - low);
    for (slong e = COARSEST; e > FINEST && status == PBY_OK && high - low < POINTS && fmpq_cmp(reach, widest) > 0;
         e -= FINER) {
        fmpq_div_2exp(step, step, FINER);
        if (pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, NULL) != PBY_OK)
            break;
        fmpq_mul_si(reach, step, high - low);
    }
    if (fmpq_cmp(reach, widest) > 0)
        fmpq_set(widest, reach);
    fmpq_clear(reach);
    fmpq_clear(step);
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
    fmpq_t one;
    arb_t part;
    pby_status status = PBY_OK;
    fmpq_init(one);
    arb_init(part);
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
    arb_clear(part);
    fmpq_clear(one);
    return status;
}

/* unit = gcd(unit, the largest loss of a curve), if that seems to be a short rational. A wrong guess costs
 * time and no truth. */
static void gather_curve(fmpq_t unit, const pby_curve *curve)
{
    enum { SHORT_BITS = 32 };
    const slong prec = PBY_PRECISION_FIRST;
    arb_t largest;
    arf_t end;
    fmpq_t a, b;
    arb_init(largest);
    arf_init(end);
    fmpq_init(a);
    fmpq_init(b);
    curve->class->largest(largest, curve, prec);
    if (arb_is_finite(largest)) {
        arb_get_lbound_arf(end, largest, prec);
        arf_get_fmpq(a, end);
        arb_get_ubound_arf(end, largest, prec);
        arf_get_fmpq(b, end);
        fmpq_simplest_between(a, a, b);
        if (fmpz_bits(fmpq_denref(a)) <= SHORT_BITS)
            fmpq_gcd(unit, unit, a);
    }
    fmpq_clear(b);
    fmpq_clear(a);
    arf_clear(end);
    arb_clear(largest);
}

/* The rational of which the rational losses of all atoms are multiples; *all says whether there are no
 * others. Zero when there are none. */
static void common_unit(fmpq_t unit, bool *all, const pby_parts *parts)
{
    fmpq_t largest;
    fmpq_init(largest);
    fmpq_zero(unit);
    *all = true;
    for (size_t i = 0; i < parts->count; i++)
        for (size_t j = 0; j < parts->part[i].pairs.count; j++) {
            const pby_pair *pair = &parts->part[i].pairs.pair[j];
            *all = pby_pair_rational(unit, largest, pair) && *all;
            if (pair->curve != NULL)
                gather_curve(unit, pair->curve);
        }
    fmpq_clear(largest);
}

/* Divides the unit as often as brings it to the step, or takes it whole where nothing else would gain. A unit
 * much finer than the step is no use. */
static void align(fmpq_t step, const pby_parts *parts)
{
    enum { MUCH = 256 };
    fmpq_t unit, ratio;
    fmpz_t parts_of_unit;
    bool all;
    fmpq_init(unit);
    fmpq_init(ratio);
    fmpz_init(parts_of_unit);
    common_unit(unit, &all, parts);
    fmpq_div(ratio, unit, step);
    fmpq_mul_si(ratio, ratio, MUCH);
    if (fmpq_cmp_si(ratio, 1) >= 0) {
        fmpq_div(ratio, unit, step);
        fmpz_cdiv_q(parts_of_unit, fmpq_numref(ratio), fmpq_denref(ratio));
        if (all)
            fmpz_one(parts_of_unit);
        fmpq_div_fmpz(step, unit, parts_of_unit);
    }
    fmpz_clear(parts_of_unit);
    fmpq_clear(ratio);
    fmpq_clear(unit);
}

/* A ball's middle to a few bits, as a rational. */
static void round_off(fmpq_t out, const arb_t x)
{
    enum { BITS = 4 };
    arf_t middle;
    arf_init(middle);
    arf_set_round(middle, arb_midref(x), BITS, ARF_RND_DOWN);
    arf_get_fmpq(out, middle);
    arf_clear(middle);
}

/* With s the standard deviation of the whole loss and z = sqrt(2 log(1/delta)), the answer lies about
 * s^2/2 + z s, and a delta falls by a factor e over s/z. The grid moves the loss of each use by about
 * step^2/5, which is set equal to the width allowed. */
pby_status pby_grid_guess(pby_grid *grid, const pby_parts *parts, const pby_asked *asked, pby_error *err)
{
    const slong prec = PBY_PRECISION_FIRST;
    arb_t s, z, allowed;
    fmpq_t largest;
    arb_init(s);
    arb_init(z);
    arb_init(allowed);
    fmpq_init(largest);
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
        arb_mul_ui(allowed, allowed, 4, prec);
        arb_div_ui(allowed, allowed, pby_parts_times(parts), prec);
        arb_sqrt(allowed, allowed, prec);
        round_off(grid->step, allowed);
        fmpq_div_2exp(largest, largest, 2);
        if (fmpq_cmp(grid->step, largest) > 0)
            fmpq_set(grid->step, largest);
        align(grid->step, parts);
    }
    fmpq_clear(largest);
    arb_clear(allowed);
    arb_clear(z);
    arb_clear(s);
    return status;
}
