#include "loss/compose.h"

#include <stdlib.h>

#include "loss/grid.h"
#include "loss/limits.h"
#include "number/ball.h"

/* The first resolution when the delta is not known, the last that is tried, and the rounds without a
 * clear gain after which a composition is given up. */
enum { RESOLUTION_FIRST = 30, RESOLUTION_MAX = 1 << 14, RESOLUTION_SPARE = 10, STUCK_MAX = 4 };

struct composition {
    pby_profile base;
    pby_parts parts;
};

static const pby_parts *parts_of(const pby_profile *p)
{
    return &((const struct composition *)p)->parts;
}

/* ---- refinement ------------------------------------------------------------------------------- */

/* Whether upper - lower is at most 1/PBY_WIDTH of the smaller of the two in size, and by which factor it is
 * too wide: 1 when it is not, 0 when there is no telling. */
static ulong too_wide(const arf_t lower, const arf_t upper)
{
    if (arf_equal(lower, upper))
        return 1;
    if (!arf_is_finite(lower) || !arf_is_finite(upper) || arf_sgn(lower) * arf_sgn(upper) <= 0)
        return 0;
    enum { MOST = 1 << 20 };
    arf_t width, size;
    arf_init(width);
    arf_init(size);
    arf_sub(width, upper, lower, ARF_PREC_EXACT, ARF_RND_UP);
    arf_mul_ui(width, width, PBY_WIDTH, ARF_PREC_EXACT, ARF_RND_UP);
    arf_set(size, arf_cmpabs(lower, upper) < 0 ? lower : upper);
    arf_abs(size, size);
    ulong factor = 0;
    if (arf_cmp(width, size) <= 0) {
        factor = 1;
    } else {
        arf_div(width, width, size, 64, ARF_RND_UP);
        factor = arf_cmp_si(width, MOST) > 0 ? 0 : (ulong)arf_get_si(width, ARF_RND_CEIL);
    }
    arf_clear(size);
    arf_clear(width);
    return factor;
}

/* The grid's error falls at least with the step, and with its square where the law of the loss is smooth. */
static void refine(pby_grid *grid, ulong factor)
{
    enum { BLIND = 4, MOST = 16 };
    ulong by = factor == 0 ? BLIND : 2;
    while (factor != 0 && by < MOST && by * by < factor)
        by++;
    fmpz_t divisor;
    fmpz_init_set_ui(divisor, by);
    fmpq_div_fmpz(grid->step, grid->step, divisor);
    fmpz_clear(divisor);
    grid->resolution += 2;
}

/* For a delta below the resolution the resolution is raised instead of the grid refined. */
static bool sharpen(pby_grid *grid, const arf_t upper, const pby_asked *asked)
{
    if (!asked->delta || arf_cmpabs_2exp_si(upper, RESOLUTION_SPARE - grid->resolution) >= 0)
        return false;
    grid->resolution *= 2;
    return true;
}

static pby_status give_up(ulong factor, pby_error *err)
{
    if (factor == 0)
        return pby_fail(err, PBY_FAILED, "the composition has no bounds of one sign at any grid that was tried");
    return pby_fail(err, PBY_FAILED, "the bounds of the composition stay %lu times wider apart than 1/%d of them",
                    (unsigned long)factor, PBY_WIDTH);
}

static pby_status search(arf_t lower, arf_t upper, const pby_parts *parts, const pby_asked *asked,
                         pby_grid *grid, pby_error *err)
{
    ulong best = 0;
    int stuck = 0;
    pby_status status = pby_grid_guess(grid, parts, asked, err);
    while (status == PBY_OK) {
        status = pby_grid_round(lower, upper, parts, asked, grid, err);
        if (status == PBY_OK && arf_cmp(lower, upper) > 0)
            return pby_fail(err, PBY_FAILED, "the bounds of the composition contradict each other");
        const ulong factor = too_wide(lower, upper);
        if (status != PBY_OK || factor == 1)
            break;
        stuck = factor != 0 && (best == 0 || factor < best - best / 4) ? 0 : stuck + 1;
        best = factor != 0 && (best == 0 || factor < best) ? factor : best;
        if (grid->resolution > RESOLUTION_MAX || stuck > STUCK_MAX)
            return give_up(best, err);
        if (!sharpen(grid, upper, asked))
            refine(grid, factor);
    }
    return status;
}

/* The answer as one ball, from a resolution to start with. */
static pby_status enclose(arb_t ball, const pby_profile *p, const pby_asked *asked, slong resolution,
                          pby_error *err)
{
    pby_grid grid = {.resolution = resolution};
    arf_t lower, upper;
    fmpq_init(grid.step);
    arf_init(lower);
    arf_init(upper);
    const pby_status status = search(lower, upper, parts_of(p), asked, &grid, err);
    if (status == PBY_OK && arf_equal(lower, upper))
        arb_set_arf(ball, lower);
    else if (status == PBY_OK)
        arb_set_interval_arf(ball, lower, upper, PBY_PRECISION_FIRST);
    arf_clear(upper);
    arf_clear(lower);
    fmpq_clear(grid.step);
    return status;
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

static pby_status composition_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                       pby_error *err)
{
    const pby_asked asked = {true, epsilon};
    return pby_parts_beyond(parts_of(p), epsilon)
               ? pby_enclose(ball, limit_ball, parts_of(p), digits, err)
               : enclose(ball, p, &asked, RESOLUTION_FIRST, err);
}

static pby_status composition_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                    pby_error *err)
{
    (void)prec;
    return composition_delta_to(ball, p, epsilon, PBY_DIGITS_DEFAULT, err);
}

static pby_status composition_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                         pby_error *err)
{
    const pby_asked asked = {false, level};
    int sign;
    slong bits;
    const pby_status status = pby_parts_limit_sign(&sign, &bits, parts_of(p), level, err);
    if (status != PBY_OK)
        return status;
    if (sign > 0) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    return sign == 0 ? pby_enclose(ball, largest_ball, parts_of(p), digits, err)
                     : enclose(ball, p, &asked, bits + RESOLUTION_SPARE, err);
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
    .epsilon_to = composition_epsilon_to,
    .free = composition_free,
};

pby_status pby_profile_of_parts(pby_profile **out, pby_parts *parts, pby_error *err)
{
    *out = NULL;
    struct composition *c = malloc(sizeof *c);
    if (c == NULL) {
        pby_parts_clear(parts);
        return pby_no_memory(err);
    }
    *c = (struct composition){{&COMPOSITION}, *parts};
    *parts = (pby_parts){NULL, 0};
    *out = &c->base;
    return PBY_OK;
}

static pby_status profiles_of_pairs(pby_profiles *out, pby_pairs *pairs, pby_error *err)
{
    pby_status status = pby_profiles_init(out, pairs->count, err);
    for (size_t i = 0; i < pairs->count && status == PBY_OK; i++)
        status = pby_profile_of_pair(&out->profile[i], &pairs->pair[i], err);
    return status;
}

static pby_status compose_parts(pby_profiles *out, pby_parts *parts, pby_error *err)
{
    if (parts->count == 1 && parts->part[0].times == 1)
        return profiles_of_pairs(out, &parts->part[0].pairs, err);
    pby_pairs product;
    bool done;
    pby_status status = pby_parts_product(&product, &done, parts, err);
    if (status == PBY_OK && done) {
        status = profiles_of_pairs(out, &product, err);
        pby_pairs_clear(&product);
    } else if (status == PBY_OK) {
        status = pby_profiles_init(out, 1, err);
        if (status == PBY_OK)
            status = pby_profile_of_parts(&out->profile[0], parts, err);
    }
    return status;
}

pby_status pby_compose(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_parts parts;
    *out = (pby_profiles){NULL, 0};
    pby_status status = pby_parts_of_spec(&parts, spec, relation, err);
    if (status == PBY_OK)
        status = compose_parts(out, &parts, err);
    pby_parts_clear(&parts);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}
