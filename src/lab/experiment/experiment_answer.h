/* SPDX-License-Identifier: MIT */
/* The law of a statistic's answer on given data, and its error.
 *
 * An answer is a bar from 1 to n, or 0 for none. None lies n away from every bar. A law is n + 1 balls, and
 * one more for the chance that is not known to belong to any of them. */
#ifndef PBY_LAB_EXPERIMENT_EXPERIMENT_ANSWER_H
#define PBY_LAB_EXPERIMENT_EXPERIMENT_ANSWER_H

#include <arb.h>
#include <stdbool.h>
#include <stdint.h>

#include "law/law.h"
#include "probity/experimental/statistic.h"

enum { PBY_ANSWER_PRECISION = 80 };

/* Noise on occupied bars, of which counts are published from a threshold on, less a shift. Bars that are not
 * published count as 0. */
typedef struct pby_noisy_bars {
    arb_ptr below; /* P(noise < lo + i) for i = 0 .. count-1; 0 below lo, and 1 less a tail from there on */
    int64_t lo, count; /* a ball from below[count-1] to 1 stands beyond */
    int64_t threshold, shift;
} pby_noisy_bars;

/* Expects a law with little mass beyond lo .. hi. */
PBY_CHECKED
pby_status pby_noisy_bars_init(pby_noisy_bars *bars, const pby_law *law, int64_t lo, int64_t hi,
                               int64_t threshold, int64_t shift, pby_error *err);
void pby_noisy_bars_clear(pby_noisy_bars *bars);

/* law[0 .. n+1] of max, max_k or mode of such bars. */
void pby_answer_law(arb_ptr law, const pby_statistic *s, const pby_noisy_bars *bars, const int64_t *counts,
                    size_t n);

/* The true answer; and the answers that remain true after up to `most` records are dropped, as flags. */
size_t pby_answer_of(const pby_statistic *s, const int64_t *counts, size_t n);
void pby_answer_flexible(bool *flexible, const pby_statistic *s, const int64_t *counts, size_t n,
                         int64_t most);

/* far[i]: how far the answer i lies from the nearest of those that are flagged, at most n. */
void pby_answer_far(size_t *far, const bool *flexible, size_t n);

/* The sum of far[i] law[i] as a part of n, the unknown chance being anything from 0 to n away. */
void pby_answer_error(arb_t error, arb_srcptr law, const size_t *far, size_t n);

#endif
