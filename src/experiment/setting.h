/* SPDX-License-Identifier: MIT */
/* The parameters that each mechanism runs with at one epsilon: the least noise that select finds for delta =
 * 2^-20. */
#ifndef PBY_EXPERIMENT_SETTING_H
#define PBY_EXPERIMENT_SETTING_H

#include <flint/fmpq.h>

#include "experiment/experiment_answer.h"
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

typedef struct pby_setting {
    pby_noisy_bars bars[3];     /* of the first three */
    fmpq *eps, *decay, *weight; /* one vector: epsilon; of smooth; of choosing, the eps of a choice */
    int64_t threshold;          /* of ptr */
    pby_sampler *counts;        /* of choosing: the noise of a count */
    char text[PBY_CONTESTANTS][PBY_SETTING_TEXT];
} pby_setting;

/* For a statistic with answers 0 .. bars. */
PBY_CHECKED
pby_status pby_setting_init(pby_setting *s, const char *eps, size_t bars, pby_error *err);
void pby_setting_clear(pby_setting *s);

#endif
