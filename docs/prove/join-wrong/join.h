/* SPDX-License-Identifier: MIT */
/* Wrong: an empty join is shown as 0, and not suppressed. */
#ifndef JOIN_H
#define JOIN_H

#include <stddef.h>
#include <stdint.h>

#define SUPPRESSED (-1)
#define KEYS_MAX   1000000000
#define BOTH       3

/*@ // For each key: 0 no table has it, 1 the left one, 2 the right one, BOTH both.
    logic integer Size(int64_t *x, integer n) = n <= 0 ? 0 : Size(x, n - 1) + (x[n - 1] == BOTH ? 1 : 0);

    logic integer Shown(integer size, integer z, integer threshold) =
      size == 0 ? 0 : size + z < threshold ? SUPPRESSED : size + z;
*/

/* The size of the join and the noise z; SUPPRESSED below the threshold, and 0 for an empty join. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    requires few:   n <= KEYS_MAX;
    requires fits:  -0x4000000000000000 <= z <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: \result == Shown(Size(x, n), z, threshold);
*/
int64_t join_size(const int64_t *x, size_t n, int64_t threshold, int64_t z);

#endif
