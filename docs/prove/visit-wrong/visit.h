/* SPDX-License-Identifier: MIT */
/* One user's visits: whether there were any, and how many, each with noise of a rate of its own. */
#ifndef VISIT_H
#define VISIT_H

#include <stdint.h>

#define VISITS_MAX 10

/*@ logic integer Came(integer k) = k <= 0 ? 0 : 1;

    logic integer Visits(integer k) = k < 0 ? 0 : k < VISITS_MAX ? k : VISITS_MAX;
*/

/* a[0] = 1 for a visit and z[0]; a[1] = the number of visits, at most VISITS_MAX, and z[1]. */
/*@ requires valid: \valid_read(z + (0 .. 1));
    requires place: \valid(a + (0 .. 1));
    requires apart: \separated(a + (0 .. 1), z + (0 .. 1));
    requires fits:  -0x4000000000000000 <= z[0] <= 0x4000000000000000 &&
                    -0x4000000000000000 <= z[1] <= 0x4000000000000000;
    terminates \true;
    assigns a[0 .. 1];
    ensures came:  a[0] == Came(x) + z[0];
    ensures count: a[1] == Visits(x) + z[1];
*/
void visit(int64_t *a, int64_t x, const int64_t *z);

#endif
