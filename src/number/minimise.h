/* SPDX-License-Identifier: MIT */
/* The least value of a convex function of one positive variable, enclosed without its derivative.
 *
 * Five equally spaced points cover an interval that holds the place of the least value. Convexity alone
 * says which ends can go, and how low the function can lie between two points: not under the chords of
 * their neighbours, extended. The gap closes with the square of the interval's length.
 */
#ifndef PBY_NUMBER_MINIMISE_H
#define PBY_NUMBER_MINIMISE_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct pby_convex {
    /* A ball around the value at x >= 0 that shrinks with prec; its limit at 0, which may be inf. */
    pby_status (*at)(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err);
    const void *what;
    const fmpq *most; /* x goes no further; NULL where it has no end, and then the function must rise */
    bool absolute;    /* whether the width asked for is absolute or relative */
} pby_convex;

/* A ball around the infimum, of a width (absolute or relative) of 10^-digits. */
pby_status pby_minimise(arb_t least, const pby_convex *f, unsigned digits, pby_error *err);

#endif
