/* SPDX-License-Identifier: MIT */
/* The scores of canaries, and the guesses that they make.
 *
 * The guesser is fixed beforehand: of m canaries it guesses r = m, m / sqrt 2, m / 2, ..., each time the r
 * highest scores "included", or the highest half of r "included" and the lowest half "left out". Where the
 * cut falls into a tie, the canaries that are guessed wrongly come first: no way to break the tie without the
 * labels is right less often.
 */
#ifndef PBY_AUDIT_CANARY_CANARY_SCORES_H
#define PBY_AUDIT_CANARY_CANARY_SCORES_H

#include "probity/experimental/canary.h"

struct pby_canary_score {
    double score;
    bool included;
};

struct pby_canaries {
    struct pby_canary_score *score;
    size_t n, room, included;
};

/* The most lists of guesses, two for each r; the last r is at least PBY_GUESSES_LEAST, or is m. */
enum { PBY_GUESS_LISTS = 128, PBY_GUESSES_LEAST = 10 };

/* The name of a file of scores, for a table of what was read. */
const char *pby_canary_scores_name(bool included);

/* The number of lists for m canaries. Those with an even index guess both, the others only "included". */
size_t pby_canary_lists(uint64_t m);

/* The number of guesses that list number i makes. */
uint64_t pby_canary_list_made(uint64_t m, size_t i);

/* All that a verdict on one run rests on: the canaries, those of them that were included, and the correct
 * guesses of each list. */
typedef struct pby_canary_tally {
    uint64_t canaries, included, correct[PBY_GUESS_LISTS];
} pby_canary_tally;

/* Counts the correct guesses of scores, at least one. */
PBY_CHECKED
pby_status pby_canaries_count(pby_canary_tally *tally, const pby_canaries *canaries, pby_error *err);

/* True if some scores of canaries have these counts, as far as the nesting of the lists tells. */
bool pby_canary_tally_holds(const pby_canary_tally *tally);

#endif
