/* SPDX-License-Identifier: MIT */
#include "kernel/bucket.h"

int64_t pby_bucket(int64_t x, int64_t width)
{
    const int64_t i = x / width;
    /*@ assert rest:  0 <= x - i * width < width; */
    /*@ assert above: \forall integer j; j > i ==> j * width >= (i + 1) * width; */
    /*@ assert below: \forall integer j; j < i ==> (j + 1) * width <= i * width; */
    return i;
}

size_t pby_place(const int64_t *cell, size_t d, size_t side)
{
    size_t place = 0;
    /*@ ghost size_t cubes = 1; */
    /*@ ghost lemma_cubes(side, d); */
    /*@ loop invariant range: k <= d;
        loop invariant place: place == Place(cell, k, side);
        loop invariant cubes: cubes == Cubes(side, k);
        loop invariant below: place < cubes;
        loop assigns k, place, cubes;
        loop variant d - k; */
    for (size_t k = 0; k < d; k++) {
        /*@ assert step: Cubes(side, k + 1) == side * cubes; */
        /*@ ghost lemma_place(place, (size_t)cell[k], side, cubes); */
        place = place * side + (size_t)cell[k];
        /*@ ghost cubes = side * cubes; */
    }
    return place;
}

void pby_count_one(int64_t *y, size_t n, size_t i)
{
    (void)n; /* the contract's, not the code's */
    y[i]++;
    /*@ ghost
      size_t k = 0;
      /@ loop invariant range: k <= n;
         loop invariant mass:  Mass(y, k) == Mass{Pre}(y, k) + (i < k ? 1 : 0);
         loop assigns k;
         loop variant n - k; @/
      while (k < n) k++;
    */
}

void pby_count(int64_t *y, size_t n, const size_t *place, size_t m)
{
    /*@ loop invariant range: j <= m;
        loop invariant each:  \forall integer i; 0 <= i < n ==> y[i] == \at(y[i], Pre) + Occurs(place, j, i);
        loop invariant room:  \forall integer i; 0 <= i < n ==> 0 <= Occurs(place, j, i) <= j;
        loop invariant mass:  Mass(y, n) == Mass{Pre}(y, n) + j;
        loop assigns j, y[0 .. n - 1];
        loop variant m - j; */
    for (size_t j = 0; j < m; j++)
        pby_count_one(y, n, place[j]);
}
