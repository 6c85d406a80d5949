/* One user's value, cut off at TOP and reported with noise: no one else is trusted with it. */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>
#include <stdint.h>

#define TOP 100

/*@ logic integer Topped(integer x) = x < 0 ? 0 : x < TOP ? x : TOP;
 */

/* The value, from 0 to TOP, and the noise z. */
/*@ requires fits: -0x4000000000000000 <= z <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: \result == Topped(x) + z;
*/
int64_t NAME(int64_t x, int64_t z);

#endif
