/* SPDX-License-Identifier: MIT */
/* Draws and updates that do not show their secrets: no branch and no address below depends on a word, on a
 * noise value or on a count, only on how many there are and on the table. What they compute is what the quick
 * functions compute. docs/timing.md says what that covers, and tests/timing checks the compiled code. */
#ifndef PBY_KERNEL_SILENT_H
#define PBY_KERNEL_SILENT_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/silent.h"

/* Draws out[k] = first + (the cell of words[k]) for every k, and compares each word with every cut to do so.
 * 1 when all words are decided; 0 when one is a cut, and then the caller must settle those. */
/*@ requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (0 .. m - 1));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. n - 1)) &&
                    \separated(out + (0 .. m - 1), words + (0 .. m - 1));
    requires table: Table(t, n);
    requires fits:  n <= INT64_MAX / 4 && m <= INT64_MAX / 4 && first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[0 .. m - 1];
    ensures draw:  \forall integer k; 0 <= k < m ==> out[k] == first + Draw(t, n, words[k]);
    ensures range: \forall integer k; 0 <= k < m ==> first <= out[k] <= first + n - 1;
    ensures law:   \forall integer i; 0 <= i < n ==> Decided(t, n, i, Words) == Inside(t, n, i);
    behavior all:
      assumes none: \forall integer k; 0 <= k < m ==> !Cut(t, n, words[k]);
      ensures done: \result == 1;
    behavior undecided:
      assumes some: \exists integer k; 0 <= k < m && Cut(t, n, words[k]);
      ensures stop: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_silent_cells(const uint64_t *t, size_t n, const uint64_t *words, size_t m, int64_t first,
                     int64_t *out);

/* Appends one digit to each magnitude: 0 stays 0, and v >= 1 becomes (v - 1) base + digit + 1. */
/*@ requires valid:  \valid(value + (0 .. m - 1)) && \valid_read(digit + (0 .. m - 1));
    requires apart:  \separated(value + (0 .. m - 1), digit + (0 .. m - 1));
    requires base:   1 <= base <= 256;
    requires digits: Within(digit, m, 0, base - 1);
    requires fits:   Within(value, m, 0, Widest);
    terminates \true;
    assigns value[0 .. m - 1];
    ensures value: \forall integer k; 0 <= k < m ==> value[k] == Appended(\old(value[k]), base, digit[k]);
*/
void pby_silent_append(int64_t *value, const int64_t *digit, size_t m, int64_t base);

/* Gives each magnitude the sign that its bit says: the k-th of bits, the lowest of a word first. */
/*@ requires valid:  \valid(value + (0 .. m - 1)) && \valid_read(bits + (0 .. (m - 1) / 64));
    requires apart:  \separated(value + (0 .. m - 1), bits + (0 .. (m - 1) / 64));
    requires fits:   Within(value, m, 0, INT64_MAX);
    terminates \true;
    assigns value[0 .. m - 1];
    ensures value: \forall integer k; 0 <= k < m ==> value[k] == Signed(\old(value[k]), Bit(bits, k));
*/
void pby_silent_sign(int64_t *value, size_t m, const uint64_t *bits);

/* y[i] = max(0, x[i] + noise[i]) with noise that is never positive: what pby_shrink does, but every bar has a
 * noise value of its own, the empty ones too, which stay empty all the same. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. n - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires sign:   Within(noise, n, INT64_MIN, 0);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures empty: \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> y[i] == 0;
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == Clamped(\old(x[i]) + noise[i]);
    ensures never_up: \forall integer i; 0 <= i < n ==> 0 <= y[i] <= \old(x[i]);
*/
void pby_silent_shrink(int64_t *y, const int64_t *x, size_t n, const int64_t *noise);

/* y[i] = x[i] + noise[i], saturated: what pby_perturb does with counts. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. n - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. n - 1));
    requires counts: Counts(x, n);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == Saturated(\old(x[i]) + noise[i]);
*/
void pby_silent_perturb(int64_t *y, const int64_t *x, size_t n, const int64_t *noise);

#endif
