/* SPDX-License-Identifier: MIT */
/* Coins of given chances, and which of them show heads.
 *
 * The cut of a coin is the first 64 binary digits of its chance. A word below the cut is heads, one above it
 * is tails, and one that equals it does not decide: further digits do, which the caller compares. Or 64 coins
 * of two chances are tossed together, one binary digit at a time. No function branches on a word, a cut or a
 * coin: so its time does not show how many candidates are nearly the best, or which bits are ones. */
#ifndef PBY_KERNEL_COINS_H
#define PBY_KERNEL_COINS_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/coin.h"

enum { PBY_TAILS = 0, PBY_HEADS = 1, PBY_TIED = 2 };

/* Tosses n coins, a word for each. */
/*@ requires valid: \valid_read(word + (0 .. n - 1)) && \valid_read(cut + (0 .. n - 1));
    requires place: \valid(shows + (0 .. n - 1));
    requires apart: \separated(shows + (0 .. n - 1), word + (0 .. n - 1)) &&
                    \separated(shows + (0 .. n - 1), cut + (0 .. n - 1));
    terminates \true;
    assigns shows[0 .. n - 1];
    ensures toss: \forall integer i; 0 <= i < n ==> shows[i] == Toss(word[i], cut[i]);
*/
void pby_toss(uint8_t *shows, const uint64_t *word, const uint64_t *cut, size_t n);

/* Lists the coins that show heads, in their order, and returns how many there are. What stands in `at` behind
 * them means nothing. */
/*@ requires valid: \valid_read(shows + (0 .. n - 1));
    requires place: \valid(at + (0 .. n - 1));
    requires apart: \separated(at + (0 .. n - 1), shows + (0 .. n - 1));
    terminates \true;
    assigns at[0 .. n - 1];
    ensures count: \result == Heads(shows, n);
    ensures range: 0 <= \result <= n;
    ensures heads: \forall integer j; 0 <= j < \result ==>
                     0 <= at[j] < n && shows[at[j]] == 1 && Heads(shows, at[j]) == j;
    ensures all:   \forall integer i; 0 <= i < n && shows[i] == 1 ==>
                     0 <= Heads(shows, i) < \result && at[Heads(shows, i)] == i;
*/
size_t pby_heads(size_t *at, const uint8_t *shows, size_t n);

/* Compares one digit of the chances, `with` where the mask has a one and `without` elsewhere, with one of the
 * numbers. Open lanes whose digit is another than their chance's are decided: as ones where that is one. */
/*@ requires valid: \valid(open) && \valid(ones) && \separated(open, ones);
    terminates \true;
    assigns *open, *ones;
    ensures open: \forall integer k; 0 <= k < 64 ==>
      (Lane(*open, k) == 1 <==> Lane(\old(*open), k) == 1 && Lane(word, k) == Chance(mask, with, without, k));
    ensures ones: \forall integer k; 0 <= k < 64 ==>
      (Lane(*ones, k) == 1 <==> Lane(\old(*ones), k) == 1 ||
        (Lane(\old(*open), k) == 1 && Lane(word, k) == 0 && Chance(mask, with, without, k) == 1));
*/
void pby_flip_digit(uint64_t *open, uint64_t *ones, uint64_t mask, uint64_t with, uint64_t without,
                    uint64_t word);

#endif
