/* SPDX-License-Identifier: MIT */
/* The chance that the noise of some bar goes too far.
 *
 * All noise here is symmetric: |R| > r has the chance 2 F(-r-1), and R < -r half of that. Bars draw
 * independently, so that all of m hold with the chance (1 - p)^m. */
#ifndef PBY_ACCURACY_CHANCE_H
#define PBY_ACCURACY_CHANCE_H

#include "law/law.h"
#include "number/ball.h"
#include "probity/enclosure.h"

enum { PBY_NOISES = 2 };

/* Noise that goes too far when it passes the reach on so many sides, 0 for no noise at all. What is counted
 * in halves of a step was rounded to steps first, and always goes too far on both sides:
 * docs/theory/accuracy.md, Additive noise. */
typedef struct pby_noise {
    pby_law *law;
    int sides;
    bool halves;
} pby_noise;

typedef struct pby_miss {
    pby_noise noise[PBY_NOISES];
    uint64_t bars;
    int64_t reach;
} pby_miss;

/* A chance out of a ball around it, and gamma: its upper end, as below. */
pby_status pby_chance_set(pby_enclosure *out, mpq_t gamma, const arb_t chance, unsigned digits,
                          pby_error *err);

/* The least decimal of 9 digits that is not below a number from 0 on, or the next. */
pby_status pby_decimal_above(mpq_t out, pby_real f, const void *what, pby_error *err);

/* The chance, and gamma: its upper end, rounded up to so many digits, 9 at most. One below 1e-10000, the
 * least that can be read again, is enclosed by 0 and that. */
pby_status pby_miss_chance(pby_enclosure *out, mpq_t gamma, const pby_miss *miss, unsigned digits,
                           pby_error *err);

/* The least reach, from `least` on, that is passed with a chance of at most gamma. */
pby_status pby_miss_reach(pby_miss *miss, int64_t least, mpq_srcptr gamma, pby_error *err);

#endif
