/* SPDX-License-Identifier: MIT */
/* Coins: each shows heads when its word is below its cut, and nothing yet when it equals it. */
#ifndef PBY_ACSL_COIN_H
#define PBY_ACSL_COIN_H

#include "acsl/words.h"

/*@ // 1 for heads, 0 for tails, 2 where the word does not decide: the chance lies within it.
    logic integer Toss(integer w, integer cut) = w < cut ? 1 : (w == cut ? 2 : 0);

    // The number of heads among the first n coins.
    logic integer Heads(uint8_t *shows, integer n) =
      n <= 0 ? 0 : Heads(shows, n - 1) + (shows[n - 1] == 1 ? 1 : 0);

    // The bit of lane k.
    logic integer Lane(integer w, integer k) = (w >> k) & 1;

    // The digit of the chance of lane k: one chance where the mask has a one, another elsewhere.
    logic integer Chance(integer mask, integer with, integer without, integer k) =
      Lane(mask, k) == 1 ? Lane(with, k) : Lane(without, k);
*/

#endif
