/* SPDX-License-Identifier: MIT */
#include "loss/compose/grid_bisect.h"

#include "loss/compose/compose_guess.h"
#include "loss/compose/round.h"

/* The last resolution that is tried, and the rounds without a clear gain after which finer grids are given
 * up. */
enum { RESOLUTION_MAX = 1 << 14, STUCK_MAX = 3 };

/* The progress of a search: the answers that are too wide, the worst factor among them (0: unknown), and a
 * flag that one of them is a delta that the resolution does not reach. */
struct state {
    size_t open;
    ulong factor;
    bool deep;
};

static bool below_resolution(const arf_t upper, const pby_grid *grid, const pby_asked *asked)
{
    return asked->delta && arf_cmpabs_2exp_si(upper, pby_grid_spare(grid) - grid->resolution) < 0;
}

static struct state judge(const pby_bounds *bounds, const pby_grid *grid, const pby_asked *asked)
{
    struct state s = {.factor = 1};
    for (size_t i = 0; i < bounds->count; i++) {
        const ulong factor = pby_bounds_excess(bounds, i, grid->width);
        if (factor == 1)
            continue;
        s.open++;
        s.factor = factor == 0 || s.factor == 0 ? 0 : FLINT_MAX(s.factor, factor);
        s.deep = s.deep || below_resolution(bounds->upper + i, grid, asked);
    }
    return s;
}

/* Fewer open answers, or bounds that are closer by a quarter. */
static bool gained(const struct state *now, const struct state *best)
{
    return now->open < best->open ||
           (now->factor != 0 && (best->factor == 0 || now->factor < best->factor - best->factor / 4));
}

/* True if a round that only showed a delta to lie below the resolution is no sign of being stuck: with atoms
 * alone, whose masses have any number of bits at little cost, up to so many. */
static bool reaches_deeper(const struct state *now, const pby_grid *grid, const pby_parts *parts)
{
    enum { BITS_MAX = 1 << 10 };
    for (size_t i = 0; i < parts->count; i++)
        for (size_t j = 0; j < parts->part[i].pairs.count; j++)
            if (parts->part[i].pairs.pair[j].curve != NULL)
                return false;
    return now->deep && grid->resolution <= BITS_MAX;
}

/* The grid's error falls at least with the step, and with its square where the law of the loss is smooth;
 * after rounds that gained nothing it is taken to hide below the step. For a delta below the resolution that
 * is raised instead. */
static void refine(pby_grid *grid, const struct state *now, ulong stuck)
{
    enum { BLIND = 4, MOST = 16 };
    if (now->deep) {
        grid->resolution *= 2;
        return;
    }
    ulong by = (now->factor == 0 ? BLIND : 2) + 2 * stuck;
    while (now->factor != 0 && by < MOST && by * by < now->factor)
        by++;
    fmpz_t divisor;
    fmpz_init_set_ui(divisor, by);
    fmpq_div_fmpz(grid->step, grid->step, divisor);
    fmpz_clear(divisor);
    grid->resolution += 2;
}

static pby_status search(pby_bounds *bounds, pby_bounds *now, const pby_parts *parts, const pby_asked *asked,
                         pby_grid *grid, pby_error *err)
{
    struct state best = {.open = bounds->count + 1};
    ulong stuck = 0;
    bool deep = false;
    if (judge(bounds, grid, asked).open == 0)
        return PBY_OK;
    pby_status status = pby_grid_guess(grid, parts, asked, err);
    while (status == PBY_OK) {
        status = pby_grid_round(now, parts, asked, grid, err);
        if (status == PBY_BAD && (stuck > 0 || deep))
            return PBY_OK; /* too fine a grid, and the last one brought no gain, or did not reach so deep */
        if (status != PBY_OK)
            break;
        if (!pby_bounds_meet(bounds, now))
            return pby_fail(err, PBY_FAILED, "the bounds of the composition contradict each other");
        const struct state state = judge(bounds, grid, asked);
        const bool gain = gained(&state, &best);
        deep = reaches_deeper(&state, grid, parts);
        if (!deep)
            stuck = gain ? 0 : stuck + 1;
        if (gain)
            best = state;
        if (state.open == 0 || grid->resolution > RESOLUTION_MAX || stuck > STUCK_MAX)
            break;
        refine(grid, &state, stuck);
    }
    return status;
}

pby_status pby_grid_search(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked, pby_grid *grid,
                           pby_error *err)
{
    pby_bounds now;
    pby_bounds_init(&now, bounds->count);
    const pby_status status = search(bounds, &now, parts, asked, grid, err);
    pby_bounds_clear(&now);
    return status;
}
