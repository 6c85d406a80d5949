/* SPDX-License-Identifier: MIT */
/* Randomised response: the move that leads from the neighbour's answer to the same report. A move of 0 has
 * odds g, each other odds 1, so that one move in the place of another costs log g at most. */
#include "kernel/response.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires circle:  1 <= k <= INT64_MAX / 2;
    requires answers: Within(x, n, 0, k - 1) && Within(y, n, 0, k - 1);
    requires moves:   Within(z, n, 0, k - 1);
    requires neighbour: Unlike(x, y, n) <= charge;
    requires aligned:   \forall integer i; 0 <= i < n ==> w[i] == Wrapped(x[i] + z[i] - y[i], k);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == Turned(\old(x[i]), \old(z[i]), k);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == Turned(\old(y[i]), \old(w[i]), k);
    ensures same:      \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == Wrapped(y[i] + w[i] - x[i], k));
    ensures cost:      Unlike{Pre}(z, w, n) <= charge;
*/
void align_respond(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                   int64_t k, int64_t charge, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ assert moved: Within(w, n, 0, k - 1); */
    /*@ assert turned: \forall integer i; 0 <= i < n ==> Turned(y[i], w[i], k) == Turned(x[i], z[i], k); */
    /*@ ghost lemma_unlike(z, w, x, y, n); */
    pby_respond(a, x, n, z, k);
Second:
    /*@ assert one: \forall integer i; 0 <= i < n ==> a[i] == Turned(\at(x[i], Pre), \at(z[i], Pre), k); */
    /*@ assert other: Same{Pre, Here}(y, 0, n) && Same{Pre, Here}(w, 0, n); */
    pby_respond(b, y, n, w, k);
    /*@ assert two: \forall integer i; 0 <= i < n ==> b[i] == Turned(\at(y[i], Pre), \at(w[i], Pre), k); */
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
}

/* The hypotheses hold of two users with three answers, one of whom answers otherwise. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_respond(void)
{
    const int64_t x[2] = {2, 1}, y[2] = {0, 1}, z[2] = {0, 1}, w[2] = {2, 1};
    int64_t a[2], b[2];
    align_respond(x, y, z, w, 2, 3, 1, a, b);
    return (a[0] == 2) * (a[1] == 2) * (b[0] == 2) * (b[1] == 2);
}

#include "proofs/alignment/private_respond.h"
