/* SPDX-License-Identifier: MIT */
/* Classes of families that choose a candidate by its score with a chance other than in proportion to exp(rate
 * score). */
#ifndef PBY_MECHANISM_SHARED_CHOOSER_H
#define PBY_MECHANISM_SHARED_CHOOSER_H

#include "mechanism/family.h"
#include "probity/experimental/entropy.h"

typedef struct pby_chooser pby_chooser;

struct pby_chooser_class {
    bool whole;           /* scores are integers */
    const char *expected; /* of a score: what it is to be, for the refusal of another */

    /* Ready for scores; the mechanism outlives it. */
    pby_status (*open)(pby_chooser **out, const pby_mechanism *m, pby_error *err);

    /* The scores of n candidates, n at least 1, in the place of those before; they are copied as far as they
     * are needed. */
    pby_status (*load)(pby_chooser *chooser, const fmpq *score, size_t n, pby_error *err);

    /* One draw out of the candidates that were loaded. */
    pby_status (*draw)(pby_chooser *chooser, pby_entropy *source, uint64_t *chosen, pby_error *err);

    /* A ball around the chance of a candidate, from the exact law: in time that grows with the cube of the
     * number of candidates. */
    pby_status (*chance)(arb_t chance, const pby_chooser *chooser, size_t candidate, slong prec,
                         pby_error *err);

    /* Wipes what was loaded. */
    void (*forget)(pby_chooser *chooser);

    /* Wipes and frees. */
    void (*free)(pby_chooser *chooser);

    /* A ball around the greatest chance, over all scores of so many candidates, that the one chosen is
     * farther than beta below the best; or what that chance approaches. */
    pby_status (*worse)(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                        slong prec, pby_error *err);

    /* The chance P(s) that the best is not chosen where all others are s/rate below it, and dP/ds. No scores
     * have a greater mean error than some such (docs/theory/average.md); NULL where others may have. */
    void (*level)(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec);

    /* For a class without `level`: a ball from a mean error, but for gamma, that some scores have to one that
     * none exceed. */
    pby_status (*between)(arb_t mean, const pby_mechanism *m, uint64_t candidates, const fmpq_t gamma,
                          slong prec, pby_error *err);
};

struct pby_chooser {
    const pby_chooser_class *class;
};

/* `level` where chances are in proportion to exp(rate score). */
void pby_weighed_level(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec);

#endif
