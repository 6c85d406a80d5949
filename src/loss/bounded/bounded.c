/* SPDX-License-Identifier: MIT */
#include "loss/bounded/bounded.h"

#include <flint/fmpq_vec.h>
#include <stdlib.h>

#include "loss/bounded/bounded_round.h"
#include "loss/compose/bounds.h"
#include "loss/compose/grid.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Products of words that one round may take, some seconds; the parts of the shortest length at first, and
 * the bits that a delta is told from 0 by. */
enum { PARTS_LEAST = 8, RESOLUTION_FIRST = 40, RESOLUTION_MAX = 1 << 12 };
static const uint64_t WORK_MAX = (uint64_t)1 << 33;

struct bounded {
    pby_profile base;
    pby_lengths all;
    fmpq_t width;
    const fmpq *level; /* a delta that is told from this is close enough; NULL where none is */
    bool loose;        /* some use may stay short of its length, so that nothing is known from below */
};

static const struct bounded *of(const pby_profile *p)
{
    return (const struct bounded *)p;
}

/* ---- the search -------------------------------------------------------------------------------- */

/* The bits that the width takes beside those of the answer. */
static slong spare(const fmpq_t width)
{
    return (slong)fmpz_bits(fmpq_denref(width)) - (slong)fmpz_bits(fmpq_numref(width)) + 2;
}

/* So many parts that the grid, whose error falls with the square of the step, is about fine enough. */
static slong first_parts(const fmpq_t width)
{
    enum { FIRST = 12, MOST = 1 << 12 };
    slong parts = FIRST;
    PBY_FMPQ(goal);
    fmpq_set_si(goal, 1, 64);
    for (; fmpq_cmp(goal, width) > 0 && parts < MOST; parts *= 2)
        fmpq_div_2exp(goal, goal, 2);
    return parts;
}

/* True if the level is told from the first answer, which is not above it or above it for certain. */
static bool is_told(const pby_bounds *bounds, const struct bounded *b)
{
    if (b->level == NULL || !arf_is_finite(bounds->lower) || !arf_is_finite(bounds->upper))
        return false;
    PBY_FMPQ(end);
    arf_get_fmpq(end, bounds->upper);
    bool told = fmpq_cmp(end, b->level) <= 0;
    arf_get_fmpq(end, bounds->lower);
    told = told || fmpq_cmp(end, b->level) > 0;
    return told;
}

/* Returns the factor by which the worst answer is too wide, 0 if that is unknown; sets *deep if a delta may
 * lie below the resolution. */
static ulong judge(bool *deep, const pby_bounds *bounds, const pby_asked *asked, const struct bounded *b,
                   slong resolution)
{
    ulong worst = 1;
    *deep = false;
    if (is_told(bounds, b))
        return worst;
    for (size_t i = 0; i < bounds->count; i++) {
        const ulong factor = pby_bounds_excess(bounds, i, b->width);
        if (factor == 1)
            continue;
        worst = factor == 0 || worst == 0 ? 0 : FLINT_MAX(worst, factor);
        *deep = *deep ||
                (asked->delta && arf_cmpabs_2exp_si(bounds->upper + i, spare(b->width) + 8 - resolution) < 0);
    }
    return worst;
}

/* Where only a level is to be told a round that is a little finer may be enough. */
static void refine(pby_bounded_aim *aim, ulong factor, bool deep, bool slowly)
{
    enum { BLIND = 4, MOST = 16 };
    if (deep) {
        aim->resolution *= 2;
        return;
    }
    ulong by = factor == 0 ? BLIND : 2;
    while (factor != 0 && by < MOST && by * by < factor)
        by++;
    aim->parts *= slowly ? 2 : (slong)by;
}

static pby_status one_round(pby_bounds *now, const struct bounded *b, const pby_asked *asked,
                            pby_bounded_round *r, pby_error *err)
{
    const pby_status status = pby_bounded_run(r, &b->all, err);
    for (size_t i = 0; i < asked->count && status == PBY_OK; i++)
        if (asked->delta)
            pby_bounded_delta(now->lower + i, now->upper + i, r, asked->at + i);
        else
            pby_bounded_epsilon(now->lower + i, now->upper + i, r, asked->at + i);
    return status;
}

/* Until the answers are as narrow as asked for, or a round would take too long; the first is made coarser
 * then. */
static pby_status search(pby_bounds *bounds, pby_bounds *now, const struct bounded *b, const pby_asked *asked,
                         pby_bounded_aim *aim, pby_error *err)
{
    bool deep = false, first = true, more = judge(&deep, bounds, asked, b, aim->resolution) != 1;
    pby_status status = PBY_OK;
    while (more && status == PBY_OK) {
        pby_bounded_round r;
        more = pby_bounded_plan(&r, &b->all, aim) < WORK_MAX;
        if (!more && first && aim->parts > PARTS_LEAST) {
            pby_bounded_clear(&r);
            aim->parts = FLINT_MAX(aim->parts / 2, PARTS_LEAST);
            more = true;
            continue;
        }
        first = false;
        if (more)
            status = one_round(now, b, asked, &r, err);
        pby_bounded_clear(&r);
        if (!more || status != PBY_OK)
            break;
        if (!pby_bounds_meet(bounds, now))
            return pby_fail(err, PBY_FAILED, "the bounds of the composition contradict each other");
        const ulong factor = judge(&deep, bounds, asked, b, aim->resolution);
        more = factor != 1;
        refine(aim, factor, deep, b->level != NULL);
        more = more && aim->resolution <= RESOLUTION_MAX;
    }
    return status;
}

/* 0 <= delta <= 1, and 1 - exp(epsilon) <= delta. No epsilon is above the largest loss. */
static void bound_first(pby_bounds *bounds, const pby_asked *asked, const struct bounded *b)
{
    const slong prec = PBY_PRECISION_FIRST;
    PBY_ARB(x);
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->delta) {
            arf_one(bounds->upper + i);
            arb_set_fmpq(x, asked->at + i, prec);
            arb_expm1(x, x, prec);
            arb_neg(x, x);
            arb_get_lbound_arf(bounds->lower + i, x, prec);
            if (arf_sgn(bounds->lower + i) < 0)
                arf_zero(bounds->lower + i);
        } else {
            pby_lengths_sum(x, &b->all, prec);
            arb_get_ubound_arf(bounds->upper + i, x, prec);
            arf_neg(bounds->lower + i, bounds->upper + i);
        }
    }
}

/* The lower ends as they are known of any composition. */
static void forget_lower(pby_bounds *bounds, const pby_asked *asked, const struct bounded *b)
{
    pby_bounds first;
    pby_bounds_init(&first, asked->count);
    bound_first(&first, asked, b);
    for (size_t i = 0; i < asked->count; i++)
        arf_swap(bounds->lower + i, first.lower + i);
    pby_bounds_clear(&first);
}

static bool is_loose(const pby_spec *spec)
{
    bool loose = false;
    for (size_t i = 0; i < spec->count; i++)
        loose = loose || spec->use[i].mechanism.family->loose;
    return loose;
}

/* The bits of a delta, from above. */
static slong bits_of(const fmpq_t delta)
{
    return FLINT_MAX((slong)fmpz_bits(fmpq_denref(delta)) - (slong)fmpz_bits(fmpq_numref(delta)) + 1, 1);
}

static pby_status enclose(arb_ptr ball, const struct bounded *b, const pby_asked *asked, slong resolution,
                          pby_error *err)
{
    pby_bounds bounds, now;
    pby_bounds_init(&bounds, asked->count);
    pby_bounds_init(&now, asked->count);
    PBY_FMPQ(reach, size);
    for (size_t i = 0; i < asked->count && asked->delta; i++) {
        fmpq_abs(size, asked->at + i);
        if (fmpq_cmp(size, reach) > 0)
            fmpq_set(reach, size);
    }
    bound_first(&bounds, asked, b);
    pby_bounded_aim aim = {b->level != NULL ? PARTS_LEAST : first_parts(b->width),
                           resolution + spare(b->width), reach};
    const pby_status status = search(&bounds, &now, b, asked, &aim, err);
    if (b->loose)
        forget_lower(&bounds, asked, b);
    for (size_t i = 0; i < asked->count && status == PBY_OK; i++)
        if (arf_equal(bounds.lower + i, bounds.upper + i))
            arb_set_arf(ball + i, bounds.lower + i);
        else
            arb_set_interval_arf(ball + i, bounds.lower + i, bounds.upper + i,
                                 PBY_PRECISION_FIRST + aim.resolution);
    pby_bounds_clear(&now);
    pby_bounds_clear(&bounds);
    return status;
}

/* ---- the profile ------------------------------------------------------------------------------- */

static pby_status sum_ball(arb_t ball, const void *all, slong prec, pby_error *err)
{
    (void)err;
    pby_lengths_sum(ball, all, prec);
    return PBY_OK;
}

static pby_status bounded_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)p;
    (void)prec;
    (void)err;
    arb_zero(ball);
    return PBY_OK;
}

static pby_status bounded_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    return sum_ball(ball, &of(p)->all, prec, err);
}

/* 1 - exp(epsilon) at or below the least loss. */
static pby_status least_ball(arb_t ball, const void *epsilon, slong prec, pby_error *err)
{
    (void)err;
    arb_set_fmpq(ball, epsilon, 2 * prec);
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    return PBY_OK;
}

/* At and beyond the largest loss delta is 0, at and below the least 1 - exp(epsilon); what lies between goes
 * to the grid together. */
static pby_status bounded_deltas(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                 unsigned digits, pby_error *err)
{
    fmpq *at = _fmpq_vec_init((slong)count);
    arb_ptr found = _arb_vec_init((slong)count);
    pby_asked asked = {true, at, 0};
    pby_status status = PBY_OK;
    PBY_FMPQ(negative);
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        fmpq_neg(negative, epsilon + i);
        arb_indeterminate(ball + i);
        if (pby_lengths_cmp(&of(p)->all, epsilon + i) <= 0)
            arb_zero(ball + i);
        else if (pby_lengths_cmp(&of(p)->all, negative) <= 0)
            status = pby_enclose(ball + i, least_ball, epsilon + i, digits, err);
        else
            fmpq_set(at + asked.count++, epsilon + i);
    }
    if (status == PBY_OK && asked.count > 0)
        status = enclose(found, of(p), &asked,
                         of(p)->level == NULL ? RESOLUTION_FIRST : bits_of(of(p)->level) + 4, err);
    for (size_t i = 0, next = 0; i < count && status == PBY_OK; i++)
        if (!arb_is_finite(ball + i))
            arb_swap(ball + i, found + next++);
    _arb_vec_clear(found, (slong)count);
    _fmpq_vec_clear(at, (slong)count);
    return status;
}

static pby_status bounded_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                   pby_error *err)
{
    return bounded_deltas(ball, p, epsilon, 1, digits, err);
}

static pby_status bounded_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                pby_error *err)
{
    (void)prec;
    return bounded_delta_to(ball, p, epsilon, PBY_DIGITS_DEFAULT, err);
}

static pby_status bounded_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                     pby_error *err)
{
    const pby_asked asked = {false, level, 1};
    if (!fmpq_is_zero(level))
        return enclose(ball, of(p), &asked, bits_of(level) + 4, err);
    const pby_status status = pby_enclose(ball, sum_ball, &of(p)->all, digits, err);
    if (of(p)->loose) { /* from 0 on: at a delta of 0 no epsilon below is enough for any two laws */
        PBY_ARB(zero);
        arb_union(ball, ball, zero, PBY_PRECISION_FIRST);
    }
    return status;
}

static void bounded_free(pby_profile *p)
{
    struct bounded *b = (struct bounded *)p;
    pby_lengths_clear(&b->all);
    fmpq_clear(b->width);
    free(b);
}

static const pby_profile_class BOUNDED = {
    .delta = bounded_delta,
    .limit = bounded_limit,
    .largest = bounded_largest,
    .delta_to = bounded_delta_to,
    .deltas_to = bounded_deltas,
    .epsilon_to = bounded_epsilon_to,
    .free = bounded_free,
};

/* True if a coarse grid is not too much work. */
static bool fits(const pby_lengths *all)
{
    pby_bounded_round r;
    PBY_FMPQ(reach);
    const pby_bounded_aim aim = {PARTS_LEAST, RESOLUTION_FIRST, reach};
    const bool good = pby_bounded_plan(&r, all, &aim) < WORK_MAX;
    pby_bounded_clear(&r);
    return good;
}

/* Refuses neighbours that a mechanism is not about. */
static pby_status check_relation(const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        pby_pairs pairs;
        status = pby_mechanism_alone(&pairs, &spec->use[i].mechanism, relation, err);
        pby_pairs_clear(&pairs);
    }
    return status;
}

pby_status pby_bounded_near(bool *known, arb_t ball, const pby_spec *spec, pby_neighbours relation,
                            const fmpq_t epsilon, const fmpq_t level, const fmpq_t width, pby_error *err)
{
    pby_profile *p;
    pby_status status = pby_profile_of_bounded(&p, spec, relation, width, err);
    *known = status == PBY_OK && p != NULL;
    if (*known) {
        struct bounded *b = (struct bounded *)p;
        b->level = fmpq_is_zero(level) ? NULL : level;
        status = bounded_delta_to(ball, p, epsilon, PBY_DIGITS_DEFAULT, err);
    }
    pby_profile_free(p);
    return status;
}

pby_status pby_profile_of_bounded(pby_profile **out, const pby_spec *spec, pby_neighbours relation,
                                  const fmpq *width, pby_error *err)
{
    pby_lengths all;
    *out = NULL;
    pby_status status = pby_lengths_of_spec(&all, spec, err);
    if (status == PBY_OK && all.count > 0)
        status = check_relation(spec, relation, err);
    if (status != PBY_OK || all.count == 0 || !fits(&all)) {
        pby_lengths_clear(&all);
        return status;
    }
    struct bounded *b = malloc(sizeof *b);
    if (b == NULL) {
        pby_lengths_clear(&all);
        return pby_no_memory(err);
    }
    *b = (struct bounded){.base = {&BOUNDED}, .all = all, .loose = is_loose(spec)};
    fmpq_init(b->width);
    fmpq_set_si(b->width, 1, PBY_WIDTH);
    if (width != NULL)
        fmpq_set(b->width, width);
    *out = &b->base;
    return PBY_OK;
}
