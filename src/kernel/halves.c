/* SPDX-License-Identifier: MIT */
#include "kernel/halves.h"

void pby_halve(uint64_t *half, const uint64_t *t, size_t n)
{
    /*@ assert span: UINT64_MAX / 4294967296 + 1 == HalfSpan; */
    /*@ loop invariant range: i <= n;
        loop invariant value: \forall integer j; 0 <= j < i ==> half[j] == t[j] / HalfSpan * HalfSpan;
        loop assigns i, half[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        half[i] = t[i] / PBY_HALF_SPAN * PBY_HALF_SPAN;
    /*@ assert same: \forall integer i; 0 <= i < n ==> t[i] == \at(t[i], Pre); */
    /*@ assert leads: \forall integer i; 0 <= i < n ==> half[i] <= t[i] < half[i] + HalfSpan; */
    /*@ assert whole: \forall integer i, p, w; 0 <= i < n && Leads(p, w) && half[i] != p * HalfSpan ==>
                        t[i] != w && (t[i] <= w <==> half[i] <= p * HalfSpan); */
    /*@ ghost
      /@ loop invariant range: 1 <= i <= n;
         loop invariant draw:  \forall integer p, w; Leads(p, w) && !Cut(half, i, p * HalfSpan) ==>
                                 Draw(t, i, w) == Draw(half, i, p * HalfSpan);
         loop assigns i;
         loop variant n - i;
      @/
      for (size_t i = 1; i < n; i++) {
        /@ assert fewer: \forall integer p; !Cut(half, i + 1, p * HalfSpan) ==>
                           !Cut(half, i, p * HalfSpan) && half[i] != p * HalfSpan; @/
      }
    */
}

void pby_split(uint64_t *half, const uint64_t *words, size_t m)
{
    /*@ loop invariant range:  i <= m;
        loop invariant first:  \forall integer j; 0 <= j < i ==>
                                 half[2 * j] == words[j] / HalfSpan * HalfSpan;
        loop invariant second: \forall integer j; 0 <= j < i ==>
                                 half[2 * j + 1] == words[j] % HalfSpan * HalfSpan;
        loop assigns i, half[0 .. 2 * m - 1];
        loop variant m - i;
    */
    for (size_t i = 0; i < m; i++) {
        half[2 * i] = words[i] / PBY_HALF_SPAN * PBY_HALF_SPAN;
        half[2 * i + 1] = words[i] % PBY_HALF_SPAN * PBY_HALF_SPAN;
    }
}

uint64_t pby_finish(uint64_t begin, uint64_t span, uint64_t word)
{
    /*@ ghost lemma_fair(span); */
    return begin + word % span;
}
