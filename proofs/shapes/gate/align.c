/* Counts that are not 0 keep their sum. If one of them is 0 the noise stays: the other is 1, and the
 * alignment fails where the noise lifts it over the threshold. */
#include "NAME.h"
#include "acsl/alignment.h"

/*@ logic integer Shift(integer x, integer y) = x == 0 ? 0 : y == 0 ? 0 : x - y;
 */

/*@ requires place: \valid(w) && \valid(a) && \valid(b) && \separated(w, a, b);
    requires counts:    0 <= x <= COUNT_MAX && 0 <= y <= COUNT_MAX;
    requires fits:      -0x2000000000000000 <= z <= 0x2000000000000000;
    requires some:      1 < threshold <= COUNT_MAX;
    requires neighbour: Apart(x, y) <= 1;
    terminates \true;
    assigns *w, *a, *b;
    ensures first:     *a == Shown(x, z, threshold);
    ensures second:    *b == Shown(y, *w, threshold);
    ensures same:      z < threshold - 1 ==> *a == *b;
    ensures injective: z == *w - Shift(x, y);
    ensures cost:      Apart(z, *w) <= 1;
    ensures fails:     *a != *b ==> z >= threshold - 1;
*/
void align_NAME(int64_t x, int64_t y, int64_t z, int64_t *w, int64_t threshold, int64_t *a, int64_t *b)
{
    *w = x == 0 || y == 0 ? z : z + x - y;
    *a = NAME(x, threshold, z);
    *b = NAME(y, threshold, *w);
}
