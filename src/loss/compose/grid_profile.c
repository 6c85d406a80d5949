/* SPDX-License-Identifier: MIT */
/* The profile of a composition on a grid. */
#include <flint/fmpq_vec.h>
#include <stdlib.h>

#include "loss/compose/compose.h"
#include "loss/compose/grid_bisect.h"
#include "loss/compose/limits.h"
#include "loss/compose/overlap.h"
#include "number/ball.h"
#include "number/scoped.h"

/* The first resolution when the delta is not known. */
enum { RESOLUTION_FIRST = 30 };

struct composition {
    pby_profile base;
    pby_parts parts;
    const fmpq *width; /* NULL for the usual one */
};

static const pby_parts *parts_of(const pby_profile *p)
{
    return &((const struct composition *)p)->parts;
}

/* ---- answers from the grid -------------------------------------------------------------------- */

/* Ends of which one is infinite make no ball. */
static pby_status set_ball(arb_t ball, const arf_t lower, const arf_t upper, slong prec, pby_error *err)
{
    if (arf_equal(lower, upper)) {
        arb_set_arf(ball, lower);
        return PBY_OK;
    }
    if (!arf_is_finite(lower) || !arf_is_finite(upper))
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                           "the composition has no finite bounds at any grid that was tried");
    arb_set_interval_arf(ball, lower, upper, prec);
    return PBY_OK;
}

/* Sets the bounds that need no grid. No delta is below its limit or above 1, and one that is closer to 1 than
 * the first grid would tell needs none. */
static void bound_deltas(pby_bounds *bounds, const fmpq *epsilon, const pby_parts *parts)
{
    const slong prec = PBY_PRECISION_FIRST;
    PBY_ARB(limit, overlap);
    pby_parts_limit(limit, parts, prec);
    pby_parts_overlap(overlap, parts, prec);
    for (size_t i = 0; i < bounds->count; i++) {
        arb_get_lbound_arf(bounds->lower + i, limit, prec);
        pby_overlap_raise(bounds->lower + i, overlap, epsilon + i, RESOLUTION_FIRST, prec);
        arf_one(bounds->upper + i);
    }
}

/* No epsilon at a delta that has one is above the largest loss. */
static void bound_epsilons(pby_bounds *bounds, const pby_parts *parts)
{
    PBY_ARB(largest);
    pby_parts_largest(largest, parts, PBY_PRECISION_FIRST);
    for (size_t i = 0; i < bounds->count && arb_is_finite(largest); i++)
        arb_get_ubound_arf(bounds->upper + i, largest, PBY_PRECISION_FIRST);
}

/* The answers as balls, from a resolution to start with. */
static pby_status enclose_within(arb_ptr ball, const pby_profile *p, const pby_asked *asked, slong resolution,
                                 const fmpq *width, pby_error *err)
{
    pby_grid grid;
    pby_bounds bounds;
    pby_grid_init(&grid, resolution, width);
    if (!asked->delta)
        grid.resolution += pby_grid_spare(&grid);
    pby_bounds_init(&bounds, asked->count);
    if (asked->delta)
        bound_deltas(&bounds, asked->at, parts_of(p));
    else
        bound_epsilons(&bounds, parts_of(p));
    pby_status status = pby_grid_search(&bounds, parts_of(p), asked, &grid, err);
    for (size_t i = 0; i < asked->count && status == PBY_OK; i++)
        status = set_ball(ball + i, bounds.lower + i, bounds.upper + i, PBY_PRECISION_FIRST + grid.resolution,
                          err);
    pby_bounds_clear(&bounds);
    pby_grid_clear(&grid);
    return status;
}

static pby_status enclose(arb_ptr ball, const pby_profile *p, const pby_asked *asked, slong resolution,
                          pby_error *err)
{
    return enclose_within(ball, p, asked, resolution, ((const struct composition *)p)->width, err);
}

/* ---- the profile ------------------------------------------------------------------------------ */

static pby_status limit_ball(arb_t ball, const void *parts, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_limit(ball, parts, prec);
    return PBY_OK;
}

static pby_status largest_ball(arb_t ball, const void *parts, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_largest(ball, parts, prec);
    return PBY_OK;
}

static pby_status composition_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    return limit_ball(ball, parts_of(p), prec, err);
}

static pby_status composition_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    return largest_ball(ball, parts_of(p), prec, err);
}

/* Those of the epsilons that lie below the largest loss go to the grid together; beyond it delta is its
 * limit. */
static pby_status deltas_within(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                unsigned digits, const fmpq *width, pby_error *err)
{
    fmpq *at = _fmpq_vec_init((slong)count);
    arb_ptr found = _arb_vec_init((slong)count);
    pby_asked asked = {true, at, 0};
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        arb_indeterminate(ball + i);
        if (pby_parts_beyond(parts_of(p), epsilon + i))
            status = pby_enclose(ball + i, limit_ball, parts_of(p), digits, err);
        else
            fmpq_set(at + asked.count++, epsilon + i);
    }
    if (status == PBY_OK && asked.count > 0)
        status = enclose_within(found, p, &asked, RESOLUTION_FIRST, width, err);
    for (size_t i = 0, next = 0; i < count && status == PBY_OK; i++)
        if (!arb_is_finite(ball + i))
            arb_swap(ball + i, found + next++);
    _arb_vec_clear(found, (slong)count);
    _fmpq_vec_clear(at, (slong)count);
    return status;
}

static pby_status composition_deltas(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                     unsigned digits, pby_error *err)
{
    return deltas_within(ball, p, epsilon, count, digits, ((const struct composition *)p)->width, err);
}

static pby_status composition_sketch(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                     pby_error *err)
{
    PBY_FMPQ(quarter);
    fmpq_set_si(quarter, 1, 4);
    return deltas_within(ball, p, epsilon, count, PBY_DIGITS_DEFAULT, quarter, err);
}

static pby_status composition_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon,
                                       unsigned digits, pby_error *err)
{
    return composition_deltas(ball, p, epsilon, 1, digits, err);
}

static pby_status composition_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                    pby_error *err)
{
    (void)prec;
    return composition_delta_to(ball, p, epsilon, PBY_DIGITS_DEFAULT, err);
}

pby_status pby_raise_to_end(arb_t ball, const pby_parts *parts, unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    PBY_ARB(end, settled);
    pby_status status = pby_parts_settle(settled, parts, digits, err);
    pby_parts_largest(end, parts, prec);
    if (!arb_is_finite(end) || arb_lt(settled, end))
        arb_swap(end, settled);
    if (status == PBY_OK && !arb_is_finite(end))
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                             "no epsilon is known at which delta has reached its limit");
    arb_union(ball, ball, end, prec);
    return status;
}

/* At the limit itself every rounding up is too much for a grid. The answer is at least that of a level
 * slightly above, and at most the end of the loss. */
static pby_status epsilon_at_limit(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                   pby_error *err)
{
    enum { ABOVE_BITS = 7 };
    int sign;
    slong bits;
    PBY_FMPQ(above);
    fmpq_div_2exp(above, level, ABOVE_BITS);
    fmpq_add(above, above, level);
    pby_status status = pby_parts_limit_sign(&sign, &bits, parts_of(p), above, err);
    const pby_asked asked = {false, above, 1};
    if (status == PBY_OK)
        status = enclose(ball, p, &asked, bits, err);
    if (status == PBY_OK)
        status = pby_raise_to_end(ball, parts_of(p), digits, err);
    return status;
}

static pby_status composition_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level,
                                         unsigned digits, pby_error *err)
{
    const pby_asked asked = {false, level, 1};
    int sign;
    slong bits;
    const pby_status status = pby_parts_limit_sign(&sign, &bits, parts_of(p), level, err);
    if (status != PBY_OK)
        return status;
    if (sign > 0) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    if (sign < 0)
        return enclose(ball, p, &asked, bits, err);
    return pby_parts_choose(parts_of(p)) && !fmpq_is_zero(level)
               ? epsilon_at_limit(ball, p, level, digits, err)
               : pby_enclose(ball, largest_ball, parts_of(p), digits, err);
}

static void composition_free(pby_profile *p)
{
    pby_parts_clear(&((struct composition *)p)->parts);
    free(p);
}

static const pby_profile_class COMPOSITION = {
    .delta = composition_delta,
    .limit = composition_limit,
    .largest = composition_largest,
    .delta_to = composition_delta_to,
    .deltas_to = composition_deltas,
    .sketch = composition_sketch,
    .epsilon_to = composition_epsilon_to,
    .free = composition_free,
};

pby_status pby_profile_of_parts(pby_profile **out, pby_parts *parts, const fmpq *width, pby_error *err)
{
    *out = NULL;
    struct composition *c = malloc(sizeof *c);
    if (c == NULL) {
        pby_parts_clear(parts);
        return pby_no_memory(err);
    }
    *c = (struct composition){{&COMPOSITION}, *parts, width};
    *parts = (pby_parts){NULL, 0};
    *out = &c->base;
    return PBY_OK;
}
