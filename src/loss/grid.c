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
    const uint64_t uses = pby_parts_times(parts);
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
