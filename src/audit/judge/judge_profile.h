/* SPDX-License-Identifier: MIT */
/* The empirical privacy profile: delta as a function of epsilon over one nested family of events, with a
 * band that holds for all of them at once.
 *
 * The cells of a feature are ordered by likelihood ratio on the choosing part, or by their keys where only
 * half lines are to be judged; the family is the prefixes of that order. By the inequality of Dvoretzky,
 * Kiefer and Wolfowitz with Massart's constant, the frequencies of all prefixes in n outputs lie within d of
 * their chances but for 2 exp(-2 n d^2). The true profile of the mechanism is the largest over all events, so
 * the lower edge of the band bounds it from below; the upper edge bounds only what this family can show.
 */
#ifndef PBY_AUDIT_JUDGE_JUDGE_PROFILE_H
#define PBY_AUDIT_JUDGE_JUDGE_PROFILE_H

#include <arb.h>
#include <flint/fmpq.h>

#include "audit/count/tally.h"

enum { PBY_EMPIRICAL_CELLS = 256 };

typedef struct pby_empirical {
    uint64_t total[PBY_SIDES];                       /* judges */
    uint64_t within[PBY_SIDES][PBY_EMPIRICAL_CELLS]; /* judges in the first i + 1 cells */
    size_t cells;
    char feature[PBY_FEATURE_NAME_SIZE];
} pby_empirical;

/* Counts the family of a feature. */
pby_status pby_empirical_count(pby_empirical *profile, const pby_audit *audit, unsigned feature,
                               pby_error *err);

/* One point: the empirical delta at epsilon with either side accused, whichever is larger, and the band,
 * which holds for every epsilon at once but for a chance of at most `error`. Balls; lower is not
 * below 0. */
void pby_empirical_at(arb_t lower, arb_t middle, arb_t upper, const pby_empirical *profile,
                      const arb_t epsilon, const fmpq_t error);

#endif
