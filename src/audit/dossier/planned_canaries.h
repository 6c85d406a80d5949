/* SPDX-License-Identifier: MIT */
/* Canaries as an audit of a plan: two files of scores of one run, or counts that the plan states. */
#ifndef PBY_AUDIT_DOSSIER_PLANNED_CANARIES_H
#define PBY_AUDIT_DOSSIER_PLANNED_CANARIES_H

#include <gmp.h>
#include <jansson.h>

#include "probity/experimental/canary.h"

typedef enum pby_canary_kind {
    PBY_CANARIES_NONE,
    PBY_CANARIES_SCORED, /* one run: the scores of those that were included, and of the others */
    PBY_CANARIES_GUESSED,
    PBY_CANARIES_RUN /* many runs */
} pby_canary_kind;

typedef struct pby_planned_canaries {
    pby_canary_kind kind;
    const char *score[2]; /* files */
    pby_canary_guesses guesses;
    pby_canary_runs runs;
} pby_planned_canaries;

/* Reads the member canaries of an audit, which is there. */
PBY_CHECKED
pby_status pby_planned_canaries_read(pby_planned_canaries *out, const json_t *audit, const char *within,
                                     pby_error *err);

/* The verdict on counts of the plan, for json_decref. */
PBY_CHECKED
pby_status pby_planned_canaries_judge(json_t **out, const pby_planned_canaries *c, mpq_srcptr epsilon,
                                      mpq_srcptr delta, mpq_srcptr error, pby_error *err);

/* Derives the verdict again, from the counts of the plan or those that the verdict states: PBY_NO if it is
 * another. */
PBY_CHECKED
pby_status pby_planned_canaries_recount(const json_t *verdict, const pby_planned_canaries *c,
                                        mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error,
                                        pby_error *err);

#endif
