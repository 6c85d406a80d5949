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

/* The words that begin with a lane: those of lane l run from l PBY_LANE_SPAN on. */
#define PBY_LANE_SPAN (UINT64_MAX / 65536 + 1)

/* out[k] is the cell of every word that begins with lane[k], 0 or 1, if the lane is decided, else 0. 1 when
 * all lanes are decided; a lane that is not is t[1] / PBY_LANE_SPAN. */
/*@ requires valid: \valid_read(t + (0 .. 1)) && \valid_read(lane + (0 .. m - 1));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. 1)) &&
                    \separated(out + (0 .. m - 1), lane + (0 .. m - 1));
    requires table: Table(t, 2);
    terminates \true;
    assigns out[0 .. m - 1];
    ensures draw:    \forall integer k, w; 0 <= k < m && Begins(w, lane[k]) && !Begins(t[1], lane[k]) ==>
                       out[k] == Draw(t, 2, w);
    ensures decided: \forall integer k, w; 0 <= k < m && Begins(w, lane[k]) && !Begins(t[1], lane[k]) ==>
                       !Cut(t, 2, w);
    ensures other:   \forall integer k; 0 <= k < m && Begins(t[1], lane[k]) ==> out[k] == 0;
    ensures range:   \forall integer k; 0 <= k < m ==> 0 <= out[k] <= 1;
    behavior all:
      assumes none: \forall integer k; 0 <= k < m ==> !Begins(t[1], lane[k]);
      ensures yes: \result == 1;
    behavior undecided:
      assumes some: \exists integer k; 0 <= k < m && Begins(t[1], lane[k]);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_draw_lanes(const uint64_t *t, const uint16_t *lane, size_t m, int64_t *out);

#endif
