/* The noise makes up for the difference of any two values, which is at most TOP. */
#include "NAME.h"
#include "acsl/alignment.h"

/*@ requires place: \valid(w) && \valid(a) && \valid(b) && \separated(w, a, b);
    requires fits:  -0x2000000000000000 <= z <= 0x2000000000000000;
    terminates \true;
    assigns *w, *a, *b;
    ensures first:     *a == Topped(x) + z;
    ensures second:    *b == Topped(y) + *w;
    ensures same:      *a == *b;
    ensures injective: z == *w - (Topped(x) - Topped(y));
    ensures cost:      Apart(z, *w) <= TOP;
*/
void align_NAME(int64_t x, int64_t y, int64_t z, int64_t *w, int64_t *a, int64_t *b)
{
    *a = NAME(x, z);
    *w = *a - NAME(y, 0);
    *b = NAME(y, *w);
}
