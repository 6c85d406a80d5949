/* SPDX-License-Identifier: MIT */
/* Draws from the leading 32 digits of words.
 *
 * A half stands for the word that has its digits and then zeros. One that no cut begins with decides its
 * draw, whatever digits follow: so a word of 64 digits serves two draws, and a half that a cut begins with
 * gets its other digits from another word. */
#ifndef PBY_KERNEL_HALVES_H
#define PBY_KERNEL_HALVES_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/halves.h"
#include "acsl/uniform.h"

/* The words that begin with the same 32 binary digits. */
#define PBY_HALF_SPAN (UINT64_MAX / 4294967296 + 1)

/* The table of a table's halves. A half that is no cut of it draws what every word draws that begins so, and
 * no such word is a cut of t. */
/*@ requires valid: \valid_read(t + (0 .. n - 1));
    requires place: \valid(half + (0 .. n - 1));
    requires apart: \separated(half + (0 .. n - 1), t + (0 .. n - 1));
    requires table: Table(t, n);
    terminates \true;
    assigns half[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> half[i] == t[i] / HalfSpan * HalfSpan;
    ensures table: Table(half, n);
    ensures draw:  \forall integer p, w; Leads(p, w) && !Cut(half, n, p * HalfSpan) ==>
                     Draw(t, n, w) == Draw(half, n, p * HalfSpan);
    ensures decided: \forall integer p, w; Leads(p, w) && !Cut(half, n, p * HalfSpan) ==> !Cut(t, n, w);
*/
void pby_halve(uint64_t *half, const uint64_t *t, size_t n);

/* The two halves of every word, as words: its leading digits, then its others. */
/*@ requires size:  m <= SIZE_MAX / 2;
    requires valid: \valid_read(words + (0 .. m - 1));
    requires place: \valid(half + (0 .. 2 * m - 1));
    requires apart: \separated(half + (0 .. 2 * m - 1), words + (0 .. m - 1));
    terminates \true;
    assigns half[0 .. 2 * m - 1];
    ensures first:  \forall integer i; 0 <= i < m ==> half[2 * i] == words[i] / HalfSpan * HalfSpan;
    ensures second: \forall integer i; 0 <= i < m ==> half[2 * i + 1] == words[i] % HalfSpan * HalfSpan;
*/
void pby_split(uint64_t *half, const uint64_t *words, size_t m);

/* A word of which the leading digits are known, so that it is one of `span` words from `begin` on; the others
 * are those of a word of their own. Each of the span is had by equally many words. */
/*@ requires some:   0 < span;
    requires whole:  Words % span == 0;
    requires fits:   begin + span - 1 <= UINT64_MAX;
    terminates \true;
    assigns \nothing;
    ensures value: \result == begin + word % span;
    ensures range: begin <= \result <= begin + span - 1;
    ensures every: \forall integer w; 0 <= w < Words ==> Accepted(w, span);
    ensures fair:  \forall integer r; 0 <= r < span ==> Ways(span, r, Words) == Words / span;
*/
uint64_t pby_finish(uint64_t begin, uint64_t span, uint64_t word);

#endif
