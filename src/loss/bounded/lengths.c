/* SPDX-License-Identifier: MIT */
#include "loss/bounded/lengths.h"

#include <stdlib.h>

#include "mechanism/exponential/exponential_bounded.h"
#include "number/ball.h"
#include "number/scoped.h"

/* ---- lengths ----------------------------------------------------------------------------------- */

static void length_clear(pby_length *length)
{
    fmpq_clear(length->units);
    fmpq_clear(length->base);
}

void pby_lengths_clear(pby_lengths *all)
{
    for (size_t i = 0; i < all->count; i++)
        length_clear(&all->length[i]);
    free(all->length);
    *all = (pby_lengths){NULL, 0};
}

/* Equal lengths are counted together. */
static void add_length(pby_lengths *all, const pby_use *use)
{
    pby_length *last = &all->length[all->count];
    fmpq_init(last->units);
    fmpq_init(last->base);
    PBY_PRIVACY(p, &use->mechanism);
    fmpq_swap(last->units, p.units);
    fmpq_swap(last->base, p.base);
    last->times = use->times;
    for (size_t i = 0; i < all->count; i++)
        if (fmpq_equal(all->length[i].units, last->units) && fmpq_equal(all->length[i].base, last->base)) {
            all->length[i].times += use->times;
            length_clear(last);
            return;
        }
    all->count++;
}

pby_status pby_lengths_of_spec(pby_lengths *out, const pby_spec *spec, pby_error *err)
{
    *out = (pby_lengths){NULL, 0};
    for (size_t i = 0; i < spec->count; i++)
        if (!pby_mechanism_bounded(&spec->use[i].mechanism))
            return PBY_OK;
    out->length = calloc(spec->count, sizeof *out->length);
    if (out->length == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count; i++)
        add_length(out, &spec->use[i]);
    return PBY_OK;
}

uint64_t pby_lengths_times(const pby_lengths *all)
{
    uint64_t times = 0;
    for (size_t i = 0; i < all->count; i++)
        times += all->length[i].times;
    return times;
}

void pby_length_ball(arb_t ball, const pby_length *length, slong prec)
{
    pby_bounded_length_ball(ball, &(const pby_bounded_length){length->units, length->base}, prec);
}

void pby_lengths_sum(arb_t ball, const pby_lengths *all, slong prec)
{
    PBY_ARB(one);
    arb_zero(ball);
    for (size_t i = 0; i < all->count; i++) {
        pby_length_ball(one, &all->length[i], prec);
        arb_addmul_ui(ball, one, all->length[i].times, prec);
    }
}

void pby_lengths_squares(arb_t ball, const pby_lengths *all, slong prec)
{
    PBY_ARB(one);
    arb_zero(ball);
    for (size_t i = 0; i < all->count; i++) {
        pby_length_ball(one, &all->length[i], prec);
        arb_sqr(one, one, prec);
        arb_addmul_ui(ball, one, all->length[i].times, prec);
    }
}

/* The rational part of the sum, and whether there is no other. */
static bool rational_sum(fmpq_t sum, const pby_lengths *all)
{
    bool only = true;
    PBY_FMPQ(one);
    fmpq_zero(sum);
    for (size_t i = 0; i < all->count; i++) {
        only = only && fmpq_is_zero(all->length[i].base);
        fmpq_mul_ui(one, all->length[i].units, all->length[i].times);
        if (fmpq_is_zero(all->length[i].base))
            fmpq_add(sum, sum, one);
    }
    return only;
}

/* A sum of logarithms of rationals above 1, each a positive number of times, is no rational: its exponential
 * would be algebraic. So some precision decides. */
int pby_lengths_cmp(const pby_lengths *all, const fmpq_t x)
{
    fmpq_t sum;
    fmpq_init(sum);
    int sign = 0;
    if (rational_sum(sum, all)) {
        sign = fmpq_cmp(sum, x);
        fmpq_clear(sum);
        return sign;
    }
    PBY_ARB(ball, at);
    for (slong prec = PBY_PRECISION_FIRST; sign == 0; prec *= 2) {
        pby_lengths_sum(ball, all, prec);
        arb_set_fmpq(at, x, prec);
        sign = arb_gt(ball, at) ? 1 : arb_lt(ball, at) ? -1 : 0;
    }
    fmpq_clear(sum);
    return sign;
}

/* ---- the step ---------------------------------------------------------------------------------- */

/* unit = the greatest common divisor of all units; false where bases differ, or where some length has more
 * than MOST of it. */
static bool common_unit(fmpq_t unit, const pby_lengths *all)
{
    enum { MOST = 64 };
    bool good = true;
    PBY_FMPQ(quotient);
    fmpq_zero(unit);
    for (size_t i = 0; i < all->count; i++) {
        good = good && fmpq_equal(all->length[i].base, all->length[0].base);
        fmpq_gcd(unit, unit, all->length[i].units);
    }
    for (size_t i = 0; i < all->count && good; i++) {
        fmpq_div(quotient, all->length[i].units, unit);
        good = fmpq_cmp_si(quotient, all->count == 1 ? 1 : MOST) <= 0;
    }
    return good;
}

/* About the shortest length, a rational of few bits that is not above it. */
static void shortest(fmpq_t out, const pby_lengths *all)
{
    enum { BITS = 16 };
    PBY_ARB(one, least);
    PBY_ARF(end);
    arb_pos_inf(least);
    for (size_t i = 0; i < all->count; i++) {
        pby_length_ball(one, &all->length[i], PBY_PRECISION_FIRST);
        if (arb_lt(one, least))
            arb_set(least, one);
    }
    arb_get_lbound_arf(end, least, BITS);
    arf_get_fmpq(out, end);
}

/* The least whole number from `parts` on, of which parts of a length are at most 1/8. */
static void enough_parts(fmpz_t count, const fmpq_t length, slong parts)
{
    enum { EACH = 8 };
    PBY_FMPQ(x);
    fmpq_mul_si(x, length, EACH);
    fmpz_cdiv_q(count, fmpq_numref(x), fmpq_denref(x));
    if (fmpz_cmp_si(count, parts) < 0)
        fmpz_set_si(count, parts);
}

/* Sets count to the steps of a common unit, so that the shortest length has at least `parts` of them. base is
 * not 0 if the unit is a logarithm. */
static void parts_of_unit(fmpz_t count, const fmpq_t unit, const fmpq_t base, const fmpq_t least, slong parts)
{
    PBY_FMPQ(whole, ratio);
    PBY_ARB(ball);
    PBY_ARF(end);
    pby_bounded_length_ball(ball, &(const pby_bounded_length){unit, base}, PBY_PRECISION_FIRST);
    arb_get_ubound_arf(end, ball, PBY_PRECISION_FIRST);
    arf_get_fmpq(whole, end);
    fmpq_div(ratio, whole, least);
    fmpq_mul_si(ratio, ratio, parts);
    fmpz_cdiv_q(count, fmpq_numref(ratio), fmpq_denref(ratio));
    enough_parts(count, whole, fmpz_get_si(count));
}

void pby_step_init(pby_step *step, const pby_lengths *all, slong parts)
{
    fmpq_init(step->units);
    fmpq_init(step->base);
    PBY_FMPQ(least);
    PBY_FMPZ(count);
    shortest(least, all);
    if (common_unit(step->units, all)) {
        fmpq_set(step->base, all->length[0].base);
        parts_of_unit(count, step->units, step->base, least, parts);
    } else {
        enough_parts(count, least, parts);
        fmpq_set(step->units, least);
    }
    fmpq_div_fmpz(step->units, step->units, count);
}

void pby_step_clear(pby_step *step)
{
    fmpq_clear(step->units);
    fmpq_clear(step->base);
}

void pby_step_ball(arb_t ball, const pby_step *step, slong prec)
{
    pby_bounded_length_ball(ball, &(const pby_bounded_length){step->units, step->base}, prec);
}

/* Whole numbers beyond this are too many steps. */
enum { STEPS_MAX = 1 << 24 };

slong pby_length_steps(const pby_length *length, const pby_step *step, bool up)
{
    PBY_FMPZ(whole);
    PBY_FMPQ(exact);
    PBY_ARB(ratio, h);
    PBY_ARF(end);
    if (fmpq_equal(length->base, step->base)) {
        fmpq_div(exact, length->units, step->units);
        if (up)
            fmpz_cdiv_q(whole, fmpq_numref(exact), fmpq_denref(exact));
        else
            fmpz_fdiv_q(whole, fmpq_numref(exact), fmpq_denref(exact));
    } else {
        pby_length_ball(ratio, length, PBY_PRECISION_FIRST);
        pby_step_ball(h, step, PBY_PRECISION_FIRST);
        arb_div(ratio, ratio, h, PBY_PRECISION_FIRST);
        if (up)
            arb_get_ubound_arf(end, ratio, PBY_PRECISION_FIRST);
        else
            arb_get_lbound_arf(end, ratio, PBY_PRECISION_FIRST);
        arf_get_fmpz(whole, end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    }
    return fmpz_cmp_si(whole, STEPS_MAX) > 0 ? -1 : fmpz_get_si(whole);
}
