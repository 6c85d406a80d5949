/* SPDX-License-Identifier: MIT */
#include "proofs/alignment/noise.h"

size_t align_pack(int64_t *noise, const int64_t *z, const int64_t *x, size_t n, int64_t lo, int64_t hi)
{
    (void)lo; /* the contract's, not the code's */
    (void)hi;
    size_t s = 0;
    /*@ loop invariant range:  i <= n;
        loop invariant used:   s == Support{Pre}(x, i) <= i;
        loop invariant order:  \forall integer j; 0 <= j < i ==> x[j] != 0 ==> 0 <= Support{Pre}(x, j) < s;
        loop invariant packed: \forall integer j; 0 <= j < i ==> x[j] != 0 ==>
                        noise[Support{Pre}(x, j)] == z[j];
        loop invariant within: Within(noise, s, lo, hi);
        loop assigns i, s, noise[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0) {
            noise[s] = z[i];
            s++;
        }
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: \forall integer k; 0 <= k <= i ==> Support(x, k) == Support{Pre}(x, k);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    return s;
}

int align_within(const int64_t *w, size_t n, int64_t lo, int64_t hi)
{
    /*@ loop invariant range:  i <= n;
        loop invariant within: Within(w, i, lo, hi);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (w[i] < lo || w[i] > hi)
            return 0;
    return 1;
}
