/* SPDX-License-Identifier: MIT */
/* The noise moves by as much as the two prices are apart. The list of prices is public: both runs have it. */
#include "acsl/alignment.h"
#include "price.h"

/*@ requires valid: \valid_read(price + (0 .. k - 1));
    requires place: \valid(w) && \valid(a) && \valid(b);
    requires apart: \separated(w, a, b, price + (0 .. k - 1));
    requires choice: x < k <= 1000 && y < k;
    requires prices: Priced(price, k);
    requires fits:   -0x2000000000000000 <= z <= 0x2000000000000000;
    terminates \true;
    assigns *w, *a, *b;
    ensures first:     *a == price[x] * (x + 1) + z;
    ensures second:    *b == price[y] * (y + 1) + *w;
    ensures same:      *a == *b;
    ensures injective: z == *w - (price[x] * (x + 1) - price[y] * (y + 1));
    ensures cost:      Apart(z, *w) <= PRICE_MAX;
*/
void align_price_of(size_t x, size_t y, int64_t z, int64_t *w, const int64_t *price, size_t k, int64_t *a,
                    int64_t *b)
{
    *a = price_of(x, price, k, z);
    *w = z + (price[x] * (int64_t)(x + 1) - price[y] * (int64_t)(y + 1));
    *b = price_of(y, price, k, *w);
}
