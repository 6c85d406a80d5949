/* SPDX-License-Identifier: MIT */
/* Draws from the leading 32 digits of words that do not show which of them were not enough.
 *
 * A half that no cut leads with decides its draw. Another gets its other digits from another word, and
 * nobody is to see that: so two places of every block get them, the first and the last that are open, or any
 * where none is. A place that was decided stays as it is, whatever digits follow. Only a third open place in
 * one block can be seen.
 *
 * As in kernel/silent.h, no branch and no address depends on a half, a cell or a place. */
#ifndef PBY_KERNEL_SILENT_HALVES_H
#define PBY_KERNEL_SILENT_HALVES_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/silent_halves.h"

/* The halves of words, each less 2^31: the leading ones of all, then their others. */
/*@ requires size:  m <= SIZE_MAX / 2;
    requires valid: \valid_read(words + (0 .. m - 1));
    requires place: \valid(half + (0 .. 2 * m - 1));
    requires apart: \separated(half + (0 .. 2 * m - 1), words + (0 .. m - 1));
    terminates \true;
    assigns half[0 .. 2 * m - 1];
    ensures first:  \forall integer i; 0 <= i < m ==> half[i] == Lead(words[i]);
    ensures second: \forall integer i; m <= i < 2 * m ==> half[i] == Trail(words[i - m]);
*/
void pby_silent_split(int32_t *half, const uint64_t *words, size_t m);

/* Compares each half with every cut that can decide. open[k] is 0 when no cut leads with half[k]; then
 * cell[k] is the cell of every word that leads with it. */
/*@ requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(half + (0 .. m - 1));
    requires place: \valid(cell + (0 .. m - 1)) && \valid(open + (0 .. m - 1));
    requires apart: \separated(cell + (0 .. m - 1), open + (0 .. m - 1), half + (0 .. m - 1),
                               t + (0 .. n - 1));
    requires table: Table(t, n);
    requires fits:  n <= INT32_MAX;
    terminates \true;
    assigns cell[0 .. m - 1], open[0 .. m - 1];
    ensures draw:    \forall integer k, w; 0 <= k < m && 0 <= w < Words && Lead(w) == half[k] &&
                       open[k] == 0 ==> cell[k] == Draw(t, n, w);
    ensures decided: \forall integer k, w; 0 <= k < m && 0 <= w < Words && Lead(w) == half[k] &&
                       open[k] == 0 ==> !Cut(t, n, w);
    ensures open:    \forall integer k; 0 <= k < m ==>
                       (open[k] != 0 <==> \exists integer i; 0 < i < n && Lead(t[i]) == half[k]);
    ensures range:   \forall integer k; 0 <= k < m ==> 0 <= cell[k] <= n - 1;
*/
void pby_silent_halves(const uint64_t *t, size_t n, const int32_t *half, size_t m, int32_t *cell,
                       int32_t *open);

/* The first and the last open place, or any two where none is open; 1 when no other place is open. */
/*@ requires some:  0 < m <= INT32_MAX;
    requires valid: \valid_read(open + (0 .. m - 1)) && \valid(at + (0 .. 1));
    requires apart: \separated(at + (0 .. 1), open + (0 .. m - 1));
    terminates \true;
    assigns at[0 .. 1];
    ensures places: 0 <= at[0] < m && 0 <= at[1] < m;
    ensures first:  \forall integer k; 0 <= k < m && open[k] != 0 ==> at[0] <= k && open[at[0]] != 0;
    ensures last:   \forall integer k; 0 <= k < m && open[k] != 0 ==> k <= at[1] && open[at[1]] != 0;
    behavior two:
      assumes two: AtMostTwo(open, m);
      ensures yes: \result == 1;
      ensures all: Among(open, m, at[0], at[1]);
    behavior more:
      assumes more: !AtMostTwo(open, m);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_silent_ends(int32_t *at, const int32_t *open, int32_t m);

/* Gives each of two words the half at its place for its leading digits; its others stay. */
/*@ requires places: 0 <= at[0] < m && 0 <= at[1] < m;
    requires valid:  \valid_read(half + (0 .. m - 1)) && \valid_read(at + (0 .. 1));
    requires place:  \valid(word + (0 .. 1));
    requires apart:  \separated(word + (0 .. 1), half + (0 .. m - 1)) &&
                     \separated(word + (0 .. 1), at + (0 .. 1));
    terminates \true;
    assigns word[0 .. 1];
    ensures lead: Lead(word[0]) == half[at[0]] && Lead(word[1]) == half[at[1]];
    ensures rest: word[0] % HalfSpan == \old(word[0]) % HalfSpan &&
                  word[1] % HalfSpan == \old(word[1]) % HalfSpan;
*/
void pby_silent_lead(uint64_t *word, const int32_t *half, int32_t m, const int32_t *at);

/* The values of cells, counted from first; at two places those of other cells, the second's where the two
 * are one. */
/*@ requires valid:  \valid_read(cell + (0 .. m - 1)) && \valid_read(at + (0 .. 1)) &&
                     \valid_read(other + (0 .. 1));
    requires place:  \valid(out + (0 .. m - 1));
    requires apart:  \separated(out + (0 .. m - 1), cell + (0 .. m - 1), at + (0 .. 1), other + (0 .. 1));
    requires places: 0 <= at[0] < m && 0 <= at[1] < m;
    requires fits:   n <= INT32_MAX && first + n - 1 <= INT64_MAX;
    requires cells:  \forall integer k; 0 <= k < m ==> 0 <= cell[k] < n;
    requires others: 0 <= other[0] < n && 0 <= other[1] < n;
    terminates \true;
    assigns out[0 .. m - 1];
    ensures value:  \forall integer k; 0 <= k < m && k != at[0] && k != at[1] ==> out[k] == first + cell[k];
    ensures first:  at[0] != at[1] ==> out[at[0]] == first + other[0];
    ensures second: out[at[1]] == first + other[1];
    ensures range:  \forall integer k; 0 <= k < m ==> first <= out[k] <= first + n - 1;
*/
void pby_silent_values(int64_t *out, const int32_t *cell, int32_t m, int64_t n, int64_t first,
                       const int32_t *at, const int64_t *other);

#endif
