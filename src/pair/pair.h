/* SPDX-License-Identifier: MIT */
/* Dominating pairs: the output laws on the worst neighbouring inputs.
 *
 * A pair (P, Q) is a list of atoms, each an outcome (or a set of outcomes with one likelihood ratio,
 * which is all that a divergence can see of it) with its mass under P and under Q. The masses are
 * sums of exponentials over a norm of each side, so that every comparison of them can be decided.
 * The order counts: a mechanism that is not symmetric gives both (P, Q) and (Q, P).
 *
 * A pair whose outcomes are not finitely many exact atoms (the discrete Gaussian, the continuous laws)
 * is a curve instead: it is known by the law of its privacy loss L = log(P(o)/Q(o)).
 */
#ifndef PBY_PAIR_PAIR_H
#define PBY_PAIR_PAIR_H

#include "base/status.h"
#include "law/law.h"
#include "number/expsum.h"

typedef struct pby_atom {
    pby_expsum_t p, q; /* numerators over the pair's norms */
} pby_atom;

typedef struct pby_curve pby_curve;

/* The functions of a curve; each answers with balls that shrink with prec. */
typedef struct pby_curve_class {
    /* P(L > t) and Q(L > t). */
    pby_status (*tails)(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec, pby_error *err);

    /* The tails at a point that is known by a ball; NULL where some loss has a chance of its own, so that a
     * ball around it tells nothing. */
    void (*near)(arb_t p, arb_t q, const pby_curve *curve, const arb_t t, slong prec);

    /* P and Q of { from + i step < L <= from + (i+1) step } for i = 0 .. n-1, at less cost than n
     * differences of tails. */
    pby_status (*cells)(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from, const fmpq_t step,
                        slong n, slong prec, pby_error *err);

    /* The Renyi divergence of a rational order above 1/2, its limit at order 1. */
    pby_status (*renyi)(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec, pby_error *err);

    /* The hockey-stick divergence by another route than tails: summed over the outcomes, or integrated
     * over the densities of a continuous law. */
    pby_status (*direct)(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                         pby_error *err);

    /* The largest finite loss, inf where there is none (then P(L = inf) = 0 still: the supports are equal).
     */
    void (*largest)(arb_t ball, const pby_curve *curve, slong prec);

    /* The smallest loss; NULL where the curve is its own reverse, so that losses go as far down as up. */
    void (*smallest)(arb_t ball, const pby_curve *curve, slong prec);

    /* P(L = inf), which is part of every tail and of no cell; NULL where the supports are equal. */
    void (*infinite)(arb_t ball, const pby_curve *curve, slong prec);

    /* Sets unit to the greatest rational of which every loss that has a chance of its own is a multiple, and
     * returns whether there are no other losses; NULL where no loss has one. */
    bool (*unit)(fmpq_t unit, const pby_curve *curve);

    /* True if no loss has a chance of its own; NULL where `near` tells that. */
    bool (*dense)(const pby_curve *curve);

    /* The least rho with D_a <= rho a for every a > 1, where it is known and is the limit of D_a / a
     * along the integers, D_1 too being rho; NULL elsewhere. */
    void (*rho)(fmpq_t rho, const pby_curve *curve);

    /* Sets the rho that D_a / a only comes up to as a grows, D_a being less than rho a; false where it is not
     * known. NULL elsewhere, too. */
    bool (*limit)(fmpq_t rho, const pby_curve *curve);

    /* True if Renyi divergences are infinite from some order on, though every loss is finite. */
    bool heavy;

    void (*free)(pby_curve *curve);
} pby_curve_class;

/* Embedded as the first member of each curve. */
struct pby_curve {
    const pby_curve_class *class;
    size_t copies; /* pairs that share it, beside the one that it was made for */
};

/* Which of two neighbours P belongs to: forward is P on the input that lacks the record, where one of the two
 * has a record more. Under composition all uses see the same two inputs, so that
 * pairs compose with pairs of the same direction. */
typedef enum pby_direction { PBY_BOTH, PBY_FORWARD, PBY_BACKWARD } pby_direction;

typedef struct pby_pair {
    pby_atom *atoms;
    size_t count, room;
    pby_expsum_t norm_p, norm_q;
    pby_curve *curve; /* freed with the last pair that has it; NULL for a pair of atoms */
    pby_direction direction;
} pby_pair;

/* A mechanism's pairs; its loss is the worst of them. */
typedef struct pby_pairs {
    pby_pair *pair;
    size_t count;
} pby_pairs;

void pby_pair_init(pby_pair *pair);
void pby_pair_clear(pby_pair *pair);

/* True if no loss of the pair has a chance of its own, as far as its curve tells. */
bool pby_pair_dense(const pby_pair *pair);

pby_status pby_pairs_init(pby_pairs *pairs, size_t count, pby_error *err);
pby_status pby_pairs_copy(pby_pairs *out, const pby_pairs *pairs, pby_error *err);
void pby_pairs_clear(pby_pairs *pairs);

/* Appends an atom; the numerators are taken (swapped) out of p and q. An atom without mass on either
 * side is left out. */
pby_status pby_pair_append(pby_pair *pair, pby_expsum_t p, pby_expsum_t q, pby_error *err);

/* Appends such an atom, and one of all that the norms leave. */
pby_status pby_pair_append_rest(pby_pair *pair, pby_expsum_t p, pby_expsum_t q, pby_error *err);

/* A pair of two outcomes, of which the first has the chances p/norm and q/norm, on an empty pair; p and q are
 * taken as above. */
pby_status pby_pair_two(pby_pair *pair, const pby_expsum_t norm, pby_expsum_t p, pby_expsum_t q,
                        pby_error *err);

/* Makes the pair of pby_pair_two from chances that are known by balls: rounded towards each other, and equal
 * where the balls meet, so that the pair loses no more. */
pby_status pby_pair_two_balls(pby_pair *pair, const arb_t p, const arb_t q, pby_error *err);

/* The most atoms that a pair is made with: about 1.3 GiB. */
enum { PBY_ATOMS_MAX = 1 << 22 };

/* Up to so many outcomes each is an atom of its own, for the direct route to go through; beyond, those that
 * are known to have one ratio are one. */
enum { PBY_SINGLE_MAX = 1 << 12 };

/* P = the law, Q = the law shifted by `shift` (of either sign): the pair of additive noise on a count
 * that differs by so much. Refused beyond PBY_ATOMS_MAX outcomes. */
pby_status pby_pair_shift(pby_pair *pair, const pby_law *law, int64_t shift, pby_error *err);

/* Merges neighbouring atoms of equal likelihood ratio. No divergence changes, and a pair whose law is
 * piecewise exponential shrinks to a handful of atoms. */
void pby_pair_merge(pby_pair *pair);

/* Sorts the atoms by their ratio first, so that all of equal ratio meet. */
pby_status pby_pair_gather(pby_pair *pair, pby_error *err);

/* The product of two independent pairs. */
pby_status pby_pair_product(pby_pair *out, const pby_pair *a, const pby_pair *b, pby_error *err);

/* (Q, P) out of (P, Q), in place. */
void pby_pair_reverse(pby_pair *pair);

#endif
