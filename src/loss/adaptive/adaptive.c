/* SPDX-License-Identifier: MIT */
#include "loss/adaptive/adaptive.h"
#include "number/scoped.h"

#include <flint/fmpz_vec.h>

slong pby_values_precision(const pby_values *v)
{
    enum { GUARD = 64 };
    return v->bits + GUARD;
}

/* The integer at the side of a ball that was scaled by 2^bits. */
static void set_rounded(fmpz_t out, const arb_t x, const pby_values *v)
{
    PBY_ARF(end);
    if (v->upper)
        arb_get_ubound_arf(end, x, pby_values_precision(v));
    else
        arb_get_lbound_arf(end, x, pby_values_precision(v));
    arf_get_fmpz(out, end, v->upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
}

/* ball = exp(step i) */
static void exp_of(arb_t ball, const fmpq_t step, slong i, slong prec)
{
    PBY_FMPQ(x);
    fmpq_mul_si(x, step, i);
    arb_set_fmpq(ball, x, prec);
    arb_exp(ball, ball, prec);
}

/* Continues the values of a line from (0, 1), downwards in the index: out[-i] = 1 - (1 - value) exp(-i step)
 * for i = 1 .. count. */
static void extend_left(fmpz *out, slong count, const fmpz_t value, const pby_values *v, const fmpq_t step)
{
    PBY_ARB(rest, decay, x);
    PBY_FMPZ(one);
    fmpz_one_2exp(one, (flint_bitcnt_t)v->bits);
    exp_of(decay, step, -1, pby_values_precision(v));
    arb_set_fmpz(rest, one);
    arb_sub_fmpz(rest, rest, value, pby_values_precision(v));
    for (slong i = 1; i <= count; i++) {
        arb_mul(rest, rest, decay, pby_values_precision(v));
        arb_sub_fmpz(x, rest, one, pby_values_precision(v));
        arb_neg(x, x);
        set_rounded(out - i, x, v);
    }
}

static void lower_to(fmpz_t x, const fmpz_t y)
{
    if (fmpz_cmp(y, x) < 0)
        fmpz_set(x, y);
}

/* From below, the function must lie under V outside the window, too: under 1 - x to the left, and under the
 * limit to the right. */
static void tie_ends(pby_values *v, const fmpq_t step)
{
    if (v->upper)
        return;
    PBY_ARB(x);
    PBY_FMPZ(end);
    exp_of(x, step, v->low, pby_values_precision(v));
    arb_sub_ui(x, x, 1, pby_values_precision(v));
    arb_neg(x, x);
    arb_mul_2exp_si(x, x, v->bits);
    set_rounded(end, x, v);
    lower_to(v->at, end);
    lower_to(v->at + v->n - 1, v->limit);
}

void pby_values_init(pby_values *v, slong low, slong n, const fmpq_t step, slong bits, bool upper)
{
    *v = (pby_values){.at = _fmpz_vec_init(n), .low = low, .n = n, .bits = bits, .upper = upper};
    fmpz_init(v->limit);
    extend_left(v->at - low, -low, v->limit, v, step);
    tie_ends(v, step);
}

void pby_values_init_set(pby_values *v, const pby_values *from)
{
    *v = *from;
    v->at = _fmpz_vec_init(from->n);
    _fmpz_vec_set(v->at, from->at, from->n);
    fmpz_init_set(v->limit, from->limit);
}

void pby_values_clear(pby_values *v)
{
    _fmpz_vec_clear(v->at, v->n);
    fmpz_clear(v->limit);
}

void pby_values_swap(pby_values *a, pby_values *b)
{
    const pby_values held = *a;
    *a = *b;
    *b = held;
}

/* ---- one use more ----------------------------------------------------------------------------- */

/* The values on a wider window, for losses from least to most: from low - most to low + n - 1 - least. */
static void widen_values(fmpz_poly_t out, const pby_values *v, slong least, slong most, const fmpq_t step)
{
    const slong left = FLINT_MAX(most, 0), right = FLINT_MAX(-least, 0), length = left + v->n + right;
    fmpz_poly_fit_length(out, length);
    _fmpz_poly_set_length(out, length);
    _fmpz_vec_set(out->coeffs + left, v->at, v->n);
    extend_left(out->coeffs + left, left, v->at, v, step);
    for (slong i = left + v->n; i < length; i++)
        fmpz_set(out->coeffs + i, v->at + v->n - 1);
    _fmpz_poly_normalise(out);
}

static void round_to_side(fmpz_t x, const pby_values *v)
{
    if (v->upper)
        fmpz_cdiv_q_2exp(x, x, (flint_bitcnt_t)v->bits);
    else
        fmpz_fdiv_q_2exp(x, x, (flint_bitcnt_t)v->bits);
}

/* out[i] = E[V(x_i exp(-L))]: the masses times the wide values, `left` of which lie before the window. */
static void expect(fmpz *out, const fmpz_poly_t wide, slong left, const pby_values *v, const pby_pld *choice)
{
    PBY_FMPZ_POLY(product);
    PBY_FMPZ(x);
    pby_poly_mul(product, choice->mass, wide);
    for (slong i = 0; i < v->n; i++) {
        fmpz_poly_get_coeff_fmpz(x, product, left - choice->low + i);
        round_to_side(x, v);
        fmpz_add(out + i, x, choice->infinite);
    }
}

/* limit = the greatest of infinite + (finite mass) limit. */
static void raise_limit(fmpz_t out, const pby_values *v, const pby_pld *choice)
{
    PBY_FMPZ(x);
    for (slong i = 0; i < fmpz_poly_length(choice->mass); i++)
        fmpz_add(x, x, choice->mass->coeffs + i);
    fmpz_mul(x, x, v->limit);
    round_to_side(x, v);
    fmpz_add(x, x, choice->infinite);
    if (fmpz_cmp(x, out) > 0)
        fmpz_set(out, x);
}

/* From above, chords between the greater values lie over the greatest of convex functions. */
static void max_above(fmpz *best, const fmpz *more, slong n)
{
    for (slong i = 0; i < n; i++)
        if (fmpz_cmp(more + i, best + i) > 0)
            fmpz_set(best + i, more + i);
}

/* From below, each cell takes the line of that function which is greater in its middle, and a point the
 * lesser of what its two cells take. */
static void max_below(fmpz *best, const fmpz *more, slong n)
{
    bool before = false;
    PBY_FMPZ(mine, other);
    for (slong i = 0; i < n; i++) {
        bool after = before;
        if (i + 1 < n) {
            fmpz_add(mine, best + i, best + i + 1);
            fmpz_add(other, more + i, more + i + 1);
            after = fmpz_cmp(other, mine) > 0;
        }
        if (i == 0)
            before = after;
        if ((before && after) || (before != after && fmpz_cmp(more + i, best + i) < 0))
            fmpz_set(best + i, more + i);
        before = after;
    }
}

void pby_values_max(pby_values *v, const pby_values *other)
{
    (v->upper ? max_above : max_below)(v->at, other->at, v->n);
    if (fmpz_cmp(other->limit, v->limit) > 0)
        fmpz_set(v->limit, other->limit);
}

void pby_values_use(pby_values *v, const pby_pld *choice, size_t count, const fmpq_t step)
{
    slong least = 0, most = 0;
    for (size_t c = 0; c < count; c++) {
        least = FLINT_MIN(least, choice[c].low);
        most = FLINT_MAX(most, choice[c].low + fmpz_poly_length(choice[c].mass) - 1);
    }
    fmpz *more = _fmpz_vec_init(v->n);
    PBY_FMPZ_POLY(wide);
    PBY_FMPZ(limit);
    widen_values(wide, v, least, most, step);
    for (size_t c = 0; c < count; c++) {
        expect(more, wide, most, v, &choice[c]);
        raise_limit(limit, v, &choice[c]);
        if (c == 0)
            _fmpz_vec_swap(v->at, more, v->n);
        else
            (v->upper ? max_above : max_below)(v->at, more, v->n);
    }
    fmpz_swap(v->limit, limit);
    tie_ends(v, step);
    _fmpz_vec_clear(more, v->n);
}
