/* SPDX-License-Identifier: MIT */
#include "loss/bounded/bounded_round.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/scoped.h"

enum { BELOW, ABOVE };

/* ---- the grid ---------------------------------------------------------------------------------- */

static size_t longest(const pby_lengths *all)
{
    size_t most = 0;
    for (size_t i = 1; i < all->count; i++)
        if (all->length[i].times > all->length[most].times)
            most = i;
    return most;
}

/* A state for every number of uses that are left of the lengths but that of the most uses; 0 if too many. */
static size_t count_states(const pby_lengths *all)
{
    enum { MOST = 4096 };
    const size_t by_time = longest(all);
    size_t states = 1;
    for (size_t i = 0; i < all->count; i++) {
        if (i == by_time)
            continue;
        if (all->length[i].times >= MOST || states * (all->length[i].times + 1) > MOST)
            return 0;
        states *= all->length[i].times + 1;
    }
    return states;
}

/* The sum of the losses has about a normal law, of mean s^2/2 and standard deviation s, 4 s^2 being the sum
 * of the squared lengths. The window reaches to where it is as rare as the resolution. A bad guess costs time
 * and no truth. */
static void guess_reach(arb_t reach, const pby_lengths *all, slong resolution)
{
    const slong prec = PBY_PRECISION_FIRST;
    PBY_ARB(s, z);
    pby_lengths_squares(reach, all, prec);
    arb_mul_2exp_si(reach, reach, -2);
    arb_sqrt(s, reach, prec);
    arb_mul_2exp_si(reach, reach, -1);
    arb_sqrt_ui(z, (ulong)(resolution * 3 / 2 + 1), prec);
    arb_add_ui(z, z, 1, prec);
    arb_addmul(reach, z, s, prec);
}

static slong ceiling(const arb_t x, slong most)
{
    PBY_ARF(end);
    arb_get_ubound_arf(end, x, PBY_PRECISION_FIRST);
    return arf_cmp_si(end, most) > 0 ? most : arf_get_si(end, ARF_RND_CEIL);
}

/* Half of the window: no more than all losses together, no less than what is asked for. */
static slong half_of(const pby_lengths *all, const pby_bounded_aim *aim, const pby_step *step)
{
    enum { MOST = 1 << 26, MARGIN = 3 };
    const slong prec = PBY_PRECISION_FIRST;
    PBY_ARB(h, x, y);
    pby_step_ball(h, step, prec);
    guess_reach(x, all, aim->resolution);
    arb_set_fmpq(y, aim->reach, prec);
    arb_max(x, x, y, prec);
    arb_div(x, x, h, prec);
    pby_lengths_sum(y, all, prec);
    arb_div(y, y, h, prec);
    const slong wanted = ceiling(x, MOST), most = ceiling(y, MOST);
    return FLINT_MIN(wanted, most + (slong)all->count) + MARGIN;
}

/* The words that a fraction needs so that roundings, a few units in the last place for each use, stay below
 * the resolution. */
static slong limbs_for(slong resolution, uint64_t uses)
{
    enum { UNITS = 3 };
    return (resolution + (slong)FLINT_BIT_COUNT(uses) + UNITS) / GMP_NUMB_BITS + 1;
}

uint64_t pby_bounded_plan(pby_bounded_round *r, const pby_lengths *all, const pby_bounded_aim *aim)
{
    enum { LEAST = 4, BYTES_MAX = 1 << 29, PRODUCT = 8 };
    *r = (pby_bounded_round){.half = 0};
    pby_step_init(&r->step, all, aim->parts);
    r->limbs = limbs_for(aim->resolution, pby_lengths_times(all));
    r->half = half_of(all, aim, &r->step);
    const uint64_t states = count_states(all), times = all->length[longest(all)].times + 1;
    const uint64_t points = 2 * (uint64_t)r->half + 1;
    uint64_t steps = 0;
    for (size_t i = 0; i < all->count; i++) {
        const slong up = pby_length_steps(&all->length[i], &r->step, true),
                    down = pby_length_steps(&all->length[i], &r->step, false);
        if (up < 0 || down < LEAST)
            return UINT64_MAX;
        steps += (uint64_t)up;
    }
    if (states == 0 || (states + 8) * (points + 2 * steps) > BYTES_MAX / 8 / (uint64_t)r->limbs)
        return UINT64_MAX;
    const uint64_t each = r->limbs == 1 ? 1 : r->limbs == 2 ? 4 : PRODUCT + (uint64_t)(r->limbs * r->limbs);
    uint64_t work = states;
    const bool much = __builtin_mul_overflow(work, times, &work) ||
                      __builtin_mul_overflow(work, points, &work) ||
                      __builtin_mul_overflow(work, steps * each, &work);
    return much ? UINT64_MAX : work;
}

void pby_bounded_clear(pby_bounded_round *r)
{
    for (int side = BELOW; side <= ABOVE; side++) {
        free(r->values[side]);
        pby_window_clear(&r->window[side]);
    }
    pby_step_clear(&r->step);
}

/* ---- all uses ---------------------------------------------------------------------------------- */

struct table {
    const pby_lengths *all;
    const pby_window *window;
    pby_interval *interval;
    mp_limb_t **state, *more;
    size_t states, by_time;
};

/* Raises a state to what a use makes of another; the first only sets it. */
static void raise_state(struct table *t, size_t s, bool *first, const mp_limb_t *before, size_t length)
{
    pby_window_use(t->more, before, t->window, &t->interval[length]);
    if (!*first)
        pby_window_max(t->more, t->state[s], t->window);
    mp_limb_t *held = t->state[s];
    t->state[s] = t->more;
    t->more = held;
    *first = false;
}

/* State s at one time more, the states before it being there already. At time 0 only uses of the other
 * lengths lead to it. */
static void advance(struct table *t, size_t s, bool later)
{
    bool first = true;
    size_t stride = 1;
    if (later)
        raise_state(t, s, &first, t->state[s], t->by_time);
    for (size_t i = 0; i < t->all->count; i++) {
        const size_t size = (size_t)t->all->length[i].times + 1;
        if (i == t->by_time)
            continue;
        if (s / stride % size > 0)
            raise_state(t, s, &first, t->state[s - stride], i);
        stride *= size;
    }
}

static pby_status table_init(struct table *t, const pby_bounded_round *r, const arb_t h, pby_error *err)
{
    pby_status status = PBY_OK;
    t->states = count_states(t->all);
    t->by_time = longest(t->all);
    t->interval = calloc(t->all->count, sizeof *t->interval);
    t->state = calloc(t->states, sizeof *t->state);
    t->more = pby_window_values(t->window);
    if (t->interval == NULL || t->state == NULL || t->more == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < t->all->count && status == PBY_OK; i++)
        status = pby_interval_init(&t->interval[i], t->window, h,
                                   pby_length_steps(&t->all->length[i], &r->step, t->window->upper), err);
    for (size_t s = 0; s < t->states && status == PBY_OK; s++) {
        t->state[s] = pby_window_values(t->window);
        if (t->state[s] == NULL)
            return pby_no_memory(err);
        pby_window_first(t->state[s], t->window);
    }
    return status;
}

static void table_clear(struct table *t)
{
    for (size_t i = 0; i < t->all->count && t->interval != NULL; i++)
        pby_interval_clear(&t->interval[i]);
    for (size_t s = 0; s < t->states && t->state != NULL; s++)
        free(t->state[s]);
    free(t->interval);
    free(t->state);
    free(t->more);
}

/* One side. The values of all uses are those of the last state. */
static pby_status run_side(pby_bounded_round *r, int side, const pby_lengths *all, const arb_t h,
                           pby_error *err)
{
    slong most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = FLINT_MAX(most, pby_length_steps(&all->length[i], &r->step, true));
    pby_status status =
        pby_window_init(&r->window[side], h, r->half, most, (mp_size_t)r->limbs, side == ABOVE, err);
    if (status != PBY_OK)
        return status;
    struct table t = {.all = all, .window = &r->window[side]};
    status = table_init(&t, r, h, err);
    const uint64_t times = all->length[longest(all)].times;
    for (uint64_t time = 0; time <= times && status == PBY_OK; time++)
        for (size_t s = 0; s < t.states; s++)
            if (time > 0 || s > 0)
                advance(&t, s, time > 0);
    if (status == PBY_OK) {
        r->values[side] = t.state[t.states - 1];
        t.state[t.states - 1] = NULL;
    }
    table_clear(&t);
    return status;
}

pby_status pby_bounded_run(pby_bounded_round *r, const pby_lengths *all, pby_error *err)
{
    PBY_ARB(h);
    pby_step_ball(h, &r->step, (r->limbs + 2) * GMP_NUMB_BITS);
    PBY_TRY(run_side(r, BELOW, all, h, err));
    return run_side(r, ABOVE, all, h, err);
}

/* ---- answers ----------------------------------------------------------------------------------- */

static slong precision(const pby_bounded_round *r)
{
    return (r->limbs + 1) * GMP_NUMB_BITS;
}

static void value(arb_t out, const pby_bounded_round *r, int side, slong i)
{
    pby_window_at(out, r->values[side], &r->window[side], i);
}

/* x = exp(i h - by) - 1 */
static void distance(arb_t x, const pby_bounded_round *r, slong i, const fmpq_t by)
{
    PBY_ARB(at);
    pby_step_ball(x, &r->step, precision(r) + GMP_NUMB_BITS);
    arb_mul_si(x, x, i, precision(r) + GMP_NUMB_BITS);
    arb_set_fmpq(at, by, precision(r) + GMP_NUMB_BITS);
    arb_sub(x, x, at, precision(r));
    arb_expm1(x, x, precision(r));
}

/* The last i with i h <= epsilon, and whether they are equal. Where the balls do not tell, *low is an i with
 * i h < epsilon < (i + 2) h and the answer false. */
static bool place(slong *low, bool *equal, const pby_bounded_round *r, const fmpq_t epsilon)
{
    bool told = true;
    PBY_FMPQ(ratio);
    PBY_FMPZ(i);
    *equal = false;
    if (fmpq_is_zero(r->step.base) || fmpq_is_zero(epsilon)) {
        fmpq_div(ratio, epsilon, r->step.units);
        fmpz_fdiv_q(i, fmpq_numref(ratio), fmpq_denref(ratio));
        *equal = fmpz_is_one(fmpq_denref(ratio));
    } else {
        PBY_ARB(x, h);
        PBY_ARF(end);
        arb_set_fmpq(x, epsilon, precision(r));
        pby_step_ball(h, &r->step, precision(r));
        arb_div(x, x, h, precision(r));
        arb_floor(h, x, precision(r));
        told = arb_get_unique_fmpz(i, h);
        arb_get_lbound_arf(end, x, precision(r));
        if (!told)
            arf_get_fmpz(i, end, ARF_RND_FLOOR);
    }
    *low = fmpz_get_si(i);
    return told;
}

/* The line through the values at i and j of one side each, at epsilon: value(i) + (value(j) - value(i)) (x -
 * x_i)/(x_j - x_i), with x_i/x - 1 and x_j/x - 1 in place of x_i and x_j. */
static void line(arb_t out, const pby_bounded_round *r, int side_i, slong i, int side_j, slong j,
                 const fmpq_t epsilon)
{
    const slong prec = precision(r);
    PBY_ARB(a, b, other);
    distance(a, r, i, epsilon);
    distance(b, r, j, epsilon);
    arb_sub(b, a, b, prec); /* x_i - x_j over x */
    arb_div(a, a, b, prec);
    value(out, r, side_i, i);
    value(other, r, side_j, j);
    arb_sub(other, other, out, prec);
    arb_addmul(out, other, a, prec);
}

static void raise_lower(arf_t lower, const arb_t x, slong prec)
{
    PBY_ARF(end);
    arb_get_lbound_arf(end, x, prec);
    if (arf_cmp(end, lower) > 0)
        arf_set(lower, end);
}

/* A convex function lies above the line through two of its points outside them: from i - 1 and i, at most
 * the upper bound and at least the lower one, and likewise from the right. */
static void lower_between(arf_t lower, const pby_bounded_round *r, slong i, const fmpq_t epsilon)
{
    PBY_ARB(x);
    value(x, r, BELOW, i + 1);
    raise_lower(lower, x, precision(r));
    if (i > -r->half) {
        line(x, r, BELOW, i, ABOVE, i - 1, epsilon);
        raise_lower(lower, x, precision(r));
    }
    if (i + 2 <= r->half) {
        line(x, r, BELOW, i + 1, ABOVE, i + 2, epsilon);
        raise_lower(lower, x, precision(r));
    }
}

void pby_bounded_delta(arf_t lower, arf_t upper, const pby_bounded_round *r, const fmpq_t epsilon)
{
    slong i;
    bool equal;
    const bool told = place(&i, &equal, r, epsilon);
    arf_neg_inf(lower);
    arf_pos_inf(upper);
    if (i < -r->half || i + 2 > r->half)
        return;
    PBY_ARB(x);
    if (equal || !told) {
        value(x, r, ABOVE, i);
        arb_get_ubound_arf(upper, x, precision(r));
        value(x, r, BELOW, equal ? i : i + 2);
        raise_lower(lower, x, precision(r));
    } else {
        line(x, r, ABOVE, i, ABOVE, i + 1, epsilon);
        arb_get_ubound_arf(upper, x, precision(r));
        lower_between(lower, r, i, epsilon);
    }
}

/* Where the line through the values at i and j, of one side each, is at the level: log(x_i + (level -
 * value(i)) (x_j - x_i)/(value(j) - value(i))). Not finite where it does not fall. */
static void root(arb_t out, const pby_bounded_round *r, int side_i, slong i, int side_j, slong j,
                 const fmpq_t level)
{
    const slong prec = precision(r);
    PBY_ARB(at, fall, h);
    pby_step_ball(h, &r->step, prec + GMP_NUMB_BITS);
    value(at, r, side_i, i);
    value(fall, r, side_j, j);
    arb_sub(fall, fall, at, prec);
    arb_set_fmpq(out, level, prec);
    arb_sub(out, out, at, prec);
    arb_div(out, out, fall, prec);
    arb_mul_si(fall, h, j - i, prec);
    arb_expm1(fall, fall, prec);
    arb_mul(out, out, fall, prec);
    arb_log1p(out, out, prec);
    arb_addmul_si(out, h, i, prec);
}

/* The last point whose value is above the level; -half - 1 where none is. */
static slong last_above(const pby_bounded_round *r, int side, const fmpq_t level)
{
    slong low = -r->half - 1, high = r->half + 1;
    PBY_ARB(x, at);
    arb_set_fmpq(at, level, precision(r) + GMP_NUMB_BITS);
    while (high - low > 1) {
        const slong middle = low + (high - low) / 2;
        value(x, r, side, middle);
        if (side == ABOVE ? !arb_le(x, at) : arb_gt(x, at))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* At most x_(i+1), where `i` is the last point above the level and i + 1 is a point. */
static void epsilon_above(arf_t upper, const pby_bounded_round *r, slong i, const fmpq_t level)
{
    PBY_ARB(x);
    PBY_ARF(end);
    pby_step_ball(x, &r->step, precision(r));
    arb_mul_si(x, x, i + 1, precision(r));
    arb_get_ubound_arf(upper, x, precision(r));
    if (i >= -r->half) {
        root(x, r, ABOVE, i, ABOVE, i + 1, level);
        arb_get_ubound_arf(end, x, precision(r));
        if (arf_is_finite(end) && arf_cmp(end, upper) < 0)
            arf_set(upper, end);
    }
}

/* At least x_i; up to x_(i+1), and no further, as far as a line from either side stays above the level. */
static void epsilon_below(arf_t lower, const pby_bounded_round *r, slong i, const fmpq_t level)
{
    const slong prec = precision(r);
    PBY_ARB(x, next, first);
    pby_step_ball(first, &r->step, prec);
    arb_mul_si(next, first, i + 1, prec);
    arb_mul_si(first, first, i, prec);
    raise_lower(lower, first, prec);
    if (i > -r->half) {
        root(x, r, BELOW, i, ABOVE, i - 1, level);
        arb_min(x, x, next, prec);
        if (arb_is_finite(x))
            raise_lower(lower, x, prec);
    }
    if (i + 2 <= r->half) {
        value(x, r, BELOW, i + 1);
        value(next, r, ABOVE, i + 2);
        if (arb_gt(x, next)) {
            root(x, r, BELOW, i + 1, ABOVE, i + 2, level);
            if (arb_is_finite(x))
                raise_lower(lower, x, prec);
        }
    }
}

void pby_bounded_epsilon(arf_t lower, arf_t upper, const pby_bounded_round *r, const fmpq_t delta)
{
    const slong above = last_above(r, ABOVE, delta), below = last_above(r, BELOW, delta);
    arf_neg_inf(lower);
    arf_pos_inf(upper);
    if (above < r->half)
        epsilon_above(upper, r, above, delta);
    if (below >= -r->half && below < r->half)
        epsilon_below(lower, r, below, delta);
}
