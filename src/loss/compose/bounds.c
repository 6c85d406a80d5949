/* SPDX-License-Identifier: MIT */
#include "loss/compose/bounds.h"
#include "number/scoped.h"

void pby_bounds_init(pby_bounds *bounds, size_t count)
{
    bounds->lower = flint_malloc(count * sizeof *bounds->lower);
    bounds->upper = flint_malloc(count * sizeof *bounds->upper);
    bounds->count = count;
    for (size_t i = 0; i < count; i++) {
        arf_init(bounds->lower + i);
        arf_init(bounds->upper + i);
        arf_neg_inf(bounds->lower + i);
        arf_pos_inf(bounds->upper + i);
    }
}

void pby_bounds_clear(pby_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++) {
        arf_clear(bounds->lower + i);
        arf_clear(bounds->upper + i);
    }
    flint_free(bounds->lower);
    flint_free(bounds->upper);
}

bool pby_bounds_meet(pby_bounds *bounds, const pby_bounds *more)
{
    bool agree = true;
    for (size_t i = 0; i < bounds->count; i++) {
        arf_max(bounds->lower + i, bounds->lower + i, more->lower + i);
        arf_min(bounds->upper + i, bounds->upper + i, more->upper + i);
        agree = agree && arf_cmp(bounds->lower + i, bounds->upper + i) <= 0;
    }
    return agree;
}

void pby_bounds_max(pby_bounds *bounds, const pby_bounds *more)
{
    for (size_t i = 0; i < bounds->count; i++) {
        arf_max(bounds->lower + i, bounds->lower + i, more->lower + i);
        arf_max(bounds->upper + i, bounds->upper + i, more->upper + i);
    }
}

enum { PREC = 64 };

/* The quotient gap / (width size), rounded up. */
static ulong excess(const arf_t gap, const arf_t size, const fmpq_t width)
{
    enum { MOST = 1 << 20 };
    PBY_ARF(allowed);
    arf_abs(allowed, size);
    arf_mul_fmpz(allowed, allowed, fmpq_numref(width), PREC, ARF_RND_DOWN);
    arf_div_fmpz(allowed, allowed, fmpq_denref(width), PREC, ARF_RND_DOWN);
    arf_div(allowed, gap, allowed, PREC, ARF_RND_UP);
    return arf_cmp_si(allowed, MOST) > 0 ? 0 : (ulong)arf_get_si(allowed, ARF_RND_CEIL);
}

ulong pby_bounds_excess(const pby_bounds *bounds, size_t i, const fmpq_t width)
{
    arf_srcptr lower = bounds->lower + i, upper = bounds->upper + i;
    if (arf_equal(lower, upper))
        return 1;
    if (!arf_is_finite(lower) || !arf_is_finite(upper) || arf_sgn(lower) * arf_sgn(upper) <= 0)
        return 0;
    PBY_ARF(gap);
    arf_sub(gap, upper, lower, PREC, ARF_RND_UP);
    return excess(gap, arf_cmpabs(lower, upper) < 0 ? lower : upper, width);
}
