/* Above threshold: the threshold is raised by d and the answer that is reported by 2 d. The answers before it stay
 * below, on a neighbour as well; those after it are not answered, and cost nothing. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), a, b);
    requires fits:      0 <= d <= INT32_MAX && Within(z, n, INT64_MIN, INT64_MAX - 2 * d) && t <= INT64_MAX - d;
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b, w[0 .. n - 1];
    ensures same:      *a == *b;
    ensures injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? 2 * d : 0);
    ensures cost:      Apart(t, \result) <= d && Distance(z, w, n) <= 2 * d;
*/
int64_t align_above(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t t,
                    int64_t d, size_t *a, size_t *b)
{
    const size_t first = pby_above(x, z, 0, n, t);
    *a = first;
    /*@ loop invariant range:  i <= n;
        loop invariant raised: \forall integer j; 0 <= j < i ==> w[j] == z[j] + (j == first ? 2 * d : 0);
        loop invariant below:  \forall integer j; 0 <= j < i ==> j < first ==> y[j] + w[j] < t + d;
        loop invariant above:  first < i ==> t + d <= y[first] + w[first];
        loop assigns i, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert near: x[i] - d <= y[i] <= x[i] + d; */
        w[i] = z[i] + (i == first ? 2 * d : 0);
    }
    /*@ assert below: Under(y, w, 0, first, t + d); */
    *b = pby_above(y, w, 0, n, t + d);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant cost:  Distance(z, w, i) == (i <= first ? 0 : 2 * d);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    return t + d;
}
