/* SPDX-License-Identifier: MIT */
/* A user's choice among k public offers is answered by the offer's public price, with noise. */
#ifndef PRICE_H
#define PRICE_H

#include <stddef.h>
#include <stdint.h>

#define PRICE_MAX 10

/*@ predicate Priced(int64_t *price, integer k) =
      \forall integer i; 0 <= i < k ==> 0 <= price[i] <= PRICE_MAX; */

/* The price of offer x and the noise z. */
/*@ requires valid:  \valid_read(price + (0 .. k - 1));
    requires choice: x < k;
    requires prices: Priced(price, k);
    requires fits:   -0x4000000000000000 <= z <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: \result == price[x] + z;
*/
int64_t price_of(size_t x, const int64_t *price, size_t k, int64_t z);

#endif
