#include "loss/round.h"

#include <stdlib.h>

#include "loss/adaptive.h"
#include "loss/pld.h"
#include "loss/tailed.h"

/* ---- a round in one direction ----------------------------------------------------------------- */

struct round {
    pby_tailed *tailed;
    size_t count;
    const pby_asked *asked;
    const pby_grid *grid;
    slong bits, log_budget;
    fmpq_t slack, share; /* of all lower plds together, and of one */
    fmpq *raised;        /* what is asked at, raised by the slack */
    arb_ptr ball;        /* room for the answers */
};

/* All lower plds together have a slack of the step over 2^SLACK_BITS, and less for a narrower answer. */
static void set_slack(struct round *r, uint64_t uses)
{
    enum { SLACK_BITS = 10 };
    fmpz_t parts;
    fmpz_init_set_ui(parts, uses);
    fmpq_init(r->slack);
    fmpq_init(r->share);
    fmpq_div_2exp(r->slack, r->grid->step, (flint_bitcnt_t)(SLACK_BITS + pby_grid_spare(r->grid)));
    fmpq_div_fmpz(r->share, r->slack, parts);
    r->raised = _fmpq_vec_init((slong)r->asked->count);
    for (size_t i = 0; i < r->asked->count; i++)
        fmpq_add(r->raised + i, r->asked->at + i, r->slack);
    fmpz_clear(parts);
}

static void round_clear(struct round *r)
{
    for (size_t i = 0; i < r->count; i++)
        pby_tailed_clear(&r->tailed[i]);
    free(r->tailed);
    _fmpq_vec_clear(r->raised, (slong)r->asked->count);
    _arb_vec_clear(r->ball, (slong)r->asked->count);
    fmpq_clear(r->share);
    fmpq_clear(r->slack);
}

static pby_status round_init(struct round *r, const pby_parts *parts, pby_direction direction,
                             const pby_asked *asked, const pby_grid *grid, pby_error *err)
{
    const uint64_t uses = pby_parts_times(parts);
    *r = (struct round){.asked = asked, .grid = grid};
    r->bits = grid->resolution + (slong)FLINT_BIT_COUNT(uses) + PBY_LENGTH_BITS;
    r->log_budget = r->bits - grid->resolution - 1 - (slong)FLINT_BIT_COUNT(2 * parts->count);
    set_slack(r, uses);
    r->ball = _arb_vec_init((slong)asked->count);
    r->tailed = calloc(parts->count, sizeof *r->tailed);
    if (r->tailed == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    while (r->count < parts->count && status == PBY_OK) {
        status = pby_tailed_init(&r->tailed[r->count], &parts->part[r->count], direction, grid, r->bits, err);
        r->count++;
    }
    return status;
}

/* out *= (the part's pld)^times: of all its pairs when upper, of the one chosen otherwise. */
static pby_status multiply_in(pby_pld *out, const struct round *r, const pby_tailed *t, size_t choice,
                              pby_error *err)
{
    const size_t at = out->upper ? 0 : FLINT_MIN(choice, t->count - 1);
    pby_pld base, power, product;
    fmpz_t budget;
    pby_pld_init(&base, out->bits, out->upper);
    pby_pld_init(&power, out->bits, out->upper);
    pby_pld_init(&product, out->bits, out->upper);
    fmpz_init(budget);
    fmpz_one_2exp(budget, (flint_bitcnt_t)r->log_budget);
    pby_status status = pby_pld_from_tails(&base, &t->tails[at], out->upper ? t->count : 1, r->grid->step,
                                           r->share, err);
    if (status == PBY_OK)
        status = pby_pld_power(&power, &base, t->times, r->log_budget, err);
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

/* The product of all parts but one, SIZE_MAX for none. */
static pby_status multiply_all(pby_pld *pld, const struct round *r, size_t choice, size_t but, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_pld_one(pld);
    for (size_t i = 0; i < r->count && status == PBY_OK; i++)
        if (i != but)
            status = multiply_in(pld, r, &r->tailed[i], choice, err);
    return status;
}

/* The end of a ball on the side that bounds, delta kept between 0 and 1. */
static void take_end(arf_t out, const arb_t x, bool upper, const struct round *r)
{
    if (upper)
        arb_get_ubound_arf(out, x, r->bits);
    else
        arb_get_lbound_arf(out, x, r->bits);
    if (arf_sgn(out) < 0)
        arf_zero(out);
    if (arf_cmp_si(out, 1) > 0)
        arf_one(out);
}

/* A lower bound on epsilon stands for losses that were raised by the slack. */
static void take_off_slack(arf_t epsilon, const struct round *r)
{
    arb_t x;
    if (!arf_is_finite(epsilon))
        return;
    arb_init(x);
    arb_set_fmpq(x, r->slack, r->bits);
    arb_neg(x, x);
    arb_add_arf(x, x, epsilon, r->bits);
    arb_get_lbound_arf(epsilon, x, r->bits);
    arb_clear(x);
}

/* Keeps an answer where it is the better bound. */
static void keep(arf_t out, arf_t answer, bool upper, const struct round *r)
{
    if (!r->asked->delta && !upper)
        take_off_slack(answer, r);
    if (upper)
        arf_min(out, out, answer);
    else
        arf_max(out, out, answer);
}

static void read_pld(arf_ptr out, const pby_pld *pld, struct round *r)
{
    const pby_asked *asked = r->asked;
    arf_t end;
    arf_init(end);
    if (asked->delta)
        pby_pld_deltas(r->ball, pld, r->grid->step, pld->upper ? asked->at : r->raised, asked->count);
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->delta)
            take_end(end, r->ball + i, pld->upper, r);
        else
            pby_pld_epsilon(end, pld, r->grid->step, asked->at + i);
        keep(out + i, end, pld->upper, r);
    }
    arf_clear(end);
}

/* ---- choices that depend on earlier outputs --------------------------------------------------- */

/* The window on which V is worked out: all of the loss, and zero. */
static void set_window(slong *low, slong *n, const pby_pld *upper)
{
    *low = FLINT_MIN(upper->low, 0) - 1;
    *n = FLINT_MAX(upper->low + fmpz_poly_length(upper->mass), 1) + 1 - *low;
}

/* The one part that has several pairs, where that costs little enough; the count of parts if none. */
static size_t choosing_part(const struct round *r, const pby_pld *upper)
{
    enum { WORK_MAX = 1 << 24 };
    size_t found = r->count;
    slong low, n;
    for (size_t i = 0; i < r->count; i++) {
        if (r->tailed[i].count < 2)
            continue;
        if (found < r->count)
            return r->count;
        found = i;
    }
    if (found == r->count)
        return found;
    set_window(&low, &n, upper);
    const pby_tailed *t = &r->tailed[found];
    const uint64_t steps = t->times < WORK_MAX ? t->times * t->count : WORK_MAX;
    return steps < (uint64_t)WORK_MAX / (uint64_t)(n + t->tails[0].n) ? found : r->count;
}

static void read_values(arf_ptr out, const pby_values *v, struct round *r)
{
    const pby_asked *asked = r->asked;
    arf_t end;
    arf_init(end);
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->delta) {
            pby_values_delta(r->ball, v, r->grid->step, (v->upper ? asked->at : r->raised) + i);
            take_end(end, r->ball, v->upper, r);
        } else {
            pby_values_epsilon(end, v, r->grid->step, asked->at + i);
        }
        keep(out + i, end, v->upper, r);
    }
    arf_clear(end);
}

/* The values of all uses: those of the part that chooses come last, when there is most to know. */
static pby_status use_all(pby_values *v, const struct round *r, size_t part, pby_error *err)
{
    const pby_tailed *t = &r->tailed[part];
    pby_pld *choice = calloc(t->count + 1, sizeof *choice), *rest;
    if (choice == NULL)
        return pby_no_memory(err);
    rest = choice + t->count;
    for (size_t i = 0; i <= t->count; i++)
        pby_pld_init(&choice[i], r->bits, v->upper);
    pby_status status = multiply_all(rest, r, 0, part, err);
    for (size_t i = 0; i < t->count && status == PBY_OK; i++)
        status = pby_pld_from_tails(&choice[i], &t->tails[i], 1, r->grid->step, r->share, err);
    for (uint64_t k = 0; k < t->times && status == PBY_OK; k++)
        pby_values_use(v, choice, t->count, r->grid->step);
    if (status == PBY_OK && r->count > 1)
        pby_values_use(v, rest, 1, r->grid->step);
    for (size_t i = 0; i <= t->count; i++)
        pby_pld_clear(&choice[i]);
    free(choice);
    return status;
}

/* Better bounds from both sides, by the choice that is worst after each output, where one part alone chooses. */
static pby_status free_choices(pby_bounds *bounds, const pby_pld *upper, size_t part, struct round *r,
                               pby_error *err)
{
    slong low, n;
    pby_status status = PBY_OK;
    set_window(&low, &n, upper);
    for (int side = 0; side < 2 && status == PBY_OK; side++) {
        pby_values v;
        pby_values_init(&v, low, n, r->grid->step, r->bits, side == 1);
        status = use_all(&v, r, part, err);
        if (status == PBY_OK)
            read_values(v.upper ? bounds->upper : bounds->lower, &v, r);
        pby_values_clear(&v);
    }
    return status;
}

/* ---- a round ---------------------------------------------------------------------------------- */

/* Lower bounds by each choice of one pair, kept in every use: the i-th pairs of all parts together. */
static pby_status fixed_choices(pby_bounds *bounds, size_t choices, struct round *r, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < choices && status == PBY_OK; i++) {
        pby_pld lower;
        pby_pld_init(&lower, r->bits, false);
        status = multiply_all(&lower, r, i, SIZE_MAX, err);
        if (status == PBY_OK)
            read_pld(bounds->lower, &lower, r);
        pby_pld_clear(&lower);
    }
    return status;
}

static bool too_wide(const pby_bounds *bounds, const pby_grid *grid)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (pby_bounds_excess(bounds, i, grid->width) != 1)
            return true;
    return false;
}

/* Upper bounds by the pair that dominates all of a part's; lower ones by fixed choices, unless they are many
 * and free ones can be had; and free ones where that leaves the bounds apart. */
static pby_status bound(pby_bounds *bounds, struct round *r, pby_error *err)
{
    enum { FEW = 4 };
    size_t choices = 1;
    pby_pld upper;
    for (size_t i = 0; i < r->count; i++)
        choices = FLINT_MAX(choices, r->tailed[i].count);
    for (size_t i = 0; i < bounds->count; i++) {
        arf_neg_inf(bounds->lower + i);
        arf_pos_inf(bounds->upper + i);
    }
    pby_pld_init(&upper, r->bits, true);
    pby_status status = multiply_all(&upper, r, 0, SIZE_MAX, err);
    if (status == PBY_OK) {
        read_pld(bounds->upper, &upper, r);
        const size_t part = choosing_part(r, &upper);
        if (choices <= FEW || part == r->count)
            status = fixed_choices(bounds, choices, r, err);
        if (status == PBY_OK && part < r->count && too_wide(bounds, r->grid))
            status = free_choices(bounds, &upper, part, r, err);
    }
    pby_pld_clear(&upper);
    return status;
}

static pby_status round_in_direction(pby_bounds *bounds, const pby_parts *parts, pby_direction direction,
                                     const pby_asked *asked, const pby_grid *grid, pby_error *err)
{
    struct round r;
    pby_status status = round_init(&r, parts, direction, asked, grid, err);
    if (status == PBY_OK)
        status = bound(bounds, &r, err);
    round_clear(&r);
    return status;
}

pby_status pby_grid_round(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    pby_bounds other;
    pby_bounds_init(&other, asked->count);
    pby_status status = round_in_direction(bounds, parts, directions[0], asked, grid, err);
    if (status == PBY_OK && count > 1)
        status = round_in_direction(&other, parts, directions[1], asked, grid, err);
    if (status == PBY_OK && count > 1)
        pby_bounds_max(bounds, &other);
    pby_bounds_clear(&other);
    return status;
}
