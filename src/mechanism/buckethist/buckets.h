/* SPDX-License-Identifier: MIT */
/* The cubes of side w that cover [0, B)^d, in whole numbers.
 *
 * With the unit 1/u, u the least common multiple of the denominators of B and w, both are whole numbers of
 * units. A coordinate rounded down to units is below B and in bucket i exactly when it is so itself, because
 * floor(floor(x u) / (w u)) = floor(x / w) for a whole number w u. */
#ifndef PBY_MECHANISM_BUCKETHIST_BUCKETS_H
#define PBY_MECHANISM_BUCKETHIST_BUCKETS_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "mechanism/family.h"

/* Up to PBY_CUBES_WHOLE cubes all have a count in memory; of more, only those that hold a point. */
enum { PBY_CUBES_WHOLE = 1 << 24, PBY_DIMENSION_MAX = 62 };
#define PBY_CUBES_MAX ((uint64_t)1 << 62)

typedef struct pby_buckets {
    int64_t unit, bound, width; /* u, B u, w u */
    size_t side, dimension;     /* ceil(B/w) buckets a coordinate */
    uint64_t cubes;             /* side^dimension, at most PBY_CUBES_MAX */
    bool clamp;                 /* a coordinate outside is moved to the nearest bucket */
} pby_buckets;

/* Returns the text of a refusal if the buckets are too many or too fine; NULL if they are good. */
const char *pby_buckets_set(pby_buckets *out, const fmpq_t bound, const fmpq_t width, int64_t dimension);

/* The buckets of a buckethist. */
pby_status pby_buckets_of(pby_buckets *out, const pby_mechanism *m, pby_error *err);

#endif
