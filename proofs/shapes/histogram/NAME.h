/* Counts and noise: each bar of a histogram gets noise of its own. */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>
#include <stdint.h>

#define COUNT_MAX 1000000000000

/*@ predicate Counted(int64_t *x, integer n) = \forall integer i; 0 <= i < n ==> 0 <= x[i] <= COUNT_MAX;

    predicate Small(int64_t *z, integer n) =
      \forall integer i; 0 <= i < n ==> -0x4000000000000000 <= z[i] <= 0x4000000000000000;
*/

/* a[i] = x[i] + z[i] in each of n bars. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place:  \valid(a + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), x + (0 .. n - 1)) &&
                     \separated(a + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counted(x, n);
    requires fits:   Small(z, n);
    terminates \true;
    assigns a[0 .. n - 1];
    ensures answer: \forall integer i; 0 <= i < n ==> a[i] == x[i] + z[i];
*/
void NAME(int64_t *a, const int64_t *x, const int64_t *z, size_t n);

#endif
