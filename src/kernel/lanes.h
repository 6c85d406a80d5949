/* SPDX-License-Identifier: MIT */
/* Draws of a coin from the leading 16 digits of its words.
 *
 * A coin is a law of two values, and its table has one cut. The leading digits of a word, a lane, decide on
 * which side of the cut the word lies, unless they are the cut's own; then the other digits are needed too.
 * So one word of 64 bits serves four draws, and one lane in 65536 needs another word. */
#ifndef PBY_KERNEL_LANES_H
#define PBY_KERNEL_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/lanes.h"
#include "acsl/settle.h"

/* The words that begin with a lane: those of lane l run from l PBY_LANE_SPAN on. */
#define PBY_LANE_SPAN (UINT64_MAX / 65536 + 1)

/* The four lanes of every word, its last digits first. */
/*@ requires size:  m <= SIZE_MAX / 4;
    requires valid: \valid_read(words + (0 .. m - 1));
    requires place: \valid(lane + (0 .. 4 * m - 1));
    requires apart: \separated(lane + (0 .. 4 * m - 1), words + (0 .. m - 1));
    terminates \true;
    assigns lane[0 .. 4 * m - 1];
    ensures first:  \forall integer i; 0 <= i < m ==> lane[4 * i] == words[i] % 65536;
    ensures second: \forall integer i; 0 <= i < m ==> lane[4 * i + 1] == words[i] / 65536 % 65536;
    ensures third:  \forall integer i; 0 <= i < m ==> lane[4 * i + 2] == words[i] / 4294967296 % 65536;
    ensures fourth: \forall integer i; 0 <= i < m ==> lane[4 * i + 3] == words[i] / LaneSpan;
*/
void pby_lanes(uint16_t *lane, const uint64_t *words, size_t m);

/* out[k] is first + (the cell of every word that begins with lane[k], 0 or 1) if the lane is decided, else
 * first. 1 when all lanes are decided; a lane that is not is t[1] / PBY_LANE_SPAN. */
/*@ requires valid: \valid_read(t + (0 .. 1)) && \valid_read(lane + (0 .. m - 1));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. 1)) &&
                    \separated(out + (0 .. m - 1), lane + (0 .. m - 1));
    requires table: Table(t, 2);
    requires fits:  first + 1 <= INT64_MAX;
    terminates \true;
    assigns out[0 .. m - 1];
    ensures draw:    \forall integer k, w; 0 <= k < m && Begins(w, lane[k]) && !Begins(t[1], lane[k]) ==>
                       out[k] == first + Draw(t, 2, w);
    ensures decided: \forall integer k, w; 0 <= k < m && Begins(w, lane[k]) && !Begins(t[1], lane[k]) ==>
                       !Cut(t, 2, w);
    ensures other:   \forall integer k; 0 <= k < m && Begins(t[1], lane[k]) ==> out[k] == first;
    ensures range:   \forall integer k; 0 <= k < m ==> first <= out[k] <= first + 1;
    behavior all:
      assumes none: \forall integer k; 0 <= k < m ==> !Begins(t[1], lane[k]);
      ensures yes: \result == 1;
    behavior undecided:
      assumes some: \exists integer k; 0 <= k < m && Begins(t[1], lane[k]);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_draw_lanes(const uint64_t *t, const uint16_t *lane, size_t m, int64_t first, int64_t *out);

/* Lists the places of the lanes that are not decided, in order, and no others; returns how many. */
/*@ requires size:  m <= UINT32_MAX;
    requires valid: \valid_read(t + (0 .. 1)) && \valid_read(lane + (0 .. m - 1));
    requires place: \valid(open + (0 .. m - 1));
    requires apart: \separated(open + (0 .. m - 1), t + (0 .. 1)) &&
                    \separated(open + (0 .. m - 1), lane + (0 .. m - 1));
    terminates \true;
    assigns open[0 .. m - 1];
    ensures count:  \result <= m;
    ensures rising: Rising(open, \result);
    ensures open:   \forall integer j; 0 <= j < \result ==> open[j] < m && Begins(t[1], lane[open[j]]);
    ensures all:    \forall integer k; 0 <= k < m && Begins(t[1], lane[k]) ==>
                      \exists integer j; 0 <= j < \result && open[j] == k;
*/
size_t pby_open_lanes(uint32_t *open, const uint64_t *t, const uint16_t *lane, size_t m);

#endif
