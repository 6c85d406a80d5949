/* SPDX-License-Identifier: MIT */
/* The worst of several uses whose losses each lie in an interval of known length, on a grid of losses.
 *
 * V_0(x) = max(0, 1 - x), and V_{j+1}(x) is the greatest over t in [0, length] of
 *
 *     P_t V_j(x exp(-t)) + (1 - P_t) V_j(x exp(length - t)),   P_t = (1 - exp(t - length))/(1 -
 * exp(-length)):
 *
 * each use chooses its t after the outputs before it (docs/theory/exponential.md). A length is a whole number
 * of steps h, and V is kept at the losses i h of a window, |i| <= half, as binary fractions.
 *
 * From below only the t on the grid are tried, which takes V_j at grid points alone. From above V_j is linear
 * in x between grid points, which a convex function lies under, and all t are tried: between two
 * neighbouring ones what is to be made greatest is concave in exp(t) and lies above its chord by at most
 *
 *     (exp(h) - 1) exp(h)/(4 (1 - exp(-length))) (D_m - exp(-length) D_{m + length/h}),  D_m = V_m - V_{m+1}.
 */
#ifndef PBY_LOSS_BOUNDED_VALUES_H
#define PBY_LOSS_BOUNDED_VALUES_H

#include <arb.h>
#include <flint/fmpq.h>
#include <gmp.h>
#include <stdbool.h>

#include "base/status.h"

/* Fractions of `limbs` words: values are over 2^(64 limbs - 1), chances over 2^(64 limbs). */
typedef struct pby_window {
    slong half;
    mp_size_t limbs;
    slong most;       /* the longest length in steps */
    bool upper;       /* from above */
    mp_limb_t *start; /* V_0 at -half - most - 1 .. half */
    mp_limb_t *decay; /* exp(-i h), i = 0 .. most + 1, i = 0 not set */
    mp_limb_t *work;  /* for one use */
} pby_window;

/* An interval of losses on a window. */
typedef struct pby_interval {
    slong steps;
    mp_limb_t *chance; /* P_t of t = b h, b = 0 .. steps, the ends not set */
    mp_limb_t *bend;   /* the factor above, one fraction */
    mp_limb_t *end;    /* exp(-length), one fraction */
} pby_interval;

/* h is a ball around the step, at least as precise as the fractions; 0 < h <= 1/8. */
pby_status pby_window_init(pby_window *w, const arb_t h, slong half, slong most, mp_size_t limbs, bool upper,
                           pby_error *err);
void pby_window_clear(pby_window *w);

/* 4 <= steps <= the most of the window. */
pby_status pby_interval_init(pby_interval *v, const pby_window *w, const arb_t h, slong steps,
                             pby_error *err);
void pby_interval_clear(pby_interval *v);

/* So many fractions as a window has, not set; NULL where there is no memory. */
mp_limb_t *pby_window_values(const pby_window *w);

/* V_0. */
void pby_window_first(mp_limb_t *out, const pby_window *w);

/* One use more; out is not in. */
void pby_window_use(mp_limb_t *out, const mp_limb_t *in, const pby_window *w, const pby_interval *v);

/* The greater at each point. */
void pby_window_max(mp_limb_t *out, const mp_limb_t *other, const pby_window *w);

/* The value at i h, exactly. */
void pby_window_at(arb_t out, const mp_limb_t *values, const pby_window *w, slong i);

#endif
