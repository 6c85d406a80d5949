/* SPDX-License-Identifier: MIT */
#include "loss/bounded/values.h"
#include "number/scoped.h"

#include <flint/longlong.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 };

static slong precision(const pby_window *w)
{
    return w->limbs * GMP_NUMB_BITS + GUARD;
}

/* ---- fractions --------------------------------------------------------------------------------- */

static void copy(mp_limb_t *out, const mp_limb_t *in, mp_size_t limbs)
{
    memcpy(out, in, (size_t)limbs * sizeof *out);
}

static void set_zero(mp_limb_t *out, mp_size_t limbs)
{
    memset(out, 0, (size_t)limbs * sizeof *out);
}

/* A ball from 0 to 1 as an integer over 2^bits, rounded up or down; what does not fit is the greatest that
 * does. */
static void set_fraction(mp_limb_t *out, const arb_t x, slong bits, mp_size_t limbs, bool up)
{
    PBY_ARF(end);
    PBY_FMPZ(whole, most);
    PBY_MPZ(z);
    if (up)
        arb_get_ubound_arf(end, x, bits + GUARD);
    else
        arb_get_lbound_arf(end, x, bits + GUARD);
    arf_mul_2exp_si(end, end, bits);
    arf_get_fmpz(whole, end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    fmpz_one_2exp(most, (flint_bitcnt_t)(limbs * GMP_NUMB_BITS));
    fmpz_sub_ui(most, most, 1);
    if (fmpz_sgn(whole) < 0)
        fmpz_zero(whole);
    if (fmpz_cmp(whole, most) > 0)
        fmpz_set(whole, most);
    set_zero(out, limbs);
    fmpz_get_mpz(z, whole);
    memcpy(out, mpz_limbs_read(z), mpz_size(z) * sizeof *out);
}

/* a = max(a, b) */
static void raise_to(mp_limb_t *a, const mp_limb_t *b, mp_size_t limbs)
{
    if (mpn_cmp(b, a, limbs) > 0)
        copy(a, b, limbs);
}

/* a = min(a, b) */
static void lower_to(mp_limb_t *a, const mp_limb_t *b, mp_size_t limbs)
{
    if (mpn_cmp(b, a, limbs) < 0)
        copy(a, b, limbs);
}

/* out = floor(a b/2^(64 limbs)); twice is room for both factors. */
static void multiply(mp_limb_t *out, const mp_limb_t *a, const mp_limb_t *b, mp_limb_t *twice,
                     mp_size_t limbs)
{
    mpn_mul_n(twice, a, b, limbs);
    copy(out, twice + limbs, limbs);
}

/* ---- the window -------------------------------------------------------------------------------- */

static mp_limb_t *room(slong fractions, mp_size_t limbs)
{
    return reallocarray(NULL, (size_t)fractions * (size_t)limbs, sizeof(mp_limb_t));
}

/* V_0 = 1 - exp(i h) left of 0. */
static void set_start(pby_window *w, const arb_t h)
{
    const slong first = -w->half - w->most - 1, prec = precision(w);
    PBY_ARB(x);
    for (slong i = first; i <= w->half; i++) {
        mp_limb_t *at = w->start + (i - first) * w->limbs;
        arb_mul_si(x, h, i, prec);
        arb_expm1(x, x, prec);
        arb_neg(x, x);
        if (i < 0)
            set_fraction(at, x, w->limbs * GMP_NUMB_BITS - 1, w->limbs, w->upper);
        else
            set_zero(at, w->limbs);
    }
}

static void set_decay(pby_window *w, const arb_t h)
{
    PBY_ARB(x);
    for (slong i = 1; i <= w->most + 1; i++) {
        arb_mul_si(x, h, -i, precision(w));
        arb_exp(x, x, precision(w));
        set_fraction(w->decay + i * w->limbs, x, w->limbs * GMP_NUMB_BITS, w->limbs, false);
    }
}

/* The values that one use reads, from -half - most - 1 on, and three more for each. */
static slong width(const pby_window *w)
{
    return 2 * w->half + 1 + 2 * (w->most + 1);
}

pby_status pby_window_init(pby_window *w, const arb_t h, slong half, slong most, mp_size_t limbs, bool upper,
                           pby_error *err)
{
    *w = (pby_window){.half = half, .limbs = limbs, .most = most, .upper = upper};
    w->start = room(2 * half + most + 2, limbs);
    w->decay = room(most + 2, limbs);
    w->work = room(4 * width(w) + 4, limbs);
    if (w->start == NULL || w->decay == NULL || w->work == NULL) {
        pby_window_clear(w);
        return pby_no_memory(err);
    }
    set_start(w, h);
    set_decay(w, h);
    return PBY_OK;
}

void pby_window_clear(pby_window *w)
{
    free(w->start);
    free(w->decay);
    free(w->work);
    *w = (pby_window){.half = 0};
}

mp_limb_t *pby_window_values(const pby_window *w)
{
    return room(2 * w->half + 1, w->limbs);
}

void pby_window_first(mp_limb_t *out, const pby_window *w)
{
    memcpy(out, w->start + (w->most + 1) * w->limbs,
           (size_t)(2 * w->half + 1) * (size_t)w->limbs * sizeof *out);
}

void pby_window_max(mp_limb_t *out, const mp_limb_t *other, const pby_window *w)
{
    for (slong i = 0; i <= 2 * w->half; i++)
        raise_to(out + i * w->limbs, other + i * w->limbs, w->limbs);
}

void pby_window_at(arb_t out, const mp_limb_t *values, const pby_window *w, slong i)
{
    mpz_t z;
    PBY_FMPZ(whole);
    fmpz_set_mpz(whole, mpz_roinit_n(z, values + (i + w->half) * w->limbs, w->limbs));
    arb_set_fmpz(out, whole);
    arb_mul_2exp_si(out, out, 1 - w->limbs * GMP_NUMB_BITS);
}

/* ---- the interval ------------------------------------------------------------------------------ */

/* 1 - exp(-i h) */
static void rise(arb_t out, const arb_t h, slong i, slong prec)
{
    arb_mul_si(out, h, -i, prec);
    arb_expm1(out, out, prec);
    arb_neg(out, out);
}

pby_status pby_interval_init(pby_interval *v, const pby_window *w, const arb_t h, slong steps, pby_error *err)
{
    const mp_size_t limbs = w->limbs;
    const slong prec = precision(w), bits = (slong)limbs * GMP_NUMB_BITS;
    *v = (pby_interval){.steps = steps, .chance = room(steps + 3, limbs)};
    if (v->chance == NULL)
        return pby_no_memory(err);
    v->bend = v->chance + (steps + 1) * limbs;
    v->end = v->bend + limbs;
    PBY_ARB(norm, x, y);
    rise(norm, h, steps, prec);
    for (slong b = 1; b < steps; b++) {
        rise(x, h, steps - b, prec);
        arb_div(x, x, norm, prec);
        set_fraction(v->chance + b * limbs, x, bits, limbs, w->upper);
    }
    arb_exp(y, h, prec);
    arb_expm1(x, h, prec);
    arb_mul(x, x, y, prec);
    arb_div(x, x, norm, prec);
    arb_mul_2exp_si(x, x, -2);
    set_fraction(v->bend, x, bits, limbs, true);
    arb_mul_si(x, h, -steps, prec);
    arb_exp(x, x, prec);
    set_fraction(v->end, x, bits, limbs, false);
    return PBY_OK;
}

void pby_interval_clear(pby_interval *v)
{
    free(v->chance);
    *v = (pby_interval){.steps = 0};
}

/* ---- one use ----------------------------------------------------------------------------------- */

/* The arrays that one use reads, each of the width of the window and a margin of `margin` points at either
 * side. */
struct wide {
    mp_limb_t *value, *low, *gap, *bend;
    slong margin, count;
};

/* The values on a wider window. To the left, from above, along the line to (0, 1), and from below by 1 - x or
 * the first value; to the right by the last value, and by 0. */
static void widen_limbs(struct wide *a, const mp_limb_t *in, const pby_window *w)
{
    const slong points = 2 * w->half + 1;
    const mp_size_t n = w->limbs;
    mp_limb_t *rest = w->work + 4 * width(w) * n, *twice = rest + n,
              *one = a->low; /* room that is free yet */
    memcpy(a->value + a->margin * n, in, (size_t)(points * n) * sizeof *in);
    set_zero(one, n);
    one[n - 1] = (mp_limb_t)1 << (GMP_NUMB_BITS - 1);
    mpn_sub_n(rest, one, in, n);
    for (slong i = 1; i <= a->margin; i++) {
        mp_limb_t *left = a->value + (a->margin - i) * n,
                  *right = a->value + (a->margin + points - 1 + i) * n;
        if (w->upper) {
            multiply(left, rest, w->decay + i * n, twice, n);
            mpn_sub_n(left, one, left, n);
            copy(right, in + (points - 1) * n, n);
        } else {
            copy(left, w->start + (w->most + 1 - i) * n, n);
            raise_to(left, in, n);
            set_zero(right, n);
        }
    }
}

/* Bounds how far the function to be maximised may lie above its chord between t and t + h, for each place of
 * the wide window that x exp(-t - h) has. */
static void set_bends(struct wide *a, const pby_window *w, const pby_interval *v)
{
    const mp_size_t n = w->limbs;
    mp_limb_t *twice = w->work + 4 * width(w) * n + n, *far = a->gap; /* room that is free yet */
    for (slong m = 0; m < a->count; m++) {
        mp_limb_t *bend = a->bend + m * n;
        set_zero(bend, n);
        if (m + 1 >= a->count)
            continue;
        mpn_sub_n(bend, a->value + m * n, a->value + (m + 1) * n, n);
        if (m + v->steps + 1 < a->count) {
            mpn_sub_n(far, a->value + (m + v->steps) * n, a->value + (m + v->steps + 1) * n, n);
            multiply(far, far, v->end, twice, n);
            if (mpn_cmp(far, bend, n) >= 0)
                set_zero(bend, n);
            else
                mpn_sub_n(bend, bend, far, n);
        }
        multiply(bend, bend, v->bend, twice, n);
        mpn_add_1(bend, bend, n, 1);
    }
}

/* low = the value a length further and, from above, the greater bend of the two cells beside; gap = the value
 * less that a length further. */
static void set_parts(struct wide *a, const pby_window *w, const pby_interval *v)
{
    const mp_size_t n = w->limbs;
    for (slong m = 1; m + v->steps < a->count; m++) {
        mp_limb_t *low = a->low + m * n;
        const mp_limb_t *further = a->value + (m + v->steps) * n;
        mpn_sub_n(a->gap + m * n, a->value + m * n, further, n);
        copy(low, further, n);
        if (w->upper) {
            const mp_limb_t *bend = a->bend + m * n;
            mpn_add_n(low, low, mpn_cmp(bend, bend - n, n) >= 0 ? bend : bend - n, n);
        }
    }
}

/* best = the greatest of low + chance gap over the t inside; place is that of x on the wide window. */
static void raise_one(mp_limb_t *best, const struct wide *a, const pby_interval *v, slong place)
{
    mp_limb_t most = *best;
    for (slong b = 1; b < v->steps; b++) {
        mp_limb_t high, low;
        umul_ppmm(high, low, v->chance[b], a->gap[place - b]);
        (void)low;
        const mp_limb_t sum = a->low[place - b] + high;
        most = sum > most ? sum : most;
    }
    *best = most;
}

/* Does the work of raise_one for numbers of two words: chance gap without the product of the lower words, and
 * so at most two units below its whole part. */
static void raise_two(mp_limb_t *best, const struct wide *a, const pby_interval *v, slong place)
{
    mp_limb_t most_high = best[1], most_low = best[0];
    for (slong b = 1; b < v->steps; b++) {
        const mp_limb_t *chance = v->chance + 2 * b, *gap = a->gap + 2 * (place - b),
                        *low = a->low + 2 * (place - b);
        mp_limb_t high, sum, cross, rest;
        umul_ppmm(high, sum, chance[1], gap[1]);
        umul_ppmm(cross, rest, chance[1], gap[0]);
        add_ssaaaa(high, sum, high, sum, 0, cross);
        umul_ppmm(cross, rest, chance[0], gap[1]);
        (void)rest;
        add_ssaaaa(high, sum, high, sum, 0, cross);
        add_ssaaaa(high, sum, high, sum, low[1], low[0]);
        if (high > most_high || (high == most_high && sum > most_low)) {
            most_high = high;
            most_low = sum;
        }
    }
    best[1] = most_high;
    best[0] = most_low;
}

static void raise_many(mp_limb_t *best, const struct wide *a, const pby_interval *v, slong place, mp_size_t n,
                       mp_limb_t *twice)
{
    for (slong b = 1; b < v->steps; b++) {
        mpn_mul_n(twice, v->chance + b * n, a->gap + (place - b) * n, n);
        mpn_add_n(twice + n, twice + n, a->low + (place - b) * n, n);
        raise_to(best, twice + n, n);
    }
}

/* No value is above 1, and none above one further left. */
static void settle_above(mp_limb_t *out, const pby_window *w)
{
    const mp_size_t n = w->limbs;
    mp_limb_t *one = w->work;
    set_zero(one, n);
    one[n - 1] = (mp_limb_t)1 << (GMP_NUMB_BITS - 1);
    for (slong i = 0; i <= 2 * w->half; i++)
        lower_to(out + i * n, i == 0 ? one : out + (i - 1) * n, n);
}

static void settle_below(mp_limb_t *out, const pby_window *w)
{
    for (slong i = 2 * w->half - 1; i >= 0; i--)
        raise_to(out + i * w->limbs, out + (i + 1) * w->limbs, w->limbs);
}

/* At t = 0 and at t = length nothing is learnt. */
static void take_ends(mp_limb_t *out, const struct wide *a, const pby_window *w, const pby_interval *v,
                      slong place)
{
    const mp_size_t n = w->limbs;
    copy(out, a->value + place * n, n);
    if (!w->upper)
        return;
    const mp_limb_t *near = a->bend + (place - 1) * n, *far = a->bend + (place - v->steps) * n;
    mpn_add_n(out, out, mpn_cmp(near, far, n) >= 0 ? near : far, n);
}

void pby_window_use(mp_limb_t *out, const mp_limb_t *in, const pby_window *w, const pby_interval *v)
{
    enum { LOST = 3 }; /* more than all that was rounded down */
    const mp_size_t n = w->limbs;
    const slong points = 2 * w->half + 1, each = width(w) * n;
    struct wide a = {w->work, w->work + each, w->work + 2 * each, w->work + 3 * each, w->most + 1, width(w)};
    mp_limb_t *twice = w->work + 4 * each + n;
    widen_limbs(&a, in, w);
    if (w->upper)
        set_bends(&a, w, v);
    set_parts(&a, w, v);
    for (slong i = 0; i < points; i++) {
        mp_limb_t *best = out + i * n;
        take_ends(best, &a, w, v, a.margin + i);
        if (n == 1)
            raise_one(best, &a, v, a.margin + i);
        else if (n == 2)
            raise_two(best, &a, v, a.margin + i);
        else
            raise_many(best, &a, v, a.margin + i, n, twice);
        if (w->upper)
            mpn_add_1(best, best, n, LOST);
    }
    if (w->upper)
        settle_above(out, w);
    else
        settle_below(out, w);
}
