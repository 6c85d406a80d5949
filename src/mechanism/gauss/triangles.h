/* SPDX-License-Identifier: MIT */
/* Samples of fixed size of records that lie in a ball, summed, with continuous Gaussian noise.
 *
 * Given the rest of the sample, one use is (1-g) N(u) + g N(r) against (1-g) N(u) + g N(r'), for three points
 * of the ball: the record u that is there otherwise, and the one that is changed. The pair that dominates
 * one use is that of no triangle. So the triangles are covered by cells, each with a pair that dominates it,
 * and every use of a list has one of these (docs/theory/sampling.md). */
#ifndef PBY_MECHANISM_GAUSS_TRIANGLES_H
#define PBY_MECHANISM_GAUSS_TRIANGLES_H

#include "pair/pair.h"

/* Sets out to the pairs of all cells, for a ball of the squared diameter `ratio`, in units of the variance,
 * and the share g < 1. Together they are their own reverse. Leaves out empty where the diameter is so small
 * or so great that no points are placed. */
PBY_CHECKED
pby_status pby_triangles_pairs(pby_pairs *out, const fmpq_t ratio, const fmpq_t share, pby_error *err);

/* value = a bound from above of the potential at x >= 1, rational, of any triangle with |u - r| at most
 * `first` and |r - r'| at most `last`, in units of the standard deviation, both above 0. */
void pby_triangle_bound(fmpq_t value, const fmpq_t x, const arb_t first, const arb_t last,
                        const fmpq_t share);

#endif
