/* A count that is shown only if it is large enough, and whose noise is drawn only if it is not 0. */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>
#include <stdint.h>

#define SUPPRESSED (-1)
#define COUNT_MAX  1000000000000

/*@ logic integer Shown(integer x, integer z, integer threshold) =
      x == 0 ? SUPPRESSED : x + z < threshold ? SUPPRESSED : x + z;
*/

/* The count and the noise z; SUPPRESSED below the threshold, and always of a count of 0. */
/*@ requires count: 0 <= x <= COUNT_MAX;
    requires fits:  -0x4000000000000000 <= z <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: \result == Shown(x, z, threshold);
*/
int64_t NAME(int64_t x, int64_t threshold, int64_t z);

#endif
