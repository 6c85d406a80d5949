/* SPDX-License-Identifier: MIT */
/* Coins of rational chances, 64 in a word, exactly.
 *
 * Lane i of a word shows a one with the chance `with` where the mask has a one there, and with the chance
 * `without` where it has a zero. A lane compares the binary digits of a uniform number, one random word for
 * all lanes at a time, with those of its chance, until they differ. */
#ifndef PBY_LAW_FLIPS_H
#define PBY_LAW_FLIPS_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/entropy.h"

typedef struct pby_flips pby_flips;

PBY_CHECKED
pby_status pby_flips_new(pby_flips **out, const fmpq_t with, const fmpq_t without, pby_error *err);
void pby_flips_free(pby_flips *flips);

/* out[i] = the coins of mask[i]; out may be mask itself. Stops at the digit where all lanes of a word are
 * decided: the time tells of masks and coins. Words are read ahead, and kept for the next call. */
PBY_CHECKED
pby_status pby_flips_draw(pby_flips *flips, pby_entropy *source, const uint64_t *mask, uint64_t *out,
                          size_t n, pby_error *err);

/* Draws as pby_flips_draw does, in constant time: it has no branch on masks or coins, and reads as many
 * random words for each word of coins whatever they show, but for a chance below 2^-120 a word. */
PBY_CHECKED
pby_status pby_flips_draw_evenly(pby_flips *flips, pby_entropy *source, const uint64_t *mask, uint64_t *out,
                                 size_t n, pby_error *err);

#endif
