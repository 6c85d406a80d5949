/* SPDX-License-Identifier: MIT */
/* Bounds of delta that are brought closer until they tell.
 *
 * There is one ladder of widths, each finer than the one before, and behind it the grids by which select
 * judges. Certificates are written and checked by it, and ledgers admit by it, so that none of them stops
 * short of what another one reached. */
#ifndef PBY_SELECT_APPROACH_H
#define PBY_SELECT_APPROACH_H

#include <gmp.h>

#include "base/status.h"
#include "probity/enclosure.h"
#include "probity/spec.h"

/* The interval that the bounds are to lie in: lo may be NULL, and is then no demand. */
typedef struct pby_approached {
    const pby_spec *spec;
    pby_neighbours relation;
    mpq_srcptr epsilon;
    unsigned digits;
    mpfr_srcptr lo, hi;
    mpq_srcptr finest; /* NULL, or a last width to try where all others did not tell */
} pby_approached;

/* True if the bounds lie inside the interval; and if they lie beside it. */
bool pby_approach_inside(const pby_enclosure *delta, const pby_approached *q);
bool pby_approach_beside(const pby_enclosure *delta, const pby_approached *q);

/* True if the bounds have all of so many digits in common, but for the last five. */
bool pby_approach_exact(const pby_enclosure *delta, unsigned digits);

/* Encloses delta at epsilon, as closely as it takes to tell that it lies inside the interval or beside it, or
 * as closely as the grids allow. Every bound that was found counts: the enclosure is what all of them have in
 * common. Refused as pby_loss is, at the usual width; a finer width that is refused ends the search. */
PBY_CHECKED
pby_status pby_approach(pby_enclosure *delta, const pby_approached *q, pby_error *err);

/* True if two enclosures have no number in common: they are not of one number. PBY_FAILED says so, with both
 * in the text. */
bool pby_enclosures_are_apart(const pby_enclosure *x, const pby_enclosure *y);
pby_status pby_enclosures_contradict(const pby_enclosure *x, const pby_enclosure *y, pby_error *err);

/* Keeps what two enclosures of one number have in common; PBY_FAILED if that is nothing. */
PBY_CHECKED
pby_status pby_enclosure_meet(pby_enclosure *x, const pby_enclosure *y, pby_error *err);

#endif
