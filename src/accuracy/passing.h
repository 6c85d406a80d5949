/* SPDX-License-Identifier: MIT */
/* The bars that a threshold lets through: those that hold nothing, and relative to the count of one that
 * holds some (docs/theory/accuracy.md). */
#ifndef PBY_ACCURACY_PASSING_H
#define PBY_ACCURACY_PASSING_H

#include <gmp.h>

#include "probity/enclosure.h"
#include "probity/spec.h"
#include "probity/status.h"

/* For `zeros` bars of count 0, each of which gets noise: the mean number that pass, and the chance that none
 * does. */
PBY_CHECKED
pby_status pby_passing_zeros(pby_enclosure *passed, pby_enclosure *none, const pby_spec *spec,
                             unsigned long zeros, unsigned digits, pby_error *err);

/* The chance that a bar passes and is off by more than a part eta > 0 of its count: at most what all counts
 * have, at least what one has. */
PBY_CHECKED
pby_status pby_passing_relative(pby_enclosure *chance, const pby_spec *spec, mpq_srcptr eta, unsigned digits,
                                pby_error *err);

#endif
