/* SPDX-License-Identifier: MIT */
/* Each noise moves by what its own part of the answer differs by: the first by at most 1, the second by at
 * most VISITS_MAX. */
#include "acsl/alignment.h"
#include "visit.h"

/* The truth behind one part of the answer. */
/*@ terminates \true;
    assigns \nothing;
    ensures came: \result == Came(k) && 0 <= \result <= 1;
*/
static inline int64_t came(int64_t k)
{
    return k <= 0 ? 0 : 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures visits: \result == Visits(k) && 0 <= \result <= VISITS_MAX;
*/
static inline int64_t visits(int64_t k)
{
    return k < 0 ? 0 : k < VISITS_MAX ? k : VISITS_MAX;
}

/*@ requires valid: \valid_read(z + (0 .. 1));
    requires place: \valid(w + (0 .. 1)) && \valid(a + (0 .. 1)) && \valid(b + (0 .. 1));
    requires apart: \separated(w + (0 .. 1), a + (0 .. 1), b + (0 .. 1), z + (0 .. 1));
    requires fits:  \forall integer i; 0 <= i < 2 ==> -0x2000000000000000 <= z[i] <= 0x2000000000000000;
    terminates \true;
    assigns w[0 .. 1], a[0 .. 1], b[0 .. 1];
    ensures first:     a[0] == Came(x) + z[0] && a[1] == Visits(x) + z[1];
    ensures second:    b[0] == Came(y) + w[0] && b[1] == Visits(y) + w[1];
    ensures fits:      -0x4000000000000000 <= w[0] <= 0x4000000000000000 &&
                       -0x4000000000000000 <= w[1] <= 0x4000000000000000;
    ensures same:      a[0] == b[0] && a[1] == b[1];
    ensures injective: z[0] == w[0] - (Came(x) - Came(y)) && z[1] == w[1] - (Visits(x) - Visits(y));
    ensures cost:      Apart(z[0], w[0]) <= 1 && Apart(z[1], w[1]) <= VISITS_MAX;
*/
void align_visit(int64_t x, int64_t y, const int64_t *z, int64_t *w, int64_t *a, int64_t *b)
{
    w[0] = z[0] + came(x) - came(y);
    w[1] = z[1] + visits(x) - visits(y);
    visit(a, x, z);
    visit(b, y, w);
}
