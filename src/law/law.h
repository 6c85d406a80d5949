/* SPDX-License-Identifier: MIT */
/* Laws of integer noise.
 *
 * A law answers two questions at any precision: its mass at k and its cdf at k, the chance of a
 * value not above k. Everything else (cut tables, refinement, goodness of fit, pairs) is built from
 * these. A Laplace-like law answers them exactly, as quotients of sums of exponentials: its class
 * gives the numerator of the cdf, and the denominator is `norm`. Another law answers with balls.
 *
 * Writing a new law: embed a pby_law as the first member of a struct, fill in a pby_law_class, and
 * set the fields below in the constructor.
 */
#ifndef PBY_LAW_LAW_H
#define PBY_LAW_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "number/expsum.h"

typedef struct pby_law pby_law;

typedef struct pby_law_class {
    const char *name;

    /* The numerator of cdf(k) over law->norm; NULL for a law that is not a sum of exponentials.
     * Asked only for lo <= k < hi. */
    void (*below)(pby_expsum_t out, const pby_law *law, int64_t k);

    /* The numerator of the mass at k, where that is simpler than a difference of two cdfs (NULL
     * where it is not). Asked only for lo <= k <= hi. */
    void (*mass)(pby_expsum_t out, const pby_law *law, int64_t k);

    /* For a law that is not a sum of exponentials: balls around the chances of a value not above k and
     * of one above k, both good to about prec bits of their own size, for lo <= k < hi; and a ball
     * around the mass at k, for lo <= k <= hi. NULL where `below` is given. */
    void (*tails_arb)(arb_t below, arb_t above, const pby_law *law, int64_t k, slong prec);
    void (*mass_arb)(arb_t ball, const pby_law *law, int64_t k, slong prec);

    /* Balls around cdf(from), ..., cdf(from + n - 1), in one pass; NULL where that is no cheaper than
     * one by one. */
    void (*run_arb)(arb_ptr cdf, const pby_law *law, int64_t from, slong n, slong prec);

    /* A law of the value beyond the table's body, given that it lies there (see law/tail.h); NULL
     * for a law with bounded support, or one whose tail is found by inverting the cdf. */
    const struct pby_tail_class *tail;

    /* Prints the definitions `law k` and `cdf k` of Coq, its mass and its cdf at k, from the law's definition
     * and not from its tables; that the one makes the other is by definition, or a lemma (law/law_theorem.h).
     * Where `cdf k` has more in it than numbers, the tactic `given` is set to bring what is known of that.
     * Returns false if there is none for its parameters; NULL where there is none at all. */
    bool (*formal)(FILE *out, const pby_law *law);

    void (*free)(pby_law *law);
} pby_law_class;

struct pby_law {
    const pby_law_class *class;
    pby_expsum_t norm;        /* the common denominator of below and mass */
    int64_t lo, hi;           /* the support; INT64_MIN and INT64_MAX where it has no end */
    int64_t body_lo, body_hi; /* what the cut table covers; the support itself when it is bounded */
    int64_t bend_lo, bend_hi; /* mass(k-1)/mass(k) is one constant for k <= bend_lo, and another for
                               * k > bend_hi; the ends of the support where there is no such run */
    struct {
        int64_t from, to;
    } run[2]; /* of a bounded law: mass(k-1)/mass(k) is one constant for from < k <= to; equal where there is
                 none */
};

bool pby_law_bounded_below(const pby_law *law);
bool pby_law_bounded_above(const pby_law *law);

/* Numerators over law->norm, for every k of the line: zero or norm itself outside the support. Only
 * for an exact law. */
void pby_law_below(pby_expsum_t out, const pby_law *law, int64_t k);
void pby_law_mass(pby_expsum_t out, const pby_law *law, int64_t k);

/* Balls around the cdf and the mass at k. */
void pby_law_cdf_arb(arb_t ball, const pby_law *law, int64_t k, slong prec);
void pby_law_mass_arb(arb_t ball, const pby_law *law, int64_t k, slong prec);

/* floor(cdf(k) * 2^64), exactly, for lo <= k < hi. For a law that is not exact the precision is raised
 * until the floor is certain, and PBY_FAILED is the answer where PBY_PRECISION_MAX bits do not
 * suffice. */
pby_status pby_law_cut(fmpz_t cut, const pby_law *law, int64_t k, pby_error *err);

/* The cuts at from, from + 1, ..., from + n - 1, each below 2^64. */
pby_status pby_law_cuts(uint64_t *cut, const pby_law *law, int64_t from, size_t n, pby_error *err);

void pby_law_free(pby_law *law);

#endif
