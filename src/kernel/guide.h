/* SPDX-License-Identifier: MIT */
/* A guide to a cut table: where to begin the search for a word, by its leading digits.
 *
 * The 2^64 words are divided into 4096 slots. Most slots of a law lie in one cell or across one cut, and then
 * one comparison finds the cell of a word; where a slot holds more cuts there is less left to search. */
#ifndef PBY_KERNEL_GUIDE_H
#define PBY_KERNEL_GUIDE_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/guide.h"

enum { PBY_SLOTS = 4096 };

/* The words of a slot: the slot of w is w / PBY_SPAN. */
#define PBY_SPAN (UINT64_MAX / PBY_SLOTS + 1)

/* Fills the guide g[0 .. PBY_SLOTS] of a table. */
/*@ requires size:  n <= UINT32_MAX;
    requires valid: \valid_read(t + (0 .. n - 1));
    requires place: \valid(g + (0 .. Slots));
    requires apart: \separated(g + (0 .. Slots), t + (0 .. n - 1));
    requires table: Table(t, n);
    terminates \true;
    assigns g[0 .. Slots];
    ensures guide: Guide(g, t, n);
*/
void pby_guide(uint32_t *g, const uint64_t *t, size_t n);

#endif
