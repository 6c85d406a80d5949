/* SPDX-License-Identifier: MIT */
/* The sparse vector with any of two noises (docs/theory/sparse.md). */
#ifndef PBY_MECHANISM_SPARSE_FAMILY_SPARSE_H
#define PBY_MECHANISM_SPARSE_FAMILY_SPARSE_H

#include "mechanism/family.h"

extern const pby_family pby_family_sparse;

/* The parameters, in the family's order. */
enum {
    PBY_SPARSE_SIGMA2,
    PBY_SPARSE_RATE,
    PBY_SPARSE_ANSWER_SIGMA2,
    PBY_SPARSE_ANSWER_RATE,
    PBY_SPARSE_TOPS,
    PBY_SPARSE_QUESTIONS,
    PBY_SPARSE_GAP,
    PBY_SPARSE_SENSITIVITY
};

/* The data of a use. One number of each noise is set and the other 0: a variance of the discrete Gaussian, or
 * the rate of two-sided geometric noise. */
typedef struct pby_sparse_noise {
    fmpq_t sigma2, rate;
} pby_sparse_noise;

typedef struct pby_sparse_use {
    pby_sparse_noise threshold, answer;
    int64_t tops, questions, gap, sensitivity; /* questions and gap are 0 where none is set */
} pby_sparse_use;

void pby_sparse_use_init(pby_sparse_use *use, const pby_mechanism *m);
void pby_sparse_use_clear(pby_sparse_use *use);

bool pby_sparse_is_gaussian(const pby_sparse_noise *noise);

/* 2 c D r, r the rate of the answers' noise: what the positive answers of one use cost at most. */
void pby_sparse_answers_cost(fmpq_t cost, const pby_sparse_use *use);

/* The promise D_a <= xi + rho a + B/(a-1); B is that of pby_sparse_constant, 0 where answers have geometric
 * noise. Not for two geometric noises. */
void pby_sparse_line(fmpq_t xi, fmpq_t rho, const pby_sparse_use *use);
/* g of the moment behind B, of a use with a gap. */
void pby_sparse_moment_order(fmpq_t g, const pby_sparse_use *use);
PBY_CHECKED
pby_status pby_sparse_constant(arb_t b, const pby_sparse_use *use, slong prec, pby_error *err);

/* A bound on the profile that holds whatever the threshold's noise is. NULL where none is known, with
 * Gaussian answers or very many tops, or where there is no memory. It lowers a delta at e >= 0 that is
 * greater. */
typedef struct pby_sparse_known pby_sparse_known;
pby_sparse_known *pby_sparse_known_new(const pby_sparse_use *use);
void pby_sparse_known_free(pby_sparse_known *known);
void pby_sparse_known_lower(fmpq_t delta, const pby_sparse_known *known, const fmpq_t e);

/* The pair that dominates, known by points of its profile; and that of two geometric noises. */
PBY_CHECKED
pby_status pby_sparse_pairs_nodes(pby_pairs *out, const pby_sparse_use *use, pby_error *err);
PBY_CHECKED
pby_status pby_sparse_pairs_geometric(pby_pairs *out, const pby_sparse_use *use, pby_error *err);

#endif
