/* SPDX-License-Identifier: MIT */
/* Candidates with scores, of which a mechanism chooses one: with a chance in proportion to exp(rate score),
 * or as its chooser does (mechanism/shared/chooser.h).
 *
 * In the first case equal scores are one level: a draw is a level, by the cut table of law/levels.c, and then
 * one of its candidates, all equally likely. A single draw among many candidates, whose scores lie on a grid,
 * is made by law/pick.h without a table. All are exact. */
#ifndef PBY_MECHANISM_SHARED_SCORES_H
#define PBY_MECHANISM_SHARED_SCORES_H

#include <gmp.h>

#include "mechanism/family.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/parts.h"

typedef struct pby_scores pby_scores;

/* The mechanism, which must outlive the scores, takes such. Refused where its weights are beyond what can be
 * drawn from. */
PBY_CHECKED
pby_status pby_scores_new(pby_scores **out, const pby_mechanism *m, pby_error *err);

/* One candidate more; they are numbered from 0. Refused without its value: a score that the mechanism does
 * not take, or of more than PBY_SCORE_DIGITS digits above or below the line; and more than PBY_CANDIDATES_MAX
 * candidates. */
PBY_CHECKED
pby_status pby_scores_add(pby_scores *scores, mpq_srcptr score, pby_error *err);

/* The text that a refusal of a score expects. */
const char *pby_scores_expected(const pby_mechanism *m);

/* So many draws of a candidate's number, out of all that were added. On failure they are wiped. */
PBY_CHECKED
pby_status pby_scores_draw(pby_scores *scores, pby_entropy *source, uint64_t *chosen, size_t count,
                           pby_error *err);

/* A ball around the chance that a candidate is chosen. */
PBY_CHECKED
pby_status pby_scores_chance(arb_t chance, pby_scores *scores, uint64_t candidate, slong prec,
                             pby_error *err);

/* Forgets the candidates. */
void pby_scores_clear(pby_scores *scores);

/* Wipes and frees. NULL is allowed. */
void pby_scores_free(pby_scores *scores);

#endif
