/* SPDX-License-Identifier: MIT */
/* The pairs of a mechanism of bounded range: those of exponential/curve.h with t in [0, eps].
 *
 * For a composition the interval of t is cut into pieces. The curve of a piece dominates all its pairs; the
 * pairs in the middle of each are attained. The two meet as pieces get short, with the square of their
 * length. */
#ifndef PBY_MECHANISM_EXPONENTIAL_PIECES_H
#define PBY_MECHANISM_EXPONENTIAL_PIECES_H

#include "mechanism/exponential/exponential_curve.h"
#include "mechanism/shared/selection.h"

/* The pairs of the lists PBY_ABOVE, PBY_BELOW and PBY_ONCE (mechanism/privacy/privacy.h) for losses in an
 * interval of this length. */
pby_status pby_bounded_pieces(pby_pairs *out, const fmpq_t eps, pby_error *err);
pby_status pby_bounded_middles(pby_pairs *out, const fmpq_t eps, pby_error *err);
pby_status pby_bounded_whole(pby_pairs *out, const fmpq_t eps, pby_error *err);

/* The three lists of a family whose parameter eps is that length, whoever the neighbours are. */
pby_pairs_of pby_bounded_above, pby_bounded_below, pby_bounded_once;

/* The row by which eps is chosen. */
extern const pby_select_row pby_bounded_selection;

#endif
