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

/* What the raised noise costs: 2 d for every place. */
/*@ ghost
  /@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1)) && \valid_read(at + (0 .. r - 1));
     requires places: Places(at, r, n);
     requires raised: 0 <= d && Raised(z, w, at, r, n, d);
     terminates \true;
     assigns \nothing;
     ensures spent: Distance(z, w, n) <= 2 * d * r;
  @/
  void align_spent(const int64_t *z, const int64_t *w, size_t n, const size_t *at, size_t r, int64_t d)
  {
      size_t k = 0;
      /@ loop invariant range: i <= n && k <= r && From(at, k) <= i && (k < r ==> i <= at[k]);
         loop invariant spent: Distance(z, w, i) == 2 * d * k;
         loop assigns i, k;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {
          if (k < r && at[k] == i) {
              /@ assert here: w[i] == z[i] + 2 * d; @/
              k++;
          } else {
              /@ assert between: w[i] == z[i]; @/
          }
      }
  }
*/

/* Thresholds that are each raised by d cost d apiece. */
/*@ ghost
  /@ requires valid: \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
     requires raised: 0 <= d && \forall integer j; 0 <= j < c ==> s[j] == t[j] + d;
     terminates \true;
     assigns \nothing;
     ensures spent: Distance(t, s, c) <= d * c;
  @/
  void align_thresholds(const int64_t *t, const int64_t *s, size_t c, int64_t d)
  {
      /@ loop invariant range: i <= c;
         loop invariant spent: Distance(t, s, i) == d * i;
         loop assigns i;
         loop variant c - i; @/
      for (size_t i = 0; i < c; i++) {}
  }
*/

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) &&
                    \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a + (0 .. c - 1)) && \valid(b + (0 .. c - 1)) && \valid(other);
    requires apart: \separated(w + (0 .. n - 1), a + (0 .. c - 1), b + (0 .. c - 1), other, x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), t + (0 .. c - 1), s + (0 .. c - 1));
    requires fits:      0 <= d <= INT32_MAX && Within(z, n, INT64_MIN, INT64_MAX - 2 * d);
    requires aligned:   \forall integer j; 0 <= j < c ==> s[j] == t[j] + d;
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *other, w[0 .. n - 1], a[0 .. c - 1], b[0 .. c - 1];
    ensures same:      \result == *other && \forall integer j; 0 <= j < \result ==> a[j] == b[j];
    ensures injective: Raised(z, w, a, \result, n, d) && Places(a, \result, n);
    ensures cost:      \result <= c && Distance(t, s, c) <= d * c && Distance(z, w, n) <= 2 * d * \result;
*/
size_t align_sparse(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, const int64_t *t,
                    const int64_t *s, size_t c, int64_t d, size_t *a, size_t *b, size_t *other)
{
    const size_t r = pby_sparse(a, x, z, n, t, c);
    align_raise(w, z, n, a, r, d);
    /*@ assert below: \forall integer j; 0 <= j < r ==> Under(y, w, From(a, j), a[j], s[j]); */
    /*@ assert above: \forall integer j; 0 <= j < r ==> s[j] <= y[a[j]] + w[a[j]]; */
    /*@ assert rest:  r < c ==> Under(y, w, From(a, r), n, s[r]); */
    const size_t q = pby_sparse(b, y, w, n, s, c);
    *other = q;
    /*@ ghost align_spent(z, w, n, a, r, d); */
    /*@ ghost align_thresholds(t, s, c, d); */
    /*@ ghost
      /@ loop invariant range: j <= r && j <= q;
         loop invariant same:  \forall integer k; 0 <= k < j ==> a[k] == b[k];
         loop assigns j;
         loop variant r - j; @/
      for (size_t j = 0; j < r && j < q; j++) {
          /@ assert from: From(a, j) == From(b, j); @/
          /@ assert next: a[j] == b[j]; @/
      }
    */
    return r;
}
