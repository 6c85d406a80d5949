/* The sparse vector: every threshold is raised by d, and every answer that is reported by 2 d. There are at most c
 * of them, because it halts: the cost is c d for the thresholds and 2 c d for the answers. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ // The places, in order, within n.
    predicate Places(size_t *at, integer r, integer n) =
      \forall integer j; 0 <= j < r ==> From(at, j) <= at[j] < n;

    // At the places 2 d more, and nothing more between them.
    predicate Raised(int64_t *z, int64_t *w, size_t *at, integer r, integer n, integer d) =
      (\forall integer j; 0 <= j < r ==> w[at[j]] == z[at[j]] + 2 * d) &&
      (\forall integer j, i; 0 <= j < r ==> From(at, j) <= i < at[j] ==> w[i] == z[i]) &&
      (\forall integer i; From(at, r) <= i < n ==> w[i] == z[i]);
*/

/*@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(at + (0 .. r - 1)) && \valid(w + (0 .. n - 1));
    requires apart: \separated(w + (0 .. n - 1), z + (0 .. n - 1)) &&
                    \separated(w + (0 .. n - 1), at + (0 .. r - 1));
    requires places: Places(at, r, n);
    requires fits:   0 <= d <= INT32_MAX && Within(z, n, INT64_MIN, INT64_MAX - 2 * d);
    terminates \true;
    assigns w[0 .. n - 1];
    ensures raised: Raised(z, w, at, r, n, d);
*/
static void align_raise(int64_t *w, const int64_t *z, size_t n, const size_t *at, size_t r, int64_t d)
{
    size_t k = 0;
    /*@ loop invariant range:  i <= n && k <= r && From(at, k) <= i && (k < r ==> i <= at[k]);
        loop invariant raised: \forall integer j; 0 <= j < k ==> at[j] < i && w[at[j]] == z[at[j]] + 2 * d;
        loop invariant same:   \forall integer j, l; 0 <= j < k ==> From(at, j) <= l < at[j] ==> w[l] == z[l];
        loop invariant rest:   \forall integer l; From(at, k) <= l < i ==> w[l] == z[l];
        loop assigns i, k, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        if (k < r && at[k] == i) {
            w[i] = z[i] + 2 * d;
            k++;
        } else {
            w[i] = z[i];
        }
    }
}
