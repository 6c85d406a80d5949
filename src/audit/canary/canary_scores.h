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
    uint64_t n, room, included;
};

/* The most lists of guesses, two for each r; the last r is at least PBY_GUESSES_LEAST, or is m. */
enum { PBY_GUESS_LISTS = 128, PBY_GUESSES_LEAST = 10 };

/* The number of lists for m canaries. Those with an even index guess both, the others only "included". */
size_t pby_canary_lists(uint64_t m);

/* The number of guesses that list number i makes. */
uint64_t pby_canary_list_made(uint64_t m, size_t i);

/* Fills the lists. */
PBY_CHECKED
pby_status pby_canaries_guess(pby_canary_guesses list[PBY_GUESS_LISTS], const pby_canaries *canaries,
                              pby_error *err);

#endif
