/* SPDX-License-Identifier: MIT */
/* The sparse vector, of answers that fall by at most `down` and rise by at most `up`: every threshold is
 * raised by `up`, and every answer that is reported by both. There are at most c of them, because it halts:
 * the cost is c up for the thresholds and c (down + up) for the answers. Any queries have down = up = d;
 * monotone ones down = 0 or up = 0. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ // The places, in order, within n.
    predicate Places(size_t *at, integer r, integer n) =
      \forall integer j; 0 <= j < r ==> From(at, j) <= at[j] < n;

    // At the places so much more, and nothing more between them.
    predicate Raised(int64_t *z, int64_t *w, size_t *at, integer r, integer n, integer by) =
      (\forall integer j; 0 <= j < r ==> w[at[j]] == z[at[j]] + by) &&
      (\forall integer j, i; 0 <= j < r ==> From(at, j) <= i < at[j] ==> w[i] == z[i]) &&
      (\forall integer i; From(at, r) <= i < n ==> w[i] == z[i]);

    // The promise of pby_sparse about its answer.
    predicate Answers(int64_t *x, int64_t *z, integer n, int64_t *t, integer c, size_t *at, integer r) =
      r <= c && Places(at, r, n) &&
      (\forall integer j; 0 <= j < r ==> Under(x, z, From(at, j), at[j], t[j])) &&
      (\forall integer j; 0 <= j < r ==> t[j] <= x[at[j]] + z[at[j]]) &&
      (r < c ==> Under(x, z, From(at, r), n, t[r]));
*/

/*@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(at + (0 .. r - 1)) &&
                    \valid(w + (0 .. n - 1));
    requires apart: \separated(w + (0 .. n - 1), z + (0 .. n - 1)) &&
                    \separated(w + (0 .. n - 1), at + (0 .. r - 1));
    requires places: Places(at, r, n);
    requires fits:   0 <= by && Within(z, n, INT64_MIN, INT64_MAX - by);
    terminates \true;
    assigns w[0 .. n - 1];
    ensures raised: Raised(z, w, at, r, n, by);
*/
static void align_raise_all(int64_t *w, const int64_t *z, size_t n, const size_t *at, size_t r, int64_t by)
{
    size_t k = 0;
    /*@ loop invariant range:  i <= n && k <= r && From(at, k) <= i && (k < r ==> i <= at[k]);
        loop invariant raised: \forall integer j; 0 <= j < k ==> at[j] < i && w[at[j]] == z[at[j]] + by;
        loop invariant same:   \forall integer j, l; 0 <= j < k ==> From(at, j) <= l < at[j] ==> w[l] == z[l];
        loop invariant rest:   \forall integer l; From(at, k) <= l < i ==> w[l] == z[l];
        loop assigns i, k, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        if (k < r && at[k] == i) {
            w[i] = z[i] + by;
            /*@ assert next: From(at, k + 1) == i + 1; */
            k++;
        } else {
            w[i] = z[i];
        }
        /*@ assert kept: \forall integer j; 0 <= j < k ==> at[j] <= i && w[at[j]] == z[at[j]] + by; */
    }
}

/* The raised noise costs as much for every place. */
/*@ ghost
  /@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1)) &&
                     \valid_read(at + (0 .. r - 1));
     requires places: Places(at, r, n);
     requires raised: 0 <= by && Raised(z, w, at, r, n, by);
     terminates \true;
     assigns \nothing;
     ensures spent: Distance(z, w, n) <= by * r;
  @/
  void align_spent(const int64_t *z, const int64_t *w, size_t n, const size_t *at, size_t r, int64_t by)
  {
      size_t i = 0;
      /@ loop invariant range: k <= r && i == From(at, k) && i <= n;
         loop invariant spent: Distance(z, w, i) == by * k;
         loop assigns i, k;
         loop variant r - k; @/
      for (size_t k = 0; k < r; k++) {
          /@ loop invariant range: From(at, k) <= i <= at[k];
             loop invariant spent: Distance(z, w, i) == by * k;
             loop assigns i;
             loop variant at[k] - i; @/
          while (i < at[k])
              i++;
          /@ assert here: Distance(z, w, i + 1) == Distance(z, w, i) + by; @/
          i++;
      }
      /@ loop invariant range: From(at, r) <= i <= n;
         loop invariant spent: Distance(z, w, i) == by * r;
         loop assigns i;
         loop variant n - i; @/
      while (i < n)
          i++;
  }
*/

/* Thresholds that are each raised cost as much apiece. */
/*@ ghost
  /@ requires valid: \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
     requires raised: 0 <= up && \forall integer j; 0 <= j < c ==> s[j] == t[j] + up;
     terminates \true;
     assigns \nothing;
     ensures spent: Distance(t, s, c) <= up * c;
  @/
  void align_thresholds(const int64_t *t, const int64_t *s, size_t c, int64_t up)
  {
      size_t i = 0;
      /@ loop invariant range: i <= c;
         loop invariant spent: Distance(t, s, i) == up * i;
         loop assigns i;
         loop variant c - i; @/
      while (i < c)
          i++;
      /@ assert all: i == c; @/
      /@ assert spent: Distance(t, s, c) == up * c; @/
  }
*/

/* The promise leaves no choice: two answers that keep it are one. */
/*@ ghost
  /@ requires valid: \valid_read(a + (0 .. r - 1)) && \valid_read(b + (0 .. q - 1));
     requires first:  Answers(x, z, n, t, c, a, r);
     requires second: Answers(x, z, n, t, c, b, q);
     terminates \true;
     assigns \nothing;
     ensures unique: r == q && \forall integer j; 0 <= j < r ==> a[j] == b[j];
  @/
  void align_unique(const int64_t *x, const int64_t *z, size_t n, const int64_t *t, size_t c,
                    const size_t *a, size_t r, const size_t *b, size_t q)
  {
      size_t j = 0;
      /@ loop invariant range: j <= r && j <= q;
         loop invariant same:  \forall integer k; 0 <= k < j ==> a[k] == b[k];
         loop assigns j;
         loop variant r - j; @/
      while (j < r && j < q) {
          /@ assert from: From(a, j) == From(b, j); @/
          /@ assert not_before: !(a[j] < b[j]); @/
          /@ assert not_after: !(b[j] < a[j]); @/
          j++;
      }
      /@ assert from: From(a, j) == From(b, j); @/
      /@ assert no_fewer: !(j == r && j < q); @/
      /@ assert no_more: !(j == q && j < r); @/
  }
*/

/* The answer on x with noise z keeps the promise on y with the raised noise. */
/*@ ghost
  /@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                     \valid_read(z + (0 .. n - 1)) &&
                     \valid_read(w + (0 .. n - 1)) && \valid_read(t + (0 .. c - 1)) &&
                     \valid_read(s + (0 .. c - 1)) &&
                     \valid_read(at + (0 .. r - 1));
     requires answers: Answers(x, z, n, t, c, at, r);
     requires near:    Moved(x, y, n, down, up);
     requires raised:  Raised(z, w, at, r, n, down + up);
     requires aligned: \forall integer j; 0 <= j < c ==> s[j] == t[j] + up;
     terminates \true;
     assigns \nothing;
     ensures carried: Answers(y, w, n, s, c, at, r);
  @/
  void align_carried(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                     const int64_t *t, const int64_t *s, size_t c, int64_t down, int64_t up,
                     const size_t *at, size_t r)
  {
      /@ assert rest: r < c ==> Under(y, w, From(at, r), n, s[r]); @/
      /@ loop invariant range: j <= r;
         loop invariant below: \forall integer k; 0 <= k < j ==> Under(y, w, From(at, k), at[k], s[k]);
         loop invariant above: \forall integer k; 0 <= k < j ==> s[k] <= y[at[k]] + w[at[k]];
         loop assigns j;
         loop variant r - j; @/
      for (size_t j = 0; j < r; j++) {
          /@ assert under: Under(x, z, From(at, j), at[j], t[j]); @/
          /@ assert same: \forall integer i; From(at, j) <= i < at[j] ==> w[i] == z[i]; @/
          /@ assert below: Under(y, w, From(at, j), at[j], s[j]); @/
          /@ assert near: x[at[j]] - down <= y[at[j]]; @/
      }
  }
*/

/* Both runs. The promise of the second has the number of the first's answers: there are as many. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) &&
                    \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a + (0 .. c - 1)) && \valid(b + (0 .. c - 1));
    requires apart: \separated(w + (0 .. n - 1), a + (0 .. c - 1), b + (0 .. c - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), t + (0 .. c - 1), s + (0 .. c - 1));
    requires fits:      0 <= down <= INT32_MAX && 0 <= up <= INT32_MAX &&
                        Within(z, n, INT64_MIN, INT64_MAX - (down + up));
    requires aligned:   \forall integer j; 0 <= j < c ==> s[j] == t[j] + up;
    requires neighbour: Moved(x, y, n, down, up);
    terminates \true;
    assigns w[0 .. n - 1], a[0 .. c - 1], b[0 .. c - 1];
    ensures first:  Answers(x, z, n, t, c, a, \result);
    ensures second: Answers(y, w, n, s, c, b, \result);
    ensures equal:  \forall integer j; 0 <= j < \result ==> a[j] == b[j];
    ensures places: \result <= c && Places(a, \result, n);
    ensures raised: Raised(z, w, a, \result, n, down + up);
*/
static size_t align_run_sparse(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n,
                               const int64_t *t, const int64_t *s, size_t c, int64_t down, int64_t up,
                               size_t *a, size_t *b)
{
    const size_t r = pby_sparse(a, x, z, n, t, c);
Raise:
    align_raise_all(w, z, n, a, r, down + up);
    /*@ assert kept_x: Same{Raise, Here}((int64_t *)x, 0, n) && Same{Raise, Here}((int64_t *)z, 0, n); */
    /*@ assert kept_t: Same{Raise, Here}((int64_t *)t, 0, c); */
    /*@ assert kept_a: \forall integer j; 0 <= j < r ==> a[j] == \at(a[j], Raise); */
    /*@ assert places: Places(a, r, n); */
    /*@ assert below: \forall integer j; 0 <= j < r ==> Under(x, z, From(a, j), a[j], t[j]); */
    /*@ assert above: \forall integer j; 0 <= j < r ==> t[j] <= x[a[j]] + z[a[j]]; */
    /*@ assert last: From(a, r) == \at(From(a, \at(r, Here)), Raise); */
    /*@ assert rest: r < c ==> Under(x, z, From(a, r), n, t[r]); */
    /*@ assert answers: Answers(x, z, n, t, c, a, r); */
    /*@ ghost align_carried(x, y, z, w, n, t, s, c, down, up, a, r); */
    /*@ assert under: \forall integer j; 0 <= j < r ==> Under(y, w, From(a, j), a[j], s[j]); */
Second:;
    const size_t second = pby_sparse(b, y, w, n, s, c);
    /*@ assert answers: Answers(y, w, n, s, c, b, second); */
    /*@ assert kept: \forall integer j; 0 <= j < c ==> a[j] == \at(a[j], Second); */
    /*@ assert places: Places(a, r, n); */
    /*@ assert from: \forall integer j; 0 <= j <= r ==> From(a, j) == \at(From(a, j), Second); */
    /*@ assert below: \forall integer j; 0 <= j < r ==> Under(y, w, From(a, j), a[j], s[j]); */
    /*@ assert above: \forall integer j; 0 <= j < r ==> s[j] <= y[a[j]] + w[a[j]]; */
    /*@ assert carried: Answers(y, w, n, s, c, a, r); */
    /*@ ghost align_unique(y, w, n, s, c, a, r, b, second); */
    /*@ ghost
      /@ loop invariant range: j <= r;
         loop invariant still: \forall integer k, i; 0 <= k < j ==> From(a, k) <= i < a[k] ==> w[i] == z[i];
         loop assigns j;
         loop variant r - j; @/
      for (size_t j = 0; j < r; j++) {
          /@ assert from: From(a, j) == \at(From(a, \at(j, Here)), Second); @/
          /@ assert between: \forall integer i; From(a, j) <= i < a[j] ==> w[i] == z[i]; @/
      }
    */
    return r;
}

/* claims: Survey/Algorithm 6; Survey/Theorem 6.4 */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) &&
                    \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a + (0 .. c - 1)) && \valid(b + (0 .. c - 1));
    requires apart: \separated(w + (0 .. n - 1), a + (0 .. c - 1), b + (0 .. c - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), t + (0 .. c - 1), s + (0 .. c - 1));
    requires fits:      0 <= down <= INT32_MAX && 0 <= up <= INT32_MAX &&
                        Within(z, n, INT64_MIN, INT64_MAX - (down + up));
    requires aligned:   \forall integer j; 0 <= j < c ==> s[j] == t[j] + up;
    requires neighbour: Moved(x, y, n, down, up);
    terminates \true;
    assigns w[0 .. n - 1], a[0 .. c - 1], b[0 .. c - 1];
    ensures first:     Answers(x, z, n, t, c, a, \result);
    ensures second:    Answers(y, w, n, s, c, b, \result);
    ensures same:      \forall integer j; 0 <= j < \result ==> a[j] == b[j];
    ensures injective: Places(a, \result, n) && Raised(z, w, a, \result, n, down + up);
    ensures cost:      \result <= c && Distance(t, s, c) <= up * c &&
                       Distance(z, w, n) <= (down + up) * \result;
*/
size_t align_sparse(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n,
                    const int64_t *t, const int64_t *s, size_t c, int64_t down, int64_t up, size_t *a,
                    size_t *b)
{
    const size_t r = align_run_sparse(x, y, z, w, n, t, s, c, down, up, a, b);
    /*@ ghost align_spent(z, w, n, a, r, down + up); */
    /*@ ghost align_thresholds(t, s, c, up); */
    return r;
}

/* The hypotheses hold of three answers, two of which differ by one, and two thresholds; of three that rise;
 * and of three that fall, whose thresholds stay. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_sparse(void)
{
    const int64_t x[3] = {4, 9, 5}, y[3] = {5, 8, 5}, z[3] = {1, -1, 7}, t[2] = {7, 3}, s[2] = {8, 4};
    int64_t w[3];
    size_t a[2], b[2];
    const size_t r = align_sparse(x, y, z, w, 3, t, s, 2, 1, 1, a, b);
    return (r == 2) * (a[0] == 1) * (b[0] == 1) * (a[1] == 2) * (b[1] == 2);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_sparse_rising(void)
{
    const int64_t x[3] = {4, 9, 5}, y[3] = {5, 9, 5}, z[3] = {1, -1, 7}, t[2] = {7, 3}, s[2] = {8, 4};
    int64_t w[3];
    size_t a[2], b[2];
    const size_t r = align_sparse(x, y, z, w, 3, t, s, 2, 0, 1, a, b);
    return (r == 2) * (a[0] == 1) * (b[0] == 1) * (a[1] == 2) * (b[1] == 2);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_sparse_falling(void)
{
    const int64_t x[3] = {4, 9, 5}, y[3] = {4, 8, 4}, z[3] = {1, -1, 7}, t[2] = {7, 3}, s[2] = {7, 3};
    int64_t w[3];
    size_t a[2], b[2];
    const size_t r = align_sparse(x, y, z, w, 3, t, s, 2, 1, 0, a, b);
    return (r == 2) * (a[0] == 1) * (b[0] == 1) * (a[1] == 2) * (b[1] == 2);
}

#include "proofs/alignment/private_sparse.h"
