/* The noise of a bar is less by what one input has more than the other there: the sums are the same. */
#include "NAME.h"
#include "acsl/alignment.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(w + (0 .. n - 1), a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1));
    requires counts:    Counted(x, n) && Counted(y, n);
    requires fits:      \forall integer i; 0 <= i < n ==> -0x2000000000000000 <= z[i] <= 0x2000000000000000;
    requires neighbour: Distance(x, y, n) <= 1;
    terminates \true;
    assigns w[0 .. n - 1], a[0 .. n - 1], b[0 .. n - 1];
    ensures first:     \forall integer i; 0 <= i < n ==> a[i] == x[i] + z[i];
    ensures second:    \forall integer i; 0 <= i < n ==> b[i] == y[i] + w[i];
    ensures fits:      Small(w, n);
    ensures same:      \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (x[i] - y[i]);
    ensures cost:      Distance(z, w, n) <= 1;
*/
void align_NAME(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t *a,
                int64_t *b)
{
    /*@ loop invariant range: i <= n;
        loop invariant moved: \forall integer j; 0 <= j < i ==> w[j] == z[j] + x[j] - y[j];
        loop assigns i, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        w[i] = z[i] + x[i] - y[i];
    /*@ assert kept: \forall integer i; 0 <= i < n ==>
          x[i] == \at(x[i], Pre) && y[i] == \at(y[i], Pre) && z[i] == \at(z[i], Pre); */
    NAME(a, x, z, n);
    /*@ assert kept: \forall integer i; 0 <= i < n ==>
          x[i] == \at(x[i], Pre) && y[i] == \at(y[i], Pre) && z[i] == \at(z[i], Pre); */
    /*@ assert moved: \forall integer i; 0 <= i < n ==> w[i] == z[i] + x[i] - y[i]; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == x[i] + z[i]; */
    NAME(b, y, w, n);
    /*@ assert kept: \forall integer i; 0 <= i < n ==>
          x[i] == \at(x[i], Pre) && y[i] == \at(y[i], Pre) && z[i] == \at(z[i], Pre); */
    /*@ assert moved: \forall integer i; 0 <= i < n ==> w[i] == z[i] + x[i] - y[i]; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == x[i] + z[i]; */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: Distance(x, y, i) == Distance{Pre}(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    /*@ ghost lemma_cost(z, w, x, y, n); */
}
