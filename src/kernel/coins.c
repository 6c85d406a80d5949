/* SPDX-License-Identifier: MIT */
#include "kernel/coins.h"

void pby_toss(uint8_t *shows, const uint64_t *word, const uint64_t *cut, size_t n)
{
    /*@ loop invariant range: i <= n;
        loop invariant toss:  \forall integer k; 0 <= k < i ==> shows[k] == Toss(word[k], cut[k]);
        loop assigns i, shows[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        shows[i] = (uint8_t)((word[i] < cut[i]) + 2 * (word[i] == cut[i]));
}

size_t pby_heads(size_t *at, const uint8_t *shows, size_t n)
{
    size_t heads = 0;
    /*@ loop invariant range: 0 <= heads <= i <= n;
        loop invariant count: heads == Heads(shows, i);
        loop invariant heads: \forall integer j; 0 <= j < heads ==>
                                0 <= at[j] < i && shows[at[j]] == 1 && Heads(shows, at[j]) == j;
        loop invariant all:   \forall integer k; 0 <= k < i && shows[k] == 1 ==>
                                0 <= Heads(shows, k) < heads && at[Heads(shows, k)] == k;
        loop assigns i, heads, at[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        at[heads] = i;
        heads += shows[i] == PBY_HEADS;
    }
    return heads;
}

void pby_flip_digit(uint64_t *open, uint64_t *ones, uint64_t mask, uint64_t with, uint64_t without,
                    uint64_t word)
{
    const uint64_t digit = without ^ (mask & (with ^ without)), differs = digit ^ word;
    const uint64_t decided = *open & differs;
    /*@ assert chance:  \forall integer k; 0 <= k < 64 ==>
          Lane(digit, k) == Chance(mask, with, without, k); */
    /*@ assert differs: \forall integer k; 0 <= k < 64 ==>
          (Lane(differs, k) == 1 <==> Lane(word, k) != Chance(mask, with, without, k)); */
    /*@ assert decided: \forall integer k; 0 <= k < 64 ==>
          (Lane(decided, k) == 1 <==>
            Lane(*open, k) == 1 && Lane(word, k) != Chance(mask, with, without, k)); */
    *ones |= decided & digit;
    *open ^= decided;
}
