/* SPDX-License-Identifier: MIT */
/* Partition selection: which bars are shown to be there at all. */
#ifndef PBY_KERNEL_PARTITION_H
#define PBY_KERNEL_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/suppressed.h"

/* Shows an occupied bar, as a 1, when its count is above what the noise takes away. An empty bar is never
 * shown and takes no noise: the j-th occupied bar takes noise[j]. Returns how many noise values were used,
 * which is the support. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. Support(x, n) - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. Support(x, n) - 1));
    requires counts: Counts(x, n);
    requires bound:  0 <= bound && Within(noise, Support(x, n), -bound, 0);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures used:   \result == Support{Pre}(x, n);
    ensures empty:  \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> y[i] == Suppressed;
    ensures shown:  \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                      y[i] == (\old(x[i]) + noise[Support{Pre}(x, i)] > 0 ? 1 : Suppressed);
    ensures certain: \forall integer i; 0 <= i < n ==> \old(x[i]) > bound ==> y[i] == 1;
*/
size_t pby_present(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t bound);

#endif
