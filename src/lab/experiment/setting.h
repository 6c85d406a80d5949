/* SPDX-License-Identifier: MIT */
/* The parameters that each mechanism runs with at one epsilon and delta = 2^-20: the least noise that select
 * finds, or the constants of the paper that proposed it.
 *
 *   stlap        the recipe of [Flex] that select prints
 *   bns          Laplace noise of scale 2/eps and the threshold 1 + 2 ln(2/delta)/eps [Vadhan 2017, Thm. 3.5]
 *   esa          no constants in [Flex]: as select finds them
 *   ptr          the radius and noise of rate eps exceed ln(1/delta)/eps [Flex] section 7.2
 *   smooth       beta = eps/(2 ln(2/delta)), noise of scale 2 S/eps [Nissim, Raskhodnikova, Smith 2007]
 *   choosing     each of B/2 rounds has eps' = eps/B and delta' = 2 delta/B by basic composition. A round
 *                ends it all unless the largest count and noise of rate eps'/4 reach (8/eps') ln(4/(eps'
 *                delta')), the test of the choosing mechanism at beta = 1 [Beimel, Nissim, Stemmer 2016] */
#ifndef PBY_LAB_EXPERIMENT_SETTING_H
#define PBY_LAB_EXPERIMENT_SETTING_H

#include <flint/fmpq.h>

#include "lab/experiment/experiment_answer.h"
#include "law/sampler.h"

typedef enum pby_contestant {
    PBY_CONTESTANT_STLAP,
    PBY_CONTESTANT_BNS,
    PBY_CONTESTANT_ESA,
    PBY_CONTESTANT_EXPONENTIAL,
    PBY_CONTESTANT_TIGHT,
    PBY_CONTESTANT_PTR,
    PBY_CONTESTANT_SMOOTH,
    PBY_CONTESTANT_CHOOSING,
    PBY_CONTESTANTS
} pby_contestant;

const char *pby_contestant_name(pby_contestant i);

enum { PBY_SETTING_TEXT = 96 };

typedef enum pby_tuning { PBY_TUNING_BEST, PBY_TUNING_CITED } pby_tuning;

typedef struct pby_setting {
    pby_noisy_bars bars[3]; /* of the first three */
    fmpq *eps, *decay,
        *weight;         /* one vector: epsilon; of smooth; of choosing, the eps of a choice or round */
    int64_t threshold;   /* of ptr */
    pby_sampler *counts; /* of choosing: the noise of a count; NULL of its cited constants */
    int64_t tested;      /* of choosing as cited: the least of the first test */
    pby_tuning tuning;
    char text[PBY_CONTESTANTS][PBY_SETTING_TEXT];
} pby_setting;

/* For a statistic with answers 0 .. bars. */
PBY_CHECKED
pby_status pby_setting_init(pby_setting *s, const char *eps, size_t bars, pby_tuning tuning, pby_error *err);
void pby_setting_clear(pby_setting *s);

#endif
