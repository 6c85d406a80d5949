/* SPDX-License-Identifier: MIT */
/* Potentials (docs/theory/composition.md) of bars that are published as ranges, in balls.
 *
 * With noise of rate w all losses are whole multiples of w or infinite, so that a potential bends at the
 * points exp(w k) alone; and each is its own reverse. What is kept of one is therefore its value at k = 0 ..
 * t, where t is the largest finite loss or more, in rates: beyond t it stays where it is. */
#ifndef PBY_MECHANISM_RANGE_RANGE_POTENTIAL_H
#define PBY_MECHANISM_RANGE_RANGE_POTENTIAL_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdint.h>

#include "base/status.h"

/* The noise, with a = exp(-w). */
typedef struct pby_range_noise {
    fmpq_t rate;
    arb_t decay, norm, outside; /* a, 1/(1+a), and P(noise > reach) = a^(reach+1)/(1+a) */
    arb_ptr power;              /* a^i for i = 0 .. most */
    int64_t reach, most;
    slong prec;
} pby_range_noise;

/* For moves up to `most`. */
void pby_range_noise_init(pby_range_noise *s, const fmpq_t rate, int64_t reach, int64_t most, slong prec);
void pby_range_noise_clear(pby_range_noise *s);

/* The move to which one by `part` may be reduced without changing the loss: from 2 reach + 1 on no interval
 * is common. */
int64_t pby_range_far(const pby_range_noise *s, int64_t part);

/* The chance that a bar that moves by `part` shows what the other side cannot, and that it does not. */
void pby_range_infinite(arb_t out, const pby_range_noise *s, int64_t part);
void pby_range_finite(arb_t out, const pby_range_noise *s, int64_t part);

/* The potential of one bar that moves by `part`, at k = 0 .. part. */
void pby_range_one(arb_ptr potential, const pby_range_noise *s, int64_t part);

/* That of such a bar beside others whose potential is rest, at 0 .. t: at k = 0 .. t + part. */
void pby_range_join(arb_ptr potential, const pby_range_noise *s, arb_srcptr rest, int64_t t, int64_t part);

#endif
