/* SPDX-License-Identifier: MIT */
/* Releases in parts (probity/release.h): truncated, mapped and gated counts, and mechanisms that take scores,
 * records or rounds in the place of counts.
 */
#ifndef PROBITY_EXPERIMENTAL_PARTS_H
#define PROBITY_EXPERIMENTAL_PARTS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/statistic.h"
#include "probity/release.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The step of the noisy counts: 1, except for laplace, where it is the grid. */
void pby_release_unit(mpq_ptr unit, const pby_release *release) PBY_NONNULL(1, 2);

/* pby_release_unit as an exact text, for free(3). */
PBY_CHECKED
pby_status pby_release_unit_text(char **unit, const pby_release *release, pby_error *err) PBY_NONNULL(1, 2);

/* Returns the distance of a range's ends from the noisy count; 0 for a mechanism without ranges. */
PBY_CHECKED
int64_t pby_release_reach(const pby_release *release) PBY_NONNULL(1);

/* The largest count that may be released: INT64_MAX, but less where the ends of a range around it must fit
 * and no pby_release_truncate makes it smaller; of answers the last one. */
PBY_CHECKED
int64_t pby_release_most(const pby_release *release) PBY_NONNULL(1);

/* Maps that bring no two histograms further apart may stand in front of a mechanism and change nothing of its
 * loss (docs/theory/stabilise.md). pby_release_truncate takes every count above limit for limit, which is at
 * least 1 and does not depend on the data. pby_release_mapped says that the counts are those of a public
 * filter or group-by: each key is left out or counted under one name, by a table that does not depend on the
 * data. Both are refused for a mechanism that reads its size: one changed record may move it. */
PBY_CHECKED
pby_status pby_release_truncate(pby_release *release, int64_t limit, pby_error *err) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_release_mapped(pby_release *release, pby_error *err) PBY_NONNULL(1);

/* Values that decide which bars pass a threshold, in the place of their counts or beside them. */
typedef struct pby_gate {
    const int64_t *utility; /* of a threshold with of=utility, for each bar: 0 or more, and less than 2^63 - 1
                             * with new=K; NULL: the counts */
    const bool *kept;       /* bars that pass in any case: their names are public, and they are here whether
                             * the data have them or not, with a count of 0; NULL: none */
} pby_gate;

/* As pby_release_counts. What is kept of a threshold that stands alone gets its noise. */
PBY_CHECKED
pby_status pby_release_gated(pby_release *release, const int64_t *counts, const pby_gate *by, int64_t *noisy,
                             size_t n, pby_error *err) PBY_NONNULL(1, 3);

/* For a mechanism that chooses a candidate by its score (exponential, noisymax, permuteflip), in the place of
 * counts: adds a candidate, which is numbered from 0 on. Refused, without the value: a score of more than
 * PBY_SCORE_DIGITS digits above or below the line; for noisymax, one that is no integer; and more than
 * PBY_CANDIDATES_MAX candidates. */
enum { PBY_SCORE_DIGITS = 40, PBY_CANDIDATES_MAX = 1 << 20 };
PBY_CHECKED
pby_status pby_release_score(pby_release *release, mpq_srcptr score, pby_error *err) PBY_NONNULL(1, 2);

/* pby_release_score of a text, which a refusal does not show: a score is a secret. */
PBY_CHECKED
pby_status pby_release_score_text(pby_release *release, const char *score, pby_error *err) PBY_NONNULL(1, 2);

/* Chooses one of all that were added: one use. */
PBY_CHECKED
pby_status pby_release_candidate(pby_release *release, uint64_t *chosen, pby_error *err) PBY_NONNULL(1, 2);

/* Forgets the candidates, for another release. */
void pby_release_clear_scores(pby_release *release) PBY_NONNULL(1);

/* For a mechanism that releases a point of a grid (fbquantile, depth, fbsupport), in the place of counts: the
 * number of coordinates of a record and of a released point; and a call that adds one record. A coordinate is
 * rounded down to an integer and, outside the grid, moved to its nearer end. */
PBY_CHECKED
size_t pby_release_dimension(const pby_release *release) PBY_NONNULL(1); /* 0 of other mechanisms */
PBY_CHECKED
size_t pby_release_coordinates(const pby_release *release) PBY_NONNULL(1); /* likewise */
PBY_CHECKED
pby_status pby_release_record(pby_release *release, const mpq_t *x, pby_error *err) PBY_NONNULL(1, 2);

/* pby_release_record of texts, which a refusal does not show. */
PBY_CHECKED
pby_status pby_release_record_text(pby_release *release, const char *const *x, pby_error *err)
    PBY_NONNULL(1, 2);

/* Draws a point, its coordinates, from all records that were added: one use. Refused where the mechanism is
 * about another number of records; it is not about any number between add-remove neighbours. A record that is
 * added behind it counts from the next draw on. */
PBY_CHECKED
pby_status pby_release_point(pby_release *release, int64_t *point, pby_error *err) PBY_NONNULL(1, 2);

/* Forgets the records, for another release. */
void pby_release_clear_records(pby_release *release) PBY_NONNULL(1);

/* For a mechanism that publishes the answer of a statistic (ptr, smooth), in the place of counts: draws one
 * use. The bars are public and stand in the order of the statistic, n of them; *answer is the number of one,
 * from 0 on, and n for none. ptr takes max, max_k, min, min_k and mode, and answers = n + 1; smooth takes
 * max, max_k and mode, add-remove neighbours, up to PBY_STABLE_BARS bars, and a range from n on. */
PBY_CHECKED
pby_status pby_release_answer(pby_release *release, const pby_statistic *statistic, const int64_t *counts,
                              size_t n, size_t *answer, pby_error *err) PBY_NONNULL(1, 2, 5);

/* For a mechanism that chooses bars one after the other (choosing), in the place of counts: draws one use,
 * whatever the number of rounds, which is at most n. bars[i] is the number of the bar that round i has
 * chosen, and noisy[i] its noisy count. At most PBY_CHOSEN_MAX bars times rounds. */
#define PBY_CHOSEN_MAX (1 << 24)
PBY_CHECKED
pby_status pby_release_chosen(pby_release *release, const int64_t *counts, size_t n, size_t rounds,
                              size_t *bars, int64_t *noisy, pby_error *err) PBY_NONNULL(1);

PBY_END_API

#endif
