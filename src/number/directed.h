/* SPDX-License-Identifier: MIT */
/* Numbers of 64 bits and an exponent, none below 0, whose sums and products are rounded in a direction.
 *
 * A result made with `up` is at least the exact one, and otherwise at most; either way it is within a part of
 * 2^-62 of it, however small it is. */
#ifndef PBY_NUMBER_DIRECTED_H
#define PBY_NUMBER_DIRECTED_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

/* bits 2^exponent; bits is 0 or has its highest bit set. */
typedef struct pby_directed {
    uint64_t bits;
    int64_t exponent;
} pby_directed;

__extension__ typedef unsigned __int128 pby_directed_double;

/* x 2^exponent, x of bit 126 at least; `rest` says that the exact number lies above it by less than one. */
static inline pby_directed pby_directed_cut(pby_directed_double x, int64_t exponent, bool rest, bool up)
{
    const int shift = x >> 127 ? 64 : 63;
    pby_directed out = {(uint64_t)(x >> shift), exponent + shift};
    rest = rest || (x & (((pby_directed_double)1 << shift) - 1)) != 0;
    if (up && rest && ++out.bits == 0) {
        out.bits = UINT64_C(1) << 63;
        out.exponent++;
    }
    return out;
}

static inline pby_directed pby_directed_mul(pby_directed a, pby_directed b, bool up)
{
    if (a.bits == 0 || b.bits == 0)
        return (pby_directed){0, 0};
    return pby_directed_cut((pby_directed_double)a.bits * b.bits, a.exponent + b.exponent, false, up);
}

/* b.bits 2^63 less what lies behind the last bit, when it is written with the exponent of a, the greater. */
static inline pby_directed_double pby_directed_align(pby_directed a, pby_directed b, bool *rest)
{
    const int64_t by = a.exponent - b.exponent;
    const pby_directed_double x = (pby_directed_double)b.bits << 63, y = by < 127 ? x >> by : 0;
    *rest = by < 127 ? y << by != x : true;
    return y;
}

static inline pby_directed pby_directed_add(pby_directed a, pby_directed b, bool up)
{
    bool rest;
    if (a.bits == 0)
        return b;
    if (b.bits == 0)
        return a;
    if (a.exponent < b.exponent) {
        const pby_directed swap = a;
        a = b;
        b = swap;
    }
    const pby_directed_double y = pby_directed_align(a, b, &rest);
    return pby_directed_cut(((pby_directed_double)a.bits << 63) + y, a.exponent - 63, rest, up);
}

static inline int pby_directed_cmp(pby_directed a, pby_directed b)
{
    if (a.bits == 0 || b.bits == 0)
        return (a.bits != 0) - (b.bits != 0);
    if (a.exponent != b.exponent)
        return a.exponent < b.exponent ? -1 : 1;
    return (a.bits > b.bits) - (a.bits < b.bits);
}

/* a - b, or 0 if that is below 0. */
static inline pby_directed pby_directed_sub(pby_directed a, pby_directed b, bool up)
{
    bool rest;
    if (pby_directed_cmp(a, b) <= 0)
        return (pby_directed){0, 0};
    if (b.bits == 0)
        return a;
    pby_directed_double x = (pby_directed_double)a.bits << 63;
    x -= pby_directed_align(a, b, &rest);
    x -= rest; /* what b lacks is less than one */
    int64_t exponent = a.exponent - 63;
    for (int by = 64; by > 0; by /= 2)
        if (x >> (127 - by) == 0) {
            x <<= by;
            exponent -= by;
        }
    return pby_directed_cut(x, exponent, rest, up);
}

/* a/b of b above 0. */
static inline pby_directed pby_directed_div(pby_directed a, pby_directed b, bool up)
{
    if (a.bits == 0)
        return a;
    const int by = a.bits < b.bits ? 64 : 63;
    const pby_directed_double top = (pby_directed_double)a.bits << by, x = top / b.bits;
    return pby_directed_cut(x << 64, a.exponent - b.exponent - by - 64, top % b.bits != 0, up);
}

/* A finite number that is not below 0, exactly. */
pby_directed pby_directed_of_double(double x);

/* The upper or the lower end of a ball, 0 where that lies below 0. */
pby_directed pby_directed_of_ball(const arb_t x, bool up);

/* out = x, exactly. */
void pby_directed_get_fmpq(fmpq_t out, pby_directed x);

#endif
