#include "loss/grid.h"

#include <stdlib.h>

#include "loss/pld.h"
#include "number/ball.h"

/* Bits by which the roundings of a whole round stay below the resolution, when each use has as many as
 * 2^LENGTH_BITS losses. */
enum { LENGTH_BITS = 24 };

/* The slack of all lower plds together is the step over 2^SLACK_BITS. */
enum { SLACK_BITS = 20 };

static slong bit_length(uint64_t x)
{
    return (slong)FLINT_BIT_COUNT(x);
}

static uint64_t total_times(const pby_parts *parts)
{
    uint64_t times = 0;
    for (size_t i = 0; i < parts->count; i++)
        times += parts->part[i].times;
    return times;
}

/* ---- a round ---------------------------------------------------------------------------------- */

/* The tails of a part's pairs, on one grid. */
struct tailed {
    pby_tails *tails;
    size_t count;
    uint64_t times;
};

static void tailed_clear(struct tailed *t)
{
    for (size_t i = 0; i < t->count; i++)
        pby_tails_clear(&t->tails[i]);
    free(t->tails);
}

static pby_status widest_range(slong *low, slong *high, const pby_part *part, pby_direction direction,
                               const pby_grid *grid, pby_error *err)
{
    const slong bits = grid->resolution + bit_length(part->times) + 2;
    const pby_pair *pair;
    pby_status status = PBY_OK;
    for (size_t i = 0; status == PBY_OK && (pair = pby_part_pair(part, direction, i)) != NULL; i++) {
        slong a, b;
        status = pby_loss_range(&a, &b, pair, grid->step, bits, err);
        if (status != PBY_OK)
            break;
        *low = i == 0 ? a : FLINT_MIN(a, *low);
        *high = i == 0 ? b : FLINT_MAX(b, *high);
    }
    return status;
}

static pby_status tailed_init(struct tailed *t, const pby_part *part, pby_direction direction,
                              const pby_grid *grid, slong bits, pby_error *err)
{
    slong low = 0, high = 0;
    *t = (struct tailed){.tails = calloc(part->pairs.count, sizeof *t->tails), .times = part->times};
    if (t->tails == NULL)
        return pby_no_memory(err);
    pby_status status = widest_range(&low, &high, part, direction, grid, err);
    const pby_pair *pair;
    while (status == PBY_OK && (pair = pby_part_pair(part, direction, t->count)) != NULL)
        status = pby_tails_init(&t->tails[t->count++], pair, grid->step, low, high, bits + LENGTH_BITS, err);
    return status;
}

static void total_slack(fmpq_t slack, const pby_grid *grid)
{
    fmpq_div_2exp(slack, grid->step, SLACK_BITS);
}

/* out *= (the part's pld)^times: of all its pairs when upper, of the one chosen otherwise. */
static pby_status multiply_in(pby_pld *out, const struct tailed *t, size_t choice, const pby_grid *grid,
                              const fmpq_t slack, slong log_budget, pby_error *err)
{
    const size_t at = out->upper ? 0 : FLINT_MIN(choice, t->count - 1);
    pby_pld base, power, product;
    fmpz_t budget;
    pby_pld_init(&base, out->bits, out->upper);
    pby_pld_init(&power, out->bits, out->upper);
    pby_pld_init(&product, out->bits, out->upper);
    fmpz_init(budget);
    fmpz_one_2exp(budget, (flint_bitcnt_t)log_budget);
    pby_status status = pby_pld_from_tails(&base, &t->tails[at], out->upper ? t->count : 1, grid->step, slack,
                                           err);
    if (status == PBY_OK)
        status = pby_pld_power(&power, &base, t->times, log_budget, err);
    if (status == PBY_OK)
        status = pby_pld_mul(&product, out, &power, err);
    if (status == PBY_OK) {
        const pby_pld held = *out;
        *out = product;
        product = held;
        pby_pld_trim(out, budget);
    }
    fmpz_clear(budget);
    pby_pld_clear(&product);
    pby_pld_clear(&power);
    pby_pld_clear(&base);
    return status;
}

/* The bound that a pld gives; a lower one stands for losses that were raised by slack. */
static void read_off(arf_t out, const pby_pld *pld, const pby_asked *asked, const pby_grid *grid,
                     const fmpq_t slack)
{
    arb_t x;
    fmpq_t at;
    arb_init(x);
    fmpq_init(at);
    if (asked->delta) {
        fmpq_add(at, asked->at, slack);
        pby_pld_delta(x, pld, grid->step, pld->upper ? asked->at : at);
    } else {
        pby_pld_epsilon(out, pld, grid->step, asked->at);
        arb_set_fmpq(x, slack, pld->bits);
        if (pld->upper)
            arb_zero(x);
        arb_neg(x, x);
        arb_add_arf(x, x, out, pld->bits);
    }
    if (arf_is_inf(arb_midref(x)))
        arf_set(out, arb_midref(x));
    else if (pld->upper)
        arb_get_ubound_arf(out, x, pld->bits);
    else
        arb_get_lbound_arf(out, x, pld->bits);
    if (asked->delta && arf_sgn(out) < 0)
        arf_zero(out);
    if (asked->delta && arf_cmp_si(out, 1) > 0)
        arf_one(out);
    fmpq_clear(at);
    arb_clear(x);
}

/* best = max(best, the bound of one side for one choice of pairs) */
static pby_status bound(arf_t best, bool upper, const struct tailed *tailed, size_t count, size_t choice,
                        uint64_t uses, const pby_asked *asked, const pby_grid *grid, slong bits, pby_error *err)
{
    const slong log_budget = bits - grid->resolution - 1 - bit_length(2 * count);
    pby_pld pld;
    arf_t found;
    fmpq_t slack, share;
    fmpz_t parts;
    pby_status status = PBY_OK;
    arf_init(found);
    fmpq_init(slack);
    fmpq_init(share);
    fmpz_init_set_ui(parts, uses);
    total_slack(slack, grid);
    fmpq_div_fmpz(share, slack, parts);
    pby_pld_init(&pld, bits, upper);
    pby_pld_one(&pld);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = multiply_in(&pld, &tailed[i], choice, grid, share, log_budget, err);
    if (status == PBY_OK) {
        read_off(found, &pld, asked, grid, slack);
        arf_max(best, best, found);
    }
    pby_pld_clear(&pld);
    fmpz_clear(parts);
    fmpq_clear(share);
    fmpq_clear(slack);
    arf_clear(found);
    return status;
}

static pby_status round_in_direction(arf_t lower, arf_t upper, const pby_parts *parts, pby_direction direction,
                                     const pby_asked *asked, const pby_grid *grid, pby_error *err)
{
    const uint64_t uses = total_times(parts);
    const slong bits = grid->resolution + bit_length(uses) + LENGTH_BITS;
    struct tailed *tailed = calloc(parts->count, sizeof *tailed);
    if (tailed == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    size_t choices = 1, ready = 0;
    while (ready < parts->count && status == PBY_OK) {
        status = tailed_init(&tailed[ready], &parts->part[ready], direction, grid, bits, err);
        choices = FLINT_MAX(choices, tailed[ready].count);
        ready++;
    }
    if (status == PBY_OK)
        status = bound(upper, true, tailed, parts->count, 0, uses, asked, grid, bits, err);
    for (size_t i = 0; i < choices && status == PBY_OK; i++)
        status = bound(lower, false, tailed, parts->count, i, uses, asked, grid, bits, err);
    for (size_t i = 0; i < ready; i++)
        tailed_clear(&tailed[i]);
    free(tailed);
    return status;
}

pby_status pby_grid_round(arf_t lower, arf_t upper, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    pby_status status = PBY_OK;
    arf_neg_inf(lower);
    arf_neg_inf(upper);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = round_in_direction(lower, upper, parts, directions[i], asked, grid, err);
    return status;
}

/* ---- the first step --------------------------------------------------------------------------- */

/* How far the middle of the loss reaches, by grids that grow finer until it spans some of their points, or
 * until they are too fine for it: then all losses are close together and far from zero. */
static pby_status spread(fmpq_t out, const pby_pair *pair, pby_error *err)
{
    enum { COARSEST = 16, FINER = 8, FINEST = -256, POINTS = 16, MIDDLE_BITS = 4 };
    slong low = 0, high = 0;
    fmpq_t step;
    fmpq_init(step);
    fmpq_set_si(step, 1 << COARSEST, 1);
    pby_status status = pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, err);
    fmpq_mul_si(out, step, high - low);
    for (slong e = COARSEST; e > FINEST && status == PBY_OK && high - low < POINTS; e -= FINER) {
        fmpq_div_2exp(step, step, FINER);
        if (pby_loss_range(&low, &high, pair, step, MIDDLE_BITS, NULL) != PBY_OK)
            break;
        fmpq_mul_si(out, step, high - low);
    }
    fmpq_clear(step);
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
        status = spread(one, &parts->part[i].pairs.pair[0], err);
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
        arb_div_ui(allowed, allowed, PBY_WIDTH, prec);
        arb_mul_ui(allowed, allowed, 4, prec);
        arb_div_ui(allowed, allowed, total_times(parts), prec);
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
